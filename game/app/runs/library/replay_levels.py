"""Levels of the parts of a replay: found on disk, or restored from the text that the replay stores."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...launch import level_lookup
from ...launch.level_lookup import UserError, level_files, printable_name
from .. import progress

if TYPE_CHECKING:
    from ....level import Level
    from ....sim import Replay
    from ....sim.replay.replay_file import ReplayPart

COPY_FOLDER = "walker-replay-"  # first part of the name of a folder with levels that replays store


class ReplayLevels:
    """The level of each part, loaded once. In this order: the level that the user names, the recorded file, the stored
    text. `as_recorded` skips the file. `scratch` is a temporary folder for stored texts."""

    def __init__(self, record: Replay, wanted: str | None, as_recorded: bool, scratch: Path) -> None:
        self.record = record
        self.requested_level = wanted
        self.as_recorded = as_recorded
        self.scratch = scratch
        self.notes: list[str] = []
        self._loaded: dict[int, Level] = {}

    def level(self, part: ReplayPart) -> Level:
        """The level of a part; UserError where it cannot be found or read."""
        if part.number not in self._loaded:
            self._loaded[part.number] = self._find(part)
        return self._loaded[part.number]

    def _find(self, part: ReplayPart) -> Level:
        if self.requested_level is not None:
            return level_lookup.load_level(self.requested_level)
        name = printable_name(str(part.level["name"]))
        if not self.as_recorded:
            path = find_level_file(part, self.record.path)
            if path is not None:
                return level_lookup.load_level(str(path))
        if part.level_text is None:
            raise UserError(
                f"the level {name} was not found ({printable_name(part.level['file'])}) and is not stored in the "
                "replay; use --level"
            )
        if not self.as_recorded:
            self.notes.append(f"the level {name} was not found; using the level stored in the replay")
        return _load_stored(part, part.level_text, self.scratch)


class StoredLevels:
    """Levels for a replay that is watched in the game, as they were recorded: the present level, a file with the
    recorded hash, else the text in the replay. A level of another geometry is the last choice."""

    def __init__(self, record: Replay, present: Level | None = None) -> None:
        self.record = record
        self.present = present
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._loaded: dict[str, Level] = {}

    def level(self, part: ReplayPart) -> Level:
        """The level of a part; UserError where it cannot be found or read."""
        hash_ = str(part.level["hash"])
        if self.present is not None and progress.cached_level_hash(self.present) == hash_:
            return self.present
        if hash_ not in self._loaded:
            self._loaded[hash_] = self._find(part, hash_)
        return self._loaded[hash_]

    def _find(self, part: ReplayPart, hash_: str) -> Level:
        path = find_level_file(part, self.record.path)
        level = None
        if path is not None:
            with contextlib.suppress(UserError):
                level = level_lookup.load_level(str(path))
            if level is not None and progress.cached_level_hash(level) == hash_:
                return level
        if part.level_text is not None:
            if self._scratch is None:
                self._scratch = tempfile.TemporaryDirectory(prefix=COPY_FOLDER)
            with contextlib.suppress(UserError):
                return _load_stored(part, part.level_text, Path(self._scratch.name))
        if level is None:
            name = printable_name(str(part.level["name"]))
            raise UserError(f"the level {name} was not found, and the replay does not hold all of it")
        return level


def _load_stored(part: ReplayPart, text: bytes, folder: Path) -> Level:
    """The level of a part from the text in the replay, which is written to a file in the folder."""
    path = folder / f"{part.number}" / (Path(part.level["file"]).name or "level.yaml")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text)
    return level_lookup.load_level(str(path))


@dataclass(frozen=True, slots=True)
class DrawnLevel:
    """A level for a plan. note: empty where nothing has changed; files: of the present level."""

    level: Level
    note: str = ""
    files: tuple[Path, ...] = ()


def level_of_replay(replay: Replay) -> DrawnLevel:
    """The level of the first part with ticks, as it was recorded where it can be found; UserError where there is
    none."""
    part = next((part for part in replay.parts if part.blocks), replay.parts[0])
    file = find_level_file(part, replay.path)
    present = None
    if file is not None:
        with contextlib.suppress(UserError):
            present = level_lookup.load_level(str(file))
    levels = StoredLevels(replay, present)
    level = levels.level(part)
    shown = _shown_file(part, file)
    if progress.cached_level_hash(level) != part.level["hash"]:
        note = "the level has changed since the recording"
        if part.level_text is None:
            note = f"{shown} has changed since the recording, and the replay does not hold the level"
    elif not is_stored_copy(level.path):
        note = ""
    else:
        note = f"the level as recorded; {shown} {'was not found' if file is None else 'has changed since'}"
    files = () if present is None else level_files(present)
    return DrawnLevel(level, note, (*files, *level_files(level)))


def _shown_file(part: ReplayPart, file: Path | None) -> str:
    """The file of a part's level, as a user names it."""
    if part.level["shipped"]:
        return printable_name(f"levels/{part.level['file']}")
    path = file if file is not None else Path(str(part.level["file"]))
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return printable_name(str(path) if not path.is_absolute() else path.name)


def missing_parts_note(level: Level) -> str:
    """One line about the parts of a level that are left out; empty where none are. A copy that was read from a replay
    has the name of its file only: its folder is a temporary one."""
    note = level_lookup.describe_missing_parts(str(level.path), level)
    if not note or not is_stored_copy(level.path):
        return note
    first = level_lookup.missing_parts(level)[0]
    name = level.path.name
    where = f"{first.where}: " if first.where else ""
    place = f"{name}:{first.line}: {where}{first.message}"
    return f"parts of {name}, as stored in the replay, are left out; the first: {place}"


def is_stored_copy(path: Path) -> bool:
    """Whether this file of a level was written from a replay, into a folder with COPY_FOLDER in its name."""
    return any(folder.name.startswith(COPY_FOLDER) for folder in path.parents)


def parts_in_level(record: Replay, parts: Sequence[ReplayPart], level: Level, advice: str) -> list[ReplayPart]:
    """Those parts of a replay that were recorded in this level, or in another version of it. UserError, with the advice
    at its end, where there are none."""
    found = [part for part in parts if _is_recorded_in(part, level)]
    if not found:
        recorded = printable_name(str(record.parts[0].level["name"]))
        present = printable_name(level.name)
        raise UserError(f"{printable_name(str(record.path))}: recorded in {recorded}, not in {present}; {advice}")
    return found


def _is_recorded_in(part: ReplayPart, level: Level) -> bool:
    same_file = Path(str(part.level["file"])).name == level.path.name
    return same_file or part.level["name"] == level.name or part.level["hash"] == progress.cached_level_hash(level)


def find_level_file(part: ReplayPart, replay: Path) -> Path | None:
    """The file of a part's level: a shipped one, the recorded path, or a file of that name next to the replay."""
    from ....level.format.file_access import SHIPPED_LEVELS

    file = Path(str(part.level["file"]))
    if not file.name:
        return None
    if part.level["shipped"]:
        path = SHIPPED_LEVELS / file
        return path if path.is_file() and path.resolve().is_relative_to(SHIPPED_LEVELS) else None
    return next((path for path in (file, replay.parent / file.name) if path.is_file()), None)
