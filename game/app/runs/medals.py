"""Medals: bronze, silver and gold limits of the shipped levels, from `levels/medals.json`.

A limit is a time in seconds; in golf it is a number of strokes. The table is no part of a level, so it changes no hash.
A medal counts for a run from the first spawn of a level whose geometry is the shipped one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ... import shipped
from ...core.time_format import format_strokes, format_time
from ...sim.trial import ranks_by_strokes
from . import progress

if TYPE_CHECKING:
    from ...level import Level
    from .progress import BestRun

TABLE_FILE = "medals.json"


class Medal(StrEnum):
    """A medal; the values are the keys of the table."""

    GOLD = "gold"
    SILVER = "silver"
    BRONZE = "bronze"

    @property
    def label(self) -> str:
        """Its name for a player."""
        return self.value.capitalize()


@dataclass(frozen=True, slots=True)
class MedalLimits:
    """Limits of one level, the best first. in_strokes: golf strokes, otherwise seconds. A run at the limit has it."""

    limits: tuple[tuple[Medal, float], ...]
    in_strokes: bool = False

    def medal_for(self, seconds: float, strokes: int | None) -> Medal | None:
        """The best medal of a run; None where it misses bronze."""
        score = self._score(seconds, strokes)
        return next((medal for medal, limit in self.limits if score <= limit), None)

    def next_above(self, medal: Medal | None) -> Medal | None:
        """The next better medal; bronze after None, None after gold."""
        order = [each for each, _ in reversed(self.limits)]
        return order[0] if medal is None else next(iter(order[order.index(medal) + 1 :]), None)

    def is_as_good(self, medal: Medal, other: Medal) -> bool:
        """Whether a medal is at least as good as another."""
        order = [each for each, _ in self.limits]
        return order.index(medal) <= order.index(other)

    def describe(self, medal: Medal) -> str:
        """A medal with its limit: `Gold 1:10.00`, `Gold 2 strokes`."""
        limit = dict(self.limits)[medal]
        return f"{medal.label} {format_strokes(round(limit)) if self.in_strokes else format_time(limit)}"

    def _score(self, seconds: float, strokes: int | None) -> float:
        return float(strokes or 0) if self.in_strokes else seconds


@cache
def read_table() -> dict[str, dict[str, float]]:
    """Limits by shipped level file and medal; empty where the file is missing or damaged."""
    try:
        values = json.loads((shipped("levels") / TABLE_FILE).read_text(encoding="utf-8"))
        return {name: {medal: float(row[medal]) for medal in Medal} for name, row in values.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def limits_of_file(path: Path, in_strokes: bool) -> MedalLimits | None:
    """Limits of a level file; None for a level without medals. in_strokes: whether its runs rank by strokes."""
    key = progress.file_key(path)
    row = read_table().get(key.removeprefix("shipped/")) if key.startswith("shipped/") else None
    return None if row is None else MedalLimits(tuple((medal, row[medal]) for medal in Medal), in_strokes)


def medal_limits(level: Level, spawn: str) -> MedalLimits | None:
    """Limits of a level that is played from a spawn; None where it has no medals from there, or was changed."""
    if spawn != level.spawns[0].name:
        return None
    limits = limits_of_file(level.path, ranks_by_strokes(level))
    if limits is None:
        return None
    shipped_hash = progress.SHIPPED_HASHES.get(progress.file_key(level.path).removeprefix("shipped/"))
    return limits if progress.level_hash(level) == shipped_hash else None


def best_medal(path: Path, best: BestRun | None) -> Medal | None:
    """Medal of the best run of a level file; None without a run or a medal."""
    if best is None:
        return None
    limits = limits_of_file(path, best.strokes is not None)
    return None if limits is None else limits.medal_for(best.seconds, best.strokes)
