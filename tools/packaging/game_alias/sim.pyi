from ellipsoid_walker.sim import *
