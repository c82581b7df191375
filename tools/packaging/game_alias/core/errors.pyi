from ellipsoid_walker.core.errors import *
