"""Movers: pieces that go along a path, swing or spin."""

from __future__ import annotations

from .common import COMMON, MEANT, MOST_PIECES
from .fields import Field, Kind, Record, facing

MOST_STOPS = 100
ONWARDS = ("back_and_forth", "loop")

MOVER = Record(
    "mover",
    "Pieces that move: lifts, doors, spinners, turning rooms. They carry a player who stands on them, push a player in "
    "their way, and crush a player who has no room left.",
    (
        Field("at", Kind.POINT, "Position of the origin [0, 0, 0] of its pieces, which is also the centre of rotation.",
              (0.0, 0.0, 0.0), "m"),
        facing("Direction the north of its pieces faces."),
        Field("path", Kind.CORNERS, "Stops relative to `at`; the first is usually [0, 0, 0].", unit="m", least=1,
              most=MOST_STOPS),
        Field("seconds", Kind.NUMBER, "Travel time along the whole path, without pauses.", 4.0, "s", 0.05, 3600.0),
        Field("pause", Kind.NUMBER, "Wait at each stop.", 1.0, "s", 0.0, 3600.0),
        Field("ease", Kind.FLAG, "Whether it speeds up and slows down gradually.", True),
        Field("onwards", Kind.CHOICE, "After the last stop: back the same way, or straight to the first stop.",
              "back_and_forth", choices=ONWARDS),
        Field("axis", Kind.POINT, "Axis of rotation as a direction [x, y, z]; [0, 1, 0] is vertical.", (0.0, 1.0, 0.0),
              "m"),
        Field("swing", Kind.NUMBER, "Rotation from the first stop to the last, counter-clockwise seen from "
              "the tip of the axis; 90 for a door.", 0.0, "degrees", -3600.0, 3600.0),
        Field("spin", Kind.NUMBER, "Constant rotation speed.", 0.0, "degrees/s", -720.0, 720.0),
        Field("phase", Kind.NUMBER, "Time offset at the start of the level.", 0.0, "s", 0.0, 3600.0),
        Field("of", Kind.PIECES, "The pieces, placed around [0, 0, 0].", required=True, least=1, most=MOST_PIECES),
        COMMON[-1],
        MEANT,
    ),
    "mover: {at: [0, 0, -6], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, "
    "of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}",
)  # fmt: skip
