"""Cache of compiled kernels: one file for each kernel and argument types, named by the key of what it is compiled from.

Two folders are searched. The user's folder holds kernels for this processor, and is the only one that is written. The
folder in the package holds kernels for the baseline processor of the platform, which every processor of the platform
executes. A file that is damaged or holds something else counts as missing.

A part is a group of kernels that `prepare` compiles together. A record, a file in the folder of the kernels, lists the
kernels of a part. It is valid as long as the sources give the same kernels. Checkouts that share a folder and whose
lists of kernels differ have records of their own.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from numba.core import sigutils
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from . import kernel_key
from .kernel_key import DIGEST_LENGTH, RECORD_SUFFIX, SUFFIX, read_file, remove_old_files, write_file

PHYSICS = Path(__file__).parents[1]
SHIPPED_FOLDER = PHYSICS / "kernels"  # of the installed package; a checkout has none
MANIFEST = "manifest.json"  # in the shipped folder: the environment that the kernels were compiled in
BASELINE = {"processor": "generic", "features": ""}  # NUMBA_CPU_NAME and NUMBA_CPU_FEATURES of the shipped kernels
DECORATED = re.compile(rb"^@(?:kernel|allocating)\b[^\n]*\ndef (\w+)", re.MULTILINE)

_used: dict[Path, tuple[str, str, str]] = {}  # file -> (module, kernel, key of the arguments) used in this process
_valid_records: dict[tuple[Path, int], bool] = {}  # (record, time of its file) -> whether it is valid
_unsaved: set[str] = set()  # kernels that this process compiled and could not keep


@cache
def environment_digest() -> str:
    """Digest of versions, processor and options: the name of the user's folder."""
    return kernel_key.digest_of(sorted(kernel_key.environment().items()))


