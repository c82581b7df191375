from ellipsoid_walker.level import *
