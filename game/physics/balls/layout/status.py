"""Layout: status."""

# Whole numbers of a ball (row of Work.k)
ASLEEP = 0
STILL_TICKS = 1
EVENT_STAMP = 2
EVENT_COUNT = 3
GRID_STATUS = 4
PLANE_COUNT = 5
LOAD = 6
REST_COUNT = 7
TOUCHES_MOVING = 8
NO_SURFACE_NEAR = 9
LIST_COUNT = 10
IMPACT_MOVER = 11
# HIT_MOVER: whose surface its next event is with, -1: the level's or a body's
WIDTH = 16  # of 4 bytes: what a processor fetches at once
NO_LIST = -1  # as LISTED: it is near more triangles than a list holds, or has no list
LOAD_BY_BALLS = 2  # as PRESSED: other balls press it; 1: the level alone
