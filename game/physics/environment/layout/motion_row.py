"""Layout: motion row."""

# Columns of a mover's row
# RATE: ticks a second
FIRST_KEYFRAME = 0
KEYFRAME_COUNT = 1
PERIOD = 2
PHASE = 3
TICKS_PER_SECOND = 4
# 3 (unit), units a second, 3 (m)
AXIS = 5
SPIN = 8
HOME = 9
BOUNDS = 12  # 6: box of the world that it never leaves
# most m/s of its origin, most rad/s, m from its origin to its furthest corner
MAX_SPEED = 18
MAX_ANGULAR_SPEED = 19
RADIUS = 20
# in the arrays that it is joined to
FIRST_NODE = 21
END_NODE = 22
FIRST_TRIANGLE = 23
END_TRIANGLE = 24
WIDTH = 25
