"""Schema of the tests of a level: players, expectations, and the file of tests beside a level."""

from __future__ import annotations

from .fields import SchemaField, SchemaRecord, ValueKind

BOTS = ("goal", "explore", "random")
MAX_TESTS = 500
MAX_EXPECTATIONS = 100  # entries of the list of one test
MAX_WALK_LINES = 5000
MAX_TEST_NAMES = 200  # names in one expectation
MAX_TEST_TICKS = 10_000_000  # as of a commands file
MAX_TEST_SECONDS = 166_666.0


def _seconds_field(name: str, doc: str, low: float = 0.0) -> SchemaField:
    return ValueKind.NUMBER.field(name, doc, None, "s", low, MAX_TEST_SECONDS)


def _bounds(unit: str, low: float, high: float, kind: ValueKind = ValueKind.NUMBER) -> tuple[SchemaField, ...]:
    return (
        SchemaField("at_least", kind, "Least allowed value.", None, unit, low, high),
        SchemaField("at_most", kind, "Greatest allowed value.", None, unit, low, high),
    )


_WITHIN = _seconds_field("within", "On some tick up to this time.")
_WHEN = (_WITHIN, ValueKind.FLAG.field("end", "On the last tick of the walk.", False))
_AT = (
    ValueKind.POINT.field("point", "Centre of the sphere.", unit="m", required=True),
    ValueKind.NUMBER.field("radius", "Radius of the sphere.", 0.5, "m", 0.001, 1000),
)
_INSIDE = (
    ValueKind.POINT.field("from", "One corner of a box.", unit="m"),
    ValueKind.POINT.field("to", "The opposite corner.", unit="m"),
    ValueKind.TEXT.field("zone", "Name or kind of a zone of the level, instead of a box.", min_count=1),
)
_INSTEAD = {
    "tick": "end the walk there: `ticks: N` beside `expect`, and `end: true` here",
    "by": "write `within: SECONDS`; a second has 60 ticks",
    "ticks": "it counts for the whole walk; write `ticks: N` beside `expect` to end the walk there",
}

GOAL_TIME = SchemaRecord("goal", "When the goal is reached.", (_WITHIN,), "{within: 75}", instead=_INSTEAD)
AT_PLACE = SchemaRecord(
    "at", "The feet are near a point.", (*_AT, *_WHEN), "{point: [0, 0, -8], end: true}", instead=_INSTEAD
)
INSIDE = SchemaRecord(
    "inside", "The feet are in a box or zone.", (*_INSIDE, *_WHEN), "{from: [0, 0, 0], to: [4, 3, 4]}",
    instead=_INSTEAD,
)  # fmt: skip
BOX = SchemaRecord("inside", "The feet are in a box or zone.", _INSIDE, INSIDE.example)
POINT = SchemaRecord("at", "The feet are near a point.", _AT, "{point: [0, 0, -8], radius: 0.5}")
TOUCHES = ValueKind.NAMES.field(
    "touches", "Names of surfaces, or names or kinds of pieces, that the body touches.", max_count=MAX_TEST_NAMES
)
_CONDITIONS = (
    ValueKind.RECORD.field("at", "The feet are near a point.", record=POINT),
    ValueKind.WORD_OR_RECORD.field("inside", "The feet are in a zone (its name or kind) or box.", record=BOX),
    ValueKind.FLAG.field("grounded", "Whether there is ground below the feet."),
    TOUCHES,
)
ALWAYS = SchemaRecord("always", "What holds on every tick.", _CONDITIONS, "{grounded: true}", instead=_INSTEAD)
NEVER = SchemaRecord(
    "never",
    "What holds on no tick. Each entry is a separate expectation.",
    (*_CONDITIONS, ValueKind.FLAG.field("goal", "The goal is reached.", False)),
    "{inside: {from: [10, 0, -4], to: [14, 3, 4]}}",
    instead=_INSTEAD,
)
GROUNDED = SchemaRecord("grounded", "Fraction of the ticks.", _bounds("", 0, 1), "{at_least: 0.9}", instead=_INSTEAD)
HEIGHT = SchemaRecord("height", "A height of the feet.", _bounds("m", -1e5, 1e5), "{at_least: -0.1}", instead=_INSTEAD)
SPEED = SchemaRecord("speed", "A speed.", _bounds("m/s", 0, 1e5), "{at_most: 6.5}", instead=_INSTEAD)
COUNT_BOUNDS = SchemaRecord(
    "count", "How many.", _bounds("", 0, MAX_TEST_TICKS, ValueKind.INTEGER), "{at_least: 1, at_most: 3}"
)


def _count_field(name: str, doc: str) -> SchemaField:
    doc = f"{doc} Names are the order in which they happen; others may happen in between."
    return ValueKind.COUNT.field(name, doc, record=COUNT_BOUNDS, choices=("all",), max_count=MAX_TEST_NAMES)


