"""Level list: thumbnails in groups, each with the best time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.time_format import format_score
from ...sim.trial import challenge_of_key
from ...text.key_symbols import key_symbols
from ..runs import medals, progress
from ..runs.progress import LevelRecord
from ..runs.run_results import challenge_texts
from ..runs.saved_places import find_place
from ..visuals import thumbnails
from .level_library import DAILY_GROUP
from .menu_stack import HEADING_ROW, LEVEL_ROW, MenuPage, MenuRow, MenuStack
from .thumbnail_worker import ThumbnailWorker

if TYPE_CHECKING:
    from ...level import Level
    from .level_library import LevelEntry

COLUMN_COUNT = 4
MAX_EARLIER = 3  # best times of earlier versions that a level shows


class LevelListPage(MenuPage):
    """Page of all levels. After the action "picked", `picked` is the chosen one."""

    name = "levels"
    title = "Levels"
    footer = f"{key_symbols('Enter or Left mouse')} to play"
    layout = "grid"
    columns = COLUMN_COUNT
    shows_descriptions = True
    shows_thumbnails = True

    def __init__(
        self,
        levels: tuple[LevelEntry, ...],
        worker: ThumbnailWorker | None = None,
        current: Level | None = None,
        is_playing: bool = True,
    ) -> None:
        """worker: makes missing thumbnails; current: the present level, selected at first; is_playing: it is played."""
        self.levels = levels
        self.picked: LevelEntry | None = None
        self._levels_by_name = {str(level.path): level for level in levels}
        self._thumbnails = worker
        here = "" if current is None else os.path.abspath(current.path)
        self._current_level = next((str(level.path) for level in levels if os.path.abspath(level.path) == here), "")
        self._notes = {
            str(level.path): f"Continue   {place.reached}" for level in levels if (place := find_place(level.path))
        }
        if is_playing:
            self._notes[self._current_level] = "Playing now"
        self._completion = {level.path: _completion_text(level) for level in levels}
        self._missing = {level.path for level in levels if level.group == DAILY_GROUP and not level.path.exists()}
        if worker is not None:
            worker.request(level.path for level in levels if not (level.shipped or level.path in self._missing))
        self._thumbnail_paths = {
            level.path: thumbnails.shipped_thumbnail(level.path) for level in levels if level.shipped
        }

    def first_row(self, menu: MenuStack) -> int:
        return next((n for n, row in enumerate(self.rows(menu)) if row.name == self._current_level), 0)

    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        rows: list[MenuRow] = []
        group = ""
        for level in self.levels:
            if level.group != group:
                group = level.group
                rows.append(MenuRow(f"group {group}", group, HEADING_ROW))
            rows.append(self._level_row(level))
        return tuple(rows)

    def _level_row(self, level: LevelEntry) -> MenuRow:
        if level.path in self._missing:
            if not level.path.exists():
                return MenuRow(str(level.path), level.name, LEVEL_ROW, note="Being made...", enabled=False)
            self._missing.remove(level.path)
            if self._thumbnails is not None:
                self._thumbnails.request([level.path])
        thumbnail = None if self._thumbnails is None or level.shipped else self._thumbnails.thumbnail_of(level.path)
        best, completion, medal = self._completion[level.path]
        if thumbnail is not None and thumbnail.finding:
            sentence = f"{level.path.name} cannot be played: {thumbnail.finding}"
            return MenuRow(
                str(level.path), level.name, LEVEL_ROW, "", None, sentence, "", thumbnail.finding, is_warning=True
            )
        has_name = thumbnail is not None and thumbnail.name and level.group != DAILY_GROUP
        label = thumbnail.name if thumbnail is not None and has_name else level.name
        picture = thumbnail.picture if thumbnail is not None else self._thumbnail_paths.get(level.path, "")
        description = "   ·   ".join(filter(None, (level.description or level.path.name, completion)))
        note = self._notes.get(str(level.path), "")
        return MenuRow(str(level.path), label, LEVEL_ROW, best, None, description, picture, note, medal=medal)

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        self.picked = self._levels_by_name[row.name]
        return "picked"


def _completion_text(level: LevelEntry) -> tuple[str, str, str]:
    """Best time or strokes of a level, its finishes, medals, challenges and earlier versions as text, and its medal."""
    record = progress.level_record(level.path)
    best = "Finished" if record.finished else ""
    if record.best is not None:
        best = format_score(record.best.seconds, record.best.strokes)
    times = f"Finished {record.finished} time{'' if record.finished == 1 else 's'}" if record.finished else ""
    medal = medals.best_medal(level.path, record.best)
    limits = medals.limits_of_file(level.path, level.path.parent.name == "golf")  # the list reads no levels
    wanted = None if limits is None else limits.next_above(medal)
    goal = "" if wanted is None or limits is None else f"Next medal: {limits.describe(wanted)}"
    earlier = describe_earlier(level.path)
    challenges = ", ".join(map(_challenge_label, record.challenges))
    texts = (times, medal and f"{medal.label} medal", goal, challenges, earlier)
    return best, "   ·   ".join(filter(None, texts)), medal or ""


def _challenge_label(name: str) -> str:
    """A challenge as a player reads it; an unknown one of another version by its name in the file."""
    challenge = challenge_of_key(name)
    return name if challenge is None else challenge_texts(challenge)[0]


def earlier_records(path: Path) -> tuple[LevelRecord, ...]:
    """Records with a best run of levels with this level's name and first spawn, but another geometry; newest first."""
    stored = progress.read_progress()
    visit = stored.visits.get(progress.file_key(path))
    if visit is None:
        return ()
    current = f"{visit.hash}:{visit.spawn}"
    name = stored.records.get(current, LevelRecord()).name
    found = [
        record
        for key, record in stored.records.items()
        if key != current and key.partition(":")[2] == visit.spawn and record.name == name and record.best is not None
    ]
    return tuple(sorted(found, key=lambda record: record.used, reverse=True)) if name else ()


def describe_earlier(path: Path) -> str:
    """`Earlier version of this level: 1:02.35`; empty without such a record."""
    texts = []
    for record in earlier_records(path)[:MAX_EARLIER]:
        assert record.best is not None
        texts.append(format_score(record.best.seconds, record.best.strokes))
    if not texts:
        return ""
    return f"Earlier version{'' if len(texts) == 1 else 's'} of this level: {', '.join(texts)}"
