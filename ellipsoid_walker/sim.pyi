from game.sim import *
