from game.physics.balls import *
