"""Files of walks: tables with one row per tick as npz, csv, jsonl and Parquet; tables of replays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..core import atomic_files
from ..core.errors import ReportError
from ..sim.replay.replay_file import Replay
from ..sim.replay.walk_table import COLUMNS, OUTPUT_SUFFIXES, WalkTable, encode_table, join_tables

PARQUET_SUFFIX = ".parquet"
TABLE_SUFFIXES = (*OUTPUT_SUFFIXES, PARQUET_SUFFIX)
_UNITS = {
    "x": "m", "y": "m", "z": "m", "vx": "m/s", "vy": "m/s", "vz": "m/s", "heading": "1/65536 turn, ccw from north (-Z)",
}  # fmt: skip


def check_output(path: Path) -> None:
    """Check a file name before the work: ReportError for an unknown suffix or a missing package, OSError where the file
    cannot be written."""
    suffix = path.suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        raise ReportError(f"{path}: the output must be one of {', '.join(TABLE_SUFFIXES)}")
    if suffix == PARQUET_SUFFIX:
        _import_pyarrow(path)
    atomic_files.check_target(path)


def save_table(table: WalkTable, path: Path) -> None:
    """Write a table atomically, in the format of the suffix. Errors as from `check_output`."""
    suffix = path.suffix.lower()
    data = encode_parquet(table, path) if suffix == PARQUET_SUFFIX else encode_table(table, suffix)
    atomic_files.write_atomic(path, data)


def encode_parquet(table: WalkTable, path: Path) -> bytes:
    """The table as a Parquet file with the columns of the csv. path: named in the error where pyarrow is missing."""
    pyarrow, parquet = _import_pyarrow(path)
    values = [table.tick, *table.position.T, *table.velocity.T, table.heading, table.grounded]
    fields = [
        pyarrow.field(name, pyarrow.from_numpy_dtype(column.dtype), False, {"unit": _UNITS.get(name, "")})
        for name, column in zip(COLUMNS, values, strict=True)
    ]
    arrays = [pyarrow.array(np.ascontiguousarray(column)) for column in values]
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)), sink)
    return bytes(sink.getvalue())


def _import_pyarrow(path: Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ReportError(
            f"{path}: Parquet files need the package pyarrow: python -m pip install pyarrow (or choose "
            f"{', '.join(OUTPUT_SUFFIXES)})"
        ) from None
    return pyarrow, parquet


def replay_table(replay: Replay) -> WalkTable:
    """The recorded states of a replay, without simulating: a row for each tick of the file. Lost ticks have no row."""
    if not replay.ticks:
        raise ReportError(f"{replay.path}: the replay has no ticks to write")
    return join_tables([chunk.table for part in replay.parts for chunk in part.chunks])