EXPECTATION = SchemaRecord(
    "expect",
    "What must hold. All entries of the mapping, or of the list of mappings, must hold.",
    (
        ValueKind.WORD_OR_RECORD.field("goal", "The goal is reached, at all or in a time; or never.",
                    choices=("reached", "never"), record=GOAL_TIME),
        ValueKind.RECORD.field("at", "The feet are near a point, on some tick or the last one.",
                    record=AT_PLACE),
        ValueKind.WORD_OR_RECORD.field("inside", "The feet are in a zone (its name or kind) or box, on some "
                    "tick or the last one.", record=INSIDE),
        ValueKind.NAMES.field("touches", "Names of surfaces, or names or kinds of pieces; the body touches "
                    "each of them on some tick.", max_count=MAX_TEST_NAMES),
        ValueKind.RECORD.field("always", "What holds on every tick.", record=ALWAYS),
        ValueKind.RECORD.field("never", "What holds on no tick. Each entry is a separate expectation.",
                    record=NEVER),
        ValueKind.RECORD.field("grounded", "Fraction of the ticks with ground below the feet, 0 to 1.",
                    record=GROUNDED),
        ValueKind.RECORD.field("highest", "Greatest height (y) of the feet.", record=HEIGHT),
        ValueKind.RECORD.field("speed", "Greatest horizontal speed from one tick to the next, with the "
                    "speed of belts, platforms and currents that carry the player.", record=SPEED),
        _count_field("targets", "Targets reached."),
        _count_field("holes", "Golf holes played."),
        _count_field("checkpoints", "Checkpoints set."),
        ValueKind.COUNT.field("deaths", "Falls out of the level, `kill` boxes entered, and times crushed.",
                    record=COUNT_BOUNDS),
        ValueKind.CHOICE.field("stuck", "The player never gets stuck in geometry.", choices=("never",)),
    ),
    "{goal: {within: 75}, deaths: 0}",
    keeps_broken=True,
    instead={
        "lowest": "write `never: {inside: {from: ..., to: ...}}` with a box below that height",
        "exits": "write `at: {point: ..., radius: ...}` with the place of the exit",
        "hash": "write where the walk ends, such as `at: {point: [0, 0, -8], radius: 0.01, end: true}`",
    },
)  # fmt: skip
LEVEL_TEST = SchemaRecord(
    "test",
    "A test: one player, and what is expected of the walk.",
    (
        ValueKind.TEXT.field("name", "What the test shows, in one line. No two tests have the same name.",
                    required=True, min_count=1, max_count=120),
        ValueKind.TEXT.field("spawn", "Name of the spawn to start at. Default: the first."),
        ValueKind.WALK.field("walk", "The player is a commands file or replay, relative to this file, or a list "
                    "of lines of a commands file.", max_count=MAX_WALK_LINES),
        ValueKind.CHOICE.field("bot", "The player is a bot, instead of `walk`: `goal` searches a walk that "
                    "reaches the goal in time, `explore` tries all ways, `random` presses random keys.", choices=BOTS),
        ValueKind.INTEGER.field("seed", "Seed of the bot's random numbers.", 1, "", 0, 2**31 - 1),
        _seconds_field("seconds", "Length of the walk; for `goal` and `explore`, of all walks that bots try together. "
                       "Default: the walk's own.", low=0.1),
        ValueKind.INTEGER.field("ticks", "The same in ticks, instead of `seconds`.", None, "", 1, MAX_TEST_TICKS),
        ValueKind.EXPECT.field("expect", "What must hold.", required=True, record=EXPECTATION,
                    max_count=MAX_EXPECTATIONS),
        ValueKind.TEXT.field("skip", "Why the test is not run.", max_count=400),
        ValueKind.TEXT.field("fails", "Why the test is known to fail. It then passes as long as an "
                    "expectation does not hold, and fails when all hold.", max_count=400),
    ),
    "{name: the stairs lead to the goal, bot: goal, expect: {goal: {within: 75}}}",
    keeps_broken=True,
)  # fmt: skip
TESTS_FIELD = ValueKind.RECORDS.field(
    "tests", "Tests of the level, run by `walker test`.", record=LEVEL_TEST, min_count=1, max_count=MAX_TESTS
)
TESTS_FILE = SchemaRecord(
    "tests",
    "A file of tests beside a level: `NAME.tests.yaml` for `NAME.yaml`.",
    (
        ValueKind.INTEGER.field("format", "Version of the file format: always 1.", required=True),
        ValueKind.TEXT.field("level", "The level file. Default: from the file's own name.", max_count=200),
        ValueKind.RECORDS.field(
            "tests", TESTS_FIELD.doc, required=True, record=LEVEL_TEST, min_count=1, max_count=MAX_TESTS
        ),
    ),
)
