from ellipsoid_walker import *
from ellipsoid_walker import __version__ as __version__
