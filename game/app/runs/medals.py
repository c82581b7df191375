"""Medals: bronze, silver and gold limits of a level: its own, else those of the shipped ones in `levels/medals.json`.

A limit is a time in seconds; in golf it is a number of strokes. They change no hash. A
medal counts for a run from the first spawn; that of the table, for a level whose geometry is the shipped one.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from itertools import pairwise
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
MAX_HEAD_BYTES = 1 << 16  # of a level file, in which its medals are looked for
# The field of the level itself: its key is not indented, and the value ends where the next such key begins.
_MEDALS_PATTERN = re.compile(rb"(?ms)^medals:(.*?)(?=^[A-Za-z_-]|\Z)")
_LIMIT_PATTERN = re.compile(rb"(?m)\b(gold|silver|bronze)\s*:\s*([0-9]+(?:\.[0-9]*)?)\s*(?=[,}#\r\n]|\Z)")


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
        score = float(strokes or 0) if self.in_strokes else seconds
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


@cache
def read_medal_limits() -> dict[str, dict[str, float]]:
    """Limits by shipped level file and medal; empty where the file is missing or damaged."""
    try:
        values = json.loads((shipped("levels") / TABLE_FILE).read_text(encoding="utf-8"))
        return {name: {medal: float(row[medal]) for medal in Medal} for name, row in values.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def limits_of_file(path: Path, in_strokes: bool) -> MedalLimits | None:
    """Limits of a level file; None for a level without medals. in_strokes: whether its runs rank by strokes."""
    try:
        own = _written_limits(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        own = None
    if own is not None:
        return MedalLimits(own, in_strokes)
    return _limits_of_table(path, in_strokes)


@lru_cache(maxsize=512)
def _written_limits(path: Path, modified: int) -> tuple[tuple[Medal, float], ...] | None:
    """Limits that a level file has of its own, found without parsing it: lists of levels load none.

    modified: time of its last change (ns), for the cache. None where there are none, or they are not plain numbers.
    """
    with open(path, "rb") as file:
        match = _MEDALS_PATTERN.search(file.read(MAX_HEAD_BYTES))
    found = {} if match is None else {name: float(value) for name, value in _LIMIT_PATTERN.findall(match[1])}
    limits = tuple((medal, found[medal.encode()]) for medal in Medal if medal.encode() in found)
    in_order = all(better < worse for (_, better), (_, worse) in pairwise(limits))
    return limits if len(limits) == len(Medal) and in_order else None


def _limits_of_table(path: Path, in_strokes: bool) -> MedalLimits | None:
    key = progress.file_key(path)
    row = read_medal_limits().get(key.removeprefix("shipped/")) if key.startswith("shipped/") else None
    return None if row is None else MedalLimits(tuple((medal, row[medal]) for medal in Medal), in_strokes)


def medal_limits(level: Level, spawn: str) -> MedalLimits | None:
    """Limits of a level that is played from a spawn; None where it has no medals from there, or was changed."""
    if spawn != level.spawns[0].name:
        return None
    in_strokes = ranks_by_strokes(level)
    if level.medals is not None:
        return MedalLimits(tuple((medal, getattr(level.medals, medal)) for medal in Medal), in_strokes)
    limits = _limits_of_table(level.path, in_strokes)
    if limits is None:
        return None
    shipped_hash = progress.SHIPPED_HASHES.get(progress.file_key(level.path).removeprefix("shipped/"))
    return limits if progress.cached_level_hash(level) == shipped_hash else None


def best_medal(path: Path, best: BestRun | None) -> Medal | None:
    """Medal of the best run of a level file; None without a run or a medal."""
    if best is None:
        return None
    limits = limits_of_file(path, best.strokes is not None)
    return None if limits is None else limits.medal_for(best.seconds, best.strokes)
