from game.physics import *
