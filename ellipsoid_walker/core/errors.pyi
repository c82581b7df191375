from game.core.errors import *
