"""Level on which recorded walks are drawn, with a note where it is not the present one, or not that of a walk."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
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

MAX_NAMES = 3  # of replays in a note


@dataclass(frozen=True, slots=True)
class DrawnLevel:
    """A level for a plan. source: the name of the replay or file that decides it; note: empty where nothing has
    changed; files: of the present level."""

    level: Level
    source: str
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
    return DrawnLevel(level, replay.path.name, note, (*files, *level_files(level)))


def _shown_file(part: ReplayPart, file: Path | None) -> str:
    """The file of a part's level, as a user names it."""
    if part.level["shipped"]:
        return printable_name(f"levels/{part.level['file']}")
    path = file if file is not None else Path(str(part.level["file"]))
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return printable_name(str(path) if not path.is_absolute() else path.name)


def other_versions_note(drawn: DrawnLevel, parts: Mapping[str, list[ReplayPart]]) -> str:
    """Which replays were recorded in another version of the drawn level; empty where none. parts: of each replay, by
    its name."""
    hash_ = progress.cached_level_hash(drawn.level)
    names = [
        printable_name(name)
        for name, own in parts.items()
        if any(part.level["hash"] != hash_ for part in own) and not (name == drawn.source and drawn.note)
    ]
    if not names:
        return ""
    listed = ", ".join(names[:MAX_NAMES]) + (f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else "")
    verb = "was" if len(names) == 1 else "were"
    return f"{listed} {verb} recorded in another version of the level"
