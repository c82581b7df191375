"""Columns of a plane that a ball touches (row of BallScratch.planes, float64; MAX_BALL_PLANES rows a ball)."""

NORMAL = 0  # 3: unit, towards the ball
GAP = 3  # m
POINT = 4  # 3: m, contact point
SURFACE_VELOCITY = 7  # 3: m/s
FRICTION = 10
ROLLING_RESISTANCE = 11
RESTITUTION = 12
NORMAL_IMPULSE = 13  # m/s, per unit mass; or IMPACT_MARK
FRICTION_IMPULSE = 14  # 3: m/s, per unit mass
APPROACH_LIMIT = 17  # m/s: approach speed that closes the gap at the end of the tick
WIDTH = 18
IMPACT_MARK = -1.0  # value of NORMAL_IMPULSE: the contact is an impact, which events resolve
