from ellipsoid_walker.testing import *
