"""What one tick works on: the mesh as plain arrays, and scratch memory that holds nothing between ticks."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .layout import body as body_layout
from .layout import candidate, contact, counter, half_space, plane, record_kind

MAX_PLANES = 12  # beyond that near-equal ones merge and the nearest stay (docs/physics.md)
MAX_CONTACTS = 64


class MeshArrays(NamedTuple):
    """The mesh as the kernels see it (see TriangleMesh)."""

    nodes: Any
    links: Any
    triangles: Any
    mates: Any
    materials: Any


class Scratch(NamedTuple):
    """Scratch arrays; every kernel writes what it reads, so the order of ticks and walkers changes nothing.

    Few arrays on purpose: each one more is nine more arguments of every compiled call.
    """

    body: Any  # (BODY_SIZE,) f8
    counters: Any  # (COUNT_SIZE,) i8
    candidates: Any  # (n, NEAR_WIDTH) f8 candidate triangles
    planes: Any  # (MAX_PLANES, PLANE_WIDTH) f8
    contacts: Any  # (MAX_CONTACTS, CONTACT_WIDTH) f8
    half_spaces: Any  # (MAX_ROWS + MAX_STOPS, 4) f8 half-spaces of a projection
    records: Any  # (k, RECORD_WIDTH) f8; k = 0: no trace


def allocate_scratch(candidates: int, records: int = 0) -> tuple[Scratch, tuple[Any, ...], Any]:
    """Fresh scratch memory with room for so many candidates and trace records; the same as a plain tuple, which a
    compiled call takes in a quarter of the time; and (candidates,) i4 for the numbers of their triangles."""
    work = Scratch(
        np.zeros(body_layout.SIZE),
        np.zeros(counter.SIZE, np.int64),
        np.zeros((candidates, candidate.WIDTH)),
        np.zeros((MAX_PLANES, plane.WIDTH)),
        np.zeros((MAX_CONTACTS, contact.WIDTH)),
        np.zeros((half_space.MAX_ROWS + half_space.MAX_STOPS, 4)),
        np.zeros((records, record_kind.WIDTH)),
    )
    return work, tuple(work), np.zeros(candidates, np.int32)
