from game.render import *
