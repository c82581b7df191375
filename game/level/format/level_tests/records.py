"""The fields of tests: players, expectations, and the file of tests beside a level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..numbers import MAX_COORDINATE, Count, Number, Point
from ..record import Record, Value
from ..record_values import Many, One, WordOr
from ..values import Choice, Flag, Text
from .values import CountOf, Expect, Names, Walk

BOTS = ("goal", "explore", "random")
MAX_TESTS = 500
MAX_EXPECTATIONS = 100  # entries of the list of one test
MAX_TEST_NAMES = 200  # names in one expectation
MAX_TEST_TICKS = 10_000_000  # as of a commands file
MAX_TEST_SECONDS = 166_666.0


class TimedFields(Record):
    """What may hold at a time."""

    instead: ClassVar[Mapping[str, str]] = {
        "tick": "end the walk there: `ticks: N` beside `expect`, and `end: true` here",
        "by": "write `within: SECONDS`; a second has 60 ticks",
        "ticks": "it counts for the whole walk; write `ticks: N` beside `expect` to end the walk there",
    }


def _within() -> Number:
    return Number("On some tick up to this time.", None, "s", 0.0, MAX_TEST_SECONDS)


class GoalTime(TimedFields):
    """When the goal is reached."""

    kind = "goal"
    example = "{within: 75}"
    within = _within().optional()


class PointFields(Record):
    """The feet are near a point."""

    kind = "at"
    example = "{point: [0, 0, -8], radius: 0.5}"
    point = Point("Centre of the sphere.")
    radius = Number("Radius of the sphere.", 0.5, "m", 0.001, 1000)


class BoxFields(Record):
    """The feet are in a box or zone."""

    kind = "inside"
    example = "{from: [0, 0, 0], to: [4, 3, 4]}"
    from_ = Point("One corner of a box.").optional()
    to = Point("The opposite corner.").optional()
    zone = Text("Name or kind of a zone of the level, instead of a box.", min_count=1)


class PlaceTime(TimedFields):
    """When the feet are at a place."""

    within = _within().optional()
    end = Flag("On the last tick of the walk.", False)


class AtPlace(PointFields, PlaceTime):
    """The feet are near a point."""

    kind = "at"
    example = "{point: [0, 0, -8], end: true}"


class InsidePlace(BoxFields, PlaceTime):
    """The feet are in a box or zone."""

    kind = "inside"
    example = BoxFields.example


class Conditions(TimedFields):
    """What holds on every tick."""

    kind = "always"
    example = "{grounded: true}"
    at = One("The feet are near a point.", PointFields)
    inside = WordOr("The feet are in a zone (its name or kind) or box.", BoxFields)
    grounded = Flag("Whether there is ground below the feet.").optional()
    touches = Names("Names of surfaces, or names or kinds of pieces, that the body touches.", MAX_TEST_NAMES)


class NeverConditions(Conditions):
    """What holds on no tick. Each entry is a separate expectation."""

    kind = "never"
    example = "{inside: {from: [10, 0, -4], to: [14, 3, 4]}}"
    goal = Flag("The goal is reached.", False)


def _bounds(unit: str, low: float, high: float) -> tuple[Value[float | None], Value[float | None]]:
    least = Number("Least allowed value.", None, unit, low, high)
    return least.optional(), Number("Greatest allowed value.", None, unit, low, high).optional()


class GroundedBounds(TimedFields):
    """Fraction of the ticks."""

    kind = "grounded"
    example = "{at_least: 0.9}"
    at_least, at_most = _bounds("", 0, 1)


class HeightBounds(TimedFields):
    """A height of the feet."""

    kind = "height"
    example = "{at_least: -0.1}"
    at_least, at_most = _bounds("m", -MAX_COORDINATE, MAX_COORDINATE)


class SpeedBounds(TimedFields):
    """A speed."""

    kind = "speed"
    example = "{at_most: 6.5}"
    at_least, at_most = _bounds("m/s", 0, 1e5)


class CountBounds(Record):
    """How many."""

    kind = "count"
    example = "{at_least: 1, at_most: 3}"
    at_least = Count("Least allowed value.", None, 0, MAX_TEST_TICKS).optional()
    at_most = Count("Greatest allowed value.", None, 0, MAX_TEST_TICKS).optional()


class Expectations(Record):
    """What must hold. All entries of the mapping, or of the list of mappings, must hold."""

    kind = "expect"
    example = "{goal: {within: 75}, deaths: 0}"
    instead: ClassVar[Mapping[str, str]] = {
        "lowest": "write `never: {inside: {from: ..., to: ...}}` with a box below that height",
        "exits": "write `at: {point: ..., radius: ...}` with the place of the exit",
        "hash": "write where the walk ends, such as `at: {point: [0, 0, -8], radius: 0.01, end: true}`",
    }
    goal = WordOr("The goal is reached, at all or in a time; or never.", GoalTime, ("reached", "never"))
    at = One("The feet are near a point, on some tick or the last one.", AtPlace)
    inside = WordOr("The feet are in a zone (its name or kind) or box, on some tick or the last one.", InsidePlace)
    touches = Names(
        "Names of surfaces, or names or kinds of pieces; the body touches each of them on some tick.", MAX_TEST_NAMES
    )
    always = One("What holds on every tick.", Conditions)
    never = One("What holds on no tick. Each entry is a separate expectation.", NeverConditions)
    grounded = One("Fraction of the ticks with ground below the feet, 0 to 1.", GroundedBounds)
    highest = One("Greatest height (y) of the feet.", HeightBounds)
    speed = One(
        "Greatest horizontal speed from one tick to the next, with the speed of belts, platforms and currents that "
        "carry the player.",
        SpeedBounds,
    )
    targets = CountOf("Targets reached.", CountBounds, MAX_TEST_NAMES)
    holes = CountOf("Golf holes played.", CountBounds, MAX_TEST_NAMES)
    checkpoints = CountOf("Checkpoints set.", CountBounds, MAX_TEST_NAMES)
    deaths = CountOf("Falls out of the level, `kill` boxes entered, and times crushed.", CountBounds)
    stuck = Choice("The player never gets stuck in geometry.", ("never",))


class LevelTestFields(Record):
    """A test: one player, and what is expected of the walk."""

    kind = "test"
    example = "{name: the stairs lead to the goal, bot: goal, expect: {goal: {within: 75}}}"
    keeps_broken = True
    name = Text(
        "What the test shows, in one line. No two tests have the same name.", required=True, min_count=1, max_count=120
    )
    spawn = Text("Name of the spawn to start at. Default: the first.")
    walk = Walk(
        "The player is a commands file or replay, relative to this file, or a list of lines of a commands file."
    )
    bot = Choice(
        "The player is a bot, instead of `walk`: `goal` searches a walk that reaches the goal in time, `explore` tries "
        "all ways, `random` presses random keys.",
        BOTS,
    )
    seed = Count("Seed of the bot's random numbers.", 1, 0, 2**31 - 1)
    seconds = Number(
        "Length of the walk; for `goal` and `explore`, of all walks that bots try together. Default: the walk's own.",
        None,
        "s",
        0.1,
        MAX_TEST_SECONDS,
    ).optional()
    ticks = Count("The same in ticks, instead of `seconds`.", None, 1, MAX_TEST_TICKS).optional()
    expect = Expect("What must hold.", Expectations, MAX_EXPECTATIONS)
    skip = Text("Why the test is not run.", max_count=400)
    fails = Text(
        "Why the test is known to fail. It then passes as long as an expectation does not hold, and fails when all "
        "hold.",
        max_count=400,
    )


def list_of_tests(required: bool) -> Many[LevelTestFields]:
    """The list of tests."""
    return Many("Tests of the level, run by `walker test`.", LevelTestFields, MAX_TESTS, 1, required)


class FileOfTests(Record):
    """A file of tests beside a level: `NAME.tests.yaml` for `NAME.yaml`."""

    kind = "tests"
    keeps_broken = True
    format = Count("Version of the file format: always 1.", None, -MAX_COORDINATE, MAX_COORDINATE)
    level = Text("The level file. Default: from the file's own name.", max_count=200)
    tests = list_of_tests(required=True)
