from game.gym import *
