"""Numba decorators for kernels: plain functions over arrays and floats, the only import of numba.

A kernel gives the same bits compiled and interpreted (NUMBA_DISABLE_JIT=1). For that it uses only + - * / on floats,
sqrt, floor, min, max and comparisons. It never uses x**2, hypot, dot, sum or fused multiply-add, whose rounding differs
between the two.
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

from ...core import angles
from .kernel_compiler import InnerCompiler, Kernel, KernelCompiler

F = TypeVar("F", bound=Callable[..., object])

NUMBA_OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False, "nogil": True}
NUMBA_OPTIONS_WITHOUT_REFCOUNT: dict[str, Any] = {**NUMBA_OPTIONS, "_nrt": False}  # see `kernel`
CACHE_VARIABLE = "WALKER_CACHE"  # environment variable: the folder for compiled kernels instead of the user's


def _find_cache_folder() -> Path:
    """Cache folder named by a hash of the sources of all kernels and the versions of numba and NumPy.

    The sources are all files of game/physics, and core/angles.py, whose constants the kernels use.

    Numba's own cache checks only the file of a kernel. It would keep stale code when a helper in another file changes.
    """
    digest = hashlib.sha256()
    digest.update(f"numba {numba.__version__} numpy {numpy.__version__}".encode())
    for source in (*sorted(Path(__file__).parents[1].rglob("*.py")), Path(angles.__file__)):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    digest.update(os.environ.get("WALKER_PROFILE", "").encode())  # character/profile.py: compiled into the kernels
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

READY, COMPLETE = "ready", "complete"  # marker files in the cache folder, written by game.physics.prepare


def ready() -> bool:
    """True if a walker can be stepped without compiling anything first."""
    return bool(numba.config.DISABLE_JIT) or (CACHED and (CACHE_FOLDER / READY).exists())


def complete() -> bool:
    """True if the whole tick is compiled as well."""
    return bool(numba.config.DISABLE_JIT) or (CACHED and (CACHE_FOLDER / COMPLETE).exists())


class InnerKernel(Kernel):
    """Numba dispatcher that is compiled only as part of other kernels. A call from Python runs the plain function.

    Both give the same bits. A tick can therefore run before everything is compiled: in Python, with compiled kernels
    only where most of the time goes.
    """

    def __call__(self, *arguments: Any) -> Any:
        return self.py_func(*arguments)


def inner(function: F) -> F:
    """Compile `function` for calls from other kernels only (see InnerKernel). Compiles faster than `kernel`."""
    return _inner_kernel(function)


def inlined(function: F) -> F:
    """`inner`, with the body inlined into each caller. For functions with one or two call sites."""
    return _inner_kernel(function, forceinline=True)


def _inner_kernel(function: F, **more: bool) -> F:
    if numba.config.DISABLE_JIT:
        return function
    options = {
        "nopython": True,
        "boundscheck": None,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        **NUMBA_OPTIONS_WITHOUT_REFCOUNT,
        **more,
    }
    return cast(F, InnerKernel(py_func=function, targetoptions=options, pipeline_class=InnerCompiler))


def kernel(function: F) -> F:
    """Compile `function` on first use, or load it from the kernel cache.

    The function must not create arrays. Numba's reference counting is off, which otherwise costs one or two atomic
    operations for each array in each call: without it a tick takes half the time (docs/performance.md).
    """
    return _compile(function, NUMBA_OPTIONS_WITHOUT_REFCOUNT)


def allocating(function: F) -> F:
    """`kernel` for a function that creates arrays: reference counting stays on."""
    return _compile(function, NUMBA_OPTIONS)


def _compile(function: F, options: dict[str, Any]) -> F:
    if numba.config.DISABLE_JIT:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        more = {"nopython": True, "boundscheck": None}
        compiled = Kernel(function, targetoptions={**more, **options}, pipeline_class=KernelCompiler)
        if CACHED:
            compiled.enable_caching()
    finally:
        numba.config.CACHE_DIR = before
    return cast(F, compiled)
