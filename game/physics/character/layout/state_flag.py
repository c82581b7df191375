"""Layout: state flag."""

# a byte each, so the row names them as bools
GROUNDED = 1 << 0
CROUCHED = 1 << 8
JUMP_HELD = 1 << 16
SLIDING = 1 << 24
SWIMMING = 1 << 32
CLIMBING = 1 << 40
MOVER_SHIFT = 48  # bits from here on: the mover stood on, and 1
