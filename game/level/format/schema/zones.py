"""Zones: boxes with a gravity, a current or water of their own; ladders, pads, checkpoints, teleports, kill zones."""

from __future__ import annotations

from .common import COMMON, MEANT
from .fields import Field, Kind, Record, facing, foot, length, surface

SIDES = ("down", "up", "north", "east", "south", "west")
_BOX = (
    Field("from", Kind.POINT, "One corner of its box.", unit="m", required=True),
    Field("to", Kind.POINT, "The corner across.", unit="m", required=True),
)
_NAME = (COMMON[-1], MEANT)
_SHOWN = Field("visible", Kind.FLAG, "Whether anything is drawn where it is.", True)

GRAVITY = Record(
    "gravity",
    "A box in which things fall another way, or slower: one walks on its walls or its ceiling.",
    (
        *_BOX,
        Field("towards", Kind.CHOICE, "Where things fall to.", "down", choices=SIDES),
        Field("down", Kind.POINT, "Where things fall to, as a way [x, y, z], in place of `towards`; its length "
              "does not matter.", unit="m"),
        Field("strength", Kind.NUMBER, "Times the ordinary gravity; jumps are higher where it is less, and at 0 one "
              "floats.", 1.0, "", 0.0, 20.0),
        _SHOWN,
        *_NAME,
    ),
    "gravity: {from: [-4, 0, -8], to: [4, 6, 0], towards: north}",
)  # fmt: skip
CURRENT = Record(
    "current",
    "A box of moving air or water; where it rises it lifts.",
    (
        *_BOX,
        Field("flow", Kind.POINT, "How fast it runs, east, up and south.", unit="m/s", low=-30, high=30, required=True),
        Field("on_ground", Kind.NUMBER, "Part of it that takes along who stands on ground.", 1.0, "", 0.0, 1.0),
        _SHOWN,
        *_NAME,
    ),
    "current: {from: [-2, 0, -8], to: [2, 3, 0], flow: [0, 0, -3]}",
)
WATER = Record(
    "water",
    "A box of water: one wades, swims where the view looks, and floats.",
    (
        *_BOX,
        Field("flow", Kind.POINT, "How fast it runs, east, up and south.", (0.0, 0.0, 0.0), "m/s", -30, 30),
        Field("drag", Kind.NUMBER, "How fast it takes speed away; 4 takes nearly all within a second.", 4.0, "1/s",
              0.1, 50),
        Field("buoyancy", Kind.NUMBER, "1 carries a body that is wholly under water, 2 one that is half under; "
              "below 1 one sinks.", 1.25, "", 0.0, 10.0),
        Field("colour", Kind.COLOUR, "Of the water.", "#2f7f8f"),
        _SHOWN,
        *_NAME,
    ),
    "water: {from: [-5, -3, -5], to: [5, -0.2, 5]}",
)  # fmt: skip
LADDER = Record(
    "ladder",
    "A ladder against a wall: walk towards it to climb; look down, or walk back, to climb down; jump to let go.",
    (
        foot("Middle of its foot, on the wall."),
        facing("Where who climbs it looks: into the wall."),
        length("height", "How high it is; its end is where the feet get to.", 3.0),
        length("width", "Of the ladder.", 0.6, low=0.2, high=20),
        surface("surface", "What it is made of."),
        Field("collide", Kind.FLAG, "Whether its rungs are in the way.", False),
        Field("visible", Kind.FLAG, "Whether it is drawn.", True),
        *_NAME,
    ),
    "ladder: {at: [0, 0, -4], facing: north, height: 3}",
)
PAD = Record(
    "pad",
    "A plate that throws up who steps on it; one of `to` and `speed` says where to.",
    (
        foot("Its middle, on the ground."),
        facing("Where its own north looks; `to` and `speed` turn with it."),
        length("size", "Of its sides.", 1.4, low=0.2, high=50),
        Field("to", Kind.POINT, "Where the feet come down: from its middle, by its own north.", unit="m"),
        length("over", "How far above the higher of both ends that way rises.", 1.0, low=0.05, high=50),
        Field("speed", Kind.POINT, "How fast it throws, east, up and south by its own north, in place of `to`.",
              unit="m/s", low=-60, high=60),
        surface("surface", "What it is made of."),
        Field("collide", Kind.FLAG, "Whether its plate, 2 cm high, is in the way.", False),
        Field("visible", Kind.FLAG, "Whether it is drawn.", True),
        *_NAME,
    ),
    "pad: {at: [0, 0, 0], to: [0, 4, -8], over: 1.5}",
)  # fmt: skip
CHECKPOINT = Record(
    "checkpoint",
    "A box that is remembered once one has stood in it: who falls twice in a row, or meets a `kill`, is put there.",
    (*_BOX, _SHOWN, *_NAME),
    "checkpoint: {from: [-1, 0, -9], to: [1, 2, -7], name: The bridge}",
)
KILL = Record(
    "kill",
    "A box that sends who comes into it back to the last checkpoint, or the spawn.",
    (*_BOX, _SHOWN, *_NAME),
    "kill: {from: [-4, -2, -9], to: [4, -1, -1], name: The lava was hot}",
)
TELEPORT = Record(
    "teleport",
    "A box out of which one comes at another place.",
    (
        *_BOX,
        Field("arrive", Kind.POINT, "Where the feet come to stand.", unit="m", required=True),
        facing("Where one looks then."),
        _SHOWN,
        *_NAME,
    ),
    "teleport: {from: [-0.6, 0, -4], to: [0.6, 2, -3.6], arrive: [10, 0, 0], facing: east}",
)

ZONES = (GRAVITY, CURRENT, WATER, LADDER, PAD, CHECKPOINT, KILL, TELEPORT)
