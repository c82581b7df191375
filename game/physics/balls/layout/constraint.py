"""Columns of a plane constraint of the solver (row of BallScratch.constraints, float64). Impulses per unit mass.

BALL and PLANE are columns of BallScratch.constrained_balls (uint32).
"""

NORMAL = 0  # 3: unit
APPROACH_LIMIT = 3  # m/s: approach speed that closes the gap at the end of the tick
SURFACE_VELOCITY = 4  # 3: m/s
FRICTION = 7
NORMAL_IMPULSE = 8  # m/s, accumulated
FRICTION_IMPULSE = 9  # 3: m/s, accumulated
WIDTH = 12
BALL = 0
PLANE = 1  # row of BallScratch.planes
