"""Columns of a ball during a tick (row of BallScratch.balls, float64).

It moves from POSITION with VELOCITY and constant ACCELERATION since TIME. Columns that are read together are in one
group of eight, which is a cache line.
"""

POSITION = 0  # 3: m, at TIME
RADIUS = 3  # m
VELOCITY = 4  # 3: m/s, at TIME
INVERSE_MASS = 7  # 1/kg; 0 for a sleeping ball
START_POSITION = 8  # 3: m, at the beginning of the tick
SWEPT_RADIUS = 11  # m: sphere about START_POSITION that contains the path of the tick
ACCELERATION = 12  # 3: m/s2
TIME = 15  # s since the beginning of the tick
START_VELOCITY = 16  # 3: m/s, at the beginning of the tick
MASS = 19  # kg
ANGULAR_VELOCITY = 20  # 3: rad/s
SWEEP_RADIUS = 23  # m: radius for sweeps, less than the gap to all that it touches
RESTITUTION = 24
FRICTION = 25
ROLLING_RESISTANCE = 26
POSITION_CORRECTION = 27  # 3: m, from overlaps with other balls
IMPACT_NORMAL = 30  # 3: surface of its next event: unit normal
IMPACT_VELOCITY = 33  # 3: m/s, of the surface
IMPACT_FRICTION = 36
IMPACT_RESTITUTION = 37
LIST_RADIUS = 38  # m: reach of its triangle list about START_POSITION
EXTENDED_SWEPT_RADIUS = 39  # m: as SWEPT_RADIUS, once an impact has led it further
WIDTH = 40
