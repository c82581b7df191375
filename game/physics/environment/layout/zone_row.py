"""Layout: zone row."""

# Places in a zone's row of numbers
CENTRE = 0
HALF_SIZES = 3
SIN_HEADING = 6
COS_HEADING = 7
EFFECTS = 8
# 3: unit, against its gravity; times the walker's own gravity
UP = 9
GRAVITY_SCALE = 12
# 3: m/s; part of it that takes along who stands on ground
CURRENT = 13
CURRENT_GRIP = 16
# 1/s; times what would carry a body that is wholly under water
DRAG = 17
BUOYANCY = 18
# 3: unit, where who climbs looks; 3: m/s
CLIMB_DIRECTION = 19
LAUNCH_VELOCITY = 22
# 6 each, least and most along the world's axes: about it; about it and all after it
BOUNDS = 25
REMAINING_BOUNDS = 31
WIDTH = 37
