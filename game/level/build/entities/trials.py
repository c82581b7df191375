"""Medals and challenges of a level's own. They take part in no hash."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from ...format.findings import FindingCollector, SourceSpan, quote_text
from ...format.records import RecordValues

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
    """Challenge: rules of `schema.CHALLENGE_RULES`, and the longest time (s) or None. about: may be empty."""

    name: str
    rules: tuple[str, ...]
    within: float | None = None
    about: str = ""
    place: SourceSpan = field(default=SourceSpan(), compare=False, repr=False)


def read_medals(values: RecordValues, has_end: bool, report: FindingCollector) -> LevelMedals | None:
    """Medals of a level file; None without them, or where they are not in order."""
    record = values.record_value("medals")
    if record is None:
        return None
    limits = {name: record.number(name) for name in MEDAL_NAMES}
    for better, worse in pairwise(MEDAL_NAMES):
        if limits[worse] <= limits[better]:
            message = f"{worse}, {limits[worse]:g}, is not more than {better}, {limits[better]:g}"
            cure = "gold is the shortest time: gold < silver < bronze"
            report.add("dropped", record.place_of(worse), f"medals.{worse}", message, cure)
            return None
    _warn_without_end(values, "medals", has_end, report)
    return LevelMedals(**limits)


def read_challenges(
    values: RecordValues, has_end: bool, with_targets: bool, golf: bool, report: FindingCollector
) -> tuple[LevelChallenge, ...] | None:
    """Challenges of a level file; None where the field is not written. with_targets, golf: what the level has."""
    if not values.is_given("challenges"):
        return None
    challenges: list[LevelChallenge] = []
    for record in values.records("challenges"):
        problem = _challenge_problem(record, challenges, with_targets, golf)
        if problem is not None:
            name, message, cure = problem
            report.add("dropped", record.place_of(name), f"challenges.{name}", message, cure)
            continue
        rules = tuple(dict.fromkeys(record.word_list("rule")))
        within = record.number("within") if record.is_given("within") else None
        about = " ".join(record.text("about").split())
        challenges.append(LevelChallenge(" ".join(record.text("name").split()), rules, within, about, record.place))
    if challenges:
        _warn_without_end(values, "challenges", has_end, report)
    return tuple(challenges)


def _challenge_problem(
    record: RecordValues, earlier: list[LevelChallenge], with_targets: bool, golf: bool
) -> tuple[str, str, str] | None:
    """Field, message and cure of a challenge that cannot be used; None for a good one."""
    rules = record.word_list("rule")
    name = " ".join(record.text("name").split())
    if not rules and not record.is_given("within"):
        return "name", "the challenge asks for nothing", "add a `rule`, or a time with `within`"
    if any(challenge.name == name for challenge in earlier):
        return "name", f"there are two challenges {quote_text(name)}", "give it another name"
    if not golf and (wrong := next((rule for rule in rules if rule in _GOLF_RULES), "")):
        return "rule", f"{quote_text(wrong)} is a rule of golf, and the level has no golf holes", "use another rule"
    if not with_targets and "all_targets" in rules:
        return "rule", "the level has no targets", "add a `target` to the pieces, or use another rule"
    return None


def _warn_without_end(values: RecordValues, name: str, has_end: bool, report: FindingCollector) -> None:
    if not has_end:
        cure = "add a `goal`, targets or golf holes"
        report.warn_of_lack(values.place_of(name), name, "the level has no end, so that no run can win them", cure)
