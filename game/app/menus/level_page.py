"""The list of levels: pictures in groups, each with its best time; choosing one opens it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.time_format import clock, strokes_in_words
from ...level.format.file_access import LEVELS
from ..runs import progress
from . import thumbnails
from .menu_stack import Menu, Page
from .rows import HEADING, LEVEL, Row
from .thumbnails import Studio

if TYPE_CHECKING:
    from ...level import Level
    from .level_library import Listed

COLUMNS = 4


class LevelsPage(Page):
    """All levels that there are. After "picked", `picked` is the one that was chosen."""

    name = "levels"
    title = "Levels"
    footer = "Enter or a click opens it"
    look, columns, sentences = "grid", COLUMNS, True

    def __init__(self, levels: tuple[Listed, ...], studio: Studio | None = None, playing: Level | None = None) -> None:
        """studio: has the pictures made that are missing; playing: the level that is played now, chosen at first."""
        self.levels = levels
        self.picked: Listed | None = None
        self._by_name = {str(level.path): level for level in levels}
        self._studio = studio
        path = getattr(playing, "path", None)
        self._playing = next((str(level.path) for level in levels if path is not None and same(level.path, path)), "")
        self._done = {level.path: _done(level) for level in levels}
        if studio is not None:
            studio.ask(level.path for level in levels if not level.shipped)
        self._pictures = {level.path: thumbnails.shipped(level.path, LEVELS) for level in levels if level.shipped}

    def first(self, menu: Menu) -> int:
        return next((n for n, row in enumerate(self.rows(menu)) if row.name == self._playing), 0)

    def rows(self, menu: Menu) -> tuple[Row, ...]:
        rows: list[Row] = []
        group = ""
        for level in self.levels:
            if level.group != group:
                group = level.group
                rows.append(Row(f"group {group}", group, HEADING))
            rows.append(self._row(level))
        return tuple(rows)

    def _row(self, level: Listed) -> Row:
        seen = None if self._studio is None or level.shipped else self._studio.of(level.path)
        best, more = self._done[level.path]
        if seen is not None and seen.finding:
            sentence = f"{level.path} cannot be played: {seen.finding}"
            return Row(str(level.path), level.name, LEVEL, "", None, sentence, "", seen.finding, warns=True)
        label = seen.name if seen is not None and seen.name else level.name
        picture = seen.picture if seen is not None else self._pictures.get(level.path, "")
        told = "   ·   ".join(filter(None, (level.about or str(level.path), more)))
        here = "here" if str(level.path) == self._playing else ""
        return Row(str(level.path), label, LEVEL, best, None, told, picture, here)

    def activate(self, menu: Menu, row: Row) -> str:
        self.picked = self._by_name[row.name]
        return "picked"


def same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file."""
    return os.path.abspath(one) == os.path.abspath(other)


def _done(level: Listed) -> tuple[str, str]:
    """What was done in a level: its best run, and the rest in words."""
    record = progress.record(level.path)
    best = ""
    if record.best is not None:
        seconds, strokes = record.best.seconds, record.best.strokes
        best = clock(seconds) if strokes is None else strokes_in_words(strokes)
    times = f"finished {record.finished} time{'' if record.finished == 1 else 's'}" if record.finished else ""
    return best, "   ·   ".join(filter(None, (times, ", ".join(record.challenges))))
