"""Level lookup: a path, a folder or a shipped name from the command line to a level; UserError where it fails."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ... import COMMAND
from ...core.errors import UserError as UserError
from ...core.time_format import format_count

if TYPE_CHECKING:
    from ...level import Finding, Level

UNREADABLE_PICTURE = ("the picture is damaged and not shown", "save it again")  # what is wrong, and the cure
MAX_FINDING_LENGTH = 70  # characters of a finding that a message in the picture quotes


HALL_FILE, FIRST_FILE = "hall.yaml", "one.yaml"  # entrance levels of a folder, in this order


def load_level(name: str) -> Level:
    """Load a level by path, by shipped name, or by folder. UserError with all findings where it cannot be read."""
    from ...level import LevelError, load

    try:
        return load(entrance_file(name))
    except LevelError as error:
        raise UserError("\n".join(finding.render() for finding in error.findings)) from None


def entrance_file(name: str) -> str:
    """The entrance of a folder, or of a shipped folder's name: hall.yaml, else one.yaml, else its only level. Any other
    name is returned unchanged."""
    from ...level.format.file_access import folder_of, is_tests_file

    try:
        folder = folder_of(name)
        if folder is None:
            return name
        levels = sorted(path for path in folder.glob("*.yaml") if not (is_tests_file(path) or path.is_dir()))
    except OSError:
        return name
    for first in (folder / HALL_FILE, folder / FIRST_FILE):
        if first in levels:
            return str(first)
    if len(levels) == 1:
        return str(levels[0])
    if not levels:
        raise UserError(f"{printable_name(name)}: no level in this folder")
    listed = ", ".join(printable_name(path.name) for path in levels[:12]) + (", ..." if len(levels) > 12 else "")
    raise UserError(f"{printable_name(name)}: this folder has several levels; name one of them: {listed}")


def printable_name(text: str) -> str:
    """The text without control characters, which could move the cursor of a terminal; at most 400 characters."""
    return printable_text(text)[:400]


def printable_text(text: str) -> str:
    """The text as `printable_name` shows it, at any length."""
    return "".join(char if char.isprintable() else "?" for char in text)


def missing_parts(level: Level) -> list[Finding]:
    """The errors of a level because of which parts of it are left out."""
    return [finding for finding in level.findings if finding.severity == "dropped"]


def describe_missing_parts(name: str, level: Level) -> str:
    """One line about the parts of a level that are left out, with the first error; empty where none are."""
    missing = missing_parts(level)
    if not missing:
        return ""
    count = format_count(len(missing), "error")
    return f"parts of {name} are left out ({count}); see `{COMMAND} check {name}`; the first: {missing[0]}"


def missing_parts_message(level: Level) -> tuple[str, str] | None:
    """Two lines about the parts that the level was loaded without: the number of errors, the first one, and where to
    see all. None where nothing is missing."""
    missing = missing_parts(level)
    if not missing:
        return None
    first = missing[0]
    name = Path(first.file).name
    text = f"{first.where}: {first.message}" if first.where else first.message
    text = text if len(text) <= MAX_FINDING_LENGTH else f"{text[:MAX_FINDING_LENGTH]}..."
    place = f"{name}:{first.line}" if first.line else name
    command = f"See all: walker check {printable_name(level.path.name)}"
    return (
        f"Parts of this level are left out ({format_count(len(missing), 'error')})",
        f"{place}: {text}   ·   {command}",
    )


def level_files(level: Level) -> tuple[Path, ...]:
    """All files that a level is made of; its own file is the first."""
    return tuple(dict.fromkeys((level.path, *level.files)))


def rule_files(level: Level) -> tuple[Path, ...]:
    """The files of a level without the pictures that only change its look."""
    return tuple(path for path in level_files(level) if path not in level.pictures)


def files_digest(paths: Iterable[Path]) -> str:
    """SHA-256 of the paths and contents of some files, in hexadecimal."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            data = path.read_bytes()
        except (OSError, ValueError):
            data = b"\0missing"
        digest.update(f"{path}\0{len(data)}\0".encode("utf-8", "replace"))
        digest.update(data)
    return digest.hexdigest()
