"""File access of levels: the paths that a level file may name, and reading them within bounds of kind and size."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from ... import shipped
from ...core import user_folders
from ...core.errors import error_reason
from .findings import TESTS_SUFFIX, InputError, join_alternatives, quote_text, sanitize_text, suggest_file

SHIPPED_LEVELS = shipped("levels")


def is_tests_file(path: object) -> bool:
    """True for the path of a file of tests: it ends in `.tests.yaml`."""
    return isinstance(path, (str, os.PathLike)) and str(os.fspath(path)).lower().endswith(TESTS_SUFFIX)


def tests_path(level: Path) -> Path:
    """Path of the file of tests that belongs to a level file; it need not exist."""
    return level.with_name(level.stem + TESTS_SUFFIX)


def is_shipped(file: Path) -> bool:
    """Whether a file is one of the game's own levels or parts of them."""
    return file.resolve().is_relative_to(SHIPPED_LEVELS.resolve())


def folder_of(name: str) -> Path | None:
    """The folder of a name: its own path, or a shipped folder; None for a file."""
    try:
        folder = Path(name)
        if name.isidentifier() and not folder.exists() and not (SHIPPED_LEVELS / f"{name}.yaml").exists():
            folder = SHIPPED_LEVELS / name
        return folder if name and folder.is_dir() else None
    except (OSError, ValueError):
        return None


def allowed_root(file: Path) -> Path:
    """Folder that paths in a level file may not leave: the parent of its folder, or the shipped levels.

    Raises OSError or RuntimeError where links cannot be followed.
    """
    folder = file.resolve().parent
    return SHIPPED_LEVELS if folder.is_relative_to(SHIPPED_LEVELS) else folder.parent


def resolve_path(
    file: Path, text: str, extensions: tuple[str, ...], file_kind: str = "level", root: Path | None = None
) -> Path:
    """Real path of `text`, written in `file`: in its folder, beside it or below. The target need not exist.

    extensions: the allowed ones. file_kind: for messages. root: `allowed_root` of the level, if `file`
    is included by another. Raises InputError.
    """
    if "\\" in text or "\n" in text:
        raise InputError(
            f"{quote_text(text)} is not a path to a {file_kind}",
            f"separate folders with /: write {sanitize_text(text.strip().replace(chr(92), '/'))}",
        )
    if text.startswith(("/", "~")) or re.match("[A-Za-z]:", text):
        raise InputError(
            f"{quote_text(text)} is not a relative path",
            f"write a path relative to this file, e.g. next{extensions[0]}",
        )
    if not text.lower().endswith(extensions):
        raise InputError(
            f"{quote_text(text)} is not a {file_kind} file", f"the name must end in {join_alternatives(extensions)}"
        )
    try:
        path = (file.resolve().parent / text).resolve()
        allowed = root or allowed_root(file)
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: a cycle of links
        reason = f"{quote_text(text)} cannot be followed: {sanitize_text(str(error), 100)}"
        raise InputError(reason, "put the file in place of the link") from None
    if allowed != SHIPPED_LEVELS and file.is_relative_to(SHIPPED_LEVELS) and path.is_relative_to(SHIPPED_LEVELS):
        return path  # a shipped part names another one
    if not path.is_relative_to(allowed):
        raise InputError(
            f"{quote_text(text)} is outside the levels folder", "use a file in this folder, next to it or below it"
        )
    return _shipped_instead(path)


def _shipped_instead(path: Path) -> Path:
    """The shipped file in the same place, where a copy of a shipped level names one that the user's folder lacks."""
    folder = (user_folders.data_folder() / user_folders.LEVELS_FOLDER).resolve()
    if not path.is_relative_to(folder) or path.exists():
        return path
    shipped_path = SHIPPED_LEVELS / path.relative_to(folder)
    return shipped_path if shipped_path.is_file() else path


def resolve_existing_file(
    file: Path,
    text: str,
    extensions: tuple[str, ...],
    max_bytes: int,
    file_kind: str = "level",
    root: Path | None = None,
) -> Path:
    """As `resolve_path`, for an existing regular file of at most `max_bytes`. Raises InputError."""
    path = resolve_path(file, text, extensions, file_kind, root)
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        suggestion = suggest_file(path.name, list_files(path.parent, extensions))
        folder = text[: text.rfind("/") + 1]
        if suggestion and len(folder) < 40:
            suggestion = suggestion.replace("`", f"`{folder}", 1)
        cure = suggestion or f"write the {file_kind}'s path relative to this file"
        raise InputError(f"{file_kind} file {quote_text(text)} does not exist", cure) from None
    if not stat.S_ISREG(status.st_mode):
        cure = f"write the path of a {file_kind} file"
        raise InputError(f"{quote_text(text)} is a folder, device or pipe, not a {file_kind} file", cure)
    if status.st_size > max_bytes:
        raise InputError(f"{quote_text(text)} is larger than the limit for a {file_kind}, {_format_mib(max_bytes)}")
    return path


def read_file_bytes(path: Path, max_bytes: int, file_kind: str = "level") -> bytes:
    """Contents of a regular file of at most `max_bytes`. Raises InputError for anything else."""
    data = b""
    try:
        kind = os.stat(path).st_mode  # before opening, because opening a pipe blocks
        if stat.S_ISDIR(kind):
            cure = "give one of the .yaml files in it" if file_kind == "level" else "give a file in it"
            raise InputError(f"this is a folder, not a {file_kind} file", cure)
        if not stat.S_ISREG(kind):
            raise InputError(f"this is a device or pipe, not a {file_kind} file")
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise InputError(f"this is a device or pipe, not a {file_kind} file")
            size = os.fstat(file.fileno()).st_size
            if size <= max_bytes:
                data = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise InputError("the file does not exist") from None
    except PermissionError:
        raise InputError(
            "permission to read this file is denied", "change its permissions or run as its owner"
        ) from None
    except (OSError, ValueError) as error:
        reason = error_reason(error)
        raise InputError(f"this file cannot be read: {sanitize_text(reason, 100)}") from None
    if size > max_bytes or len(data) > max_bytes:
        raise InputError(f"this file is larger than the limit for a {file_kind}, {_format_mib(max_bytes)}")
    return data


def list_files(folder: Path, extensions: tuple[str, ...]) -> list[str]:
    """Names of files of a folder with one of the extensions, 500 at most."""
    try:
        names = (name for name in os.listdir(folder) if name.lower().endswith(extensions))
        return [name for name, _ in zip(names, range(500), strict=False)]
    except (OSError, ValueError):
        return []


def _format_mib(size: int) -> str:
    return f"{size / 2**20:g} MiB"
