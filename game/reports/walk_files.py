"""Files of walks: tables with one row per tick as npz, csv, jsonl and Parquet; tables of replays."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core import atomic_files
from ..core.errors import UserError
from ..sim.replay.replay_file import Replay
from ..sim.replay.walk_table import COLUMNS, WalkTable, encode_table, join_tables

_UNITS = {
    "x": "m", "y": "m", "z": "m", "vx": "m/s", "vy": "m/s", "vz": "m/s", "heading": "1/65536 turn, ccw from north (-Z)",
}  # fmt: skip


def save_table(table: WalkTable, path: Path) -> None:
    """Write a table atomically, in the format of the suffix: .parquet, which needs pyarrow, .npz, .csv or .jsonl."""
    suffix = path.suffix.lower()
    data = encode_parquet(table) if suffix == ".parquet" else encode_table(table, suffix)
    atomic_files.write_atomic(path, data)


def encode_parquet(table: WalkTable) -> bytes:
    """The table as a Parquet file with the columns of the csv."""
    import pyarrow
    from pyarrow import parquet

    values = [table.tick, *table.position.T, *table.velocity.T, table.heading, table.grounded]
    fields = [
        pyarrow.field(name, pyarrow.from_numpy_dtype(column.dtype), False, {"unit": _UNITS.get(name, "")})
        for name, column in zip(COLUMNS, values, strict=True)
    ]
    arrays = [pyarrow.array(np.ascontiguousarray(column)) for column in values]
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)), sink)
    return bytes(sink.getvalue())


def replay_table(replay: Replay) -> WalkTable:
    """The recorded states of a replay, without simulating: a row for each tick of the file. Lost ticks have no row."""
    if not replay.ticks:
        raise UserError(f"{replay.path}: the replay has no ticks to write")
    return join_tables([chunk.table for part in replay.parts for chunk in part.chunks])
