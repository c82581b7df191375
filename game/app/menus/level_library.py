"""Level library: the levels of the game, the user's own, and those of the working folder; the order of the game's."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import user_folders
from ...core.time_format import format_score
from ...core.user_folders import has_level_suffix
from ...level import Exit
from ...level.format.file_access import SHIPPED_LEVELS, is_tests_file
from ...text.graphemes import clean_text
from ..runs import medals, progress
from ..runs.library import daily_files

if TYPE_CHECKING:
    from ...level import Level

USER_FOLDER = user_folders.LEVELS_FOLDER
MAX_LEVELS = 400  # listed per folder
HEAD_BYTES = 8192  # of a file that are searched for its name

# Order of the game's levels, in the list and as the next level after a finished one; others follow by name.
WORLD_ORDER = ("demo", "surfaces", "lifts", "ballroom", "waters", "escher")
GOLF_ORDER = ("one", "two", "three")
DAILY_GROUP = "Course of the day"
LAB, BUILDERS_GROUP = "lab", "For builders"  # what shows how the game is made
PROGRESS_GROUPS = ("Worlds", "Golf")  # groups of levels that count as won
HALL = "demo"  # the level with the doors to all others
HALL_FILE = SHIPPED_LEVELS / f"{HALL}.yaml"
# Routes, each with the level to which it leads once all of it is won.
ROUTES: tuple[tuple[tuple[str, ...], str], ...] = (
    ((*WORLD_ORDER, *(f"golf/{name}" for name in GOLF_ORDER)), HALL),
    ((LAB,), HALL),
    (
        (
            "museum/doorway", "museum/corridor", "museum/slim_gap", "museum/crouch", "museum/jump", "museum/fall",
            "museum/stairs", "museum/same_again",
        ),
        "museum/hall",
    ),
    (("examples/targets", "examples/lamps", "examples/terrain"), HALL),
)  # fmt: skip
_FIELD_PATTERN = r"^%s:[ \t]*(.+?)[ \t]*(?: #.*)?\r?$"
_GOAL_PATTERN = re.compile(rb"^goal:", re.MULTILINE)
_FIELDS = {name: re.compile((_FIELD_PATTERN % name).encode(), re.MULTILINE) for name in ("name", "about")}
MAX_FIELD_LENGTHS = {"name": 60, "about": 200}


@dataclass(frozen=True, slots=True)
class LevelEntry:
    """A level file with the name and description that it contains, and its group in the list."""

    path: Path
    name: str
    group: str
    shipped: bool = False
    description: str = ""


def find_levels() -> tuple[LevelEntry, ...]:
    """All levels, grouped: the user's own, then those of the game, with the course of the day after those to win.

    A file that cannot be read has its file name.
    """
    user_folder = user_folders.data_folder() / USER_FOLDER
    working_folder = Path.cwd() / "levels"
    found = _levels_in_tree(user_folder, "Your levels")
    if working_folder.resolve() not in (SHIPPED_LEVELS.resolve(), user_folder.resolve()):
        found += _levels_in_tree(working_folder, f"Folder {working_folder}")
    found += [
        level if level.path.stem != LAB else replace(level, group=BUILDERS_GROUP)
        for level in (
            *_levels_in(SHIPPED_LEVELS, "Worlds", True, WORLD_ORDER),
            *_levels_in(SHIPPED_LEVELS / "golf", "Golf", True, GOLF_ORDER),
            *(_daily_entry(path) for path in daily_files.listed_files()),
            *_levels_in(SHIPPED_LEVELS / "examples", "Examples", True, ("targets", "lamps", "terrain")),
            *_levels_in(SHIPPED_LEVELS / "museum", BUILDERS_GROUP, True, ("hall",)),
        )
    ]
    found.sort(key=lambda level: level.shipped and level.group == BUILDERS_GROUP)  # the lab before the museum
    return tuple(found)


def won_of_game() -> tuple[str, ...]:
    """What the player has won of what can be won: `4 of 9 levels`, `3 of 9 medals, 2 gold`, `1 of 3 golf holes`.

    Levels for builders do not count.
    """
    levels = _levels_to_win()
    finished = [entry.group for entry in levels if progress.is_won(entry.path)]
    best = best_medals()
    gold = best.count(medals.Medal.GOLD)
    return (
        f"{len(finished)} of {len(levels)} levels",
        f"{sum(medal is not None for medal in best)} of {len(best)} medals" + (f", {gold} gold" if gold else ""),
        f"{finished.count('Golf')} of {len(GOLF_ORDER)} golf holes",
    )


def ending_line() -> str:
    """How the player comes to the ending."""
    return "The ending: in the main menu" if has_ending() else "All medals open the ending"


def best_medals() -> tuple[medals.Medal | None, ...]:
    """Medal of the best run of each level that has medals; None where there is none yet."""
    return tuple(
        medals.best_medal(entry.path, progress.level_record(entry.path).best)
        for entry in _levels_to_win()
        if medals.limits_of_file(entry.path, entry.group == "Golf") is not None
    )


def has_ending() -> bool:
    """Whether the ending is earned: every medal is won."""
    return all(best_medals())


def _levels_to_win() -> list[LevelEntry]:
    return [
        entry
        for entry in find_levels()
        if entry.shipped and entry.group in PROGRESS_GROUPS and read_header(entry.path).has_goal
    ]


def _daily_entry(path: Path) -> LevelEntry:
    """The course of a day, also one that is not made yet."""
    day = date.fromisoformat(path.stem)
    name = f"Today, {day:%A}" if day == daily_files.today() else f"{day:%A}, {path.stem}"
    about = "A new course for each day, the same for everybody."
    about += f" {_daily_results()}" if day == daily_files.today() else ""
    return LevelEntry(path, name, DAILY_GROUP, description=about)


def _daily_results() -> str:
    """How the player did yesterday and in the last seven days: `Yesterday: 0:41.20. Last seven days: 3 finished.`"""
    records = [
        progress.level_record(daily_files.level_file(daily_files.today() - timedelta(days=days)))
        for days in range(1, 8)
    ]
    best = records[0].best
    yesterday = "finished" if records[0].finished else "not finished"
    if best is not None:
        yesterday = format_score(best.seconds, best.strokes)
    finished = sum(record.finished > 0 for record in records)
    return f"Yesterday: {yesterday}. Last seven days: {finished} of 7 finished."


def _levels_in_tree(folder: Path, group: str) -> list[LevelEntry]:
    return [level for place in (folder, *_subfolders(folder)) for level in _levels_in(place, group, False)]


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(entry for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith("."))[
            :MAX_LEVELS
        ]
    except OSError:
        return []


def _levels_in(folder: Path, group: str, shipped: bool, first: tuple[str, ...] = ()) -> list[LevelEntry]:
    try:
        names = sorted(
            entry.name for entry in folder.iterdir() if has_level_suffix(entry) and not is_tests_file(entry)
        )[:MAX_LEVELS]
    except OSError:
        return []
    rank = {stem: index for index, stem in enumerate(first)}
    names.sort(key=lambda name: (rank.get(Path(name).stem, len(first)), name))
    found = []
    for name in names:
        head = _read_head(folder / name)
        title = _header_field(head, "name") or Path(name).stem
        about = _header_field(head, "about")
        found.append(LevelEntry(folder / name, title, group, shipped, about))
    return found


@dataclass(frozen=True, slots=True)
class LevelHeader:
    """Name, description and goal of a level file, found without parsing it."""

    name: str
    about: str
    has_goal: bool


def read_header(path: Path) -> LevelHeader:
    """Header of a level file; empty for a file that cannot be read."""
    head = _read_head(path)
    has_goal = _GOAL_PATTERN.search(head) is not None
    return LevelHeader(_header_field(head, "name"), _header_field(head, "about"), has_goal)


def _read_head(path: Path) -> bytes:
    """First bytes of a file; empty if it cannot be read."""
    try:
        if path.is_file():
            with open(path, "rb") as file:
                return file.read(HEAD_BYTES)
    except OSError:
        pass
    return b""


def _header_field(head: bytes, name: str) -> str:
    """Value of a one-line field, found by a regular expression: the list does not parse levels."""
    match = _FIELDS[name].search(head)
    text = match[1].decode("utf-8", "replace").strip("\"'") if match else ""
    return clean_text(text, MAX_FIELD_LENGTHS[name])


def next_level(level: Level) -> Exit | None:
    """Way into the next level of the route that is not won yet; to the end of the route, such as the hall, where all
    are. None at that end, and after a level of the player's own."""
    here = progress.file_key(level.path).removeprefix("shipped/").removesuffix(".yaml")
    route, end = next((each for each in ROUTES if here in each[0]), ((here,), here))
    at = route.index(here)
    others = (*route[at + 1 :], *route[:at])
    stem = next((each for each in others if not progress.is_won(SHIPPED_LEVELS / f"{each}.yaml")), end)
    if stem == here:
        return None
    path = SHIPPED_LEVELS / f"{stem}.yaml"
    name = next((entry.name for entry in find_levels() if entry.path == path), stem)
    return Exit((0.0, 0.0, 0.0), 0.0, str(path), path, name, "")
