"""Indices of the settings of a tick (float64, BallSettings.row)."""

GRAVITY_X = 0  # m/s2
GRAVITY_Y = 1
GRAVITY_Z = 2
DT = 3  # s, of a tick
RESTITUTION_THRESHOLD = 4  # m/s: slower impacts do not bounce
SLEEP_SPEED = 5  # m/s
SLEEP_TICKS = 6
ITERATIONS = 7  # of the solver
GRAVITY = 8  # m/s2, magnitude
CONTACT_MARGIN = 9  # m: highest gap over which a falling ball stays too slow to bounce
UP_X = 10  # unit vector against gravity
UP_Y = 11
UP_Z = 12
PILE_RESTITUTION_THRESHOLD = 13  # m/s: RESTITUTION_THRESHOLD between balls in a pile
WIDTH = 14
