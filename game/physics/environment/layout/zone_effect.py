"""Layout: zone effect."""

# bits of KINDS
GRAVITY = 1 << 0
CURRENT = 1 << 1
WATER = 1 << 2
LADDER = 1 << 3
LAUNCH_PAD = 1 << 4
