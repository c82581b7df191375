"""Schema of the tests of a level: players, expectations, and the file of tests beside a level."""

from __future__ import annotations

from .fields import SchemaField, SchemaRecord, ValueKind

BOTS = ("goal", "explore", "random")
MAX_TESTS = 500
MAX_EXPECTATIONS = 100  # entries of the list of one test
MAX_WALK_LINES = 5000
MAX_TEST_NAMES = 200  # names in one expectation
MAX_TEST_TICKS = 100_000_000
MAX_TEST_SECONDS = 1e6


def _seconds_field(name: str, doc: str, low: float = 0.0) -> SchemaField:
    return SchemaField(name, ValueKind.NUMBER, doc, None, "s", low, MAX_TEST_SECONDS)


def _tick_field(name: str, doc: str, low: int = 0) -> SchemaField:
    return SchemaField(name, ValueKind.INTEGER, doc, None, "", low, MAX_TEST_TICKS)


def _bounds(unit: str, low: float, high: float, kind: ValueKind = ValueKind.NUMBER) -> tuple[SchemaField, ...]:
    return (
        SchemaField("at_least", kind, "Least allowed value.", None, unit, low, high),
        SchemaField("at_most", kind, "Greatest allowed value.", None, unit, low, high),
    )


_BY = (_seconds_field("within", "On some tick up to this time."), _tick_field("by", "On some tick up to this one."))
_WHEN = (
    _tick_field("tick", "On exactly this tick."),
    *_BY,
    SchemaField("end", ValueKind.FLAG, "On the last tick of the walk.", False),
)
_TICKS = SchemaField(
    "ticks",
    ValueKind.SPAN,
    "First and last tick that count; one number n is 0 to n. Default: all ticks.",
    None,
    "",
    0,
    MAX_TEST_TICKS,
)
_AT = (
    SchemaField("point", ValueKind.POINT, "Centre of the sphere.", unit="m", required=True),
    SchemaField("radius", ValueKind.NUMBER, "Radius of the sphere.", 0.5, "m", 0.001, 1000),
)
_INSIDE = (
    SchemaField("from", ValueKind.POINT, "One corner of a box.", unit="m"),
    SchemaField("to", ValueKind.POINT, "The opposite corner.", unit="m"),
    SchemaField("zone", ValueKind.TEXT, "Name or kind of a zone of the level, instead of a box.", min_count=1),
)

GOAL_TIME = SchemaRecord("goal", "When the goal is reached.", _BY, "{within: 75}")
AT_PLACE = SchemaRecord("at", "The feet are near a point.", (*_AT, *_WHEN), "{point: [0, 0, -8], tick: 300}")
INSIDE = SchemaRecord(
    "inside", "The feet are in a box or zone.", (*_INSIDE, *_WHEN), "{from: [0, 0, 0], to: [4, 3, 4]}"
)
BOX = SchemaRecord("inside", "The feet are in a box or zone.", _INSIDE, INSIDE.example)
POINT = SchemaRecord("at", "The feet are near a point.", _AT, "{point: [0, 0, -8], radius: 0.5}")
TOUCHES = SchemaField(
    "touches",
    ValueKind.NAMES,
    "Names of surfaces, or names or kinds of pieces, that the body touches.",
    max_count=MAX_TEST_NAMES,
)
_CONDITIONS = (
    SchemaField("at", ValueKind.RECORD, "The feet are near a point.", record=POINT),
    SchemaField("inside", ValueKind.WORD_OR_RECORD, "The feet are in a zone (its name or kind) or box.", record=BOX),
    SchemaField("grounded", ValueKind.FLAG, "Whether there is ground below the feet."),
    TOUCHES,
)
ALWAYS = SchemaRecord(
    "always", "What holds on every tick.", (*_CONDITIONS, _TICKS), "{grounded: true, ticks: [60, 300]}"
)
NEVER = SchemaRecord(
    "never",
    "What holds on no tick. Each entry is a separate expectation.",
    (*_CONDITIONS, SchemaField("goal", ValueKind.FLAG, "The goal is reached.", False), _TICKS),
    "{inside: {from: [10, 0, -4], to: [14, 3, 4]}}",
)
GROUNDED = SchemaRecord("grounded", "Fraction of the ticks.", (*_bounds("", 0, 1), _TICKS), "{at_least: 0.9}")
HEIGHT = SchemaRecord("height", "A height of the feet.", (*_bounds("m", -1e5, 1e5), _TICKS), "{at_least: -0.1}")
SPEED = SchemaRecord("speed", "A speed.", (*_bounds("m/s", 0, 1e5), _TICKS), "{at_most: 6.5}")
COUNT_BOUNDS = SchemaRecord(
    "count", "How many.", _bounds("", 0, MAX_TEST_TICKS, ValueKind.INTEGER), "{at_least: 1, at_most: 3}"
)


def _count_field(name: str, doc: str) -> SchemaField:
    doc = f"{doc} Names are the order in which they happen; others may happen in between."
    return SchemaField(name, ValueKind.COUNT, doc, record=COUNT_BOUNDS, choices=("all",), max_count=MAX_TEST_NAMES)


