"""Files of compiled kernels, and their keys: a digest of everything that a kernel is compiled from.

The key covers the bytecode, defaults and options of the kernel, and the same of every kernel and the value of every
constant that it refers to, directly or through other kernels. Comments, docstrings, line numbers, and functions that
the kernel does not reach do not count. A module's constants count if the kernel names the module and an attribute of
that name; this can include a constant that the kernel reads from another module.

The contents of NumPy and Numba do not count: their versions, and those of Python and the processor, are in
`environment`.
"""

from __future__ import annotations

import dis
import hashlib
import os
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from enum import Enum
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from numba.core import types
from numba.core.codegen import get_host_cpu_features
from numba.core.dispatcher import Dispatcher
from numba.extending import _Intrinsic

from .numba_parts import COMPILER_OPTIONS

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


FORMAT = 2  # of the key and of the files
LIBRARIES = {"builtins", "math", "cmath", "operator", "_operator", "typing", "numpy", "numba", "llvmlite"}
CODE_FLAGS = 0xFF  # of co_flags: kinds of parameters, generator, nested; newer flags describe the docstring

_first_bindings: dict[tuple[int, str], object] = {}  # (id of the namespace, name): the value that a key first described
_rebound: set[tuple[int, str]] = set()


def environment() -> dict[str, str]:
    """Versions, processor and options of Numba, which together with its sources decide the machine code of a kernel."""
    config = numba.config
    return {
        "format": str(FORMAT),
        "Python": f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}",
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "NumPy": np.__version__,
        "platform": llvmlite.binding.get_process_triple(),
        "processor": str(config.CPU_NAME or llvmlite.binding.get_host_cpu_name()),
        "features": str(get_host_cpu_features() if config.CPU_FEATURES is None else config.CPU_FEATURES),
        "options": " ".join(f"{name}={getattr(config, name, None)}" for name in COMPILER_OPTIONS),
    }


def digest_of(description: object) -> str:
    """Digest, in hexadecimal digits, of nested tuples of strings, bytes and numbers."""
    return hashlib.sha256(repr(description).encode()).hexdigest()[:DIGEST_LENGTH]


def kernel_key(kernel: Dispatcher) -> tuple[str, bool]:
    """(key, whether the values in it are the first ones that this process saw).

    If a constant was replaced in the running process, Numba may still use code that was compiled with the old value.
    Such code must not be kept. TypeError if the kernel refers to an object of a kind that a key cannot describe.
    """
    description = _Description()
    root = description.of_value(kernel, ())
    return digest_of((root, description.functions)), description.is_stable


def function_digest(function: FunctionType) -> str:
    """Digest of a Python function and of all that it refers to."""
    description = _Description()
    return digest_of((description.of_function(function), description.functions))


def signature_key(arguments: Iterable[types.Type], result: types.Type | None) -> str:
    """Digest of argument types, with the field names of named tuples: kernels read fields by their position."""
    return digest_of((tuple(_describe_type(each) for each in arguments), None if result is None else str(result)))


def _describe_type(kind: types.Type) -> object:
    if isinstance(kind, types.BaseTuple):  # type: ignore[attr-defined]
        named = getattr(kind, "instance_class", None)
        fields = (named.__module__, named.__qualname__, named._fields) if named is not None else ()
        return ("tuple", fields, tuple(_describe_type(each) for each in kind))
    return str(kind)


def _is_library(owner: object) -> bool:
    return isinstance(owner, str) and owner.partition(".")[0] in LIBRARIES


@cache
def _file_digest(module: str) -> str:
    file = getattr(sys.modules[module], "__file__", None)
    return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file and os.path.exists(file) else ""


@cache
def _describe_code(code: CodeType, docstring: str | None) -> tuple[str, tuple[str, ...]]:
    """(digest of a code object without its docstring, all names in it)."""
    constants, names, body = list(code.co_consts), set(code.co_names), code.co_code
    load = dis.opmap["LOAD_CONST"]
    if docstring is not None and constants and constants[0] == docstring:  # unless the body uses the same string
        is_used = any(operation == load and index == 0 for operation, index in zip(body[::2], body[1::2], strict=True))
        constants[0] = constants[0] if is_used else None
    parts: list[object] = []
    for constant in constants:
        if isinstance(constant, CodeType):
            inner, more = _describe_code(constant, None)
            parts.append(inner)
            names.update(more)
        elif isinstance(constant, frozenset):
            parts.append(sorted(map(repr, constant)))
        else:
            parts.append((type(constant).__name__, repr(constant)))
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & CODE_FLAGS
    variables = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    description = (body, getattr(code, "co_exceptiontable", b""), parts, counts, variables)
    return digest_of(description), tuple(sorted(names))


