from game.level.build.pieces import *
