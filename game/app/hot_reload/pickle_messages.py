"""Pickled messages between two processes, over pipes; arrays travel in a file that the receiver maps into its memory.

A message is its length and a pickle. Where it holds arrays, the pickle is the name of a file with arrays and pickle.
The receiving thread waits for the interpreter's lock for each piece that it reads from a pipe, and the drawing of a
frame holds that lock. So the thread reads one small piece, and the main thread maps the file.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import struct
import tempfile
from typing import IO, Any

MESSAGE_HEADER = struct.Struct("<q")  # length of the pickle (bytes)
ARRAY_ALIGNMENT = 64  # bytes


def write_message(stream: IO[bytes], value: object, folder: str | None = None) -> str:
    """Write one message; the name of its file of arrays in `folder`, or an empty string."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    name = ""
    spans = []
    position = 0
    if buffers:
        handle, name = tempfile.mkstemp(prefix="walker-", suffix=".arrays", dir=folder)
        with os.fdopen(handle, "wb") as file:
            for block in (*(buffer.raw() for buffer in buffers), memoryview(data)):
                padding = -position % ARRAY_ALIGNMENT
                file.write(b"\0" * padding)
                position += padding
                file.write(block)
                spans.append((position, position + len(block)))
                position += len(block)
    message = pickle.dumps((name, spans, b"" if name else data))
    stream.write(MESSAGE_HEADER.pack(len(message)) + message)
    stream.flush()
    return name


def read_message(stream: IO[bytes]) -> bytes:
    """Read one message for `decode_message`. EOFError where the sender has ended."""
    (size,) = MESSAGE_HEADER.unpack(_read_exactly(stream, MESSAGE_HEADER.size))
    return _read_exactly(stream, size)


def decode_message(message: bytes) -> Any:
    """The value of a message; its arrays are read-only. Removes the file of arrays."""
    name, spans, data = pickle.loads(message)
    if not name:
        return pickle.loads(data)
    with open(name, "rb") as file:
        mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    remove_array_file(name)  # where the system keeps mapped files, the sender removes it later
    *arrays, data = (memoryview(mapping)[first:end] for first, end in spans)
    return pickle.loads(data, buffers=arrays)


def remove_array_file(name: str) -> None:
    """Remove a file of arrays, if there is one and the system allows it."""
    if name:
        with contextlib.suppress(OSError):
            os.unlink(name)


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
