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
BOX = 12  # 6: box that the candidates cover, relative to the base: min xyz, max xyz
COS_LIMIT, STEP = 18, 19  # slope limit, step height (both as settings have them)
GROUND = 20  # height (relative to the base) of what carried the body when it last touched something that does
NO_GROUND = -1e9
INVERSE = 21  # 3: of the radii
LAST, LEAST = 24, 27  # 3 and 1: where the touching set was found (displacement from the base), the smallest gap there
SNAP = 28  # how far down is still a step and no fall (as settings have it)
FRAME = 29  # 9: unit vectors of the world along the body's own east, up and south
TURNED = 38  # 0.0 where they are the world's
# What the zones say of where the body is (see surroundings of a tick: survey in afloat.py)
PULL = 39  # gravity, times the walker's own
FLOWS, FLOW, FLOW_HOLD = 40, 41, 44  # 1.0 where there is a current; 3: it, m/s, in the body's own directions; see HOLD
WET, WATER = 45, 46  # part of the body's height under water; the zone of it
LADDER, PAD = 47, 48  # zones that hold the feet, -1.0 where none
BODY_SIZE = 49

# Places in Work.count
# FRESH: whether the touching set is that of LAST; FIXED: how many of the candidates are the level's own, which come
# before those of movers
CANDIDATES, WANTED, SHORT, PLANES, STOPS, RECORDS, EVENTS, FRESH, FIXED = range(9)
PROFILE = 9  # from here on: see profile.py
COUNT_SIZE = 27

# A candidate (row of Work.near): three corners and the unit normal in ellipsoid space, the same in the world
# (corners relative to the base), the triangle's number, its box in ellipsoid space; for each edge four times the
# neighbour's number plus the bits of edge_active.
WORLD = 12
TRIANGLE_OF = 24
LOW, HIGH, MATE = 25, 28, 31  # 3 each
NEAR_WIDTH = 34

# A plane (row of Work.planes), distances and displacements in the world's metric:
NX, NY, NZ = 0, 1, 2  # unit normal, from the surface to the body
BOUND = 3  # displacements d with n . d >= bound keep the full skin
GAP = 4  # ellipsoid space; the skin is wanted
CX, CY, CZ = 5, 6, 7  # contact point, relative to the base
UX, UY, UZ = 8, 9, 10  # upright normal (edges and corners)
CLEAR = 11  # height at which the body would rest on top of the edge or corner, over where it is now
UP = 12  # most upward of the normals of the faces that meet at the contact
TRIANGLE, FEATURE, CLASS, STOPPED = 13, 14, 15, 16  # whole numbers, exact as floats
PLANE_WIDTH = 17
WALKABLE, WALL, CEILING = 1, 2, 3  # classes

MAX_PLANES = 12  # beyond that near-equal ones merge and the nearest stay (docs/physics.md)
MAX_CONTACTS = 64
MAX_ROWS = 96
STOP_ROWS = MAX_ROWS  # rows from here on: plan directions that stopped the walker in this tick
MAX_STOPS = 12

# Records of a trace: kind, triangle, class, feature, vector (3), value, point (3)
REC_TOUCH, REC_SLIDE, REC_STEP, REC_TURN, REC_STOP = 1.0, 2.0, 3.0, 4.0, 5.0
RECORD_WIDTH = 11

# Events of a tick, bits of Work.count[EVENTS]
SQUEEZED, CROWDED, PUSHED, LOST, TURN_CUT, STEPPED, SNAPPED, LANDED, JUMPED, HEAD, NO_ROOM, FUNNEL, BOUNCED = (
    1 << k for k in range(13)
)
UPENDED, LAUNCHED, SWAM, CLIMBED = 1 << 16, 1 << 17, 1 << 18, 1 << 19
CRUSHED = 1 << 20


class Mesh(NamedTuple):
    """The mesh as the kernels see it (see TriangleMesh)."""

    nodes: Any
    links: Any
    triangles: Any
    mates: Any
    materials: Any


class Work(NamedTuple):
    """Scratch arrays; every kernel writes what it reads, so the order of ticks and walkers changes nothing.

    Few arrays on purpose: each one more is nine more arguments of every compiled call.
    """

    body: Any  # (BODY_SIZE,) f8
    count: Any  # (COUNT_SIZE,) i8
    near: Any  # (n, NEAR_WIDTH) f8 candidate triangles
    planes: Any  # (MAX_PLANES, PLANE_WIDTH) f8
    contacts: Any  # (MAX_CONTACTS, CONTACT_WIDTH) f8
    rows: Any  # (MAX_ROWS + MAX_STOPS, 4) f8 half-spaces of a projection
    records: Any  # (k, RECORD_WIDTH) f8; k = 0: no trace


CONTACT_WIDTH = 12


def allocate(candidates: int, records: int = 0) -> tuple[Work, tuple[Any, ...], Any]:
    """Fresh scratch memory with room for so many candidates and trace records; the same as a plain tuple, which a
    compiled call takes in a quarter of the time; and (candidates,) i4 for the numbers of their triangles."""
    work = Work(
        np.zeros(BODY_SIZE),
        np.zeros(COUNT_SIZE, np.int64),
        np.zeros((candidates, NEAR_WIDTH)),
        np.zeros((MAX_PLANES, PLANE_WIDTH)),
        np.zeros((MAX_CONTACTS, CONTACT_WIDTH)),
        np.zeros((MAX_ROWS + MAX_STOPS, 4)),
        np.zeros((records, RECORD_WIDTH)),
    )
    return work, tuple(work), np.zeros(candidates, np.int32)
