from game.level import *
