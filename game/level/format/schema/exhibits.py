"""Exhibits of a level about collisions: shown, never collided with."""

from __future__ import annotations

from .common import EXHIBITS, INTENDED_FIELD
from .fields import SchemaField, SchemaRecord, ValueKind, facing_field

EXHIBIT = SchemaRecord(
    "exhibit",
    "An exhibit of the collision lab: a triangle whose corners the player drags (`use`), with the point where the line "
    "of sight meets it; or a ball on its box next to a ball on its plane. It never collides.",
    (
        SchemaField("at", ValueKind.POINT, "Centre of its base.", unit="m", required=True),
        facing_field("Direction its front faces."),
        SchemaField("show", ValueKind.CHOICE, "The exhibit to show.", choices=EXHIBITS, required=True),
        INTENDED_FIELD,
    ),
    "exhibit: {at: [0, 0, -4], facing: south, show: triangle}",
)
