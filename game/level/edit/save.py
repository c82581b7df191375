"""A level's text on disk: read with all its characters, and written so that no moment can lose it."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path

from ...core.errors import WalkerError
from ..format.findings import sanitize_text

MAX_SAVE_BYTES = 8 * 2**20  # as game.level.format.source

BACKUP_NAME = ".{}.before"  # beside the file: the text before the first edit of a session


class SaveError(WalkerError):
    """The file is as it was; the words say why."""


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a level file, to the character: byte order mark and line ends kept. Raises NotSaved in words."""
    return _read_checked(Path(os.path.realpath(path)))


def backup_path(path: str | os.PathLike[str]) -> Path:
    """Where `save_text` keeps the text before the first edit."""
    target = Path(os.path.realpath(path))
    return target.with_name(BACKUP_NAME.format(target.name))


def save_text(path: str | os.PathLike[str], text: str, expected: str, before: str | None = None) -> None:
    """Write `text` where `expected` is, and see to it that one backup holds `before`.

    expected: what the file was last known to say; where it says something else by now, another program wrote it, and
    nothing is saved. before: the text before the first edit of this session, `expected` if not given.
    At every moment the file holds either the old or the new text, whole; a link is followed. Raises NotSaved.
    """
    target = Path(os.path.realpath(path))
    if _read_checked(target) != expected:
        raise SaveError(_changed_on_disk_message(target))
    try:
        first, backup = expected if before is None else before, backup_path(target)
        if not _file_contains(backup, first):
            _replace_file(backup, first, stat.S_IMODE(os.stat(target).st_mode))
        if text != expected:
            _replace_file(target, text, stat.S_IMODE(os.stat(target).st_mode), expected)
    except OSError as error:
        why = error.strerror or str(error)
        raise SaveError(
            f"{sanitize_text(str(target), 200)} cannot be written: {sanitize_text(why.lower(), 100)}"
        ) from None


def _read_checked(path: Path) -> str:
    shown = sanitize_text(str(path), 200)
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise SaveError(f"{shown} is not a regular file")
        with open(path, "rb") as file:
            data = file.read(MAX_SAVE_BYTES + 1)
    except FileNotFoundError:
        raise SaveError(f"{shown} no longer exists") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SaveError(f"{shown} cannot be read: {sanitize_text(why.lower(), 100)}") from None
    if len(data) > MAX_SAVE_BYTES:
        raise SaveError(f"{shown} is larger than the limit for a level")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SaveError(f"{shown} is not UTF-8 text") from None


def _changed_on_disk_message(path: Path) -> str:
    return f"{sanitize_text(str(path), 200)} was changed by another program in the meantime; it was not overwritten"


def _file_contains(path: Path, text: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_SAVE_BYTES + 1) == text.encode("utf-8")
    except OSError:
        return False


def _replace_file(target: Path, text: str, mode: int, expected: str | None = None) -> None:
    """Write beside the target, flush to the disk, look at the target once more, then put it in place."""
    _remove_leftovers(target)
    part = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, mode)
        if expected is not None and _read_checked(target) != expected:
            raise SaveError(_changed_on_disk_message(target))
        os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    if hasattr(os, "O_DIRECTORY"):  # so that the new name outlives a power cut
        with contextlib.suppress(OSError):
            folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _remove_leftovers(target: Path) -> None:
    """Take away what a killed save of this file left behind."""
    name = re.compile(re.escape(f".{target.name[:80]}.") + r"([0-9]{1,9})\.part")
    with contextlib.suppress(OSError):
        for entry in os.listdir(target.parent):
            found = name.fullmatch(entry)
            if found and not _is_process_alive(int(found[1])):
                with contextlib.suppress(OSError):
                    os.unlink(target.with_name(entry))


def _is_process_alive(process: int) -> bool:
    """Whether a process of that number runs, other than this one."""
    if process == os.getpid():
        return False
    if os.name != "posix":  # asking is not safe there
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
