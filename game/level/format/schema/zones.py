"""Schema of zones: gravity, currents, water, ladders, launch pads, checkpoints, kill boxes and teleports."""

from __future__ import annotations

from .common import COMMON_FIELDS, INTENDED_FIELD
from .fields import (
    SchemaField,
    SchemaRecord,
    ValueKind,
    base_point_field,
    corner_fields,
    facing_field,
    length_field,
    surface_field,
)

DIRECTIONS = ("down", "up", "north", "east", "south", "west")
_BOX = corner_fields(ValueKind.POINT, "One corner of the box.")
_NAME = (COMMON_FIELDS[-1], INTENDED_FIELD)
_SHOWN = SchemaField("visible", ValueKind.FLAG, "Whether it is drawn.", True)

GRAVITY = SchemaRecord(
    "gravity",
    "A box with its own gravity; the player can walk on its walls or ceiling.",
    (
        *_BOX,
        SchemaField("towards", ValueKind.CHOICE, "Direction of gravity.", "down", choices=DIRECTIONS),
        SchemaField(
            "down",
            ValueKind.POINT,
            "Direction of gravity as a vector [x, y, z], instead of `towards`; its length does not matter.",
            unit="m",
        ),
        SchemaField(
            "strength",
            ValueKind.NUMBER,
            "Multiple of normal gravity; less makes jumps higher, 0 makes the player float.",
            1.0,
            "",
            0.0,
            20.0,
        ),
        _SHOWN,
        *_NAME,
    ),
    "gravity: {from: [-4, 0, -8], to: [4, 6, 0], towards: north}",
)
CURRENT = SchemaRecord(
    "current",
    "A box of moving air or water; an upward flow lifts the player.",
    (
        *_BOX,
        SchemaField(
            "flow", ValueKind.POINT, "Velocity: east, up and south.", unit="m/s", low=-30, high=30, required=True
        ),
        SchemaField(
            "on_ground", ValueKind.NUMBER, "Fraction of the flow that moves a standing player.", 1.0, "", 0.0, 1.0
        ),
        _SHOWN,
        *_NAME,
    ),
    "current: {from: [-2, 0, -8], to: [2, 3, 0], flow: [0, 0, -3]}",
)
WATER = SchemaRecord(
    "water",
    "A box of water to wade, swim and float in. The player swims in the direction of view.",
    (
        *_BOX,
        SchemaField("flow", ValueKind.POINT, "Velocity: east, up and south.", (0.0, 0.0, 0.0), "m/s", -30, 30),
        SchemaField(
            "drag", ValueKind.NUMBER, "Rate of speed loss; 4 removes nearly all within a second.", 4.0, "1/s", 0.1, 50
        ),
        SchemaField(
            "buoyancy",
            ValueKind.NUMBER,
            "1 balances a fully submerged body, 2 a half submerged one; below 1 the player sinks.",
            1.25,
            "",
            0.0,
            10.0,
        ),
        SchemaField("colour", ValueKind.COLOUR, "Colour of the water.", "#2f7f8f"),
        _SHOWN,
        *_NAME,
    ),
    "water: {from: [-5, -3, -5], to: [5, -0.2, 5]}",
)
LADDER = SchemaRecord(
    "ladder",
    "A ladder on a wall. Walk towards it to climb; look down or walk back to climb down; jump to let go.",
    (
        base_point_field("Centre of its base, on the wall."),
        facing_field("Direction a climber faces: into the wall."),
        length_field("height", "Height that the feet can reach.", 3.0),
        length_field("width", "Width of the ladder.", 0.6, low=0.2, high=20),
        surface_field("surface", "Surface."),
        SchemaField("collide", ValueKind.FLAG, "Whether its rungs collide.", False),
        SchemaField("visible", ValueKind.FLAG, "Whether it is drawn.", True),
        *_NAME,
    ),
    "ladder: {at: [0, 0, -4], facing: north, height: 3}",
)
PAD = SchemaRecord(
    "pad",
    "A launch pad. Exactly one of `to` and `speed` sets the jump.",
    (
        base_point_field("Centre, on the ground."),
        facing_field("Direction its north faces; `to` and `speed` rotate with it."),
        length_field("size", "Side length.", 1.4, low=0.2, high=50),
        SchemaField(
            "to", ValueKind.POINT, "Landing point of the feet relative to its centre, in its own directions.", unit="m"
        ),
        length_field("over", "Height of the flight above the higher of its two ends.", 1.0, low=0.05, high=50),
        SchemaField(
            "speed",
            ValueKind.POINT,
            "Launch velocity: east, up and south in its own directions, instead of `to`.",
            unit="m/s",
            low=-60,
            high=60,
        ),
        surface_field("surface", "Surface."),
        SchemaField("collide", ValueKind.FLAG, "Whether its plate, 2 cm high, collides.", False),
        SchemaField("visible", ValueKind.FLAG, "Whether it is drawn.", True),
        *_NAME,
    ),
    "pad: {at: [0, 0, 0], to: [0, 4, -8], over: 1.5}",
)
CHECKPOINT = SchemaRecord(
    "checkpoint",
    "A checkpoint box, set when the player stands in it. A player who falls twice in a row or enters a `kill` box "
    "respawns there.",
    (*_BOX, _SHOWN, *_NAME),
    "checkpoint: {from: [-1, 0, -9], to: [1, 2, -7], name: The bridge}",
)
KILL = SchemaRecord(
    "kill",
    "A box that sends the player back to the last checkpoint, or to the spawn.",
    (*_BOX, _SHOWN, *_NAME),
    "kill: {from: [-4, -2, -9], to: [4, -1, -1], name: You fell into lava}",
)
TELEPORT = SchemaRecord(
    "teleport",
    "A box that moves the player to another place.",
    (
        *_BOX,
        SchemaField("arrive", ValueKind.POINT, "New position of the feet.", unit="m", required=True),
        facing_field("New direction of view."),
        _SHOWN,
        *_NAME,
    ),
    "teleport: {from: [-0.6, 0, -4], to: [0.6, 2, -3.6], arrive: [10, 0, 0], facing: east}",
)

ZONE_RECORDS = (GRAVITY, CURRENT, WATER, LADDER, PAD, CHECKPOINT, KILL, TELEPORT)
