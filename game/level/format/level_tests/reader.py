"""Reader of the tests of a level: looks up the names in checked records, and reports contradictions as findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ..command_spans import CommandsError, parse_spans
from ..file_access import resolve_existing_file
from ..findings import (
    FindingCollector,
    InputError,
    SourceSpan,
    Suggestion,
    closest_words,
    join_alternatives,
    quote_text,
)
from ..records import RecordValues
from .level_test import (
    WALK_EXTENSIONS,
    AtCondition,
    BotKind,
    BotPlayer,
    Condition,
    ConditionExpectation,
    CountExpectation,
    CountKind,
    Expectation,
    GoalCondition,
    GroundedCondition,
    InsideCondition,
    LevelTest,
    MeasureExpectation,
    MeasureKind,
    Occurrence,
    TouchesCondition,
    WalkPlayer,
)
from .values import CountValue, PlacedText, WalkValue

MAX_WALK_FILE_BYTES = 1 << 30
BOUNDS = ("at_least", "at_most")
MAX_LISTED_NAMES = 8  # known names in a message
TESTS = "tests"
SCRIPT_CURE = "see docs/commands.md"
EMPTY_WALK = "the walk has no ticks"
EMPTY_WALK_CURE = 'write spans such as "60 forward 1"'
_NO_GOAL = ("the level has no goal", "add `goal: {at: [0, 0, -9], radius: 1}` to the level, or expect something else")
EVENT_NOUNS = {
    CountKind.TARGETS: "target",
    CountKind.HOLES: "golf hole",
    CountKind.CHECKPOINTS: "checkpoint",
}
ONCE_EACH = (CountKind.TARGETS, CountKind.HOLES)  # events that cannot happen more often than the level has such things


@dataclass(frozen=True, slots=True)
class TestableNames:
    """Names that the tests of a level can use.

    goal_after: what is to be done before the goal counts: "targets", "holes" or nothing. spawns: names, in order.
    zones: names and kinds. touchable: surfaces, and names and kinds of pieces.
    events: by kind, the name of each thing that causes such events; "" for those without a name.
    """

    has_goal: bool
    goal_after: str
    spawns: tuple[str, ...]
    zones: tuple[str, ...]
    touchable: tuple[str, ...]
    events: dict[CountKind, tuple[str, ...]]


def read_tests(
    files: Sequence[tuple[Path, Sequence[RecordValues]]], root: Path, names: TestableNames, report: FindingCollector
) -> tuple[LevelTest, ...]:
    """The tests in the records of each file. A test with a mistake gets a finding and is left out.

    files: each with its path. root: the folder that paths of walks may not leave.
    """
    tests = []
    taken: dict[str, SourceSpan] = {}
    for file, records in files:
        for record in records:
            errors = report.error_count
            test = _LevelTestReader(record, file, root, names, report).read()
            if test.name:
                _check_name(record, test.name, taken, report)
            if report.error_count == errors and not record.has_errors:
                tests.append(test)
    return tuple(tests)


def _check_name(record: RecordValues, name: str, taken: dict[str, SourceSpan], report: FindingCollector) -> None:
    """Finding if an earlier test has the name."""
    place = record.place_of("name")
    first = taken.setdefault(name, place)
    if first is not place:
        file = f" of {first.file or report.file}" if first.file != place.file else ""
        message = f"two tests have the name {quote_text(name)}; the first is on line {first.line}{file}"
        report.add("dropped", place, f"{TESTS}.name", message, "give it another name")


@dataclass(slots=True)
class _LevelTestReader:
    """Reader of one test."""

    record: RecordValues
    file: Path
    root: Path
    names: TestableNames
    report: FindingCollector

    def read(self) -> LevelTest:
        """The test. It is valid only if no finding was added."""
        record = self.record
        player = self._read_player()
        if record.is_given("spawn"):
            spawn = PlacedText(record.text("spawn"), record.place_of("spawn"))
            self._check_known(spawn, "spawn", "spawn", self.names.spawns)
        if record.is_given("ticks") and record.is_given("seconds"):
            self._add(record.place_of("ticks"), "ticks", "the length is given twice", "keep `seconds` or `ticks`")
        if "\n" in record.text("name").strip():
            self._add(record.place_of("name"), "name", "the name has a line break", "write it on one line")
        for field in ("skip", "fails"):
            if record.text(field).strip().lower() in ("true", "yes", "on", "false", "no", "off"):
                message = f"{quote_text(record.text(field))} is not a reason"
                cure = f"write why: `{field}: the lift is being rebuilt`; or remove the field"
                self._add(record.place_of(field), field, message, cure)
        expect = [one for values in record.records("expect") for one in self._read_expectations(values)]
        for one in expect:
            self._check_expectation(one)
        return LevelTest(
            name=record.text("name").strip(),
            player=player,
            expect=tuple(expect),
            spawn=record.text("spawn"),
            ticks=record.integer("ticks") if record.is_given("ticks") else None,
            seconds=record.number("seconds") if record.is_given("seconds") else None,
            skip=record.text("skip"),
            fails=record.text("fails"),
            path=self.file,
            place=record.place,
        )

    def _add(self, place: SourceSpan, field: str, message: str, cure: str | Suggestion) -> None:
        self.report.add("dropped", place, f"{TESTS}.{field}", message, cure)

    def _add_lack(self, place: SourceSpan, field: str, message: str, cure: str | Suggestion) -> None:
        """As `_add`, of something that the level lacks: no finding where a piece was left out, which may be it."""
        if self.report.has_gaps:
            self.report.error_count += 1
        else:
            self._add(place, field, message, cure)

    def _check_known(self, name: PlacedText, noun: str, field: str, known: Sequence[str]) -> None:
        """Finding about a name that the level does not have, with those that it has."""
        if name.text in known:
            return
        choices = sorted({choice for choice in known if choice})
        listed = join_alternatives(choices).replace(" or ", " and ") if choices else "none with a name"
        if len(choices) > MAX_LISTED_NAMES:
            listed = f"{', '.join(choices[:MAX_LISTED_NAMES])} and {len(choices) - MAX_LISTED_NAMES} more"
        otherwise = (
            f"use the name of a {noun} of the level" if choices else f"name a {noun} of the level, or remove this"
        )
        cure = Suggestion(name.text, closest_words(name.text, choices), otherwise)
        self._add_lack(name.place, field, f"there is no {noun} {quote_text(name.text)}; the level has {listed}", cure)

    def _read_player(self) -> WalkPlayer | BotPlayer:
        record = self.record
        if record.is_given("walk") and record.is_given("bot"):
            self._add(record.place_of("bot"), "bot", "the test has two players", "keep `walk` or `bot`")
        if record.is_given("seed") and not record.is_given("bot"):
            self._add(record.place_of("seed"), "seed", "only a bot has a seed", "remove it")
        if record.is_given("walk"):
            return self._read_walk(cast(WalkValue, record.value("walk")))
        if record.is_given("bot"):
            kind = BotKind(record.text("bot"))
            if kind is BotKind.GOAL and not self.names.has_goal:
                self._add(record.place_of("bot"), "bot", *_NO_GOAL)
            return BotPlayer(kind, record.integer("seed"), record.place_of("bot"))
        if not record.has_errors:
            cure = 'add `bot: explore`, `walk: demo.commands`, or lines of a commands file: `walk: ["60 forward 1"]`'
            self._add(record.place, "walk", "the test has no player", cure)
        return BotPlayer(BotKind.EXPLORE)

    def _read_walk(self, walk: WalkValue) -> WalkPlayer:
        if walk.lines:
            self._check_lines(walk.lines)
            return WalkPlayer(tuple(line.text for line in walk.lines), place=walk.place)
        try:
            path = resolve_existing_file(self.file, walk.file, WALK_EXTENSIONS, MAX_WALK_FILE_BYTES, "walk", self.root)
        except InputError as error:
            self._add(walk.place, "walk", error.message, error.cure)
            path = self.file
        return WalkPlayer((), walk.file, path, walk.place)

    def _check_lines(self, lines: Sequence[PlacedText]) -> None:
        """Findings for mistakes in the lines of a commands file."""
        try:
            if parse_spans("\n".join(line.text for line in lines)):
                return
            self._add(lines[0].place, "walk", EMPTY_WALK, EMPTY_WALK_CURE)
        except CommandsError as error:
            for problem in error.problems:
                line = lines[problem.line - 1]
                place = line.place
                if place.length >= len(line.text):  # it covers the text: the column can be added
                    place = SourceSpan(place.line, place.column + problem.column - 1, 1, place.file)
                self._add(place, "walk", problem.message, SCRIPT_CURE)

    def _read_expectations(self, values: RecordValues) -> list[Expectation]:
        """Expectations of one mapping, in the order of the schema."""
        found: list[Expectation] = []
        if values.is_given("goal"):
            goal = values.value("goal")
            is_never = isinstance(goal, PlacedText) and goal.text == "never"
            within = goal.number("within") if isinstance(goal, RecordValues) and goal.is_given("within") else None
            occurrence = Occurrence.NEVER if is_never else Occurrence.SOMETIMES
            found.append(ConditionExpectation(occurrence, GoalCondition(), within, place=values.place_of("goal")))
        found += self._read_conditions(values, Occurrence.SOMETIMES, "expect")
        for occurrence in (Occurrence.ALWAYS, Occurrence.NEVER):
            conditions = values.record_value(str(occurrence))
            if conditions is not None:
                read = self._read_conditions(conditions, occurrence, f"expect.{occurrence}")
                if not read and not conditions.has_errors:
                    example = f"for example: {conditions.record.example}"
                    self._add(conditions.place, f"expect.{occurrence}", "nothing is expected", example)
                found += read
        for measure in MeasureKind:
            bounds = values.record_value(str(measure))
            if bounds is not None:
                least, most = (bounds.number(name) if bounds.is_given(name) else None for name in BOUNDS)
                if not bounds.has_errors:
                    self._check_bounds(least, most, bounds.place, bounds.place_of("at_least"), f"expect.{measure}")
                found.append(MeasureExpectation(measure, least, most, bounds.place))
        for kind in (*EVENT_NOUNS, CountKind.DEATHS):
            if values.is_given(str(kind)):
                found.append(self._read_count(cast(CountValue, values.value(str(kind))), kind))
        if values.is_given("stuck"):
            found.append(CountExpectation(CountKind.STUCK, None, 0, (), values.place_of("stuck")))
        return found

    def _check_expectation(self, expectation: Expectation) -> None:
        """Finding for an expectation that this level or this player cannot answer."""
        place, bot = expectation.place, self.record.text("bot")
        condition = expectation.condition if isinstance(expectation, ConditionExpectation) else None
        if isinstance(condition, GoalCondition):
            if not self.names.has_goal:
                self._add(place, "expect.goal", *_NO_GOAL)
            elif self.names.goal_after and bot in (BotKind.EXPLORE, BotKind.GOAL):
                message = f"the goal waits for all {self.names.goal_after}, which bots do not collect"
                self._add(place, "expect", message, "use a walk or a replay")
        is_place = isinstance(condition, AtCondition | InsideCondition | GoalCondition)
        if isinstance(expectation, ConditionExpectation):
            is_place = is_place and not expectation.end and expectation.occurrence != Occurrence.ALWAYS
        if bot == BotKind.EXPLORE and not is_place:
            message = "`bot: explore` tries many walks, but this needs a single one"
            self._add(place, "expect", message, "remove it, or use another player")

    def _read_conditions(self, values: RecordValues, occurrence: Occurrence, where: str) -> list[ConditionExpectation]:
        """Expectations of the conditions of `expect`, `always` or `never`, one for each entry."""
        is_sometimes = occurrence is Occurrence.SOMETIMES
        places = filter(values.is_given, ("at", "inside"))
        found = [self._read_place(values, name, occurrence, where) for name in places]
        if not is_sometimes and values.is_given("grounded"):
            grounded = GroundedCondition(values.flag("grounded"))
            found.append(ConditionExpectation(occurrence, grounded, place=values.place_of("grounded")))
        names = cast("tuple[PlacedText, ...]", values.value("touches") or ())
        for name in names:
            self._check_known(name, "surface or piece", f"{where}.touches", self.names.touchable)
        if is_sometimes:
            touches = ((TouchesCondition((name.text,)), name.place) for name in names)
            found += [ConditionExpectation(occurrence, condition, place=place) for condition, place in touches]
        elif names:
            condition = TouchesCondition(tuple(name.text for name in names))
            found.append(ConditionExpectation(occurrence, condition, place=values.place_of("touches")))
        if occurrence is Occurrence.NEVER and values.is_given("goal"):
            place = values.place_of("goal")
            if not values.flag("goal"):
                self._add(place, f"{where}.goal", "`never: {goal: false}` has no meaning", "write `goal: reached`")
            found.append(ConditionExpectation(occurrence, GoalCondition(), place=place))
        return found

    def _read_place(self, values: RecordValues, name: str, occurrence: Occurrence, where: str) -> ConditionExpectation:
        """Expectation of a field `at` or `inside`, with its time if it has one."""
        value, place, where = values.value(name), values.place_of(name), f"{where}.{name}"
        if isinstance(value, PlacedText):
            return ConditionExpectation(occurrence, self._read_zone(value, where), place=place)
        record = cast(RecordValues, value)
        within, at_end = None, False
        if occurrence is Occurrence.SOMETIMES:
            within, at_end = record.number("within") if record.is_given("within") else None, record.flag("end")
        if within is not None and at_end:
            self._add(record.place_of("end"), where, "the time is given twice", "keep `within` or `end`")
        condition: Condition
        if name == "at":
            condition = AtCondition(record.point("point"), record.number("radius"))
        else:
            condition = self._read_inside(record, where)
        return ConditionExpectation(occurrence, condition, within, at_end, place)

    def _read_inside(self, record: RecordValues, where: str) -> InsideCondition:
        corners = [corner for corner in ("from", "to") if record.is_given(corner)]
        if record.is_given("zone"):
            if corners:
                self._add(record.place_of("zone"), where, "the place is given twice", "keep `zone`, or `from` and `to`")
            return self._read_zone(PlacedText(record.text("zone"), record.place_of("zone")), f"{where}.zone")
        if len(corners) < 2:
            if not record.has_errors:
                missing = "`to`" if "from" in corners else "`from`" if corners else "the place"
                cure = "write `from: [0, 0, 0], to: [4, 3, 4]`, or `zone: NAME`"
                self._add(record.place, where, f"{missing} is missing", cure)
            return InsideCondition()
        pairs = list(zip(record.point("from"), record.point("to"), strict=True))
        low, high = (cast("tuple[float, float, float]", tuple(map(pick, pairs))) for pick in (min, max))
        return InsideCondition(low, high)

    def _read_zone(self, name: PlacedText, where: str) -> InsideCondition:
        self._check_known(name, "zone", where, self.names.zones)
        return InsideCondition(zone=name.text)

    def _check_bounds(
        self, least: float | None, most: float | None, place: SourceSpan, place_of_least: SourceSpan, where: str
    ) -> None:
        if least is None and most is None:
            self._add(place, where, "it has no bound", "write `at_least`, `at_most` or both")
        elif least is not None and most is not None and least > most:
            message = f"no number is at least {least:g} and at most {most:g}"
            self._add(place_of_least, where, message, "swap the two bounds, or correct one")

    def _read_count(self, value: CountValue, kind: CountKind) -> CountExpectation:
        where, noun, known = f"expect.{kind}", EVENT_NOUNS.get(kind, ""), self.names.events.get(kind, ())
        least = len(known) if value.all_of_them else value.at_least
        if noun and not known and (value.all_of_them or value.names or least):
            self._add_lack(value.place, where, f"the level has no {noun}s", "add one, or expect something else")
        elif kind in ONCE_EACH and (least or 0) > len(known):
            message = f"the level has only {len(known)} {noun}{'s' if len(known) > 1 else ''}"
            self._add_lack(value.place, where, message, f"write {len(known)}, or `all`")
        elif not value.names:
            self._check_bounds(least, value.at_most, value.place, value.place, where)
        else:
            for name in value.names:
                self._check_known(name, noun, where, known)
        return CountExpectation(kind, least, value.at_most, tuple(name.text for name in value.names), value.place)
