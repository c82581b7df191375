"""What a tick of the balls works on: places in rows of numbers, and scratch memory that holds nothing between ticks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .layout import ball, constraint, counter, pair, plane, status

PILE_MIN_CONTACTS = 3  # balls that touch another one: it is in a pile

MAX_BALL_PLANES = 6
MAX_LISTED_TRIANGLES = 12  # triangles in the list of a ball


# UPX, 3: against gravity, unit; what sorts the balls


# Lengths in metres
BALL_SKIN = 1e-6  # the gap that a ball keeps to what it touches
MAX_CONTACT_GAP = 2e-6  # a gap up to this is a touch
MAX_PAIR_GAP = 1e-4  # the same between two balls
ALLOWED_PAIR_OVERLAP = 5e-4  # balls that overlap by less are left alone
MIN_SWEEP_RADIUS_PART = 0.05  # of the radius: a ball that is stuck in something is swept as one of this size
SWEEP_RADIUS_MARGIN = 1e-9  # so much less than the gap is swept with, lest rounding makes a touch of it
MAX_BALL_EVENTS = 24  # of a ball in a tick; then it waits for the next one
MAX_DEPENETRATION_PART = 0.1  # of the radius, in a tick: how fast a ball leaves what it is stuck in
PILE_SLEEP_SPEED_FACTOR = 4.0  # times the speed at which one sleeps: at which those do that lie on others
WAKE_SPEED_FACTOR = 2.0  # times that again: who touches a sleeper at this speed wakes it
WAKE_SEPARATION = 2e-3  # m: a sleeper whose neighbour moves away from it by this wakes
OVERLAP_CORRECTION_PART = 0.5  # part of an overlap of two balls that goes away in a tick
MIN_STACK_NORMAL_UP = (
    0.3  # of two balls that touch, the lower carries the higher where their normal is more upright than this
)

CACHE_LINE_BYTES = 64  # bytes that a processor fetches at once


class CollisionMesh(NamedTuple):
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


class Obstacles(NamedTuple):
    """What moves: movers, whose triangles are those of `ground` (nodes from MOVER_FIRST to MOVER_END), and bodies."""

    mesh: CollisionMesh
    motions: Any  # (K, MOTION_WIDTH) f8: how these move (Surroundings.packed)
    keyframes: Any  # (K, KEY_WIDTH) f8: the same
    movers: Any  # (K, MOVER_WIDTH) f8, scratch: where these are in the tick
    bodies: Any  # (B, BODY_WIDTH) f8
    pose: Any  # (12,) f8, scratch


class BallScratch(NamedTuple):
    """Scratch arrays; every kernel writes what it reads."""

    balls: Any  # (n, BALL_WIDTH) f8
    status: Any  # (n, INTS) i4
    planes: Any  # (n * MAX_PLANES, PLANE_WIDTH) f8
    pairs: Any  # (p, 2) u4: balls whose ways may meet, by the higher of them, which comes second
    contact_pairs: Any  # (p, 2) u4: those of them that touch
    contacts: Any  # (p, CONTACT_WIDTH) f8: the same
    event_heap: Any  # (h, 5) f8: time, ball, other ball or -1, their stamps
    positions: Any  # (n, 4) f8: what is asked for of all balls in turn: a place, and the reach or the radius
    velocities: Any  # (n, 4) f8: the same of velocities, with 1 / mass
    heights: Any  # (n + 1,) f8: of a ball at the beginning of the tick; of n itself below all
    column_heads: Any  # (2, s, s) u4, s a power of 2: the highest ball of a column, of all and of those awake; n: none
    next_below: Any  # (2, n + 1) u4: the next lower one, of n itself
    outliers: Any  # (2 n,) i4: balls that are looked at with every other; from WIDES on those that are OUT
    wide_outliers: Any  # (4, n) f8: places and reach of these, as the tick began
    query_result: Any  # (3 n + 1,) u4: whom a ball may meet
    partners: Any  # (2 p,) u4: of each ball the others of its pairs
    partner_starts: Any  # (n + 1,) i4: where those of a ball begin there
    constrained_balls: (
        Any  # (n * MAX_PLANES, 2) u4: balls that touch planes, and which; first those that touch one alone
    )
    constraints: Any  # (n * MAX_PLANES, HOLD_WIDTH) f8: the same planes
    angular_velocities: Any  # (n, 4) f8: a ball's spin and radius in the rounds; before them what it is to move by
    found_contacts: Any  # (p, 3) u4: two balls that touch, and in which turn they come
    contact_normals: Any  # (p, 4) f8: of these the unit vector from the second to the first, and PAIR_MAY
    restitution_thresholds: Any  # (n,) f8: who comes more slowly than that, m/s, does not bounce off another ball
    next_batches: Any  # (n,) i4: the turn after a ball's last contact
    batch_starts: Any  # (p,) i4: where the contacts of a turn begin
    triangle_lists: (
        Any  # (n, MOST_LISTED, 2) i4: triangles that a ball may meet in the tick, and of which mover; -1: the level
    )
    triangles_near: Any  # (q,) i4 triangles near a ball
    edge_contacts: Any  # (q, 5) f8: those whose edge or corner is nearest to it: which, the point, how far
    sweep_hit: Any  # (9,) f8: unused, point touched (3), feature, triangle, where the ball is then (3)
    counters: Any  # (COUNTS,) i8


def aligned_zeros(shape: int | tuple[int, ...], kind: Any = np.float64) -> Any:
    """As np.zeros, beginning where a cache line does."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.zeros(size + CACHE_LINE_BYTES, np.uint8)
    begin = -memory.ctypes.data % CACHE_LINE_BYTES
    return memory[begin : begin + size].view(kind).reshape(shape)


def allocate_ball_scratch(balls: int, pairs: int, heap: int, near: int) -> BallScratch:
    """Fresh scratch memory with room for so many."""
    side = 4
    while side * side < 2 * balls:
        side *= 2
    return BallScratch(
        aligned_zeros((balls, ball.WIDTH)),
        aligned_zeros((balls, status.WIDTH), np.int32),
        aligned_zeros((balls * MAX_BALL_PLANES, plane.WIDTH)),
        aligned_zeros((pairs, 2), np.uint32),
        aligned_zeros((pairs, 2), np.uint32),
        aligned_zeros((pairs, pair.WIDTH)),
        aligned_zeros((heap, 5)),
        aligned_zeros((balls, 4)),
        aligned_zeros((balls, 4)),
        aligned_zeros(balls + 1),
        aligned_zeros((2, side, side), np.uint32),
        aligned_zeros((2, balls + 1), np.uint32),
        aligned_zeros(2 * balls, np.int32),
        aligned_zeros((4, balls)),
        aligned_zeros(3 * balls + 1, np.uint32),
        aligned_zeros(2 * pairs, np.uint32),
        aligned_zeros(balls + 1, np.int32),
        aligned_zeros((balls * MAX_BALL_PLANES, 2), np.uint32),
        aligned_zeros((balls * MAX_BALL_PLANES, constraint.WIDTH)),
        aligned_zeros((balls, 4)),
        aligned_zeros((pairs, 3), np.uint32),
        aligned_zeros((pairs, 4)),
        aligned_zeros(balls),
        aligned_zeros(balls, np.int32),
        aligned_zeros(pairs, np.int32),
        aligned_zeros((balls, MAX_LISTED_TRIANGLES, 2), np.int32),
        aligned_zeros(near, np.int32),
        aligned_zeros((near, 5)),
        aligned_zeros(9),
        aligned_zeros(counter.SIZE, np.int64),
    )
