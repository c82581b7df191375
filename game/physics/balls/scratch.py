"""What a tick of the balls works on: places in rows of numbers, and scratch memory that holds nothing between ticks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

# A ball during a tick (row of Work.b). It moves from X with the velocity V and the constant acceleration A since the
# time T of the tick, s. What is asked for together lies together: eight of these are what a processor fetches at once.
X, RADIUS, V, LIGHT = 0, 3, 4, 7  # LIGHT: 1 / mass; 0 for one asleep
START, REACH, A, T = 8, 11, 12, 15  # where it began the tick; the radius of the ball about that which holds its way
BEFORE, MASS, SPIN, ROOM = 16, 19, 20, 23  # velocity when the tick began; rad/s; radius to sweep with
BOUNCE, GRIP, ROLL, PUSH = 24, 25, 26, 27  # PUSH, 3: what other balls, overlapping it, ask it to move by
HIT_N, HIT_V, HIT_GRIP, HIT_BOUNCE = 30, 33, 36, 37  # the surface that its next event is with: normal, velocity, ...
SPAN = 38  # how far from where it began the tick its list of triangles (Work.listed) goes
STRAY = 39  # radius of the ball about where it began that holds its way now, where it goes beyond REACH
BALL_WIDTH = 40

# Whole numbers of a ball (row of Work.k)
ASLEEP, STILL, STAMP, EVENTS, WANDERS, PLANES, PRESSED, RESTED, CARRIED, CLEAR, LISTED, HIT_MOVER = range(12)
# HIT_MOVER: whose surface its next event is with, -1: the level's or a body's
INTS = 16  # of 4 bytes: what a processor fetches at once
WIDE, OUT = 1, 2  # as WANDERS: too far-reaching for a column; gone further than its pairs were looked for
UNLISTED = -1  # as LISTED: it is near more triangles than a list holds, or has no list
PILE = 3  # balls that touch another one: it is in a pile
IN_A_PILE = 2  # as PRESSED: other balls press it; 1: the level alone

# A plane that a ball touches (row of Work.planes, MAX_PLANES of them a ball)
N, GAP, AT, OF_V, OF_GRIP, OF_ROLL, OF_BOUNCE, PN, PT, MAY = 0, 3, 4, 7, 10, 11, 12, 13, 14, 17
PLANE_WIDTH = 18
MAX_PLANES = 6
MOST_LISTED = 12  # triangles in the list of a ball
# MAY, PAIR_MAY: how fast it may approach, m/s, to be there at the end of the tick
LEFT_OUT = -1.0  # as PN: it is an impact, and left to the events

# Two balls that touch (row of Work.contacts; which two stands in Work.touching)
PAIR_N, PAIR_MAY, PAIR_PN, PAIR_GIVE, PAIR_GRIP, PAIR_STEEP = 0, 3, 4, 5, 6, 7  # PAIR_GIVE: their common mass, kg
CONTACT_WIDTH = 8

# A plane that holds a ball, as the rounds need it (row of Work.holds)
HOLD_N, HOLD_MAY, HOLD_V, HOLD_GRIP, HOLD_PN, HOLD_PT = 0, 3, 4, 7, 8, 9
HOLD_WIDTH = 12

# Places in Work.count
PAIRS, CONTACTS, HEAP, WANDERERS, WANT_NEAR, WANT_PAIRS, WANT_HEAP, EVENTS_DONE, PARKED, FIRST_PLANE = range(10)
HELD, ALONE, WRONG, WIDES = 10, 11, 12, 13
COUNTS = 14

# Places in the row of settings
GX, GY, GZ, DT, SLOW, SLEEP_SPEED, SLEEP_TICKS, ITERATIONS, PULL, MARGIN, UPX, UPY, UPZ, PILE_SLOW = range(14)
NUMBERS = 14
# UPX, 3: against gravity, unit; what sorts the balls

# A kinematic body (row of `bodies`): its centre before and after the tick, radii, and the unit vectors of its axes
BODY_FROM, BODY_TO, BODY_RADII, BODY_AXES = 0, 3, 6, 9
BODY_WIDTH = 18

# A mover (row of `movers`): its pose before (12) and after the tick (12), the box that it never
# leaves, its nodes, whether it moves, how far any of its points gets in the tick; its pose after the tick as pose_at
# gives it (12)
MOVER_BOX, MOVER_FIRST, MOVER_END, MOVER_MOVES, MOVER_WAY, MOVER_LAST = 24, 30, 31, 32, 33, 34
MOVER_WIDTH = 46

# Lengths in metres
SKIN = 1e-6  # the gap that a ball keeps to what it touches
TOUCH = 2e-6  # a gap up to this is a touch
PAIR_TOUCH = 1e-4  # the same between two balls
PAIR_DEPTH = 5e-4  # balls that overlap by less are left alone
LEAST_ROOM = 0.05  # of the radius: a ball that is stuck in something is swept as one of this size
ERODE = 1e-9  # so much less than the gap is swept with, lest rounding makes a touch of it
MOST_EVENTS = 24  # of a ball in a tick; then it waits for the next one
MOST_PUSH = 0.1  # of the radius, in a tick: how fast a ball leaves what it is stuck in
PILED = 4.0  # times the speed at which one sleeps: at which those do that lie on others
WAKES = 2.0  # times that again: who touches a sleeper at this speed wakes it
APART = 2e-3  # m: a sleeper whose neighbour moves away from it by this wakes
EASE = 0.5  # part of an overlap of two balls that goes away in a tick
STEEP = 0.3  # of two balls that touch, the lower carries the higher where their normal is more upright than this

LINE = 64  # bytes that a processor fetches at once


class Ground(NamedTuple):
    """A mesh as the kernels see it (see TriangleMesh and Heights)."""

    nodes: Any
    links: Any
    triangles: Any
    mates: Any
    materials: Any
    fields: Any
    cells: Any
    inside: Any
    rest: Any


class Others(NamedTuple):
    """What moves: movers, whose triangles are those of `ground` (nodes from MOVER_FIRST to MOVER_END), and bodies."""

    ground: Ground
    motions: Any  # (K, MOTION_WIDTH) f8: how these move (Surroundings.packed)
    keys: Any  # (K, KEY_WIDTH) f8: the same
    movers: Any  # (K, MOVER_WIDTH) f8, scratch: where these are in the tick
    bodies: Any  # (B, BODY_WIDTH) f8
    pose: Any  # (12,) f8, scratch


class Work(NamedTuple):
    """Scratch arrays; every kernel writes what it reads."""

    b: Any  # (n, BALL_WIDTH) f8
    k: Any  # (n, INTS) i4
    planes: Any  # (n * MAX_PLANES, PLANE_WIDTH) f8
    pairs: Any  # (p, 2) u4: balls whose ways may meet, by the higher of them, which comes second
    touching: Any  # (p, 2) u4: those of them that touch
    contacts: Any  # (p, CONTACT_WIDTH) f8: the same
    heap: Any  # (h, 5) f8: time, ball, other ball or -1, their stamps
    spots: Any  # (n, 4) f8: what is asked for of all balls in turn: a place, and the reach or the radius
    v: Any  # (n, 4) f8: the same of velocities, with 1 / mass
    heights: Any  # (n + 1,) f8: of a ball at the beginning of the tick; of n itself below all
    slots: Any  # (2, s, s) u4, s a power of 2: the highest ball of a column, of all and of those awake; n: none
    below: Any  # (2, n + 1) u4: the next lower one, of n itself
    wanderers: Any  # (2 n,) i4: balls that are looked at with every other; from WIDES on those that are OUT
    wide: Any  # (4, n) f8: places and reach of these, as the tick began
    asked: Any  # (3 n + 1,) u4: whom a ball may meet
    beside: Any  # (2 p,) u4: of each ball the others of its pairs
    others: Any  # (n + 1,) i4: where those of a ball begin there
    held: Any  # (n * MAX_PLANES, 2) u4: balls that touch planes, and which; first those that touch one alone
    holds: Any  # (n * MAX_PLANES, HOLD_WIDTH) f8: the same planes
    spins: Any  # (n, 4) f8: a ball's spin and radius in the rounds; before them what it is to move by
    found: Any  # (p, 3) u4: two balls that touch, and in which turn they come
    apart: Any  # (p, 4) f8: of these the unit vector from the second to the first, and PAIR_MAY
    slow: Any  # (n,) f8: who comes more slowly than that, m/s, does not bounce off another ball
    last: Any  # (n,) i4: the turn after a ball's last contact
    starts: Any  # (p,) i4: where the contacts of a turn begin
    listed: Any  # (n, MOST_LISTED, 2) i4: triangles that a ball may meet in the tick, and of which mover; -1: the level
    near: Any  # (q,) i4 triangles near a ball
    rims: Any  # (q, 5) f8: those whose edge or corner is nearest to it: which, the point, how far
    hit: Any  # (9,) f8: unused, point touched (3), feature, triangle, where the ball is then (3)
    count: Any  # (COUNTS,) i8


def zeros(shape: int | tuple[int, ...], kind: Any = np.float64) -> Any:
    """As np.zeros, beginning where a cache line does."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.zeros(size + LINE, np.uint8)
    begin = -memory.ctypes.data % LINE
    return memory[begin : begin + size].view(kind).reshape(shape)


