"""Balls that lie in a level, one by one or a box full of them, and what a level lets one do with balls."""

from __future__ import annotations

from .fields import Field, Kind, Record, foot, length

MOST_BALLS = 4000
BALL_FIELDS = (
    length("radius", "Radius of the ball.", 0.12, low=0.01, high=10),
    Field("mass", Kind.NUMBER, "Mass of the ball. Default: a density of 250 kg/m3.", None, "kg", 1e-6, 1e6),
    Field("bounce", Kind.NUMBER, "Restitution: fraction of its speed kept in a bounce.", 0.7, "", 0, 1),
    Field("friction", Kind.NUMBER, "Coefficient of friction, multiplied by the surface's.", 0.4, "", 0, 10),
    Field("roll", Kind.NUMBER, "Rolling resistance: deceleration as a fraction of gravity.", 0.01, "", 0, 10),
    Field("velocity", Kind.POINT, "Initial velocity: east, up, south.", (0.0, 0.0, 0.0), "m/s"),
    Field("colour", Kind.COLOUR, "Colour. Default: one of eight."),
)
BALL = Record(
    "ball",
    "A ball that falls, bounces and rolls, and that the player can push.",
    (foot("Centre of the ball."), *BALL_FIELDS, Field("name", Kind.TEXT, "Name of the ball.")),
    "ball: {at: [0, 2, -3], radius: 0.2, bounce: 0.8}",
)
BALLS = Record(
    "balls",
    "A box filled with evenly spaced balls.",
    (
        Field("from", Kind.POINT, "One corner of the box.", unit="m", required=True),
        Field("to", Kind.POINT, "The opposite corner.", unit="m", required=True),
        Field("count", Kind.INTEGER, "Number of balls.", required=True, least=1, most=MOST_BALLS),
        *BALL_FIELDS,
        Field("speed", Kind.NUMBER, "Initial speed in a random direction, added to `velocity`.", 0.0, "m/s",
              0, 100),
        Field("name", Kind.TEXT, "Name of the balls."),
    ),
    "balls: {from: [-2, 1, -2], to: [2, 4, 2], count: 100, radius: 0.12}",
)  # fmt: skip
PLAY = Record(
    "play",
    "Rules for balls in this level.",
    (
        Field("throws", Kind.FLAG, "Whether the left mouse button throws a ball.", False),
        Field("speed", Kind.NUMBER, "Speed of a thrown ball.", 12.0, "m/s", 0, 100),
        Field("gravity", Kind.POINT, "Gravity on balls: east, up, south.", (0.0, -9.81, 0.0), "m/s2"),
        Field("reach_targets", Kind.FLAG, "Whether a ball can reach targets.", False),
        Field("energy", Kind.FLAG, "Whether to show the balls' energy and the frame rate.", False),
    ),
    "{throws: true, reach_targets: true}",
)
