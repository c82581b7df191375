"""Columns of the settings row (float64): WalkerSettings as the kernels read it, in metres and seconds."""

RADIUS_RIGHT = 0
RADIUS_UP = 1
RADIUS_AHEAD = 2
CROUCH_RADIUS_UP = 3
WALK_SPEED = 4
SPRINT_SPEED = 5
CROUCH_SPEED = 6
ACCELERATION = 7
DECELERATION = 8
AIR_CONTROL = 9
GRAVITY = 10
FALL_LIMIT = 11
JUMP_SPEED = 12  # sqrt(2 gravity jump_height)
COS_MAX_SLOPE = 13
STEP_HEIGHT = 14
SNAP_DOWN = 15
SKIN = 16  # ellipsoid space
DT = 17
COYOTE_TICKS = 18  # whole ticks
JUMP_BUFFER_TICKS = 19  # whole ticks
