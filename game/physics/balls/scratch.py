"""Scratch memory of a tick of balls, which keeps nothing between ticks, and the constants that several modules use."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import DTypeLike

from ..environment.rows import keyframe, motion_row
from ..mesh.rows import height_grid, material_row
from ..numerics.arrays import (
    ArrayTable,
    ConstantBytes1,
    ConstantFloats2,
    ConstantInts2,
    Floats1,
    Floats2,
    Indices1,
    Ints1,
    Ints2,
    Ints3,
    Unsigned1,
    Unsigned2,
    Unsigned3,
)
from .rows import (
    ball,
    constraint,
    counter,
    edge_contact,
    event_row,
    kinematic_body,
    listed_triangle,
    mover_row,
    pair,
    plane,
    status,
    sweep_hit,
)

PILE_MIN_CONTACTS = 3  # a ball with so many contacts to other balls is in a pile
MAX_BALL_PLANES = 6  # planes of a ball
MAX_LISTED_TRIANGLES = 12  # triangles in the list of a ball
BALL_SKIN = 1e-6  # m: gap that a ball keeps to surfaces
MAX_CONTACT_GAP = 2e-6  # m: a gap up to this is a contact
MAX_PAIR_GAP = 1e-4  # m: the same between two balls
ALLOWED_PAIR_OVERLAP = 5e-4  # m: smaller overlaps of two balls are not corrected
MIN_SWEEP_RADIUS_RATIO = 0.05  # of the radius: sweep radius of a ball that is stuck in something
SWEEP_RADIUS_MARGIN = 1e-9  # m: the sweep radius is this much less than the gap allows, because of rounding
MAX_BALL_EVENTS = 24  # impacts of a ball in a tick; then it is suspended until the next
MAX_DEPENETRATION_RATIO = 0.1  # of the radius: highest depenetration in a tick
PILE_SLEEP_SPEED_FACTOR = 4.0  # times the sleep speed: sleep speed of a ball that other balls press
WAKE_SPEED_FACTOR = 2.0  # times that: a ball this fast wakes a sleeping one that it touches
WAKE_SEPARATION = 2e-3  # m: a sleeping ball wakes when a neighbour moves away to this distance
OVERLAP_CORRECTION_FRACTION = 0.5  # part of an overlap that is corrected in a tick
MIN_STACK_NORMAL_UP = 0.3  # contact normal . up above which the lower ball carries the higher

CACHE_LINE_BYTES = 64


class CollisionMesh(ArrayTable):
    """Arrays of a mesh for kernels: those of the walker (`mesh_arrays`), then its height fields (HeightFields)."""

    nodes: Annotated[ConstantFloats2, 6]
    links: Annotated[ConstantInts2, 2]
    triangles: Annotated[ConstantFloats2, 12]
    mates: Annotated[ConstantInts2, 4]
    materials: Annotated[ConstantFloats2, material_row.WIDTH]
    fields: Annotated[ConstantFloats2, height_grid.WIDTH]
    cells: ConstantInts2
    inside: ConstantBytes1
    remaining_boxes: Annotated[ConstantFloats2, 6]


class Obstacles(ArrayTable):
    """Moving obstacles of a tick: movers, whose triangles are those of `mesh` from their FIRST_NODE to END_NODE, and
    bodies."""

    mesh: CollisionMesh
    motions: Annotated[ConstantFloats2, motion_row.WIDTH]  # K rows (Environment.packed)
    keyframes: Annotated[ConstantFloats2, keyframe.WIDTH]  # N rows
    movers: Annotated[Floats2, mover_row.WIDTH]  # K rows; scratch: their poses in the tick
    bodies: Annotated[Floats2, kinematic_body.WIDTH]  # B rows
    pose: Floats1  # (pose.WIDTH,) f8, scratch


class BallScratch(ArrayTable):
    """Scratch arrays of n balls; each kernel writes what it reads. Layouts: physics.balls.rows."""

    balls: Annotated[Floats2, ball.WIDTH]  # n rows
    status: Annotated[Ints2, status.WIDTH]  # n rows
    planes: Annotated[Floats2, plane.WIDTH]  # n * MAX_BALL_PLANES rows
    pairs: Annotated[Unsigned2, 2]  # p rows (ball_pair): balls whose paths may meet; ordered by the higher
    contact_pairs: Annotated[Unsigned2, 2]  # p rows (ball_pair): balls of each contact
    contacts: Annotated[Floats2, pair.WIDTH]  # p rows; contacts between balls
    event_heap: Annotated[Floats2, event_row.WIDTH]  # h rows
    positions: Annotated[Floats2, 4]  # n rows; packed positions with reach or radius
    velocities: Annotated[Floats2, 4]  # n rows; packed velocities with 1 / mass
    heights: Floats1  # (n + 1,) f8: height of each ball at the beginning of the tick; -inf for n
    # (2, s, s) u4, s a power of 2: highest ball of a column, of all balls and of those awake; n: none
    column_heads: Unsigned3
    next_below: Unsigned2  # (2, n + 1) u4: next lower ball of the column
    outliers: Ints1  # (2 n,) i4: balls TOO_WIDE for a column, then from WIDE_OUTLIERS on those that LEFT_REACH
    wide_outliers: Floats2  # (4, n) f8: position and reach of the former at the beginning of the tick
    query_result: Unsigned1  # (3 n + 1,) u4: result of a broad-phase query
    partners: Unsigned1  # (2 p,) u4: other balls of each ball's pairs
    partner_starts: Ints1  # (n + 1,) i4: first partner of each ball
    # n * MAX_BALL_PLANES rows; constraint.BALL and PLANE, single planes first
    constrained_balls: Annotated[Unsigned2, 2]
    constraints: Annotated[Floats2, constraint.WIDTH]  # n * MAX_BALL_PLANES rows
    # n rows; packed spins with radius; before the solver: position corrections
    angular_velocities: Annotated[Floats2, 4]
    found_contacts: Annotated[Unsigned2, 3]  # p rows (ball_pair): balls of a contact and its batch
    # p rows (vector4): from the second ball to the first, with the approach limit
    contact_normals: Annotated[Floats2, 4]
    restitution_thresholds: Floats1  # (n,) f8: m/s, slower impacts with other balls do not bounce
    next_batches: Ints1  # (n,) i4: batch after the last contact of each ball
    batch_starts: Ints1  # (p,) i4: first contact of each batch
    triangle_lists: Annotated[Ints3, listed_triangle.WIDTH]  # n times MAX_LISTED_TRIANGLES rows
    triangles_near: Ints1  # (q,) i4: result of a triangle query
    edge_contacts: Annotated[Floats2, edge_contact.WIDTH]  # q rows
    sweep_hit: Floats1  # (sweep_hit.SIZE,) f8; in queries of the grid: the box of a path (6)
    counters: Indices1  # (counter.SIZE,) i8


def aligned_zeros(shape: int | tuple[int, ...], dtype: DTypeLike = np.float64) -> Any:
    """np.zeros that begins at a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + CACHE_LINE_BYTES, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE_BYTES
    return memory[start : start + size].view(dtype).reshape(shape)


def allocate_ball_scratch(balls: int, pairs: int, heap: int, triangles: int) -> BallScratch:
    """Scratch memory for `balls` balls, `pairs` pairs, `heap` events and `triangles` of a query."""
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
        aligned_zeros((heap, event_row.WIDTH)),
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
        aligned_zeros((balls, MAX_LISTED_TRIANGLES, listed_triangle.WIDTH), np.int32),
        aligned_zeros(triangles, np.int32),
        aligned_zeros((triangles, edge_contact.WIDTH)),
        aligned_zeros(sweep_hit.SIZE),
        aligned_zeros(counter.SIZE, np.int64),
    )
