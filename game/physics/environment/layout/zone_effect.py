"""Bits of zone_row.EFFECTS."""

GRAVITY = 1 << 0
CURRENT = 1 << 1
WATER = 1 << 2
LADDER = 1 << 3
LAUNCH_PAD = 1 << 4
