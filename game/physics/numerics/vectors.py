"""Vectors in three columns of an array."""

from __future__ import annotations

from ...core.vectors import Floats, Vector
from .jit import inlined


@inlined
def vector_at(rows: Floats, row: int, at: int) -> Vector:
    """The vector in rows[row, at : at + 3]."""
    return rows[row, at], rows[row, at + 1], rows[row, at + 2]


@inlined
def write_vector(out: Floats, at: int, vector: Vector) -> None:
    """Write a vector into out[at : at + 3]."""
    out[at], out[at + 1], out[at + 2] = vector
