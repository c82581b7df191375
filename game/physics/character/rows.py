"""Rows of the arrays of a walker: what their columns mean, and what values mean in them."""

from __future__ import annotations

from ..numerics.constants import constants


@constants
class body:
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

    # Zones at the body (tick/effects.py)
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
    PUSHED_STEP_UP = (
        75  # STEP_UP_WIDTH: columns STEP_UP after a push along the ground; the first is NO_LIMIT without one
    )
    SIZE = 83


@constants
class box_row:
    """Rows of the candidates' bounding boxes (float64, one column per candidate): body frame, m, relative to ORIGIN."""

    MIN = 0  # 3
    MAX = 3  # 3
    ROWS = 6


@constants
class button:
    """Bits of `buttons` in a command."""

    JUMP = 1 << 0
    CROUCH = 1 << 1
    SPRINT = 1 << 2
    USE = 1 << 3


@constants
class candidate:
    """Columns of the candidates (float64, one row per triangle of the broad phase).

    The queries of mesh/geometry.py read the first columns: corners and normal in ellipsoid space, written when they are
    needed (`require_transformed`).
    """

    AX = 0  # corners
    AY = 1
    AZ = 2
    NX = 9  # unit normal
    NY = 10
    NZ = 11
    NOT_TRANSFORMED = 2.0  # value of NX until the columns before are written

    CORNERS = 12  # 9: in the body frame, m, relative to body.ORIGIN
    NORMAL = 21  # 3: unit normal in the body frame
    TRIANGLE = 24  # index of the triangle, exact as a float
    NEIGHBOURS = 25  # 3: for each edge 4 * (index of the neighbour) + bits of edge_side
    # squared distance of the box at the heading that brings it nearest (rotate.py); infinite: none
    ROTATION_DISTANCE = 28
    VELOCITY = 29  # 3: of its mover at body.ORIGIN in this tick, body frame, m/s; written for triangles of movers only
    SPIN = 32  # 3: the mover's angular velocity, rad/s
    FLOW_X = 35  # of its surface relative to the mover, m/s; written where the mesh has materials
    FLOW_Z = 36
    WIDTH = 37


@constants
class command_row:
    """Columns of a command (row of `command_columns`, float64); the last two are of its tick."""

    FORWARD = 0  # -1..1
    STRAFE = 1  # -1..1
    HEADING = 2  # heading units
    BUTTONS = 3  # bits of rows.button
    PITCH = 4  # heading units
    LATER = 5  # ticks that the world of this row is ahead of the clock of the call
    EVENTS = 6  # written by the tick: bits of tick_event
    WIDTH = 7


@constants
class contact:
    """Columns of the contacts (float64, one row per triangle within one and a half skins), in ellipsoid space."""

    POINT_X = 0  # contact point
    POINT_Y = 1
    POINT_Z = 2
    NX = 3  # unit vector from it to the body's centre
    NY = 4
    NZ = 5
    DISTANCE = 6  # from the contact point to the centre
    FACE_NY = 7  # upward component of the face's normal in the body frame, on the body's side
    CANDIDATE = 8  # row of the triangle among the candidates
    FEATURE = 9  # 0: face, 1-3: edges, 4-6: corners
    STATUS = 10  # 0: undecided, 1: accepted as a contact plane, 2: internal edge or surplus
    COPLANAR_NEIGHBOUR = 11  # of an edge: triangle that continues the face beyond it; -1: none
    WIDTH = 12


@constants
class counter:
    """Columns of the counters (int64, one row): counts, flags and events of a tick."""

    CANDIDATES = 0  # rows in use
    CANDIDATES_NEEDED = 1  # rows that a complete broad phase needs; more than there is room for: allocate, repeat
    CANDIDATES_INCOMPLETE = 2  # 1: the tick left the box of the candidates and must be repeated with a larger one
    PLANES = 3  # contact planes in use
    STOPS = 4  # horizontal directions stored for clip_velocity (half_space.FIRST_STOP_ROW)
    RECORDS = 5  # rows of the trace in use
    EVENTS = 6  # bits of tick_event
    CONTACTS_VALID = 7  # 1: the contact planes belong to body.CONTACTS_OFFSET and the present shape
    STATIC_CANDIDATES = 8  # the level's own candidates; those of movers follow them
    PUSHERS_END = 9  # candidates of movers before this one are walls (`push_along_ground`); 0: none
    SIZE = 10


@constants
class half_space:
    """Rows of the half-spaces (float64, 4 columns): (nx, ny, nz, bound), n . d >= bound; or (nx, nz, bound)."""

    NX = 0  # of a half-space
    NY = 1
    NZ = 2
    BOUND = 3
    X = 0  # of a half-plane, or of a horizontal normal
    Z = 1
    HORIZONTAL_BOUND = 2
    SPEED = 2  # of a wall that stopped the body, along its normal, m/s

    MAX_ROWS = 96  # for one projection
    FIRST_STOP_ROW = 96  # rows from here on: (x, z, speed) of planes that stopped the body in this tick
    MAX_STOPS = 12


@constants
class kept:
    """Rows of a kept list (float64): the level's triangles around one walker, one column each, and a header row."""

    BOX_MIN = 0  # 3: bounding box of the triangle, m
    BOX_MAX = 3  # 3
    TRIANGLE = 6  # its index, exact as a float; ascending
    HEADER = 7
    ROWS = 8

    # Columns of the header row
    COVERED_BOX = 0  # 6: world box in which the list is complete, min xyz, max xyz; inverted: there is no list
    COVERED_BOX_MAX = 3
    COUNT = 6  # columns in use
    LAST_BOX = 7  # 3: min xyz of the box of the last tick; infinite: there is none
    GROWTH = 10  # factor on how far the next list reaches beyond the box of a tick
    MIN_CAPACITY = 11


