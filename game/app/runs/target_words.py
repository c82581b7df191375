"""Words for the targets of a level: what they are, such as gems, and how many are found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.time_format import count_noun

if TYPE_CHECKING:
    from ...level import Level

DEFAULT_NOUN = "target"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_STOP_WORDS = frozenset({"the", "a", "an", "of", "in", "on", "at", "by", "and"})


def describe_found(level: Level, found: int) -> str:
    """`Bells 2 of 5`: how many targets are found; empty in a level without targets."""
    count = len(level.targets)
    return f"{count_noun(count, target_noun(level)).capitalize()} {found} of {count}" if count else ""


def target_noun(level: Level) -> str:
    """What the targets are: the noun that the aim counts (`six stations`), else the longest word that all their names
    share, else "target"."""
    count = len(level.targets)
    word = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    counted = re.search(rf"\b(?:{word}|{count}) ([a-z]+)s\b", level.aim.lower())
    if counted is not None:
        return counted[1]
    names = [set(re.findall(r"[^\W\d_]+", target.name.lower())) for target in level.targets]
    shared = set.intersection(*names) - _STOP_WORDS if names else set()
    return max(sorted(shared), key=len, default=DEFAULT_NOUN)
