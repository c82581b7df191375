"""Columns of the state row: all fields are 8 bytes wide, so one memory is read as float64 and as int64.

The field names of `state.STATE_ROW` are a file format; these columns follow them. New columns come last: rows that
were saved before are the beginning of a row.
"""

POSITION = 0  # 3
VELOCITY = 3  # 3
GROUND_NORMAL = 6  # 3
RADII = 9  # 3
SAFE_POSITION = 12  # 3: field "safe"
FALL_VELOCITY = 15  # field "falling"
UP = 16  # 3
NORTH = 19  # 3
CARRIED_VELOCITY = 22  # 3: field "carried"
HEADING = 25  # int64, as are the next four columns
TICK = 26
COYOTE_TICKS = 27
JUMP_BUFFER_TICKS = 28
FLAGS = 29  # bits of state_flag
SAFE_UP = 30  # 3: up at the safe place; float64
SAFE_NORTH = 33  # 3: north at the safe place; float64
SAFE_HEADING = 36  # int64
SAFE_CROUCHED = 37  # int64: 1 if the body was crouched at the safe place
WIDTH = 38
