"""Level on which recorded walks are drawn, with a note where it is not the present one."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...launch import level_lookup
from ...launch.level_lookup import UserError, level_files, printable_name
from .. import progress
from .replay_levels import StoredLevels, find_level_file, is_stored_copy

if TYPE_CHECKING:
    from ....level import Level
    from ....sim import Replay
    from ....sim.replay.replay_file import ReplayPart


@dataclass(frozen=True, slots=True)
class DrawnLevel:
    """A level for a plan. note: empty where nothing has changed; files: of the present level."""

    level: Level
    note: str = ""
    files: tuple[Path, ...] = ()


def level_of_replay(replay: Replay) -> DrawnLevel:
    """The level of the first part with ticks, as it was recorded where it can be found; UserError where there is
    none."""
    part = next((part for part in replay.parts if part.chunks), replay.parts[0])
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