def allocate(balls: int, pairs: int, heap: int, near: int) -> Work:
    """Fresh scratch memory with room for so many."""
    side = 4
    while side * side < 2 * balls:
        side *= 2
    return Work(
        zeros((balls, BALL_WIDTH)),
        zeros((balls, INTS), np.int32),
        zeros((balls * MAX_PLANES, PLANE_WIDTH)),
        zeros((pairs, 2), np.uint32),
        zeros((pairs, 2), np.uint32),
        zeros((pairs, CONTACT_WIDTH)),
        zeros((heap, 5)),
        zeros((balls, 4)),
        zeros((balls, 4)),
        zeros(balls + 1),
        zeros((2, side, side), np.uint32),
        zeros((2, balls + 1), np.uint32),
        zeros(2 * balls, np.int32),
        zeros((4, balls)),
        zeros(3 * balls + 1, np.uint32),
        zeros(2 * pairs, np.uint32),
        zeros(balls + 1, np.int32),
        zeros((balls * MAX_PLANES, 2), np.uint32),
        zeros((balls * MAX_PLANES, HOLD_WIDTH)),
        zeros((balls, 4)),
        zeros((pairs, 3), np.uint32),
        zeros((pairs, 4)),
        zeros(balls),
        zeros(balls, np.int32),
        zeros(pairs, np.int32),
        zeros((balls, MOST_LISTED, 2), np.int32),
        zeros(near, np.int32),
        zeros((near, 5)),
        zeros(9),
        zeros(COUNTS, np.int64),
    )