EXPECTATION = SchemaRecord(
    "expect",
    "What must hold. All entries of the mapping, or of the list of mappings, must hold.",
    (
        SchemaField("goal", ValueKind.WORD_OR_RECORD, "The goal is reached, at all or in a time; or never.",
                    choices=("reached", "never"), record=GOAL_TIME),
        SchemaField("at", ValueKind.RECORD, "The feet are near a point, on some tick or a given one.",
                    record=AT_PLACE),
        SchemaField("inside", ValueKind.WORD_OR_RECORD, "The feet are in a zone (its name or kind) or box, on some "
                    "tick or a given one.", record=INSIDE),
        SchemaField("touches", ValueKind.NAMES, "Names of surfaces, or names or kinds of pieces; the body touches "
                    "each of them on some tick.", max_count=MAX_TEST_NAMES),
        SchemaField("always", ValueKind.RECORD, "What holds on every tick.", record=ALWAYS),
        SchemaField("never", ValueKind.RECORD, "What holds on no tick. Each entry is a separate expectation.",
                    record=NEVER),
        SchemaField("grounded", ValueKind.RECORD, "Fraction of the ticks with ground below the feet, 0 to 1.",
                    record=GROUNDED),
        SchemaField("highest", ValueKind.RECORD, "Greatest height (y) of the feet.", record=HEIGHT),
        SchemaField("lowest", ValueKind.RECORD, "Least height (y) of the feet.", record=HEIGHT),
        SchemaField("speed", ValueKind.RECORD, "Greatest horizontal speed from one tick to the next, with the "
                    "speed of belts, platforms and currents that carry the player.", record=SPEED),
        _count_field("targets", "Targets reached."),
        _count_field("holes", "Golf holes played."),
        _count_field("checkpoints", "Checkpoints set."),
        _count_field("exits", "Exits taken."),
        SchemaField("deaths", ValueKind.COUNT, "Falls out of the level, `kill` boxes entered, and times crushed.",
                    record=COUNT_BOUNDS),
        SchemaField("stuck", ValueKind.CHOICE, "The player never gets stuck in geometry.", choices=("never",)),
        SchemaField("hash", ValueKind.HASH, "Hash of the whole path, for one platform. Leave it empty: `walker test "
                    "--update` writes it."),
    ),
    "{goal: {within: 75}, deaths: 0}",
    keeps_broken=True,
)  # fmt: skip
LEVEL_TEST = SchemaRecord(
    "test",
    "A test: one player, and what is expected of the walk.",
    (
        SchemaField("name", ValueKind.TEXT, "What the test shows, in one line. No two tests have the same name.",
                    required=True, min_count=1, max_count=120),
        SchemaField("spawn", ValueKind.TEXT, "Name of the spawn to start at. Default: the first."),
        SchemaField("walk", ValueKind.WALK, "The player is a commands file or replay, relative to this file, or a list "
                    "of lines of a commands file.", max_count=MAX_WALK_LINES),
        SchemaField("bot", ValueKind.CHOICE, "The player is a bot, instead of `walk`: `goal` searches a walk that "
                    "reaches the goal in time, `explore` tries all ways, `random` presses random keys.", choices=BOTS),
        SchemaField("seed", ValueKind.INTEGER, "Seed of the bot's random numbers.", 1, "", 0, 2**31 - 1),
        _seconds_field("seconds", "Length of the walk; for `goal` and `explore`, of all walks that bots try together. "
                       "Default: the walk's own.", low=0.1),
        _tick_field("ticks", "The same in ticks, instead of `seconds`.", low=1),
        SchemaField("expect", ValueKind.EXPECT, "What must hold.", required=True, record=EXPECTATION,
                    max_count=MAX_EXPECTATIONS),
        SchemaField("skip", ValueKind.TEXT, "Why the test is not run.", max_count=400),
        SchemaField("fails", ValueKind.TEXT, "Why the test is known to fail. It then passes as long as an "
                    "expectation does not hold, and fails when all hold.", max_count=400),
    ),
    "{name: the stairs lead to the goal, bot: goal, expect: {goal: {within: 75}}}",
    keeps_broken=True,
)  # fmt: skip
TESTS_FIELD = SchemaField(
    "tests",
    ValueKind.RECORDS,
    "Tests of the level, run by `walker test`.",
    record=LEVEL_TEST,
    min_count=1,
    max_count=MAX_TESTS,
)
TESTS_FILE = SchemaRecord(
    "tests",
    "A file of tests beside a level: `NAME.tests.yaml` for `NAME.yaml`.",
    (
        SchemaField("format", ValueKind.INTEGER, "Version of the file format: always 1.", required=True),
        SchemaField("level", ValueKind.TEXT, "The level file. Default: from the file's own name.", max_count=200),
        SchemaField(
            "tests",
            ValueKind.RECORDS,
            TESTS_FIELD.doc,
            required=True,
            record=LEVEL_TEST,
            min_count=1,
            max_count=MAX_TESTS,
        ),
    ),
)
