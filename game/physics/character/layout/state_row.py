"""Layout: state row."""

# Places in the row, seen as floats or as ints: every field is 8 bytes wide, so one memory serves both views.
POSITION = 0
VELOCITY = 3
GROUND_NORMAL = 6
RADII = 9
SAFE_POSITION = 12
FALL_VELOCITY = 15
UP = 16
NORTH = 19
CARRIED_VELOCITY = 22
HEADING = 25
TICK = 26
COYOTE_TICKS = 27
JUMP_BUFFER_TICKS = 28
FLAGS = 29
WIDTH = 30
