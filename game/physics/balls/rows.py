"""Rows of the arrays of balls: what their columns mean, and what values mean in them."""

from __future__ import annotations

from ..numerics.constants import constants


@constants
class ball:
    """Columns of a ball during a tick (row of BallScratch.balls, float64).

    It moves from POSITION with VELOCITY and constant ACCELERATION since TIME. Columns that are read together are in one
    group of eight, which is a cache line.
    """

    POSITION = 0  # 3: m, at TIME
    RADIUS = 3  # m
    VELOCITY = 4  # 3: m/s, at TIME
    INVERSE_MASS = 7  # 1/kg; 0 for a sleeping ball
    START_POSITION = 8  # 3: m, at the beginning of the tick
    SWEPT_RADIUS = 11  # m: sphere about START_POSITION that contains the path of the tick
    ACCELERATION = 12  # 3: m/s2
    TIME = 15  # s since the beginning of the tick
    START_VELOCITY = 16  # 3: m/s, at the beginning of the tick
    MASS = 19  # kg
    ANGULAR_VELOCITY = 20  # 3: rad/s
    SWEEP_RADIUS = 23  # m: radius for sweeps, less than the gap to all that it touches
    RESTITUTION = 24
    FRICTION = 25
    ROLLING_RESISTANCE = 26
    POSITION_CORRECTION = 27  # 3: m, from overlaps with other balls
    IMPACT_NORMAL = 30  # 3: surface of its next event: unit normal
    IMPACT_VELOCITY = 33  # 3: m/s, of the surface
    IMPACT_FRICTION = 36
    IMPACT_RESTITUTION = 37
    LIST_RADIUS = 38  # m: reach of its triangle list about START_POSITION
    EXTENDED_SWEPT_RADIUS = 39  # m: as SWEPT_RADIUS, once an impact has led it further
    WIDTH = 40


@constants
class ball_pair:
    """Columns of two balls (rows of BallScratch.pairs, contact_pairs and found_contacts, uint32)."""

    FIRST = 0  # in pairs: the lower ball
    SECOND = 1
    BATCH = 2  # in found_contacts only: batch of the solver


@constants
class ball_row:
    """Columns of a state row (balls.balls.BALL_ROW) as float64; STILL, ASLEEP and NUMBER as int64."""

    POSITION = 0  # 3: m
    VELOCITY = 3  # 3: m/s
    SPIN = 6  # 3: rad/s
    TURN = 9  # 4: unit quaternion (w, x, y, z)
    MIN_TURN_LENGTH = 1e-3  # of a quaternion that a step takes; it makes it a unit quaternion
    RADIUS = 13  # m
    MASS = 14  # kg
    RESTITUTION = 15
    FRICTION = 16
    ROLLING = 17
    STILL = 18  # ticks
    ASLEEP = 19  # lowest byte
    NUMBER = 20
    WIDTH = 21


@constants
class constraint:
    """Columns of a plane constraint of the solver (row of BallScratch.constraints, float64). Impulses per unit mass.

    BALL and PLANE are columns of BallScratch.constrained_balls (uint32).
    """

    NORMAL = 0  # 3: unit
    APPROACH_LIMIT = 3  # m/s: approach speed that closes the gap at the end of the tick
    SURFACE_VELOCITY = 4  # 3: m/s
    FRICTION = 7
    NORMAL_IMPULSE = 8  # m/s, accumulated
    FRICTION_IMPULSE = 9  # 3: m/s, accumulated
    WIDTH = 12
    BALL = 0
    PLANE = 1  # row of BallScratch.planes


@constants
class counter:
    """Indices of BallScratch.counters (int64)."""

    PAIRS = 0  # pairs that may collide
    CONTACTS = 1  # contacts between balls
    EVENTS = 2  # events in the queue
    OUTLIERS = 3  # balls in no grid column, or off their path
    TRIANGLES_NEEDED = 4  # capacity needed of triangles_near; 0: enough
    PAIRS_NEEDED = 5  # pairs that did not fit
    EVENTS_NEEDED = 6  # events that did not fit
    EVENTS_DONE = 7  # impacts of the tick
    SUSPENDED = 8  # balls with too many impacts in the tick
    FIRST_PLANE = 9  # first plane of a ball that is compared with new ones
    CONSTRAINTS = 10  # plane constraints
    SINGLE_CONSTRAINTS = 11  # those of balls that touch one plane only; they come first
    INVALID_INPUT = 12  # 1: a state row is out of range
    WIDE_OUTLIERS = 13  # outliers that are too large for a column; they come first
    SIZE = 14


@constants
class edge_contact:
    """Columns of a contact with an edge or vertex of a triangle (row of BallScratch.edge_contacts, float64)."""

    TRIANGLE = 0
    POINT = 1  # 3: m, closest point
    DISTANCE = 4  # m, from the centre of the ball
    WIDTH = 5


@constants
class event_row:
    """Columns of the event heap (float64, one row per future impact)."""

    TIME = 0  # s
    BALL = 1
    OTHER_BALL = 2  # -1: the surface in the row of the ball
    STAMP = 3  # of the ball, status.EVENT_STAMP
    OTHER_STAMP = 4
    WIDTH = 5


@constants
class grid_status:
    """Values of status.GRID_STATUS; 0: the ball is in its grid column only."""

    TOO_WIDE = 1  # its reach is too large for a column
    LEFT_REACH = 2  # an impact has led it beyond the sphere in which its pairs were found


