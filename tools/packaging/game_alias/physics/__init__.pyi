from ellipsoid_walker.physics import *