@constants
class plane:
    """Columns of the contact planes (float64, one row per plane), in the body frame, metres.

    Points are relative to body.ORIGIN.
    """

    NX = 0  # unit normal, from the surface to the body
    NY = 1
    NZ = 2
    BOUND = 3  # displacements d with n . d >= BOUND keep the whole skin; positive if a part of it is lost
    GAP = 4  # gap in ellipsoid space; the skin is what it should be
    POINT_X = 5  # contact point
    POINT_Y = 6
    POINT_Z = 7
    UPRIGHT_X = 8  # of an edge or corner: unit normal at which the body stands on top of it
    UPRIGHT_Y = 9
    UPRIGHT_Z = 10
    TOP_HEIGHT = 11  # rise that brings the body to the top of the edge or corner
    MAX_FACE_NY = 12  # upward component of the most upward normal among the faces that meet at the contact
    TRIANGLE = 13  # index of the triangle
    FEATURE = 14  # 0: face, 1-3: edges, 4-6: corners
    CLASS = 15  # surface_class
    BLOCKED = 16  # 1.0: the plane held back the last displacement
    IS_ROUGHNESS = 17  # 1.0: an edge or corner of steep faces that hardly stands out from steep ground
    CANDIDATE = 18  # row of the triangle among the candidates
    WIDTH = 19


@constants
class record_kind:
    """Kinds and columns of trace records (float64, one row each).

    Vectors and points are in the body frame, points relative to body.ORIGIN.
    """

    CONTACT = 1.0  # contact plane at the end of the tick: normal, gap, contact point
    SLIDE = 2.0  # swept displacement: displacement, free part, centre afterwards
    STEP = 3.0  # lift onto an edge: displacement, free part, centre
    ROTATE = 4.0  # rotation: (units turned, rise, units wanted), 1.0 if lifted for it, centre
    STOP = 5.0  # plane that held the body back: normal, gap, contact point

    # Columns
    KIND = 0
    TRIANGLE = 1
    CLASS = 2
    FEATURE = 3
    X = 4  # vector: m, or a unit normal
    Y = 5
    Z = 6
    VALUE = 7
    POINT_X = 8
    POINT_Y = 9
    POINT_Z = 10
    WIDTH = 11


@constants
class setting:
    """Columns of the settings row (float64): WalkerSettings as the kernels read it, in metres and seconds."""

    RADIUS_RIGHT = 0
    RADIUS_UP = 1
    RADIUS_AHEAD = 2
    CROUCH_RADIUS_UP = 3
    WALK_SPEED = 4
    SPRINT_SPEED = 5
    CROUCH_SPEED = 6
    ACCELERATION = 7
    DECELERATION = 8
    AIR_CONTROL = 9
    GRAVITY = 10
    FALL_LIMIT = 11
    JUMP_SPEED = 12  # sqrt(2 gravity jump_height)
    COS_MAX_SLOPE = 13
    STEP_HEIGHT = 14
    SNAP_DOWN = 15
    SKIN = 16  # ellipsoid space
    DT = 17
    COYOTE_TICKS = 18  # whole ticks
    JUMP_BUFFER_TICKS = 19  # whole ticks


@constants
class slide_mode:
    """Modes of `slide_move`, by what moves the body."""

    IN_AIR = 0  # its own horizontal move, with what stops it stored
    FLOATING = 1  # swimming or climbing, in all directions
    RIDING = 2  # with the platform that it stands on: nothing is marked as what stopped it


@constants
class state_flag:
    """Bits of the state row's FLAGS column: one byte each, so that the structured row names them as bools."""

    GROUNDED = 1 << 0
    CROUCHED = 1 << 8
    JUMP_HELD = 1 << 16  # the jump button was down
    SLIDING = 1 << 24
    SWIMMING = 1 << 32
    CLIMBING = 1 << 40
    MOVER_SHIFT = 48  # the top 16 bits: 1 + index of the mover that the body stands on; 0: none


@constants
class state_row:
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


@constants
class surface_class:
    """Classes of contact planes (docs/physics.md, "Contacts")."""

    WALKABLE = 1
    WALL = 2
    CEILING = 3


@constants
class tick_event:
    """Bits of counter.EVENTS: what happened in a tick. The words of `Trace.events` are these names, in this order."""

    SQUEEZED = 1 << 0  # no displacement restores all gaps
    CROWDED = 1 << 1  # more contacts than a tick holds
    PUSHED = 1 << 2  # out of something that the body was inside of
    LOST = 1 << 3  # inside something: moved to the last safe place
    TURN_CUT = 1 << 4
    STEPPED = 1 << 5
    SNAPPED = 1 << 6
    LANDED = 1 << 7
    JUMPED = 1 << 8
    HEAD = 1 << 9  # a ceiling ended the rise
    NO_ROOM_TO_STAND = 1 << 10
    FUNNEL = 1 << 11  # supported by steep planes together
    BOUNCED = 1 << 12
    CRUSHED = 1 << 20
    GRAVITY_TURNED = 1 << 16
    LAUNCHED = 1 << 17
    SWIMS = 1 << 18
    CLIMBS = 1 << 19
