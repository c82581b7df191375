"""Bits of the state row's FLAGS column: one byte each, so that the structured row names them as bools."""

GROUNDED = 1 << 0
CROUCHED = 1 << 8
JUMP_HELD = 1 << 16  # the jump button was down
SLIDING = 1 << 24
SWIMMING = 1 << 32
CLIMBING = 1 << 40
MOVER_SHIFT = 48  # the top 16 bits: 1 + index of the mover that the body stands on; 0: none
