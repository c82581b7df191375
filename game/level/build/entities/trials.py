"""Medals and challenges of a level's own. They take part in no hash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ...format.findings import FindingCollector, SourceSpan, quote_text
from ...format.level_file import ChallengeFields, LevelFields, MedalFields
from ...format.record import Value

MEDAL_NAMES = ("gold", "silver", "bronze")
_GOLF_RULES = ("par", "no_lost_ball")


@dataclass(frozen=True, slots=True)
class LevelMedals:
    """Longest times (s) for medals, in golf numbers of strokes; gold is the shortest."""

    gold: float
    silver: float
    bronze: float


@dataclass(frozen=True, slots=True)
class LevelChallenge:
    """Challenge: rules of `CHALLENGE_RULES`, and the longest time (s) or None. about: may be empty."""

    name: str
    rules: tuple[str, ...]
    within: float | None = None
    about: str = ""
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)


def read_medals(medals: MedalFields | None, report: FindingCollector) -> LevelMedals | None:
    """Medals of a level file; None without them, or where they are not in order."""
    if medals is None:
        return None
    limits = {"gold": medals.gold, "silver": medals.silver, "bronze": medals.bronze}
    for better, worse in pairwise(MEDAL_NAMES):
        if limits[worse] <= limits[better]:
            message = f"{worse}, {limits[worse]:g}, is not more than {better}, {limits[better]:g}"
            cure = "gold is the shortest time: gold < silver < bronze"
            field = medals.fields[worse]
            report.add("dropped", medals.place_of(field), medals.where_of(field), message, cure)
            return None
    return LevelMedals(**limits)


def read_challenges(
    fields: Sequence[ChallengeFields], with_targets: bool, golf: bool, report: FindingCollector
) -> tuple[LevelChallenge, ...]:
    """Challenges of a level file. with_targets, golf: what the level has."""
    challenges: list[LevelChallenge] = []
    for one in fields:
        name = " ".join(one.name.split())
        problem = _challenge_problem(one, name, challenges, with_targets, golf)
        if problem is not None:
            field, message, cure = problem
            report.add("dropped", one.place_of(field), one.where_of(field), message, cure)
            continue
        rules = tuple(dict.fromkeys(one.rule))
        challenges.append(LevelChallenge(name, rules, one.within, " ".join(one.about.split()), one.place))
    return tuple(challenges)


def _challenge_problem(
    one: ChallengeFields, name: str, earlier: list[LevelChallenge], with_targets: bool, golf: bool
) -> tuple[Value[Any], str, str] | None:
    """Field, message and cure of a challenge that cannot be used; None for a good one."""
    fields = ChallengeFields
    if not one.rule and one.within is None and not one.has_errors:
        return fields.name, "the challenge asks for nothing", "add a `rule`, or a time with `within`"
    if any(challenge.name == name for challenge in earlier):
        return fields.name, f"there are two challenges {quote_text(name)}", "give it another name"
    if not golf and (wrong := next((rule for rule in one.rule if rule in _GOLF_RULES), "")):
        return (
            fields.rule,
            f"{quote_text(wrong)} is a rule of golf, and the level has no golf holes",
            "use another rule",
        )
    if not with_targets and "all_targets" in one.rule:
        return fields.rule, "the level has no targets", "add a `target` to the pieces, or use another rule"
    return None


def warn_without_end(level: LevelFields, field: Value[Any], report: FindingCollector) -> None:
    """Warn of medals or challenges of a level without an end."""
    cure = "add a `goal`, targets or golf holes"
    message = "the level has no end, so that no run can win them"
    report.warn_of_lack(level.place_of(field), field.name, message, cure)
