"""The one door to numba: `kernel` compiles a plain function over plain arrays and floats.

Every kernel keeps the same bits with NUMBA_DISABLE_JIT=1. What makes that true is a small vocabulary:
+ - * / on floats, sqrt, floor, min, max, comparisons; never x**2, hypot, dot, sum or fused operations.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba
import numpy
import platformdirs

F = TypeVar("F", bound=Callable[..., object])

CACHE_VARIABLE = "WALKER_CACHE"  # environment: another folder for compiled kernels


def _cache_folder() -> Path:
    """A folder named by every kernel source: numba alone keeps stale code when a helper in another file changes."""
    digest = hashlib.sha256()
    digest.update(f"numba {numba.__version__} numpy {numpy.__version__}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    base = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("ellipsoid-walker", appauthor=False)
    return Path(base) / "kernels" / digest.hexdigest()[:20]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError:
        return False
    return True


CACHE_FOLDER = _cache_folder()
CACHED = not numba.config.DISABLE_JIT and _writable(CACHE_FOLDER)


def inner(function: F) -> F:
    """Compile `function` for other kernels only: quicker to compile, and never called from Python with the JIT on."""
    if numba.config.DISABLE_JIT:
        return function
    compiled: F = numba.njit(
        error_model="numpy", fastmath=False, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
    return compiled


def kernel(function: F) -> F:
    """Compile `function` on first use, from the kernel cache where that can be written."""
    if numba.config.DISABLE_JIT:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        compiled: F = numba.njit(cache=CACHED, error_model="numpy", fastmath=False, nogil=True)(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled
