"""Saving a level's text, and the difference of two texts.

A save is an atomic write that keeps a backup and refuses to overwrite another program's changes.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
from pathlib import Path

from ...core.atomic_files import write_atomic
from ...core.errors import WalkerError, error_reason
from ..format.findings import sanitize_text
from ..format.source import MAX_LEVEL_BYTES

_LINE = re.compile("[^\n]*\n|[^\n]+")
BACKUP_NAME = ".{}.before"  # in the level's folder: the text before the first edit of a session


class SaveError(WalkerError):
    """A level file that cannot be read or saved. The message gives the reason; the file is unchanged."""


def read_text(path: str | os.PathLike[str]) -> str:
    """The exact text of a level file, with its byte order mark and line endings. Raises SaveError."""
    return _read_checked(Path(os.path.realpath(path)))


def backup_path(path: str | os.PathLike[str]) -> Path:
    """The path of the backup that `save_text` writes."""
    target = Path(os.path.realpath(path))
    return target.with_name(BACKUP_NAME.format(target.name))


def save_text(path: str | os.PathLike[str], text: str, expected: str, before: str | None = None) -> None:
    """Replace the file's text `expected` by `text`, and keep `before` in the backup.

    expected: the last text that the caller read from or wrote to the file. If the file holds something else, another
    program has changed it, and nothing is saved. before: the text before the first edit of this session; `expected`
    by default.
    The file holds either the old or the new text at every moment. Follows a symbolic link. Raises SaveError.
    """
    target = Path(os.path.realpath(path))

    def refuse_if_changed() -> None:
        if _read_checked(target) != expected:
            shown = sanitize_text(str(target), 200)
            raise SaveError(f"{shown} was changed by another program in the meantime; it was not overwritten")

    refuse_if_changed()
    try:
        first = expected if before is None else before
        backup = backup_path(target)
        if not _file_contains(backup, first):
            write_atomic(backup, first.encode("utf-8"), mode=stat.S_IMODE(os.stat(target).st_mode))
        if text != expected:
            write_atomic(target, text.encode("utf-8"), before_replace=refuse_if_changed)
    except OSError as error:
        reason = sanitize_text(error_reason(error), 100)
        raise SaveError(f"{sanitize_text(str(target), 200)} cannot be written: {reason}") from None


def _read_checked(path: Path) -> str:
    shown = sanitize_text(str(path), 200)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise SaveError(f"{shown} is not a regular file")
        with open(path, "rb") as file:
            data = file.read(MAX_LEVEL_BYTES + 1)
    except FileNotFoundError:
        raise SaveError(f"{shown} no longer exists") from None
    except (OSError, ValueError) as error:
        raise SaveError(f"{shown} cannot be read: {sanitize_text(error_reason(error), 100)}") from None
    if len(data) > MAX_LEVEL_BYTES:
        raise SaveError(f"{shown} is larger than the limit for a level")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SaveError(f"{shown} is not UTF-8 text") from None


def _file_contains(path: Path, text: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_LEVEL_BYTES + 1) == text.encode("utf-8")
    except OSError:
        return False


def unified_diff(old: str, new: str, name: str) -> str:
    """The difference between two texts in the format of `diff -u` and `patch`; '' if there is none."""
    rows = difflib.unified_diff(_LINE.findall(old), _LINE.findall(new), name, name)
    return "".join(row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in rows)
