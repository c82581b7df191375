"""Schema of pieces that contain other pieces: groups, arrays, prefabs and includes."""

from __future__ import annotations

from .common import COMMON_FIELDS, INTENDED_FIELD, pieces_field
from .fields import SchemaRecord, ValueKind, facing_field
from .piece_kind import PieceKind, Turn, groups

_PLACEMENT = (
    ValueKind.POINT.field("at", "Position of the origin [0, 0, 0] of its pieces.", (0.0, 0.0, 0.0), "m"),
    facing_field("Direction the north of its pieces faces."),
    ValueKind.SCALE.field("scale", "Scale factor along x, y and z of its pieces.", 1.0, "", 1e-3, 1e3),
)

GROUP = PieceKind(
    "group",
    "Pieces that are moved, rotated and scaled together.",
    (*_PLACEMENT, pieces_field("The pieces, placed around [0, 0, 0]."), COMMON_FIELDS[-1], INTENDED_FIELD),
    "group: {at: [5, 0, 0], facing: west, of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}",
    new=groups(
        "group: {at: [0, 0, 0], of: [box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], surface: @}]}",
        hint="Pieces that move together.",
    ),
)
ARRAY = PieceKind(
    "array",
    "Copies of pieces, each moved and rotated relative to the previous one.",
    (
        ValueKind.INTEGER.field("count", "Number of copies, including the first.", None, "", 1, 1_000_000, True),
        ValueKind.POINT.field("step", "Offset from one copy to the next.", (0.0, 0.0, 0.0), "m"),
        ValueKind.NUMBER.field(
            "turn", "Rotation from one copy to the next, counter-clockwise seen from above.", 0.0, "degrees", -360, 360
        ),
        ValueKind.POINT.field("around", "Centre of rotation of the copies.", (0.0, 0.0, 0.0), "m"),
        pieces_field("The pieces."),
        COMMON_FIELDS[-1],
        INTENDED_FIELD,
    ),
    "array: {count: 8, turn: 45, of: [pillar: {at: [3, 0, 0]}]}",
    turn=Turn.AS_A_WHOLE,
    new=groups(
        "array: {count: 4, step: [1.5, 0, 0], of: [pillar: {at: [0, 0, 0], surface: @}]}",
        "repeat row",
        "Copies in a row. L makes one of what is selected.",
    ),
)

PLACE = PieceKind(
    "place",
    "A copy of a prefab from `define`.",
    (
        ValueKind.PREFAB.field("what", "Name of the prefab in `define`.", required=True),
        *_PLACEMENT,
        COMMON_FIELDS[-1],
        INTENDED_FIELD,
    ),
    "place: {what: tower, at: [12, 0, -6], facing: east, scale: 1.5}",
)
INCLUDE = PieceKind(
    "include",
    "The pieces and surfaces of another level file. Its spawns, goal, exits and sky are ignored.",
    (
        ValueKind.PART.field(
            "file",
            "Path relative to this file: in the same folder, next to it (`../`) or below it.",
            required=True,
            min_count=1,
            max_count=200,
        ),
        *_PLACEMENT,
        COMMON_FIELDS[-1],
        INTENDED_FIELD,
    ),
    "include: {file: parts/tower.yaml, at: [12, 0, -6], facing: east}",
)
PREFAB = SchemaRecord(
    "prefab",
    "Named pieces for `place`. A prefab can place prefabs defined above it.",
    (pieces_field("The pieces, placed around [0, 0, 0]."),),
    "tower: [pillar: {at: [0, 0, 0], radius: 2, height: 6}, sign: {text: Tower, at: [0, 2, 2.1], facing: south}]",
)

CONTAINER_RECORDS = (GROUP, ARRAY, PLACE, INCLUDE)
