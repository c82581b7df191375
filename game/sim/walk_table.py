"""Walk table: one row per tick with position, velocity, heading and ground contact, as npz, csv or jsonl."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import as_text

OUTPUT_SUFFIXES = (".npz", ".csv", ".jsonl")
COLUMNS = ("tick", "x", "y", "z", "vx", "vy", "vz", "heading", "grounded")


@dataclass(frozen=True, slots=True)
class WalkTable:
    """States of a walk of T ticks: row i is the state after tick `tick[i]`.

    position (T,3) f8 centre of the body, m; velocity (T,3) f8, m/s; heading (T,) i4, 65536 to the turn; grounded (T,)
    bool; tick (T,) i8.
    """

    position: NDArray[np.float64]
    velocity: NDArray[np.float64]
    heading: NDArray[np.int32]
    grounded: NDArray[np.bool_]
    tick: NDArray[np.int64]


def encode_table(table: WalkTable, suffix: str) -> bytes:
    """The table as the bytes of a file, equal for equal tables. ValueError for a suffix not in OUTPUT_SUFFIXES."""
    as_text(suffix, "suffix")
    if suffix == ".npz":
        return _encode_npz(table)
    if suffix == ".csv":
        return _encode_csv(table)
    if suffix == ".jsonl":
        return _encode_jsonl(table)
    raise ValueError(f"a run can be written as {', '.join(OUTPUT_SUFFIXES)}, not as '{suffix}'")


def _encode_npz(table: WalkTable) -> bytes:
    """The arrays as `numpy.savez` writes them. Its archive members carry the date 1980-01-01, so equal runs give equal
    bytes."""
    buffer = io.BytesIO()
    np.savez(
        buffer,
        position=table.position,
        velocity=table.velocity,
        heading=table.heading,
        grounded=table.grounded,
        tick=table.tick,
    )
    return buffer.getvalue()


def _table_rows(table: WalkTable) -> list[tuple[float | int | bool, ...]]:
    return [
        (tick, *position, *velocity, heading, grounded)
        for tick, position, velocity, heading, grounded in zip(
            table.tick.tolist(),
            table.position.tolist(),
            table.velocity.tolist(),
            table.heading.tolist(),
            table.grounded.tolist(),
            strict=True,
        )
    ]


def _encode_csv(table: WalkTable) -> bytes:
    lines = [",".join(COLUMNS)]
    for row in _table_rows(table):
        lines.append(",".join(str(int(cell)) if isinstance(cell, bool) else repr(cell) for cell in row))
    return ("\n".join(lines) + "\n").encode()


def _encode_jsonl(table: WalkTable) -> bytes:
    lines = []
    for tick, *vectors, heading, grounded in _table_rows(table):
        row = {"tick": tick, "position": vectors[:3], "velocity": vectors[3:]}
        lines.append(json.dumps(row | {"heading": heading, "grounded": grounded}, allow_nan=False))
    return "".join(line + "\n" for line in lines).encode()
