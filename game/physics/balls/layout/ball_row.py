"""Layout: ball row."""

# Places in a ball's row (game.physics.balls.balls.BALL_ROW), as floats; the last two as ints
POSITION = 0
VELOCITY = 3
SPIN = 6
TURN = 9
RADIUS = 13
MASS = 14
RESTITUTION = 15
FRICTION = 16
ROLLING = 17
STILL = 18
ASLEEP = 19
NUMBER = 20
WIDTH = 21
