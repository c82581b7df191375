"""Files of walks: tables with one row per tick as npz, csv, jsonl and Parquet, written and read; tables of replays."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import atomic_files
from ..core.errors import ReportError, error_reason
from ..core.file_reading import read_at_most
from ..sim.replay.replay_file import REPLAY_SUFFIX, Replay
from ..sim.replay.walk_table import COLUMNS, OUTPUT_SUFFIXES, WalkTable, encode_table, join_tables

PARQUET_SUFFIX = ".parquet"
TABLE_SUFFIXES = (*OUTPUT_SUFFIXES, PARQUET_SUFFIX)
MAX_TABLE_BYTES = 1 << 30
MAX_NUMBER = 1e6  # m, and m/s: a world is smaller
MAX_TICK = 1 << 40
MAX_REASON = 200  # characters of a library's message in a sentence
_ARRAYS = ("position", "velocity", "heading", "grounded", "tick")
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


def read_table(path: Path) -> WalkTable:
    """A table of `save_table`. ReportError for another file."""
    suffix = path.suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        known = ", ".join((*TABLE_SUFFIXES, REPLAY_SUFFIX))
        raise ReportError(f"{path}: not a walk; the files of walks are {known}")
    try:
        data = read_at_most(path, MAX_TABLE_BYTES)
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: {error_reason(error)}") from None
    if len(data) > MAX_TABLE_BYTES:
        raise ReportError(f"{path}: larger than a walk can be ({MAX_TABLE_BYTES >> 30} GiB)")
    readers = {".npz": _read_npz, ".csv": _read_csv, ".jsonl": _read_jsonl}
    try:
        columns = _read_parquet(data, path) if suffix == PARQUET_SUFFIX else readers[suffix](data)
        return _checked_table(columns)
    except ReportError:
        raise
    except Exception as error:  # zipfile, NumPy and pyarrow raise many kinds for a damaged file
        reason = str(error).strip().partition("\n")[0][:MAX_REASON] or type(error).__name__
        raise ReportError(f"{path}: not a walk as `sim -o` writes it ({reason})") from None


def _checked_table(columns: dict[str, Any]) -> WalkTable:
    for name, column in columns.items():
        if np.asarray(column).dtype.kind not in "biuf" and len(column):
            raise ValueError(f"its column {name} holds other values than numbers")
    position = np.asarray(columns["position"], np.float64)
    count = len(position)
    with np.errstate(invalid="ignore"):  # of a number that is no integer; its column is not drawn
        table = WalkTable(
            position,
            np.asarray(columns["velocity"], np.float64),
            np.asarray(columns["heading"], np.int32),
            np.asarray(columns["grounded"], np.bool_),
            np.asarray(columns["tick"], np.int64),
            position,
            has_stance=False,
        )
    if not count:
        raise ValueError("it has no ticks")
    shapes = (count, 3), (count, 3), (count,), (count,), (count,)
    for name, shape in zip(_ARRAYS, shapes, strict=True):
        if getattr(table, name).shape != shape:
            raise ValueError(f"its column {name} has another shape")
    for values in (table.position, table.velocity):
        if not (np.abs(values) <= MAX_NUMBER).all():
            raise ValueError(f"it holds a number that is not within ±{MAX_NUMBER:g}")
    if not (np.diff(table.tick) > 0).all() or table.tick[0] < 0 or table.tick[-1] > MAX_TICK:
        raise ValueError("its ticks do not count upwards")
    return table


def _read_npz(data: bytes) -> dict[str, Any]:
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("it is cut off or no .npz file")
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        missing = [name for name in _ARRAYS if name not in arrays]
        if missing:
            raise ValueError(f"it has no array {missing[0]}")
        return {name: arrays[name] for name in _ARRAYS}


def _read_csv(data: bytes) -> dict[str, Any]:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8"))))
    if not rows or tuple(rows[0]) != COLUMNS:
        raise ValueError(f"its first line is not {','.join(COLUMNS)}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(COLUMNS):
            raise ValueError(f"line {number} has {len(row)} cells, not {len(COLUMNS)}")
    return _from_matrix(np.array(rows[1:], np.float64).reshape(-1, len(COLUMNS)))


def _from_matrix(cells: NDArray[np.float64]) -> dict[str, Any]:
    return {
        "tick": cells[:, 0], "position": cells[:, 1:4], "velocity": cells[:, 4:7], "heading": cells[:, 7],
        "grounded": cells[:, 8],
    }  # fmt: skip


def _read_jsonl(data: bytes) -> dict[str, Any]:
    rows = [_parse_row(line, number) for number, line in enumerate(data.decode("utf-8").splitlines(), 1)]
    return {name: [row[name] for row in rows] for name in _ARRAYS}


def _parse_row(line: str, number: int) -> dict[str, Any]:
    """One line of a `.jsonl` file. ValueError that names the line."""
    try:
        row = json.loads(line)
    except RecursionError:
        raise ValueError(f"line {number}: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None
    if not isinstance(row, dict):
        raise ValueError(f"line {number}: not an object of JSON")
    missing = next((name for name in _ARRAYS if name not in row), None)
    if missing is not None:
        raise ValueError(f"line {number}: {missing} is missing")
    return row


def _read_parquet(data: bytes, path: Path) -> dict[str, Any]:
    pyarrow, parquet = _import_pyarrow(path)
    table = parquet.read_table(pyarrow.BufferReader(data))
    return _from_matrix(np.stack([np.asarray(table[name].to_numpy(), np.float64) for name in COLUMNS], axis=1))
