"""Layout: body."""

# Places in Work.body: where the body is within this tick, and its shape.
ORIGIN = 0  # 3: world position that everything below is relative to (the centre when the tick began)
OFFSET = 3  # 3: displacement from the base so far, world
# of the shape's heading
SIN_HEADING = 6
COS_HEADING = 7
RADII = 8  # 3: radii
SKIN = 11
CANDIDATE_BOX = 12  # 6: box that the candidates cover, relative to the base: min xyz, max xyz
# slope limit, step height (both as settings have them)
COS_MAX_SLOPE = 18
STEP_HEIGHT = 19
SUPPORT_HEIGHT = 20  # height (relative to the base) of what carried the body when it last touched something that does
NO_SUPPORT = -1000000000.0
INVERSE_RADII = 21  # 3: of the radii
# 3 and 1: where the touching set was found (displacement from the base), the smallest gap there
CONTACTS_OFFSET = 24
SMALLEST_GAP = 27
SNAP_DOWN = 28  # how far down is still a step and no fall (as settings have it)
FRAME = 29  # 9: unit vectors of the world along the body's own east, up and south
FRAME_IS_ROTATED = 38  # 0.0 where they are the world's
# What the zones say of where the body is (see surroundings of a tick: survey in afloat.py)
GRAVITY_SCALE = 39  # gravity, times the walker's own
# 1.0 where there is a current; 3: it, m/s, in the body's own directions; see HOLD
HAS_CURRENT = 40
CURRENT = 41
CURRENT_GRIP = 44
# part of the body's height under water; the zone of it
SUBMERGED_PART = 45
WATER_ZONE = 46
# zones that hold the feet, -1.0 where none
LADDER_ZONE = 47
LAUNCH_ZONE = 48
SIZE = 49
