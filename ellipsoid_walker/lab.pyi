from game.lab import *
