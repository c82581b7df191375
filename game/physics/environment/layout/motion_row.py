"""Columns of a motion row (float64): path, rotation and bounds of one mover."""

FIRST_KEYFRAME = 0  # row of the keyframes
KEYFRAME_COUNT = 1  # 0: no path
PERIOD = 2  # s
PHASE = 3  # s
TICKS_PER_SECOND = 4
AXIS = 5  # 3: unit vector of the rotation
SPIN = 8  # heading units per second
HOME = 9  # 3: m
BOUNDS = 12  # 6: least and greatest corner of the world box that the mover never leaves, m
MAX_SPEED = 18  # m/s, of its origin
MAX_ANGULAR_SPEED = 19  # rad/s
RADIUS = 20  # m: from its origin to its furthest corner
FIRST_NODE = 21  # ranges of the mover in the joined mesh arrays; ends are exclusive
END_NODE = 22
FIRST_TRIANGLE = 23
END_TRIANGLE = 24
WIDTH = 25
