"""Files of the course of the day, in the user's data folder: the level, and the run of a bot as its first ghost."""

from __future__ import annotations

import contextlib
import re
from datetime import UTC, date, datetime
from pathlib import Path

from ....core import atomic_files, user_folders

FOLDER = "daily"  # in the data folder
GHOST_NOTE = "run of the bot that proves the course"
MAX_LISTED = 7  # days that the list of levels shows
_DAY_NAME = re.compile(r"daily(?:/(\d{4}-\d{2}-\d{2}))?\Z")
_DAY_FILE = re.compile(r"\d{4}-\d{2}-\d{2}\.yaml\Z")


def today() -> date:
    """The present day in UTC, so that it changes for everybody at once."""
    return datetime.now(UTC).date()


def named_day(name: str) -> date | None:
    """The day that `daily` or `daily/2026-11-27` names; None for other names. ValueError for what is no day."""
    match = _DAY_NAME.match(name.removesuffix("/"))
    if match is None:
        if name.startswith(f"{FOLDER}/") and not Path(name).suffix:
            raise ValueError("not a day")
        return None
    return today() if match[1] is None else date.fromisoformat(match[1])


def level_file(day: date) -> Path:
    """The level file of a day, whether it is made or not."""
    return user_folders.data_folder() / FOLDER / f"{day.isoformat()}.yaml"


def ghost_file(level: Path) -> Path | None:
    """The run of the bot beside the level file of a day; None beside another level, or where there is none."""
    path = level.with_suffix(".replay")
    is_daily = level.parent == user_folders.data_folder() / FOLDER and _DAY_FILE.match(level.name) is not None
    return path if is_daily and path.is_file() else None


def listed_files() -> list[Path]:
    """The level files of the days that the list of levels shows: today's, and the newest that were made before."""
    newest = level_file(today())
    made = [path for path in newest.parent.glob("*.yaml") if _DAY_FILE.match(path.name) and path.name < newest.name]
    return [newest, *sorted(made, reverse=True)[: MAX_LISTED - 1]]


def make_today() -> None:
    """Make the files of today; where the folder cannot be written the list of levels shows them missing."""
    with contextlib.suppress(OSError):
        make_files(today())


def make_files(day: date) -> Path:
    """The level file of a day; made where it is missing, at most a second. A file that somebody has changed stays.

    OSError where the folder cannot be written.
    """
    path = level_file(day)
    if path.exists():
        return path
    from ....level import load
    from ....sim import History, World
    from ....sim.bots.reach_graph import keep_graph
    from ....sim.generator.daily import daily_course

    daily = daily_course(day.year, day.month, day.day)
    path.parent.mkdir(parents=True, exist_ok=True)
    level = load(path, {path: daily.text.encode()})
    history = History(World(level))
    history.run(daily.commands)
    keep_graph(level, daily.course.graph)
    atomic_files.write_atomic(path.with_suffix(".replay"), history.data(note=GHOST_NOTE))
    atomic_files.write_atomic(path, daily.text.encode())
    return path
