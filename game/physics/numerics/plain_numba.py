"""Plain Numba as the compiler and cache of the kernels, for versions of Numba that kernel_compiler does not know.

It uses the public interface only. Compiling takes longer, and so does a tick; the bits are the same. The folder of the
cache is named by a digest of the sources, because Numba's cache does not see that a function in another file changed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.extending import register_jitable

from .kernel_key import DIGEST_LENGTH, read_file, remove_old_files, write_file
from .numba_parts import COMPILER_OPTIONS, PARTS, unexpected_part

PHYSICS = Path(__file__).parents[1]
SOURCE_FOLDERS = PHYSICS, PHYSICS.parent / "core"


def _known_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options, without `_nrt` where this Numba no longer has it."""
    is_known = not any(unexpected_part(part) for part in PARTS if part[1].endswith("._nrt"))
    return {name: value for name, value in options.items() if name != "_nrt" or is_known}


def compile_inner(function: Any, options: dict[str, Any], inline: bool) -> Any:
    """The Python function itself, which compiled functions may call. `inline` counts for nothing."""
    return register_jitable(**_known_options(options))(function)


def compile_kernel(function: Any, options: dict[str, Any], folder: Path | None) -> Any:
    """Numba's dispatcher of a kernel, with Numba's cache in the folder; None: without a cache."""
    usual = numba.config.CACHE_DIR
    try:
        if folder is not None:
            numba.config.CACHE_DIR = str(folder)  # read when the dispatcher is made
        return numba.njit(cache=folder is not None, **_known_options(options))(function)
    finally:
        numba.config.CACHE_DIR = usual


@cache
def environment_digest() -> str:
    """Digest of versions, options and sources: the name of the user's folder. Numba's files name the processor."""
    options = [f"{name}={getattr(numba.config, name, None)}" for name in COMPILER_OPTIONS]
    digest = hashlib.sha256(repr(("plain", numba.__version__, np.__version__, sys.version, options)).encode())
    for path in sorted(path for folder in SOURCE_FOLDERS for path in folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:DIGEST_LENGTH]


def load_part(part: str, own: Path | None, kernels: Mapping[tuple[str, str], Any]) -> None:
    """Nothing: which kernels belong to a part is not known."""


def is_recorded(part: str, own: Path | None) -> bool:
    """Whether the kernels of a part were compiled once with this folder."""
    return own is not None and read_file(own / part) is not None


def write_record(folder: Path, part: str) -> None:
    """Record that the kernels of a part are compiled. Removes old folders."""
    with suppress(OSError):
        write_file(folder / part, b"")
        remove_old_files(folder)
