"""Pieces that hold other pieces: moved, turned, repeated."""

from __future__ import annotations

from .common import COMMON, MEANT, MOST_PIECES
from .fields import Field, Kind, Record, facing

SCALE = Field("scale", Kind.SCALE, "How many times as large, along x, y and z of its pieces.", 1.0, "", 1e-3, 1e3)

GROUP = Record(
    "group",
    "Pieces that are moved, turned and scaled together.",
    (
        Field("at", Kind.POINT, "Where the point [0, 0, 0] of its pieces comes to lie.", (0.0, 0.0, 0.0), "m"),
        facing("Where the north of its pieces comes to look."),
        SCALE,
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

PLACE = Record(
    "place",
    "A prefab: the pieces that `define` gives that name, placed once more.",
    (
        Field("what", Kind.PREFAB, "Its name in `define`.", required=True),
        Field("at", Kind.POINT, "Where the point [0, 0, 0] of its pieces comes to lie.", (0.0, 0.0, 0.0), "m"),
        facing("Where the north of its pieces comes to look."),
        SCALE,
        COMMON[-1],
        MEANT,
    ),
    "place: {what: tower, at: [12, 0, -6], facing: east, scale: 1.5}",
)
INCLUDE = Record(
    "include",
    "The pieces of another level file, with its surfaces; its spawns, goal, exits and sky stay out.",
    (
        Field(
            "file",
            Kind.PART,
            "The file, as seen from this one: in the same folder, beside it (`../`) or inside it.",
            required=True,
            least=1,
            most=200,
        ),
        Field("at", Kind.POINT, "Where the point [0, 0, 0] of its pieces comes to lie.", (0.0, 0.0, 0.0), "m"),
        facing("Where the north of its pieces comes to look."),
        SCALE,
        COMMON[-1],
        MEANT,
    ),
    "include: {file: parts/tower.yaml, at: [12, 0, -6], facing: east}",
)
PREFAB = Record(
    "prefab",
    "Pieces under a name of your own, for `place`; they may place those defined above them.",
    (
        Field("of", Kind.PIECES, "The pieces, placed around [0, 0, 0].", required=True, least=1, most=MOST_PIECES),
    ),
    "tower: [pillar: {at: [0, 0, 0], radius: 2, height: 6}, sign: {text: Tower, at: [0, 2, 2.1], facing: south}]",
)

HOLDERS = (GROUP, ARRAY, PLACE, INCLUDE)
