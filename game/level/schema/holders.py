"""Pieces that hold other pieces: moved, turned, repeated."""

from __future__ import annotations

from game.level.fields import Field, Kind, Record, facing
from game.level.schema.common import COMMON, MEANT, MOST_PIECES

GROUP = Record(
    "group",
    "Pieces that are moved and turned together.",
    (
        Field("at", Kind.POINT, "Where the point [0, 0, 0] of its pieces comes to lie.", (0.0, 0.0, 0.0), "m"),
        facing("Where the north of its pieces comes to look."),
        Field(
            "of",
            Kind.PIECES,
            "The pieces, placed around [0, 0, 0].",
            required=True,
            least=1,
            most=MOST_PIECES,
        ),
        COMMON[-1],
        MEANT,
    ),
    "group: {at: [5, 0, 0], facing: west, of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}",
)
ARRAY = Record(
    "array",
    "Copies of pieces, each a step further and turned a little more than the one before.",
    (
        Field("count", Kind.INTEGER, "How many, the first included.", None, "", 1, 1_000_000, True),
        Field("step", Kind.POINT, "From one copy to the next.", (0.0, 0.0, 0.0), "m"),
        Field(
            "turn",
            Kind.NUMBER,
            "From one copy to the next, counter-clockwise seen from above.",
            0.0,
            "degrees",
            -360,
            360,
        ),
        Field("around", Kind.POINT, "The point that the copies turn about.", (0.0, 0.0, 0.0), "m"),
        Field("of", Kind.PIECES, "The pieces.", required=True, least=1, most=MOST_PIECES),
        COMMON[-1],
        MEANT,
    ),
    "array: {count: 8, turn: 45, of: [pillar: {at: [3, 0, 0]}]}",
)

HOLDERS = (GROUP, ARRAY)
