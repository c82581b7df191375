"""Numba decorators for kernels, which are plain functions over arrays and floats.

Every kernel is declared with one of them, so that all kernels have the same options and the same cache.

A kernel gives the same bits compiled and interpreted (NUMBA_DISABLE_JIT=1). For that it uses only + - * / on floats,
sqrt, floor, min, max and comparisons. It never uses x**2, hypot, dot, sum or fused multiply-add, whose rounding differs
between the two.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numba
from numba.core.dispatcher import Dispatcher

from ...core import user_folders
from . import numba_parts

F = TypeVar("F", bound=Callable[..., object])

NUMBA_OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False, "nogil": True}
NUMBA_OPTIONS_WITHOUT_REFCOUNT: dict[str, Any] = {**NUMBA_OPTIONS, "_nrt": False}  # see `kernel`
CACHE_VARIABLE = user_folders.CACHE_VARIABLE

_compiler: Any  # module with compile_inner and compile_kernel
_records: Any  # module with environment_digest, is_recorded and write_record
if numba_parts.plain_reason() is None:
    from . import kernel_cache, kernel_compiler

    _compiler, _records = kernel_compiler, kernel_cache
else:
    from . import plain_numba

    _compiler = _records = plain_numba


def _find_cache_folder() -> Path:
    """The user's folder of compiled kernels, named by a digest (environment_digest)."""
    return Path(user_folders.cache_folder(), "kernels", _records.environment_digest())


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

READY, COMPLETE = ("leaves", "mesh"), "whole"  # parts of physics.prepare


def is_compiled(*parts: str) -> bool:
    """True if the kernels of these parts of physics.prepare need no compiling: kept, shipped, or JIT disabled."""
    own = CACHE_FOLDER if CACHED else None
    return bool(numba.config.DISABLE_JIT) or all(_records.is_recorded(part, own) for part in parts)


def record_compiled(part: str) -> None:
    """Record that this process has compiled or loaded the kernels of a part, so that `is_compiled` knows it."""
    if CACHED and not is_compiled(part):
        _records.write_record(CACHE_FOLDER, part)


def ready() -> bool:
    """True if a walker can be stepped without compiling anything first."""
    return is_compiled(*READY)


def complete() -> bool:
    """True if the whole tick is compiled as well."""
    return is_compiled(COMPLETE)


_interpreted: dict[Callable[..., object], Any] | None = None  # kernels by their functions, while these run in Python
_functions: set[tuple[str, str]] = set()  # modules and names that had such a function before


def interpret() -> None:
    """Run all kernels in Python from now on, until `use_compiled`: nothing is compiled, and the bits are the same.

    The modules of the package get the functions in place of the kernels. A tick of a walker takes some 0.4 ms then; the
    ticks of many balls are too slow for play.
    """
    global _interpreted
    if _interpreted is not None or numba.config.DISABLE_JIT:
        return
    _interpreted = {}
    for module, name, value in _names_of_modules():
        if isinstance(value, Dispatcher):
            _interpreted[value.py_func] = value
            setattr(module, name, value.py_func)
        elif isinstance(value, FunctionType):
            _functions.add((module.__name__, name))


def load_kept(*parts: str) -> None:
    """Load the kernels of these parts of physics.prepare from the cache, while they run in Python. It takes some tenths
    of a second, which their first calls take otherwise."""
    kernels = {(one.__module__, one.__qualname__): kernel for one, kernel in (_interpreted or {}).items()}
    with suppress(Exception):  # damaged files: the first calls compile
        for part in parts:
            _records.load_part(part, CACHE_FOLDER if CACHED else None, kernels)


def use_compiled() -> None:
    """Undo `interpret`: kernels compile at their first call, or come from the cache."""
    global _interpreted
    kernels, _interpreted = _interpreted or {}, None
    for module, name, value in _names_of_modules():
        if isinstance(value, FunctionType) and value in kernels and (module.__name__, name) not in _functions:
            setattr(module, name, kernels[value])
    _functions.clear()


def is_interpreted(kernel: object) -> bool:
    """Whether a kernel, as its module has it now, is the function that runs in Python."""
    return isinstance(kernel, FunctionType)


def _names_of_modules() -> Iterator[tuple[ModuleType, str, Any]]:
    """Each module of the package, each of its names, and the value."""
    package = f"{__name__.partition('.')[0]}."
    for module in [module for name, module in list(sys.modules.items()) if name.startswith(package)]:
        for name, value in list(vars(module).items()):
            yield module, name, value


def _kernel_of(function: F, compiled: Any) -> F:
    """The value of a decorator: while kernels run in Python, the function itself."""
    if _interpreted is None:
        return cast(F, compiled)
    _interpreted[function] = compiled
    return function


def inner(function: F) -> F:
    """Compile `function` for calls from other kernels only ; a call from Python runs `function` itself.

    Both give the same bits. A tick can therefore run before everything is compiled: in Python, with compiled kernels
    only where most of the time goes. Compiles faster than `kernel`.
    """
    return _inner_kernel(function, inline=False)


def inlined(function: F) -> F:
    """`inner`, with the body inlined into each caller. For functions with one or two call sites."""
    return _inner_kernel(function, inline=True)


def _inner_kernel(function: F, inline: bool) -> F:
    if numba.config.DISABLE_JIT:
        return function
    return _kernel_of(function, _compiler.compile_inner(function, NUMBA_OPTIONS_WITHOUT_REFCOUNT, inline))


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
    return _kernel_of(function, _compiler.compile_kernel(function, options, CACHE_FOLDER if CACHED else None))
