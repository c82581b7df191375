"""Files that are either wholly the old one or wholly the new one."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Put `data` at `path`: a temporary file beside the target, flush, fsync, replace.

    A target that exists and is no regular file (a device, a pipe) is written directly; a link is
    followed. Raises OSError and leaves what was there; no temporary file stays behind.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = 0
    if mode and not stat.S_ISREG(mode):
        _write_in_place(path, data)
        return
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name[:40]}.{os.getpid()}.part")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(beside)  # of a killed process that had this number
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def _write_in_place(path: str | os.PathLike[str], data: bytes) -> None:
    with open(path, "wb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view) or 0 :]
