"""Schema of balls: single ones, boxes filled with balls, and the rules for balls in a level."""

from __future__ import annotations

from .fields import SchemaRecord, ValueKind, base_point_field, corner_fields, length_field
from .piece_kind import PieceKind, play

MAX_BALLS = 4000
BALL_FIELDS = (
    length_field("radius", "Radius of the ball.", 0.12, low=0.01, high=10),
    ValueKind.NUMBER.field("mass", "Mass of the ball. Default: a density of 250 kg/m3.", None, "kg", 1e-6, 1e6),
    ValueKind.NUMBER.field("bounce", "Restitution: fraction of its speed kept in a bounce.", 0.7, "", 0, 1),
    ValueKind.NUMBER.field("friction", "Coefficient of friction, multiplied by the surface's.", 0.4, "", 0, 10),
    ValueKind.NUMBER.field("roll", "Rolling resistance: deceleration as a fraction of gravity.", 0.01, "", 0, 10),
    ValueKind.POINT.field("velocity", "Initial velocity: east, up, south.", (0.0, 0.0, 0.0), "m/s"),
    ValueKind.COLOUR.field("colour", "Colour. Default: one of eight."),
)
BALL = PieceKind(
    "ball",
    "A ball that falls, bounces and rolls, and that the player can push.",
    (base_point_field("Centre of the ball."), *BALL_FIELDS, ValueKind.TEXT.field("name", "Name of the ball.")),
    "ball: {at: [0, 2, -3], radius: 0.2, bounce: 0.8}",
    hangs=True,
    new=play("ball: {at: [0, 1, 0], radius: 0.2, bounce: 0.7}", "sphere", "A ball that rolls."),
)
BALLS = PieceKind(
    "balls",
    "A box filled with evenly spaced balls.",
    (
        *corner_fields(ValueKind.POINT, "One corner of the box."),
        ValueKind.INTEGER.field("count", "Number of balls.", required=True, low=1, high=MAX_BALLS),
        *BALL_FIELDS,
        ValueKind.NUMBER.field("speed", "Initial speed in a random direction, added to `velocity`.", 0.0, "m/s",
              0, 100),
        ValueKind.TEXT.field("name", "Name of the balls."),
    ),
    "balls: {from: [-2, 1, -2], to: [2, 4, 2], count: 100, radius: 0.12}",
    hangs=True,
    new=play("balls: {from: [-0.6, 1, -0.6], to: [0.6, 2, 0.6], count: 12, radius: 0.12}",
        hint="A heap of balls."
    ),
)  # fmt: skip
PLAY = SchemaRecord(
    "play",
    "Rules for balls in this level.",
    (
        ValueKind.FLAG.field("throws", "Whether the left mouse button throws a ball.", False),
        ValueKind.NUMBER.field("speed", "Speed of a thrown ball.", 12.0, "m/s", 0, 100),
        ValueKind.POINT.field("gravity", "Gravity on balls: east, up, south.", (0.0, -9.81, 0.0), "m/s2"),
        ValueKind.FLAG.field("reach_targets", "Whether a ball can reach targets.", False),
        ValueKind.FLAG.field("energy", "Whether to show the balls' energy and the frame rate.", False),
    ),
    "{throws: true, reach_targets: true}",
)
