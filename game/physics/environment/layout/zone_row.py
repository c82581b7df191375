"""Columns of a zone row (float64): an oriented box and its effects."""

CENTRE = 0  # 3: m
HALF_SIZES = 3  # 3: m, along its own east, up and south
SIN_HEADING = 6
COS_HEADING = 7
EFFECTS = 8  # bits of zone_effect
UP = 9  # 3: unit vector against its gravity
GRAVITY_SCALE = 12  # factor of the walker's gravity
CURRENT = 13  # 3: m/s
CURRENT_GRIP = 16  # part of the current that moves a body on the ground, 0..1
DRAG = 17  # 1/s
BUOYANCY = 18  # 1 carries a body that is wholly under water
CLIMB_DIRECTION = 19  # 3: unit vector towards the ladder
LAUNCH_VELOCITY = 22  # 3: m/s
BOUNDS = 25  # 6: least and greatest corner of its axis-aligned box, m
REMAINING_BOUNDS = 31  # 6: the same of this zone and all after it
VELOCITY = 37  # 3: m/s, of a zone that a mover carries; 0 for others
WIDTH = 40
