"""Columns of a mover during a tick (row of Obstacles.movers, float64).

Columns 0..11 are its pose at the beginning of the tick (rotation, row major, then position), 12..23 that at its end.
"""

BOUNDS = 24  # 6: least and greatest corner of the world box that it never leaves, m
FIRST_NODE = 30  # range of its nodes in the joined mesh; the end is exclusive
END_NODE = 31
IS_MOVING = 32  # 1.0 if both poses differ
MAX_DISPLACEMENT = 33  # m: of any of its points in the tick
END_POSE = 34  # 12: pose at the end of the tick as interpolate_pose returns it
WIDTH = 46
