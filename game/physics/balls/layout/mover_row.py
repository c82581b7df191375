"""Columns of a mover during a tick (row of Obstacles.movers, float64).

Its first columns are its pose at the beginning of the tick (environment.layout.pose).
"""

START_POSE = 0  # 12: pose at the beginning of the tick
EXACT_END_POSE = 12  # 12: pose at its end
BOUNDS = 24  # 6: least and greatest corner of the world box that it never leaves, m
FIRST_NODE = 30  # range of its nodes in the joined mesh; the end is exclusive
END_NODE = 31
IS_MOVING = 32  # 1.0 if both poses differ
MAX_DISPLACEMENT = 33  # m: of any of its points in the tick
END_POSE = 34  # 12: pose at its end with the rotation made orthonormal (interpolate_pose)
WIDTH = 46
