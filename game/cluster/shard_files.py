"""Files of results: `.npz`, or Parquet with the extra `[parquet]`. Equal results give equal bytes.

Each file holds the key of its shard and a SHA-256, so a file that was cut off, changed or belongs to another shard is
found. In an `.npz` file the SHA-256 is the comment of the archive, and covers all bytes before it. In a Parquet file it
covers names, types and values of the arrays: the other bytes depend on the version of pyarrow.
"""

from __future__ import annotations

import ast
import hashlib
import io
import warnings
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import ClusterError

FORMATS = ("npz", "parquet")
Arrays = Mapping[str, "np.ndarray[Any, Any]"]
_KEY = "shard_key"  # the key is beside the arrays
_CHECKSUM = "shard_sha256"
_DIGEST_SIZE = 64  # bytes of a SHA-256 in hexadecimal
PARQUET_CURE = "install pyarrow: pip install 'ellipsoid-walker[parquet]', or write --format npz"


def check_format(file_format: str) -> None:
    """ClusterError where files of a format cannot be written here."""
    if file_format == "parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise ClusterError(f"Parquet needs the package pyarrow; {PARQUET_CURE}") from None


def array_checksum(arrays: Arrays) -> bytes:
    """SHA-256 over the names, types, shapes and values of arrays, whatever their order."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}\0{_dtype_text(array)}\0{array.shape}\0".encode())
        digest.update(array.tobytes())
    return digest.digest()


def _dtype_text(array: np.ndarray[Any, Any]) -> str:
    """The type of an array, such as `<f8`; of a structured array the list of its fields, as in a `.npy` file."""
    return array.dtype.str if array.dtype.names is None else repr(np.lib.format.dtype_to_descr(array.dtype))


def _parse_dtype(text: str) -> Any:
    """The type that a text stands for; ValueError for another text."""
    return np.lib.format.descr_to_dtype(ast.literal_eval(text)) if text.startswith("[") else np.dtype(text)


def encode_shard(arrays: Arrays, key: str, file_format: str = "npz") -> bytes:
    ordered = {name: np.asarray(arrays[name]) for name in sorted(arrays)}
    return _write_parquet(_parquet_table(ordered, key)) if file_format == "parquet" else _encode_npz(ordered, key)


def is_whole(data: bytes, key: str, file_format: str = "npz") -> bool:
    """Whether a file is complete, unchanged and of the shard with this key."""
    if file_format == "parquet":
        return decode_shard(data, key, file_format) is not None
    return data[-_DIGEST_SIZE:] == _digest(data[:-_DIGEST_SIZE], key)


def decode_shard(data: bytes, key: str, file_format: str = "npz") -> Arrays | None:
    """The arrays of a file; None where `is_whole` is false. Those of an `.npz` file are read when they are used."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NumPy, about a changed header
            if file_format == "parquet":
                return _decode_parquet(data, key)
            return np.load(io.BytesIO(data), allow_pickle=False) if is_whole(data, key) else None
    except Exception:  # NumPy and pyarrow raise many kinds for a damaged file
        return None


def _encode_npz(arrays: Arrays, key: str) -> bytes:
    """The archive of `numpy.savez`, whose members carry the date 1980-01-01, with a SHA-256 as its comment."""
    buffer = io.BytesIO()
    members: dict[str, Any] = {**arrays, _KEY: np.frombuffer(bytes.fromhex(key), np.uint8)}
    np.savez(buffer, **members)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.comment = bytes(_DIGEST_SIZE)
    data = buffer.getvalue()[:-_DIGEST_SIZE]
    return data + _digest(data, key)


def _digest(data: bytes, key: str) -> bytes:
    """SHA-256 of a key and of data, in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(key) + data).hexdigest().encode()


def _write_parquet(table: Any) -> bytes:
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table.combine_chunks(), buffer, compression="none")
    return buffer.getvalue()


def _parquet_table(arrays: Arrays, key: str) -> Any:
    """A table with one row for each array: its name, type, shape and bytes, and its values where they are numbers."""
    import pyarrow

    values: list[Any] = [
        array.ravel().astype(np.float64) if array.dtype.kind in "biuf" else [] for array in arrays.values()
    ]
    return pyarrow.table(
        {
            "name": pyarrow.array(list(arrays), pyarrow.string()),
            "dtype": pyarrow.array([_dtype_text(array) for array in arrays.values()], pyarrow.string()),
            "shape": pyarrow.array([list(array.shape) for array in arrays.values()], pyarrow.list_(pyarrow.int64())),
            "values": pyarrow.array(values, pyarrow.list_(pyarrow.float64())),
            "data": pyarrow.array([np.ascontiguousarray(a).tobytes() for a in arrays.values()], pyarrow.binary()),
        }
    ).replace_schema_metadata({_KEY: key, _CHECKSUM: array_checksum(arrays).hex()})


def _decode_parquet(data: bytes, key: str) -> dict[str, np.ndarray[Any, Any]] | None:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(io.BytesIO(data))
    rows = table.select(["name", "dtype", "shape", "data"]).to_pylist()
    arrays = {
        row["name"]: np.frombuffer(row["data"], _parse_dtype(row["dtype"])).reshape(row["shape"]).copy() for row in rows
    }
    whole = _parquet_table(arrays, key)
    is_whole = table.schema.metadata == whole.schema.metadata
    return arrays if is_whole and _write_parquet(table.cast(whole.schema)) == _write_parquet(whole) else None
