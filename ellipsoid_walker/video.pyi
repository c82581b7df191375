from game.video import *
