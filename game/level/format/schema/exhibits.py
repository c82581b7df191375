"""Exhibits of a level about collisions: shown, never collided with."""

from __future__ import annotations

from .common import EXHIBITS, MEANT
from .fields import Field, Kind, Record, facing

EXHIBIT = Record(
    "exhibit",
    "A station of the collision lab: a triangle whose corners one drags (`use`) with the point where the line of sight "
    "meets it, or a ball on its box beside a ball on its plane. Seen, never bumped into.",
    (
        Field("at", Kind.POINT, "Middle of its foot.", unit="m", required=True),
        facing("Where its front looks."),
        Field("show", Kind.CHOICE, "What it shows.", choices=EXHIBITS, required=True),
        MEANT,
    ),
    "exhibit: {at: [0, 0, -4], facing: south, show: triangle}",
)
