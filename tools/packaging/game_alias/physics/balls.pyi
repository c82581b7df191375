from ellipsoid_walker.physics.balls import *