@cache
def read_manifest() -> dict[str, Any] | None:
    """The manifest of the shipped kernels; None where the package has none."""
    try:
        manifest = json.loads((SHIPPED_FOLDER / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) and isinstance(manifest.get("environment"), dict) else None


@cache
def shipped_mismatch() -> str | None:
    """Why the shipped kernels are not usable here, as `numba 0.66.0 here, 0.68.1 there`; None where they are."""
    manifest = read_manifest()
    if manifest is None:
        return "none are shipped"
    there, here = manifest["environment"], {**kernel_key.environment(), **BASELINE}
    differing = [f"{name} {here[name]} here, {there.get(name)} there" for name in here if there.get(name) != here[name]]
    return "; ".join(differing) or None


def shipped_status() -> str:
    """One line for a person: whether the package ships kernels, and whether they are used."""
    if read_manifest() is None:
        return "none"
    if numba.config.DISABLE_JIT:
        return "not used: NUMBA_DISABLE_JIT is set"
    if shipped_mismatch():
        return f"not used, because they are for another environment: {shipped_mismatch()}"
    if not all(is_recorded(part, None) for part in (read_manifest() or {}).get("parts", ())):
        return "used in part, because the installed files were changed, or Python is another build"
    used = kernel_key.environment()
    return f"in use, for numba {used['numba']}, NumPy {used['NumPy']}, {used['Python']}, {used['platform']}"


def searched_folders(own: Path | None) -> list[Path]:
    """The folders with usable kernels, the user's first."""
    folders = [] if own is None else [own]
    return folders if shipped_mismatch() else [*folders, SHIPPED_FOLDER]


def file_name(kernel: Dispatcher, key: str, arguments: str) -> str:
    """Name of the file of a kernel: its name, and a digest of its key and of its arguments' key."""
    module, name = kernel.py_func.__module__, kernel.py_func.__qualname__.replace("<locals>.", "")
    return f"{module}.{name}-{kernel_key.digest_of((key, arguments))}{SUFFIX}"


class KernelCache:
    """Cache of one dispatcher, with the methods that numba calls. `folder` is the user's; None: nothing is written."""

    def __init__(self, kernel: Dispatcher, folder: Path | None) -> None:
        self._kernel, self._folder = kernel, folder
        self._keys: dict[str, str] = {}  # key of the arguments -> key of the kernel when it was searched

    @property
    def cache_path(self) -> str | None:
        return None if self._folder is None else str(self._folder)

    def load_overload(self, signature: Any, target_context: Any) -> CompileResult | None:
        """The compiled kernel for a signature, or None."""
        target_context.refresh()
        arguments = kernel_key.signature_key(*sigutils.normalize_signature(signature))
        self._keys[arguments], _ = kernel_key.kernel_key(self._kernel)
        name = file_name(self._kernel, self._keys[arguments], arguments)
        for folder in searched_folders(self._folder):
            data = read_file(folder / name)
            if data is None:
                continue
            try:
                result = CompileResult._rebuild(target_context, *pickle.loads(data))
            except Exception:  # a file from elsewhere: compiling replaces it
                continue
            if folder == self._folder:
                with suppress(OSError):
                    os.utime(folder / name)  # files that are used stay
            self._note_use(folder / name, arguments)
            return result
        return None

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        """Keep a kernel that was just compiled, unless a constant changed meanwhile or the folder takes no files."""
        arguments = kernel_key.signature_key(*sigutils.normalize_signature(signature))
        key, is_stable = kernel_key.kernel_key(self._kernel)
        name = file_name(self._kernel, key, arguments)
        is_lasting = not result.lifted and not result.library.has_dynamic_globals
        if self._folder is None or not is_lasting or not is_stable or key != self._keys.get(arguments):
            _unsaved.add(name)
            return
        try:
            write_file(self._folder / name, dumps(result._reduce()))
        except OSError:  # no room, or not writable: the next process compiles again
            _unsaved.add(name)
            return
        self._note_use(self._folder / name, arguments)

    def _note_use(self, file: Path, arguments: str) -> None:
        _used[file] = self._kernel.py_func.__module__, self._kernel.py_func.__qualname__, arguments

    def enable(self) -> None:
        """Nothing: the cache is always on."""

    def disable(self) -> None:
        """Nothing: the cache is always on."""

    def flush(self) -> None:
        """Nothing: files of other versions do no harm."""


@cache
def source_digests() -> tuple[str, str]:
    """(digest of all sources that kernels come from, digest of the list of kernels and of what `prepare` calls).

    What bytecode and constants depend on besides counts as a source: the exact Python and its level of optimization.
    Both are empty where there are no sources.
    """
    settings = sys.version, sys.flags.optimize
    everything, kernels = hashlib.sha256(repr(settings).encode()), hashlib.sha256()
    files = sorted([*PHYSICS.rglob("*.py"), *(PHYSICS.parent / "core").glob("*.py")])
    for path in files:
        source, name = path.read_bytes(), path.relative_to(PHYSICS.parent).as_posix().encode()
        everything.update(b"%s %d " % (name, len(source)) + source)
        kernels.update(name + b" " + b" ".join(DECORATED.findall(source)))
        if path.name == "prepare.py":
            kernels.update(source)
    return (everything.hexdigest(), kernels.hexdigest()) if files else ("", "")


def record_file(folder: Path, part: str) -> Path:
    """The record of a part, for the list of kernels of these sources."""
    return folder / f"{part}-{source_digests()[1][:DIGEST_LENGTH]}{RECORD_SUFFIX}"


def write_record(folder: Path, part: str) -> None:
    """Record that the kernels used by this process so far are those of a part. Removes old files.

    Nothing is recorded if one of them could not be kept.
    """
    if _unsaved:
        return
    searched = searched_folders(folder)
    used = [[*of, file.name] for file, of in sorted(_used.items()) if file.parent in searched]
    record = {"sources": source_digests()[0], "used": used}
    with suppress(OSError):
        write_file(record_file(folder, part), json.dumps(record).encode())
        remove_old_files(folder)


def is_recorded(part: str, own: Path | None) -> bool:
    """Whether every kernel of a part is compiled, for the sources as they are."""
    return any(_is_valid_record(record_file(folder, part), own) for folder in searched_folders(own))


def load_part(part: str, own: Path | None, kernels: Mapping[tuple[str, str], Dispatcher]) -> None:
    """Load those of `kernels`, by module and name, that belong to a part. An exception where files are damaged."""
    folders = searched_folders(own)
    record = next(filter(None, (read_file(record_file(folder, part)) for folder in folders)))
    for module, name, arguments, file in json.loads(record)["used"]:
        kernel = kernels.get((module, name))
        if kernel is None:  # its module is not imported
            continue
        path, data = next((folder / file, data) for folder in folders if (data := read_file(folder / file)))
        _used[path] = module, name, arguments
        with global_compiler_lock:
            kernel.targetctx.refresh()
            result = CompileResult._rebuild(kernel.targetctx, *pickle.loads(data))
            if result.signature.args not in kernel.overloads:
                kernel.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
                kernel.add_overload(result)


def _is_valid_record(path: Path, own: Path | None) -> bool:
    """Whether a record is valid. It is read once, and again when the file is replaced."""
    try:
        version = path, path.stat().st_mtime_ns
    except OSError:
        return False
    if version not in _valid_records:
        data = read_file(path)
        try:
            _valid_records[version] = data is not None and _check_record(path, data, own)
        except (ValueError, TypeError, LookupError, RecursionError):  # it holds something else
            _valid_records[version] = False
    return _valid_records[version]


def _check_record(path: Path, data: bytes, own: Path | None) -> bool:
    """Whether a record is valid. If sources changed but none of its kernels did, the record is updated."""
    record, folders = json.loads(data), searched_folders(own)

    def exists(name: str) -> bool:
        return any((folder / name).exists() for folder in folders)

    sources, kernels = source_digests()
    if not kernels:
        return False
    if record["sources"] == sources:
        return all(exists(name) for *_, name in record["used"])
    try:
        record["used"] = [_current_entry(*entry[:3]) for entry in record["used"]]
    except Exception:  # a kernel is gone, or a module is being edited
        return False
    if not all(exists(name) for *_, name in record["used"]):
        return False
    record["sources"] = sources
    if own is not None:
        with suppress(OSError):
            write_file(own / path.name, json.dumps(record).encode())
    return True


def _current_entry(module: str, name: str, arguments: str) -> list[str]:
    """An entry of a record, with the file name that the present sources give."""
    kernel = getattr(import_module(module), name)
    return [module, name, arguments, file_name(kernel, kernel_key.kernel_key(kernel)[0], arguments)]
