"""Files of a folder of compiled kernels: written whole or not at all, with a checksum; old ones are removed."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

SUFFIX, RECORD_SUFFIX = ".kernel", ".record"
VERSIONS_KEPT = 16  # files of one kernel: versions of its source, and kinds of arguments; records of one part
FOLDERS_KEPT = 4  # of other versions of numba, NumPy or Python, and of older layouts of the cache
TEMPORARY_FILE_SECONDS = 86400.0  # s after which a file that was not written to its end is removed
DIGEST_LENGTH = 20  # hexadecimal digits
DIGEST = re.compile(f"[0-9a-f]{{{DIGEST_LENGTH}}}")  # name of a folder of kernels


def read_file(path: Path) -> bytes | None:
    """The content of a kernel file without its checksum; None if it is missing or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data[32:] if _checksum(path, data[32:]) == data[:32] else None


def _checksum(path: Path, data: bytes) -> bytes:
    """Checksum (32 bytes) of a kernel file: a file that was renamed counts as damaged."""
    return hashlib.sha256(path.name.encode() + b"\0" + data).digest()


def write_file(path: Path, data: bytes) -> None:
    """Write a kernel file, whole or not at all. OSError where that fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(_checksum(path, data) + data)
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise


def remove_old_files(folder: Path) -> None:
    """Keep the newest files of each kernel and part in the user's folder, and the newest folders beside it."""
    versions: dict[str, list[Path]] = defaultdict(list)
    for path in (*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*{RECORD_SUFFIX}")):
        versions[path.name.rpartition("-")[0]].append(path)
    others = [
        path for path in folder.parent.iterdir() if DIGEST.fullmatch(path.name) and path.is_dir() and path != folder
    ]
    for paths, kept in (*((each, VERSIONS_KEPT) for each in versions.values()), (others, FOLDERS_KEPT)):
        for path in sorted(paths, key=_written, reverse=True)[kept:]:
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    newest = max(map(_written, folder.iterdir()), default=0.0)
    for path in folder.glob("*.tmp"):
        with suppress(OSError):
            if newest - _written(path) > TEMPORARY_FILE_SECONDS:
                path.unlink()


def _written(path: Path) -> float:
    """Time at which a file was written, in seconds since 1970."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
