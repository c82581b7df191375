"""Columns of a zone row (float64): an oriented box and its effects."""

CENTRE = 0  # 3: m
HALF_SIZES = 3  # 3: m, along its own east, up and south
SIN_HEADING = 6
COS_HEADING = 7
EFFECTS = 8  # bits, below
UP = 9  # 3: unit vector against its gravity
STRENGTH = 12  # factor of the walker's gravity
CURRENT = 13  # 3: m/s
HOLD = 16  # part of the current that moves a body on the ground, 0..1
DRAG = 17  # 1/s
BUOYANCY = 18  # 1 carries a body that is wholly under water
CLIMB = 19  # 3: unit vector towards the ladder
LAUNCH = 22  # 3: m/s
BOUNDS = 25  # 6: least and greatest corner of its axis-aligned box, m
REMAINING_BOUNDS = 31  # 6: the same of this zone and all after it
VELOCITY = 37  # 3: m/s, of a zone that a mover carries; 0 for others
ADDED = 40  # columns from here on have come later: 0 in a zone without the effect, so that hashes of levels stay
WIDTH = 40

# Bits of EFFECTS
HAS_GRAVITY = 1 << 0
HAS_CURRENT = 1 << 1
IS_WATER = 1 << 2
IS_LADDER = 1 << 3
IS_LAUNCH_PAD = 1 << 4

# Columns and bits of the fields of a Zone. The directions `down` (to UP) and `climb` become unit vectors.
NUMBER_COLUMNS = {"strength": STRENGTH, "hold": HOLD, "drag": DRAG, "buoyancy": BUOYANCY}
VECTOR_COLUMNS = {"down": UP, "current": CURRENT, "climb": CLIMB, "launch": LAUNCH}
FIELD_EFFECTS = {
    "down": HAS_GRAVITY, "current": HAS_CURRENT, "water": IS_WATER, "climb": IS_LADDER, "launch": IS_LAUNCH_PAD,
}  # fmt: skip
