"""Layout: mover row."""

# A mover (row of `movers`): its pose before (12) and after the tick (12), the box that it never
# leaves, its nodes, whether it moves, how far any of its points gets in the tick; its pose after the tick as pose_at
# gives it (12)
BOUNDS = 24
FIRST_NODE = 30
END_NODE = 31
IS_MOVING = 32
MAX_DISPLACEMENT = 33
END_POSE = 34
WIDTH = 46
