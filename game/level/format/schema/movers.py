"""Movers: pieces that go along a path, swing or spin."""

from __future__ import annotations

from .common import COMMON, MEANT, MOST_PIECES
from .fields import Field, Kind, Record, facing

MOST_STOPS = 100
ONWARDS = ("back_and_forth", "loop")

MOVER = Record(
    "mover",
    "Pieces that move: lifts, doors, spinners, turning rooms. They carry who stands on them, push who stands in their "
    "way and crush who has no room left.",
    (
        Field("at", Kind.POINT, "Where the point [0, 0, 0] of its pieces comes to lie; it turns about that.",
              (0.0, 0.0, 0.0), "m"),
        facing("Where the north of its pieces comes to look."),
        Field("path", Kind.CORNERS, "Where it stops, from `at`; the first is usually [0, 0, 0].", unit="m", least=1,
              most=MOST_STOPS),
        Field("seconds", Kind.NUMBER, "Once along the path, stops not counted.", 4.0, "s", 0.05, 3600.0),
        Field("pause", Kind.NUMBER, "How long it waits at each stop.", 1.0, "s", 0.0, 3600.0),
        Field("ease", Kind.FLAG, "Whether it starts and stops gently.", True),
        Field("onwards", Kind.CHOICE, "How it goes on from its last stop: the same way back, or straight to the first.",
              "back_and_forth", choices=ONWARDS),
        Field("axis", Kind.POINT, "What it turns about, as a way [x, y, z]; [0, 1, 0] is upright.", (0.0, 1.0, 0.0),
              "m"),
        Field("swing", Kind.NUMBER, "How far it turns from its first stop to its last, counter-clockwise seen from "
              "where the axis points; a door's 90.", 0.0, "degrees", -3600.0, 3600.0),
        Field("spin", Kind.NUMBER, "How far it turns in a second, for ever.", 0.0, "degrees/s", -720.0, 720.0),
        Field("phase", Kind.NUMBER, "How far it is ahead when the level begins.", 0.0, "s", 0.0, 3600.0),
        Field("of", Kind.PIECES, "The pieces, placed around [0, 0, 0].", required=True, least=1, most=MOST_PIECES),
        COMMON[-1],
        MEANT,
    ),
    "mover: {at: [0, 0, -6], path: [[0, 0, 0], [0, 4, 0]], seconds: 3, "
    "of: [box: {from: [-1, -0.2, -1], to: [1, 0, 1]}]}",
)  # fmt: skip
