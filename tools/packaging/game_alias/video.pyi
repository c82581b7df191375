from ellipsoid_walker.video import *
