"""Balls that lie in a level, one by one or a box full of them, and what a level lets one do with balls."""

from __future__ import annotations

from .fields import Field, Kind, Record, foot, length

MOST_BALLS = 4000
BALL_FIELDS = (
    length("radius", "Of a ball.", 0.12, low=0.01, high=10),
    Field("mass", Kind.NUMBER, "Of a ball; that of one of 250 kg/m3 where not given.", None, "kg", 1e-6, 1e6),
    Field("bounce", Kind.NUMBER, "Part of its speed that it comes back with.", 0.7, "", 0, 1),
    Field("friction", Kind.NUMBER, "How well it grips, times the surface's own.", 0.4, "", 0, 10),
    Field("roll", Kind.NUMBER, "What rolling costs it each second, as part of gravity.", 0.01, "", 0, 10),
    Field("velocity", Kind.POINT, "How it moves at first: east, up, south.", (0.0, 0.0, 0.0), "m/s"),
    Field("colour", Kind.COLOUR, "Its colour; one of eight where not given."),
)
BALL = Record(
    "ball",
    "A ball: it falls, bounces, rolls, and is pushed by the player.",
    (foot("Its middle."), *BALL_FIELDS, Field("name", Kind.TEXT, "What to call it.")),
    "ball: {at: [0, 2, -3], radius: 0.2, bounce: 0.8}",
)
BALLS = Record(
    "balls",
    "A box full of balls, evenly spread.",
    (
        Field("from", Kind.POINT, "One corner.", unit="m", required=True),
        Field("to", Kind.POINT, "The corner across.", unit="m", required=True),
        Field("count", Kind.INTEGER, "How many.", required=True, least=1, most=MOST_BALLS),
        *BALL_FIELDS,
        Field("speed", Kind.NUMBER, "How fast they fly at first, each its own way, beside `velocity`.", 0.0, "m/s",
              0, 100),
        Field("name", Kind.TEXT, "What to call them."),
    ),
    "balls: {from: [-2, 1, -2], to: [2, 4, 2], count: 100, radius: 0.12}",
)  # fmt: skip
PLAY = Record(
    "play",
    "What balls do in this level, and what one may do with them.",
    (
        Field("throws", Kind.FLAG, "Whether the left mouse button throws one.", False),
        Field("speed", Kind.NUMBER, "How fast one is thrown.", 12.0, "m/s", 0, 100),
        Field("gravity", Kind.POINT, "What pulls them: east, up, south.", (0.0, -9.81, 0.0), "m/s2"),
        Field("reach_targets", Kind.FLAG, "Whether a ball that flies through a target reaches it.", False),
        Field("energy", Kind.FLAG, "Whether their energy and the frame rate are shown.", False),
    ),
    "{throws: true, reach_targets: true}",
)
