"""What one tick works on: the mesh as plain arrays, and scratch memory that holds nothing between ticks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

# Places in Work.body: where the body is within this tick, and its shape.
BASE = 0  # 3: world position that everything below is relative to (the centre when the tick began)
MOVED = 3  # 3: displacement from the base so far, world
SIN, COS = 6, 7  # of the shape's heading
R = 8  # 3: radii
SKIN = 11
BOX = 12  # 6: world box that the candidates cover, relative to the base: min xyz, max xyz
COS_LIMIT, STEP = 18, 19  # slope limit, step height (both as settings have them)
BODY_SIZE = 20

# Places in Work.count
CANDIDATES, WANTED, PLANES, STOPS, RECORDS, EVENTS = range(6)

# A plane (row of Work.planes), distances and displacements in the world's metric:
NX, NY, NZ = 0, 1, 2  # unit normal, from the surface to the body
BOUND = 3  # displacements d with n . d >= bound keep the full skin
GAP = 4  # ellipsoid space; the skin is wanted
CX, CY, CZ = 5, 6, 7  # contact point, relative to the base
UX, UY, UZ = 8, 9, 10  # upright normal (edges and corners)
CLEAR = 11  # height at which the body would rest on top of the edge or corner, over where it is now
UP = 12  # most upward of the normals of the faces that meet at the contact
SCALE = 13  # world distance per unit of gap
PLANE_WIDTH = 14
# (row of Work.kinds)
TRIANGLE, FEATURE, CLASS, STOPPED = range(4)
KIND_WIDTH = 4
WALKABLE, WALL, CEILING = 1, 2, 3  # classes

MAX_PLANES = 12  # beyond that near-equal ones merge and the nearest stay (movement.md, section 5)
MAX_CONTACTS = 64
MAX_ROWS = 96

# Records of a trace: kind, triangle, class, feature / vector, value, point
REC_TOUCH, REC_SLIDE, REC_STEP, REC_SNAP, REC_TURN, REC_STOP, REC_LAND = range(1, 8)
RECORD_INTS, RECORD_FLOATS = 4, 7

# Events of a tick, bits of Work.count[EVENTS]
SQUEEZED, CROWDED, PUSHED, LOST, TURN_CUT, STEPPED, SNAPPED, LANDED, JUMPED, HEAD, NO_ROOM, FUNNEL = (
    1 << k for k in range(12)
)


class Mesh(NamedTuple):
    """The mesh as the kernels see it (see TriangleMesh)."""

    nodes: Any
    links: Any
    triangles: Any


class Work(NamedTuple):
    """Scratch arrays; every kernel writes what it reads, so the order of ticks and walkers changes nothing."""

    body: Any  # (BODY_SIZE,) f8
    count: Any  # (8,) i8
    ids: Any  # (n,) i4 candidate triangles
    near: Any  # (n, 12) f8 the same in ellipsoid space, relative to the base
    contacts: Any  # (MAX_CONTACTS, 12) f8
    contact_kinds: Any  # (MAX_CONTACTS, 4) i4
    planes: Any  # (MAX_PLANES, PLANE_WIDTH) f8
    kinds: Any  # (MAX_PLANES, KIND_WIDTH) i4
    rows: Any  # (MAX_ROWS, 4) f8 plan rows and half-spaces of a projection
    stops: Any  # (MAX_PLANES, 3) f8 plan rows that stopped the walker in this tick
    record_ints: Any  # (k, RECORD_INTS) i4; k = 0: no trace
    record_floats: Any  # (k, RECORD_FLOATS) f8


def allocate(candidates: int, records: int = 0) -> tuple[Any, ...]:
    """Fresh arrays for a Work, room for so many candidate triangles and trace records."""
    return (
        np.zeros(BODY_SIZE),
        np.zeros(8, np.int64),
        np.zeros(candidates, np.int32),
        np.zeros((candidates, 12)),
        np.zeros((MAX_CONTACTS, 12)),
        np.zeros((MAX_CONTACTS, 4), np.int32),
        np.zeros((MAX_PLANES, PLANE_WIDTH)),
        np.zeros((MAX_PLANES, KIND_WIDTH), np.int32),
        np.zeros((MAX_ROWS, 4)),
        np.zeros((MAX_PLANES, 3)),
        np.zeros((records, RECORD_INTS), np.int32),
        np.zeros((records, RECORD_FLOATS)),
    )
