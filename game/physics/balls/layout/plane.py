"""Layout: plane."""

# A plane that a ball touches (row of Work.planes, MAX_PLANES of them a ball)
NORMAL = 0
GAP = 3
POINT = 4
SURFACE_VELOCITY = 7
FRICTION = 10
ROLLING_RESISTANCE = 11
RESTITUTION = 12
NORMAL_IMPULSE = 13
FRICTION_IMPULSE = 14
APPROACH_LIMIT = 17
WIDTH = 18
# MAY, PAIR_MAY: how fast it may approach, m/s, to be there at the end of the tick
IMPACT_MARK = -1.0  # as PN: it is an impact, and left to the events
