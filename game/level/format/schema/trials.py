"""Schema of the medals and challenges of a level."""

from __future__ import annotations

from .fields import SchemaField, SchemaRecord, ValueKind

MAX_CHALLENGES = 12
MAX_LIMIT = 100_000.0  # seconds or strokes
CHALLENGE_RULES = (
    "no_jump", "no_sprint", "crouched", "only_forward", "no_fall", "all_targets", "par", "no_lost_ball",
)  # fmt: skip


def _limit_field(name: str, doc: str) -> SchemaField:
    return ValueKind.NUMBER.field(name, doc, None, "s", 0.1, MAX_LIMIT, required=True)


MEDALS = SchemaRecord(
    "medals",
    "Times that win a medal. In golf they are numbers of strokes.",
    (
        _limit_field("gold", "Longest time for gold."),
        _limit_field("silver", "Longest time for silver, more than gold."),
        _limit_field("bronze", "Longest time for bronze, more than silver."),
    ),
    "{gold: 42, silver: 60, bronze: 90}",
)
CHALLENGE = SchemaRecord(
    "challenge",
    "A challenge: rules that a run keeps from the start to the end, a time, or both.",
    (
        ValueKind.TEXT.field("name", "Name of the challenge.", required=True, min_count=1, max_count=40),
        ValueKind.CHOICES.field(
            "rule",
            "What the run does without: one rule or a list.",
            choices=CHALLENGE_RULES,
            max_count=len(CHALLENGE_RULES),
        ),
        ValueKind.NUMBER.field("within", "Longest time of the run.", None, "s", 0.1, MAX_LIMIT),
        ValueKind.TEXT.field("about", "What to do. Default: made from the rules.", max_count=80),
    ),
    "{name: Dry feet, rule: no_fall, within: 60}",
)
MEDALS_FIELD = ValueKind.RECORD.field(
    "medals",
    "Times for gold, silver and bronze. They take part in no hash. Shipped levels without them have a table.",
    record=MEDALS,
)
CHALLENGES_FIELD = ValueKind.RECORDS.field(
    "challenges",
    "Challenges of the level, in place of the usual ones; `[]` for none.",
    record=CHALLENGE,
    max_count=MAX_CHALLENGES,
)