@constants
class kinematic_body:
    """Columns of a kinematic body (row of Obstacles.bodies, float64): an ellipsoid that moves straight in the tick."""

    START_POSITION = 0  # 3: m, centre at the beginning of the tick
    END_POSITION = 3  # 3: m, at its end
    RADII = 6  # 3: m
    AXES = 9  # 9: unit vectors right, up, back
    WIDTH = 18


@constants
class listed_triangle:
    """Columns of a triangle in the list of a ball (last axis of BallScratch.triangle_lists, int32)."""

    TRIANGLE = 0
    MOVER = 1  # -1: the level
    WIDTH = 2


@constants
class mover_row:
    """Columns of a mover during a tick (row of Obstacles.movers, float64).

    Its first columns are its pose at the beginning of the tick (environment.rows.pose).
    """

    START_POSE = 0  # 12: pose at the beginning of the tick
    EXACT_END_POSE = 12  # 12: pose at its end
    BOUNDS = 24  # 6: least and greatest corner of the world box that it never leaves, m
    FIRST_NODE = 30  # range of its nodes in the joined mesh; the end is exclusive
    END_NODE = 31
    IS_MOVING = 32  # 1.0 if both poses differ
    MAX_DISPLACEMENT = 33  # m: of any of its points in the tick
    END_POSE = 34  # 12: pose at its end with the rotation made orthonormal (interpolate_pose)
    WIDTH = 46


@constants
class pair:
    """Columns of a contact between two balls (row of BallScratch.contacts, float64); contact_pairs has the balls."""

    NORMAL = 0  # 3: unit, from the second ball to the first
    APPROACH_LIMIT = 3  # m/s: approach speed that closes the gap at the end of the tick
    NORMAL_IMPULSE = 4  # kg m/s, accumulated
    REDUCED_MASS = 5  # kg: 1 / (1 / m1 + 1 / m2)
    FRICTION = 6
    IS_STACKED = 7  # 1.0 if the normal is upright enough for the lower ball to carry the higher
    WIDTH = 8


@constants
class plane:
    """Columns of a plane that a ball touches (row of BallScratch.planes, float64; MAX_BALL_PLANES rows a ball)."""

    NORMAL = 0  # 3: unit, towards the ball
    GAP = 3  # m
    POINT = 4  # 3: m, contact point
    SURFACE_VELOCITY = 7  # 3: m/s
    FRICTION = 10
    ROLLING_RESISTANCE = 11
    RESTITUTION = 12
    NORMAL_IMPULSE = 13  # m/s, per unit mass; or IMPACT_MARK
    FRICTION_IMPULSE = 14  # 3: m/s, per unit mass
    APPROACH_LIMIT = 17  # m/s: approach speed that closes the gap at the end of the tick
    WIDTH = 18
    IMPACT_MARK = -1.0  # value of NORMAL_IMPULSE: the contact is an impact, which events resolve


@constants
class setting:
    """Indices of the settings of a tick (float64, BallSettings.row)."""

    GRAVITY_X = 0  # m/s2
    GRAVITY_Y = 1
    GRAVITY_Z = 2
    DT = 3  # s, of a tick
    RESTITUTION_THRESHOLD = 4  # m/s: slower impacts do not bounce
    SLEEP_SPEED = 5  # m/s
    SLEEP_TICKS = 6
    ITERATIONS = 7  # of the solver
    GRAVITY = 8  # m/s2, magnitude
    CONTACT_MARGIN = 9  # m: highest gap over which a falling ball stays too slow to bounce
    UP_X = 10  # unit vector against gravity
    UP_Y = 11
    UP_Z = 12
    PILE_RESTITUTION_THRESHOLD = 13  # m/s: RESTITUTION_THRESHOLD between balls in a pile
    WIDTH = 14


@constants
class status:
    """Columns of a ball's integers during a tick (row of BallScratch.status, int32)."""

    ASLEEP = 0
    STILL_TICKS = 1  # ticks of little motion so far
    EVENT_STAMP = 2  # events in the queue with another stamp are void
    EVENT_COUNT = 3  # impacts in this tick
    GRID_STATUS = 4  # a value of grid_status
    PLANE_COUNT = 5  # planes that it touches: first those of the level, then of movers, then of bodies
    LOAD = 6  # 0: nothing presses it; 1: planes only; LOAD_BY_BALLS
    REST_COUNT = 7  # impacts of this tick after which it rested
    TOUCHES_MOVING = 8  # 1: it touches a moving surface
    NO_SURFACE_NEAR = 9  # 1: no surface can be reached in this tick
    LIST_COUNT = 10  # triangles in its list, or NO_LIST
    IMPACT_MOVER = 11  # mover of its next event; -1: the level or a body
    SURFACE_PLANE_COUNT = 12  # planes of the level and of movers
    WIDTH = 16  # int32 columns: one cache line
    NO_LIST = -1  # value of LIST_COUNT: too many triangles for a list, or none made
    LOAD_BY_BALLS = 2  # value of LOAD: other balls press it


@constants
class sweep_hit:
    """Indices of the first touch of a sweep (BallScratch.sweep_hit, float64)."""

    POINT = 0  # 3: m, contact point
    FEATURE = 3  # of mesh.geometry
    TRIANGLE = 4
    CENTRE = 5  # 3: m, of the ball in the frame of a mover
    SIZE = 8


@constants
class vector4:
    """Columns of packed vectors (float64, one row per ball): 32 bytes, which one vector instruction reads."""

    X = 0
    Y = 1
    Z = 2
    # positions: reach or radius, m; velocities: 1 / mass, 1/kg; spins: radius, m; contact normals: approach limit, m/s
    W = 3
