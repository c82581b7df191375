"""Columns of a state row (balls.balls.BALL_ROW) as float64; STILL, ASLEEP and NUMBER as int64."""

POSITION = 0  # 3: m
VELOCITY = 3  # 3: m/s
SPIN = 6  # 3: rad/s
TURN = 9  # 4: unit quaternion (w, x, y, z)
MIN_TURN_LENGTH = 1e-3  # of a quaternion that a step takes; it makes it a unit quaternion
RADIUS = 13  # m
MASS = 14  # kg
RESTITUTION = 15
FRICTION = 16
ROLLING = 17
STILL = 18  # ticks
ASLEEP = 19  # lowest byte
NUMBER = 20
WIDTH = 21
