"""The one door to numba: `kernel` compiles a plain function over plain arrays and floats.

Every kernel keeps the same bits with NUMBA_DISABLE_JIT=1. What makes that true is a small vocabulary:
+ - * / on floats, sqrt, floor, min, max, comparisons; never x**2, hypot, dot, sum or fused operations.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy
import platformdirs
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., object])

NUMBA_OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False, "nogil": True}
NUMBA_OPTIONS_WITHOUT_REFCOUNT: dict[str, Any] = {**NUMBA_OPTIONS, "_nrt": False}  # see `kernel`
CACHE_VARIABLE = "WALKER_CACHE"  # environment: another folder for compiled kernels


def _find_cache_folder() -> Path:
    """A folder named by every kernel source: numba alone keeps stale code when a helper in another file changes."""
    digest = hashlib.sha256()
    digest.update(f"numba {numba.__version__} numpy {numpy.__version__}".encode())
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    digest.update(os.environ.get("WALKER_PROFILE", "").encode())  # compiled into the kernels (profile.py)
    base = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("ellipsoid-walker", appauthor=False)
    return Path(base) / "kernels" / digest.hexdigest()[:20]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError:
        return False
    return True


CACHE_FOLDER = _find_cache_folder()
CACHED = not numba.config.DISABLE_JIT and _is_writable(CACHE_FOLDER)


READY, COMPLETE = "ready", "complete"  # files in the cache folder, written by `prepare`


def ready() -> bool:
    """Whether nothing needs compiling before a walker can be stepped."""
    return bool(numba.config.DISABLE_JIT) or (CACHED and (CACHE_FOLDER / READY).exists())


def complete() -> bool:
    """Whether the whole tick is compiled too."""
    return bool(numba.config.DISABLE_JIT) or (CACHED and (CACHE_FOLDER / COMPLETE).exists())


class InnerKernel(CPUDispatcher):  # type: ignore[misc]
    """Compiled where a kernel calls it; from Python it runs as the plain function it is, with the same bits.

    So a tick can be run before everything is compiled: in Python, on the few kernels that take most of its time.
    """

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)


def inner(function: F) -> F:
    """Compile `function` for other kernels only (see InnerKernel); quicker to compile than a kernel."""
    if numba.config.DISABLE_JIT:
        return function
    options = {
        "nopython": True,
        "boundscheck": None,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        **NUMBA_OPTIONS_WITHOUT_REFCOUNT,
    }
    return cast(F, InnerKernel(py_func=function, targetoptions=options))


def inlined(function: F) -> F:
    """As `inner`, and part of whoever calls it: no call is made. For what is called from one or two places only."""
    if numba.config.DISABLE_JIT:
        return function
    options = {
        "nopython": True,
        "boundscheck": None,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        **NUMBA_OPTIONS_WITHOUT_REFCOUNT,
    }
    return cast(F, InnerKernel(py_func=function, targetoptions={**options, "forceinline": True}))


def kernel(function: F) -> F:
    """Compile `function` on first use, from the kernel cache where that can be written.

    It must not make arrays: numba's counting of references, an atomic operation or two for each array in each call,
    is off, which makes a tick half as long (docs/performance.md).
    """
    return _compile(function, NUMBA_OPTIONS_WITHOUT_REFCOUNT)


def allocating(function: F) -> F:
    """A kernel that makes arrays of its own."""
    return _compile(function, NUMBA_OPTIONS)


def _compile(function: F, options: dict[str, Any]) -> F:
    if numba.config.DISABLE_JIT:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        compiled: F = numba.njit(cache=CACHED, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled
