"""Exhibits of a level about collisions: shown, never collided with."""

from __future__ import annotations

from .common import EXHIBITS, MEANT
from .fields import Field, Kind, Record, facing

EXHIBIT = Record(
    "exhibit",
    "An exhibit of the collision lab: a triangle whose corners the player drags (`use`), with the point where the line "
    "of sight meets it; or a ball on its box next to a ball on its plane. It never collides.",
    (
        Field("at", Kind.POINT, "Centre of its base.", unit="m", required=True),
        facing("Direction its front faces."),
        Field("show", Kind.CHOICE, "The exhibit to show.", choices=EXHIBITS, required=True),
        MEANT,
    ),
    "exhibit: {at: [0, 0, -4], facing: south, show: triangle}",
)
