"""Schema of movers: pieces that move along a path, swing or spin."""

from __future__ import annotations

from .common import COMMON_FIELDS, INTENDED_FIELD, pieces_field
from .fields import ValueKind, facing_field
from .piece_kind import PieceKind, ways

MAX_PATH_POINTS = 100
LOOP_MODES = ("back_and_forth", "loop")

MOVER = PieceKind(
    "mover",
    "Pieces that move: lifts, doors, spinners, turning rooms. They carry a player who stands on them, push a player in "
    "their way, and crush a player who has no room left.",
    (
        ValueKind.POINT.field(
            "at",
            "Position of the origin [0, 0, 0] of its pieces, which is also the centre of rotation.",
            (0.0, 0.0, 0.0),
            "m",
        ),
        facing_field("Direction the north of its pieces faces."),
        ValueKind.CORNERS.field(
            "path",
            "Stops relative to `at`; the first is usually [0, 0, 0].",
            unit="m",
            min_count=1,
            max_count=MAX_PATH_POINTS,
        ),
        ValueKind.NUMBER.field("seconds", "Travel time along the whole path, without pauses.", 4.0, "s", 0.05, 3600.0),
        ValueKind.NUMBER.field("pause", "Wait at each stop.", 1.0, "s", 0.0, 3600.0),
        ValueKind.FLAG.field("ease", "Whether it speeds up and slows down gradually.", True),
        ValueKind.CHOICE.field(
            "onwards",
            "After the last stop: back the same way, or straight to the first stop.",
            "back_and_forth",
            choices=LOOP_MODES,
        ),
        ValueKind.POINT.field(
            "axis", "Axis of rotation as a direction [x, y, z]; [0, 1, 0] is vertical.", (0.0, 1.0, 0.0), "m"
        ),
        ValueKind.NUMBER.field(
            "swing",
            "Rotation from the first stop to the last, counter-clockwise seen from the tip of the axis; 90 for a door.",
            0.0,
            "degrees",
            -3600.0,
            3600.0,
        ),
        ValueKind.NUMBER.field("spin", "Constant rotation speed.", 0.0, "degrees/s", -720.0, 720.0),
        ValueKind.NUMBER.field("phase", "Time offset at the start of the level.", 0.0, "s", 0.0, 3600.0),
        pieces_field("The pieces, placed around [0, 0, 0]. Signs, lights and zones among them move with it."),
        COMMON_FIELDS[-1],
        INTENDED_FIELD,
    ),
    "mover: {at: [0, 0, -6], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, "
    "of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}",
    is_named=True,
    relative_points=("path",),
    new=ways(
        "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 3, 0]], seconds: 3, pause: 2, "
        "of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1], surface: @}]}",
        "mover elevator platform up",
        "A platform that goes up and down by itself, no higher than the ceiling allows.",
        "lift platform",
    ),
    variants=(
        ways(
            "mover: {at: [0, 0, 0], path: [[0, 0, 0], [0, 0, -6]], seconds: 4, pause: 1, "
            "of: [box: {from: [-1, 0, -1], to: [1, 0.2, 1], surface: @}]}",
            "mover ferry",
            "A platform that goes to and fro.",
            "moving platform",
        ),
    ),
)
