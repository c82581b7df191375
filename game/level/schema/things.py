"""Pieces that are set into the world: signs, lights, targets, terrain, models."""

from __future__ import annotations

from game.level.fields import Field, Kind, Record, facing, foot, length, surface
from game.level.schema.common import COMMON, MEANT

SIGN = Record(
    "sign",
    "A board with words on it.",
    (
        Field(
            "text",
            Kind.TEXT,
            "The words; `\\n` in double quotes begins a new line.",
            required=True,
            least=1,
            most=400,
        ),
        foot("Middle of the board."),
        facing("Where the written side looks."),
        length("letters", "Height of a letter.", 0.12, high=10),
        Field("width", Kind.NUMBER, "Of the board; made to fit where not given.", None, "m", 0.05, 100),
        Field("height", Kind.NUMBER, "Of the board; made to fit where not given.", None, "m", 0.05, 100),
        length("post", "Length of a post below the board; 0 is none.", 0.0, low=0.0, high=100),
        surface("surface", "What board and post are made of."),
        Field("collide", Kind.FLAG, "Whether the player bumps into it.", False),
        Field("visible", Kind.FLAG, "Whether it is drawn.", True),
        COMMON[-1],
        MEANT,
    ),
    'sign: {text: "This way up", at: [0, 1.6, 0], facing: south, post: 1.4}',
)

THINGS = (SIGN,)
