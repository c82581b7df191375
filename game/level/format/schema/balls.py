"""Schema of balls: single ones, boxes filled with balls, and the rules for balls in a level."""

from __future__ import annotations

from .fields import SchemaField, SchemaRecord, ValueKind, base_point_field, corner_fields, length_field
from .piece_kind import PieceKind, play

MAX_BALLS = 4000
BALL_FIELDS = (
    length_field("radius", "Radius of the ball.", 0.12, low=0.01, high=10),
    SchemaField("mass", ValueKind.NUMBER, "Mass of the ball. Default: a density of 250 kg/m3.", None, "kg", 1e-6, 1e6),
    SchemaField("bounce", ValueKind.NUMBER, "Restitution: fraction of its speed kept in a bounce.", 0.7, "", 0, 1),
    SchemaField("friction", ValueKind.NUMBER, "Coefficient of friction, multiplied by the surface's.", 0.4, "", 0, 10),
    SchemaField(
        "roll", ValueKind.NUMBER, "Rolling resistance: deceleration as a fraction of gravity.", 0.01, "", 0, 10
    ),
    SchemaField("velocity", ValueKind.POINT, "Initial velocity: east, up, south.", (0.0, 0.0, 0.0), "m/s"),
    SchemaField("colour", ValueKind.COLOUR, "Colour. Default: one of eight."),
)
BALL = PieceKind(
    "ball",
    "A ball that falls, bounces and rolls, and that the player can push.",
    (base_point_field("Centre of the ball."), *BALL_FIELDS, SchemaField("name", ValueKind.TEXT, "Name of the ball.")),
    "ball: {at: [0, 2, -3], radius: 0.2, bounce: 0.8}",
    hangs=True,
    new=play("ball: {at: [0, 1, 0], radius: 0.2, bounce: 0.7}", "sphere", "A ball that rolls."),
)
BALLS = PieceKind(
    "balls",
    "A box filled with evenly spaced balls.",
    (
        *corner_fields(ValueKind.POINT, "One corner of the box."),
        SchemaField("count", ValueKind.INTEGER, "Number of balls.", required=True, min_count=1, max_count=MAX_BALLS),
        *BALL_FIELDS,
        SchemaField("speed", ValueKind.NUMBER, "Initial speed in a random direction, added to `velocity`.", 0.0, "m/s",
              0, 100),
        SchemaField("name", ValueKind.TEXT, "Name of the balls."),
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
        SchemaField("throws", ValueKind.FLAG, "Whether the left mouse button throws a ball.", False),
        SchemaField("speed", ValueKind.NUMBER, "Speed of a thrown ball.", 12.0, "m/s", 0, 100),
        SchemaField("gravity", ValueKind.POINT, "Gravity on balls: east, up, south.", (0.0, -9.81, 0.0), "m/s2"),
        SchemaField("reach_targets", ValueKind.FLAG, "Whether a ball can reach targets.", False),
        SchemaField("energy", ValueKind.FLAG, "Whether to show the balls' energy and the frame rate.", False),
    ),
    "{throws: true, reach_targets: true}",
)
