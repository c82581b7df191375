from game.testing import *
