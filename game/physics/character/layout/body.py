"""Columns of the body row (float64, one row): position, shape and surroundings of the body within a tick.

Lengths in metres. "Relative" points are relative to ORIGIN in the body frame (east, up and south of the state).
"""

ORIGIN = 0  # 3: world position of the centre when the tick began
OFFSET = 3  # 3: displacement of the centre since then, body frame
SIN_HEADING = 6  # of the shape's heading; 0 and 1 for a round body, which never turns
COS_HEADING = 7
RADII = 8  # 3: right, up, ahead
SKIN = 11  # gap kept to every surface, in ellipsoid space (parts of the radius)
CANDIDATE_BOX = 12  # 6: box in which the candidates are complete, relative: min xyz, max xyz
COS_MAX_SLOPE = 18  # cosine of the slope limit
STEP_HEIGHT = 19
SUPPORT_HEIGHT = 20  # relative height of the last contact that supported the body
NO_SUPPORT = -1000000000.0  # value of SUPPORT_HEIGHT without one
INVERSE_RADII = 21  # 3: 1 / RADII
CONTACTS_OFFSET = 24  # 3: OFFSET at which the contacts were found
SMALLEST_GAP = 27  # smallest gap of these contacts, ellipsoid space
SNAP_DOWN = 28  # a drop of the ground by no more than this is a step, not a fall
FRAME = 29  # 9: unit vectors east, up and south of the body frame, in world directions
FRAME_IS_ROTATED = 38  # 0.0 if these are the axes of the world

# Zones at the body (tick/zone_effects.py)
STRENGTH = 39  # factor of the walker's gravity
CURRENT_ZONE = 40  # index of the zone of the current at the centre; -1.0: none
CURRENT = 41  # 3: its velocity, m/s, body frame
HOLD = 44  # part of it that moves a body on the ground, 0..1
SUBMERGED_FRACTION = 45  # part of the body's height under water, 0..1
WATER_ZONE = 46  # index of that zone; valid if SUBMERGED_FRACTION > 0
LADDER_ZONE = 47  # index of the ladder's zone at the feet; -1.0: none
LAUNCH_ZONE = 48  # index of the launch pad's zone at the feet; -1.0: none

# Step-up (`limit_step_up`)
STEP_UP = 49  # first of the columns that a tick changes while it steps up
STEP_UP_LIMIT = 49  # relative height up to which this tick steps on ledges; NO_LIMIT: in the air
NO_LIMIT = 1000000000.0
UNUSED_DISTANCE = 50  # m of the horizontal displacement of this tick that no tread has used so far
IS_CLIMBING_EDGE = 51  # 1.0: the body still climbs LEDGE; the next nose then uses no distance
LEDGE = 52  # 3: point of the highest edge that this tick has stepped on; NO_SUPPORT as height: none
LEDGE_NORMAL_X = 55  # its horizontal unit normal, towards the body
LEDGE_NORMAL_Z = 56
STEP_UP_WIDTH = 8
STEP_UP_FROM = 57  # relative height of the body at the start of a ground move's step; NO_LIMIT: in no such step
STEP_UP_START = 58  # STEP_UP_WIDTH: columns STEP_UP at the start of that step

PLATFORM_VELOCITY = 66  # 3: of the mover that the body stands on, at ORIGIN in this tick, m/s; 0 off movers
PLATFORM_SPIN = 69  # 3: its angular velocity, rad/s
CARRIED_MADE = 72  # 3: displacement that the body has made along with a mover in this tick, m, body frame
PUSHED_STEP_UP = 75  # STEP_UP_WIDTH: columns STEP_UP after a push along the ground; the first is NO_LIMIT without one
SIZE = 83