class _Description:
    """Depth-first description of a kernel. Functions are numbered in the order in which the search meets them."""

    def __init__(self) -> None:
        self.functions: list[object] = []
        self.is_stable = True
        self._numbers: dict[int, int] = {}

    def of_value(self, value: Any, names: tuple[str, ...]) -> object:
        """Description of a constant, kernel, module or class; `names` are all names in the code that refers to it."""
        kind = type(value)
        if value is None or kind in (bool, int, float, complex, str, bytes):
            return kind.__name__, repr(value)
        if isinstance(value, Dispatcher):
            return (
                kind.__name__,
                repr(sorted(value.targetoptions.items())),
                repr(sorted(value.locals.items())),
                self._of_class(value._compiler.pipeline_class, with_file=True),  # type: ignore[attr-defined]
                self.of_function(value.py_func),
            )
        if isinstance(value, ModuleType):
            if _is_library(value.__name__):
                return "module", value.__name__
            return "module", value.__name__, self._of_names(vars(value), names)
        if isinstance(value, Enum):
            return self._of_class(kind), value.name
        if isinstance(value, (tuple, list)):
            return self._of_class(kind), [self.of_value(each, names) for each in value]
        if isinstance(value, (np.ndarray, np.generic)):
            array = np.asarray(value)
            return kind.__name__, repr(array.dtype), array.shape, array.flags.c_contiguous, array.tobytes()
        if isinstance(value, (np.dtype, types.Type)):
            return kind.__name__, repr(value)
        if isinstance(value, FunctionType):
            if _is_library(value.__module__):
                return "library", value.__module__, value.__qualname__
            return self.of_function(value)
        if isinstance(value, _Intrinsic):
            return "intrinsic", self.of_function(value._defn)
        if isinstance(value, type):
            return self._of_class(value)
        if isinstance(value, (BuiltinFunctionType, np.ufunc)) or _is_library(getattr(value, "__module__", None)):
            return "library", getattr(value, "__module__", ""), getattr(value, "__name__", repr(value))
        raise TypeError(
            f"a kernel refers to {value!r} of type {kind.__qualname__}, which has no place in the key of a compiled "
            "kernel; use a number, a tuple, an array, a named tuple or another kernel"
        )

    def _of_names(self, namespace: Mapping[str, Any], names: tuple[str, ...]) -> object:
        """Descriptions of the values of names; notes whether a value was replaced since it was first described."""
        found = []
        for name in names:
            if name in namespace:
                value, place = namespace[name], (id(namespace), name)
                if _first_bindings.setdefault(place, value) is not value:
                    _rebound.add(place)
                self.is_stable = self.is_stable and place not in _rebound
                found.append((name, self.of_value(value, names)))
        return found

    def of_function(self, function: Any) -> object:
        """Number of a function, after its description and those of all that it refers to are in `functions`."""
        number = self._numbers.get(id(function))
        if number is not None:
            return "function", number
        number = self._numbers[id(function)] = len(self._numbers)
        digest, names = _describe_code(function.__code__, function.__doc__)
        here = function.__globals__
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        defaults = [*(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items())]
        description = (
            number,
            function.__module__,
            function.__qualname__,
            digest,
            self._of_names(here, names),
            [self.of_value(each, names) for each in (*cells, *defaults)],
            self._of_tuple_classes(function.__annotations__, here),
        )
        self.functions.append(description)
        return "function", number

    def _of_tuple_classes(self, annotations: Mapping[str, Any], namespace: Mapping[str, Any]) -> list[object]:
        """Descriptions of the named tuples among annotations: a kernel reads their fields by position."""
        kinds = [namespace.get(each) if isinstance(each, str) else each for each in annotations.values()]
        return [self._of_class(each) for each in kinds if hasattr(each, "_fields")]

    def _of_class(self, kind: Any, with_file: bool = False) -> object:
        """Description of a class: of a named tuple with its fields, of an enumeration with its members."""
        name = kind.__module__, kind.__qualname__
        if _is_library(kind.__module__):
            return name
        if issubclass(kind, Enum):
            return name, [(each.name, repr(each.value)) for each in kind]
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            inner = self._of_tuple_classes(getattr(kind, "__annotations__", {}), vars(sys.modules[kind.__module__]))
            return name, kind._fields, inner
        if with_file:
            return name, [_file_digest(each.__module__) for each in kind.__mro__ if not _is_library(each.__module__)]
        if issubclass(kind, BaseException):
            return name
        raise TypeError(f"a kernel refers to the class {kind.__qualname__}, which numba cannot compile")
