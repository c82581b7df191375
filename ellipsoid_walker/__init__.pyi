from game import *
from game import __version__ as __version__
