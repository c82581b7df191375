"""Pieces that hold other pieces: moved, turned, repeated."""

from __future__ import annotations

from .common import COMMON, MEANT, MOST_PIECES
from .fields import Field, Kind, Record, facing

SCALE = Field("scale", Kind.SCALE, "Scale factor along x, y and z of its pieces.", 1.0, "", 1e-3, 1e3)

GROUP = Record(
    "group",
    "Pieces that are moved, rotated and scaled together.",
    (
        Field("at", Kind.POINT, "Position of the origin [0, 0, 0] of its pieces.", (0.0, 0.0, 0.0), "m"),
        facing("Direction the north of its pieces faces."),
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
    "Copies of pieces, each moved and rotated relative to the previous one.",
    (
        Field("count", Kind.INTEGER, "Number of copies, including the first.", None, "", 1, 1_000_000, True),
        Field("step", Kind.POINT, "Offset from one copy to the next.", (0.0, 0.0, 0.0), "m"),
        Field(
            "turn",
            Kind.NUMBER,
            "Rotation from one copy to the next, counter-clockwise seen from above.",
            0.0,
            "degrees",
            -360,
            360,
        ),
        Field("around", Kind.POINT, "Centre of rotation of the copies.", (0.0, 0.0, 0.0), "m"),
        Field("of", Kind.PIECES, "The pieces.", required=True, least=1, most=MOST_PIECES),
        COMMON[-1],
        MEANT,
    ),
    "array: {count: 8, turn: 45, of: [pillar: {at: [3, 0, 0]}]}",
)

PLACE = Record(
    "place",
    "A copy of a prefab from `define`.",
    (
        Field("what", Kind.PREFAB, "Name of the prefab in `define`.", required=True),
        Field("at", Kind.POINT, "Position of the origin [0, 0, 0] of its pieces.", (0.0, 0.0, 0.0), "m"),
        facing("Direction the north of its pieces faces."),
        SCALE,
        COMMON[-1],
        MEANT,
    ),
    "place: {what: tower, at: [12, 0, -6], facing: east, scale: 1.5}",
)
INCLUDE = Record(
    "include",
    "The pieces and surfaces of another level file. Its spawns, goal, exits and sky are ignored.",
    (
        Field(
            "file",
            Kind.PART,
            "Path relative to this file: in the same folder, next to it (`../`) or below it.",
            required=True,
            least=1,
            most=200,
        ),
        Field("at", Kind.POINT, "Position of the origin [0, 0, 0] of its pieces.", (0.0, 0.0, 0.0), "m"),
        facing("Direction the north of its pieces faces."),
        SCALE,
        COMMON[-1],
        MEANT,
    ),
    "include: {file: parts/tower.yaml, at: [12, 0, -6], facing: east}",
)
PREFAB = Record(
    "prefab",
    "Named pieces for `place`. A prefab can place prefabs defined above it.",
    (
        Field("of", Kind.PIECES, "The pieces, placed around [0, 0, 0].", required=True, least=1, most=MOST_PIECES),
    ),
    "tower: [pillar: {at: [0, 0, 0], radius: 2, height: 6}, sign: {text: Tower, at: [0, 2, 2.1], facing: south}]",
)

HOLDERS = (GROUP, ARRAY, PLACE, INCLUDE)
