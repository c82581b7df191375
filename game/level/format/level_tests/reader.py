"""Reader of the tests of a level: looks up the names in checked records, and reports contradictions as findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

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
from ..record import Record, Value
from ..record_values import PlacedText
from .level_test import (
    WALK_EXTENSIONS,
    AtCondition,
    BotKind,
    BotPlayer,
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
from .records import (
    AtPlace,
    BoxFields,
    Conditions,
    Expectations,
    InsidePlace,
    LevelTestFields,
    NeverConditions,
    PointFields,
)
from .values import CountValue, WalkValue

MAX_WALK_FILE_BYTES = 1 << 30
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
    files: Sequence[tuple[Path, Sequence[LevelTestFields]]], root: Path, names: TestableNames, report: FindingCollector
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


def _check_name(record: LevelTestFields, name: str, taken: dict[str, SourceSpan], report: FindingCollector) -> None:
    """Finding if an earlier test has the name."""
    place = record.place_of(LevelTestFields.name)
    first = taken.setdefault(name, place)
    if first is not place:
        file = f" of {first.file or report.file}" if first.file != place.file else ""
        message = f"two tests have the name {quote_text(name)}; the first is on line {first.line}{file}"
        report.add("dropped", place, f"{TESTS}.name", message, "give it another name")


@dataclass(slots=True)
class _LevelTestReader:
    """Reader of one test."""

    record: LevelTestFields
    file: Path
    root: Path
    names: TestableNames
    report: FindingCollector

    def read(self) -> LevelTest:
        """The test. It is valid only if no finding was added."""
        record, fields = self.record, LevelTestFields
        player = self._read_player()
        if record.is_given(fields.spawn):
            self._check_known(
                PlacedText(record.spawn, record.place_of(fields.spawn)), "spawn", "spawn", self.names.spawns
            )
        if record.ticks is not None and record.seconds is not None:
            self._add_field(fields.ticks, "the length is given twice", "keep `seconds` or `ticks`")
        if "\n" in record.name.strip():
            self._add_field(fields.name, "the name has a line break", "write it on one line")
        for field, reason in ((fields.skip, record.skip), (fields.fails, record.fails)):
            if reason.strip().lower() in ("true", "yes", "on", "false", "no", "off"):
                cure = f"write why: `{field.name}: the lift is being rebuilt`; or remove the field"
                self._add_field(field, f"{quote_text(reason)} is not a reason", cure)
        expect = [one for values in record.expect for one in self._read_expectations(values)]
        for one in expect:
            self._check_expectation(one)
        return LevelTest(
            name=record.name.strip(),
            player=player,
            expect=tuple(expect),
            spawn=record.spawn,
            ticks=record.ticks,
            seconds=record.seconds,
            skip=record.skip,
            fails=record.fails,
            path=self.file,
            place=record.place,
        )

    def _add_field(self, field: Value[Any], message: str, cure: str) -> None:
        self._add(self.record.place_of(field), field.name, message, cure)

    def _add(self, place: SourceSpan, field: str, message: str, cure: str | Suggestion) -> None:
        self.report.add("dropped", place, f"{TESTS}.{field}", message, cure)

    def _add_lack(self, place: SourceSpan, field: str, message: str, cure: str | Suggestion) -> None:
        """As `_add`, of something that the level lacks: no finding after an error, which may have left it out."""
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
        record, fields = self.record, LevelTestFields
        if record.walk is not None and record.bot:
            self._add_field(fields.bot, "the test has two players", "keep `walk` or `bot`")
        if record.is_given(fields.seed) and not record.bot:
            self._add_field(fields.seed, "only a bot has a seed", "remove it")
        if record.walk is not None:
            return self._read_walk(record.walk)
        if record.bot:
            kind = BotKind(record.bot)
            if kind is BotKind.GOAL and not self.names.has_goal:
                self._add_lack(record.place_of(fields.bot), fields.bot.name, *_NO_GOAL)
            return BotPlayer(kind, record.seed, record.place_of(fields.bot))
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

    def _read_expectations(self, values: Expectations) -> list[Expectation]:
        """Expectations of one mapping, in the order of the schema."""
        found: list[Expectation] = []
        if (goal := values.goal) is not None:
            is_never = isinstance(goal, PlacedText) and goal.text == "never"
            within = None if isinstance(goal, PlacedText) else goal.within
            occurrence = Occurrence.NEVER if is_never else Occurrence.SOMETIMES
            place = values.place_of(Expectations.goal)
            found.append(ConditionExpectation(occurrence, GoalCondition(), within, place=place))
        found += self._read_places(values.at, values.inside, values, Occurrence.SOMETIMES, "expect")
        for name in self._known_touches(values.touches, "expect"):
            condition = TouchesCondition((name.text,))
            found.append(ConditionExpectation(Occurrence.SOMETIMES, condition, place=name.place))
        for occurrence, conditions in ((Occurrence.ALWAYS, values.always), (Occurrence.NEVER, values.never)):
            if conditions is not None:
                read = self._read_conditions(conditions, occurrence, f"expect.{occurrence}")
                if not read and not conditions.has_errors:
                    example = f"for example: {conditions.example}"
                    self._add(conditions.place, f"expect.{occurrence}", "nothing is expected", example)
                found += read
        measures = (
            (MeasureKind.GROUNDED, values.grounded),
            (MeasureKind.HIGHEST, values.highest),
            (MeasureKind.SPEED, values.speed),
        )
        for measure, bounds in measures:
            if bounds is not None:
                least, most = bounds.at_least, bounds.at_most
                if not bounds.has_errors:
                    place = bounds.place_of(bounds.fields["at_least"])
                    self._check_bounds(least, most, bounds.place, place, f"expect.{measure}")
                found.append(MeasureExpectation(measure, least, most, bounds.place))
        counts = (
            (CountKind.TARGETS, values.targets),
            (CountKind.HOLES, values.holes),
            (CountKind.CHECKPOINTS, values.checkpoints),
            (CountKind.DEATHS, values.deaths),
        )
        found += [self._read_count(count, kind) for kind, count in counts if count is not None]
        if values.stuck:
            place = values.place_of(Expectations.stuck)
            found.append(CountExpectation(CountKind.STUCK, None, 0, (), place))
        return found

    def _check_expectation(self, expectation: Expectation) -> None:
        """Finding for an expectation that this level or this player cannot answer."""
        place, bot = expectation.place, self.record.bot
        condition = expectation.condition if isinstance(expectation, ConditionExpectation) else None
        if isinstance(condition, GoalCondition):
            if not self.names.has_goal:
                self._add_lack(place, "expect.goal", *_NO_GOAL)
            elif self.names.goal_after and bot == BotKind.EXPLORE:
                message = f"the goal waits for all {self.names.goal_after}, and `bot: explore` only looks for places"
                self._add(place, "expect", message, "use another player")
            elif self.names.goal_after == "holes" and bot == BotKind.GOAL:
                self._add(place, "expect", "the goal waits for all holes: bots do not golf", "use a walk or a replay")
        is_place = isinstance(condition, AtCondition | InsideCondition | GoalCondition)
        if isinstance(expectation, ConditionExpectation):
            is_place = is_place and not expectation.end and expectation.occurrence != Occurrence.ALWAYS
        if bot == BotKind.EXPLORE and not is_place:
            message = "`bot: explore` tries many walks, but this needs a single one"
            self._add(place, "expect", message, "remove it, or use another player")

    def _read_conditions(self, values: Conditions, occurrence: Occurrence, where: str) -> list[ConditionExpectation]:
        """Expectations of `always` or `never`, one for each entry."""
        found = self._read_places(values.at, values.inside, values, occurrence, where)
        if values.grounded is not None:
            grounded = GroundedCondition(values.grounded)
            place = values.place_of(Conditions.grounded)
            found.append(ConditionExpectation(occurrence, grounded, place=place))
        if names := self._known_touches(values.touches, where):
            condition = TouchesCondition(tuple(name.text for name in names))
            found.append(ConditionExpectation(occurrence, condition, place=values.place_of(Conditions.touches)))
        if isinstance(values, NeverConditions) and values.is_given(NeverConditions.goal):
            place = values.place_of(NeverConditions.goal)
            if not values.goal:
                self._add(place, f"{where}.goal", "`never: {goal: false}` has no meaning", "write `goal: reached`")
            found.append(ConditionExpectation(occurrence, GoalCondition(), place=place))
        return found

    def _known_touches(self, names: tuple[PlacedText, ...], where: str) -> tuple[PlacedText, ...]:
        """The names of a field `touches`, checked."""
        for name in names:
            self._check_known(name, "surface or piece", f"{where}.touches", self.names.touchable)
        return names

    def _read_places(
        self,
        at: PointFields | None,
        inside: PlacedText | BoxFields | None,
        values: Record,
        occurrence: Occurrence,
        where: str,
    ) -> list[ConditionExpectation]:
        """Expectations of the fields `at` and `inside`, with their times if they have one."""
        found = []
        if at is not None:
            within, end = self._read_time(at, f"{where}.at")
            place = values.place_of(Conditions.at)
            found.append(ConditionExpectation(occurrence, AtCondition(at.point, at.radius), within, end, place))
        if isinstance(inside, PlacedText):
            condition = self._read_zone(inside, f"{where}.inside")
            found.append(ConditionExpectation(occurrence, condition, place=values.place_of(Conditions.inside)))
        elif inside is not None:
            within, end = self._read_time(inside, f"{where}.inside")
            condition, place = self._read_inside(inside, f"{where}.inside"), values.place_of(Conditions.inside)
            found.append(ConditionExpectation(occurrence, condition, within, end, place))
        return found

    def _read_time(self, record: PointFields | BoxFields, where: str) -> tuple[float | None, bool]:
        """The time up to which a place is to be reached, and whether at the end."""
        if not isinstance(record, AtPlace | InsidePlace):
            return None, False
        if record.within is not None and record.end:
            place = record.place_of(record.fields["end"])
            self._add(place, where, "the time is given twice", "keep `within` or `end`")
        return record.within, record.end

    def _read_inside(self, record: BoxFields, where: str) -> InsideCondition:
        start, end = record.from_, record.to
        if record.zone:
            place = record.place_of(BoxFields.zone)
            if start is not None or end is not None:
                self._add(place, where, "the place is given twice", "keep `zone`, or `from` and `to`")
            return self._read_zone(PlacedText(record.zone, place), f"{where}.zone")
        if start is None or end is None:
            if not record.has_errors:
                missing = "`to`" if start is not None else "`from`" if end is not None else "the place"
                cure = "write `from: [0, 0, 0], to: [4, 3, 4]`, or `zone: NAME`"
                self._add(record.place, where, f"{missing} is missing", cure)
            return InsideCondition()
        pairs = list(zip(start, end, strict=True))
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
