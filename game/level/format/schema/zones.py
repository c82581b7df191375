"""Zones: boxes with a gravity, a current or water of their own; ladders, pads, checkpoints, teleports, kill zones."""

from __future__ import annotations

from .common import COMMON, MEANT
from .fields import Field, Kind, Record, facing, foot, length, surface

SIDES = ("down", "up", "north", "east", "south", "west")
_BOX = (
    Field("from", Kind.POINT, "One corner of the box.", unit="m", required=True),
    Field("to", Kind.POINT, "The opposite corner.", unit="m", required=True),
)
_NAME = (COMMON[-1], MEANT)
_SHOWN = Field("visible", Kind.FLAG, "Whether it is drawn.", True)

GRAVITY = Record(
    "gravity",
    "A box with its own gravity; the player can walk on its walls or ceiling.",
    (
        *_BOX,
        Field("towards", Kind.CHOICE, "Direction of gravity.", "down", choices=SIDES),
        Field("down", Kind.POINT, "Direction of gravity as a vector [x, y, z], instead of `towards`; its length "
              "does not matter.", unit="m"),
        Field("strength", Kind.NUMBER, "Multiple of normal gravity; less makes jumps higher, 0 makes the player "
              "float.", 1.0, "", 0.0, 20.0),
        _SHOWN,
        *_NAME,
    ),
    "gravity: {from: [-4, 0, -8], to: [4, 6, 0], towards: north}",
)  # fmt: skip
CURRENT = Record(
    "current",
    "A box of moving air or water; an upward flow lifts the player.",
    (
        *_BOX,
        Field("flow", Kind.POINT, "Velocity: east, up and south.", unit="m/s", low=-30, high=30, required=True),
        Field("on_ground", Kind.NUMBER, "Fraction of the flow that moves a standing player.", 1.0, "", 0.0, 1.0),
        _SHOWN,
        *_NAME,
    ),
    "current: {from: [-2, 0, -8], to: [2, 3, 0], flow: [0, 0, -3]}",
)
WATER = Record(
    "water",
    "A box of water to wade, swim and float in. The player swims in the direction of view.",
    (
        *_BOX,
        Field("flow", Kind.POINT, "Velocity: east, up and south.", (0.0, 0.0, 0.0), "m/s", -30, 30),
        Field("drag", Kind.NUMBER, "Rate of speed loss; 4 removes nearly all within a second.", 4.0, "1/s",
              0.1, 50),
        Field("buoyancy", Kind.NUMBER, "1 balances a fully submerged body, 2 a half submerged one; "
              "below 1 the player sinks.", 1.25, "", 0.0, 10.0),
        Field("colour", Kind.COLOUR, "Colour of the water.", "#2f7f8f"),
        _SHOWN,
        *_NAME,
    ),
    "water: {from: [-5, -3, -5], to: [5, -0.2, 5]}",
)  # fmt: skip
LADDER = Record(
    "ladder",
    "A ladder on a wall. Walk towards it to climb; look down or walk back to climb down; jump to let go.",
    (
        foot("Centre of its base, on the wall."),
        facing("Direction a climber faces: into the wall."),
        length("height", "Height that the feet can reach.", 3.0),
        length("width", "Width of the ladder.", 0.6, low=0.2, high=20),
        surface("surface", "Surface."),
        Field("collide", Kind.FLAG, "Whether its rungs collide.", False),
        Field("visible", Kind.FLAG, "Whether it is drawn.", True),
        *_NAME,
    ),
    "ladder: {at: [0, 0, -4], facing: north, height: 3}",
)
PAD = Record(
    "pad",
    "A jump pad. Exactly one of `to` and `speed` sets the jump.",
    (
        foot("Centre, on the ground."),
        facing("Direction its north faces; `to` and `speed` rotate with it."),
        length("size", "Side length.", 1.4, low=0.2, high=50),
        Field("to", Kind.POINT, "Landing point of the feet relative to its centre, in its own directions.", unit="m"),
        length("over", "Height of the flight above the higher of its two ends.", 1.0, low=0.05, high=50),
        Field("speed", Kind.POINT, "Launch velocity: east, up and south in its own directions, instead of `to`.",
              unit="m/s", low=-60, high=60),
        surface("surface", "Surface."),
        Field("collide", Kind.FLAG, "Whether its plate, 2 cm high, collides.", False),
        Field("visible", Kind.FLAG, "Whether it is drawn.", True),
        *_NAME,
    ),
    "pad: {at: [0, 0, 0], to: [0, 4, -8], over: 1.5}",
)  # fmt: skip
CHECKPOINT = Record(
    "checkpoint",
    "A checkpoint box, set when the player stands in it. A player who falls twice in a row or enters a `kill` box "
    "respawns there.",
    (*_BOX, _SHOWN, *_NAME),
    "checkpoint: {from: [-1, 0, -9], to: [1, 2, -7], name: The bridge}",
)
KILL = Record(
    "kill",
    "A box that sends the player back to the last checkpoint, or to the spawn.",
    (*_BOX, _SHOWN, *_NAME),
    "kill: {from: [-4, -2, -9], to: [4, -1, -1], name: You fell into lava}",
)
TELEPORT = Record(
    "teleport",
    "A box that moves the player to another place.",
    (
        *_BOX,
        Field("arrive", Kind.POINT, "New position of the feet.", unit="m", required=True),
        facing("New direction of view."),
        _SHOWN,
        *_NAME,
    ),
    "teleport: {from: [-0.6, 0, -4], to: [0.6, 2, -3.6], arrive: [10, 0, 0], facing: east}",
)

ZONES = (GRAVITY, CURRENT, WATER, LADDER, PAD, CHECKPOINT, KILL, TELEPORT)
