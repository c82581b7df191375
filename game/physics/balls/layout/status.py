"""Columns of a ball's integers during a tick (row of BallScratch.status, int32)."""

ASLEEP = 0
STILL_TICKS = 1  # ticks of little motion so far
EVENT_STAMP = 2  # events in the queue with another stamp are void
EVENT_COUNT = 3  # impacts in this tick
GRID_STATUS = 4  # a value of grid_status
PLANE_COUNT = 5  # planes that it touches: first those of the level, then of movers, then of bodies
LOAD = 6  # 0: nothing presses it; 1: planes only; LOAD_BY_BALLS
REST_COUNT = 7  # impacts of this tick after which it rested
TOUCHES_MOVING = 8  # 1: it touches a moving surface
NO_SURFACE_NEAR = 9  # 1: no surface can be reached in this tick
LIST_COUNT = 10  # triangles in its list, or NO_LIST
IMPACT_MOVER = 11  # mover of its next event; -1: the level or a body
SURFACE_PLANE_COUNT = 12  # planes of the level and of movers
WIDTH = 16  # int32 columns: one cache line
NO_LIST = -1  # value of LIST_COUNT: too many triangles for a list, or none made
LOAD_BY_BALLS = 2  # value of LOAD: other balls press it
