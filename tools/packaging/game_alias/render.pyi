from ellipsoid_walker.render import *
