from ellipsoid_walker.lab import *
