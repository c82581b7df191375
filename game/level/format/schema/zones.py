"""Kinds of zones: gravity, currents, water, ladders, launch pads, checkpoints, kill boxes and teleports.

A kind is declared here: its fields, what it does to a body or to the run, how it is drawn, and what the palette of the
editor offers. Defaults and ranges of what acts in the physics are those of `core.zone.Zone`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ....core.srgb import GREEN, REDDISH_PURPLE, VERMILION, WHITE, YELLOW
from ....core.vectors import Colour, Vector
from ....core.zone import ZONE_RANGES, Zone
from .common import COMMON_FIELDS, INTENDED_FIELD
from .fields import SchemaField, ValueKind, base_point_field, corner_fields, facing_field, length_field
from .piece_kind import PieceKind, Pull, Turn, play, ways, zones

SIDES: dict[str, Vector] = {
    "down": (0.0, -1.0, 0.0),
    "up": (0.0, 1.0, 0.0),
    "north": (0.0, 0.0, -1.0),
    "east": (1.0, 0.0, 0.0),
    "south": (0.0, 0.0, 1.0),
    "west": (-1.0, 0.0, 0.0),
}
_BOX = corner_fields(ValueKind.POINT, "One corner of the box.")
_NAME = (COMMON_FIELDS[-1], INTENDED_FIELD)
_SHOWN = ValueKind.FLAG.field("visible", "Whether it is drawn.", True)
_USUAL = Zone(centre=(0.0, 0.0, 0.0), half=(1.0, 1.0, 1.0))  # with the defaults of the physics


class RunRole(Enum):
    """What a zone does to the run of the player, beside its physics."""

    NOTHING = "nothing"
    CHECKPOINT = "a player respawns there"
    KILL = "sends the player back"
    TELEPORT = "moves the player to another place"


class FaceLook(Enum):
    """How the faces of a zone are drawn: the number in shaders/markers/zone.frag.glsl."""

    WATER = 0.0
    SQUARES = 1.0
    SWIRL = 2.0
    FRAME = 3.0
    GLOW = 4.0


class Outline(Enum):
    """How a zone is outlined for low vision."""

    NOTHING = "nothing"
    BOX = "its edges"
    CROSSED_BOX = "its edges and a cross, also where the zone is not drawn"
    FRAME = "a frame on the ground, with posts"


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneKind(PieceKind):
    """A kind of zone.

    physics   pairs: a field of the level file, and the field of the physics' Zone that it sets. A vector turns with the
              piece; it sets nothing where it is zero and need not be written.
    is_water  whether it is full of water
    role      what it does to the run
    carries   whether a player can be in it without ground
    look, outline, colours   how it is drawn; None: no faces. Colours by default, and for the colour-blind.
    """

    physics: tuple[tuple[str, str], ...] = ()
    is_water: bool = False
    role: RunRole = RunRole.NOTHING
    carries: bool = False
    look: FaceLook | None = None
    outline: Outline = Outline.NOTHING
    colours: tuple[Colour, Colour] | None = None


def physics_field(name: str, quantity: str, doc: str, unit: str = "", required: bool = False) -> SchemaField:
    """A field with the default and range that a quantity of the physics' Zone has.

    required: it has no default. For a quantity whose default is "no effect", so that a zone without it is an error.
    """
    low, high = ZONE_RANGES[quantity]
    default = None if required else getattr(_USUAL, quantity)
    return ValueKind.NUMBER.field(name, doc, default, unit, low, high, required=required)


def flow_field(default: tuple[float, float, float] | None = None) -> SchemaField:
    """The field `flow`; required without a default."""
    return ValueKind.POINT.field(
        "flow", "Velocity: east, up and south.", default, "m/s", -30, 30, required=default is None
    )


GRAVITY = ZoneKind(
    "gravity",
    "A box with its own gravity; the player can walk on its walls or ceiling.",
    (
        *_BOX,
        ValueKind.CHOICE.field("towards", "Direction of gravity.", "down", choices=tuple(SIDES)),
        ValueKind.POINT.field(
            "down",
            "Direction of gravity as a vector [x, y, z], instead of `towards`; its length does not matter.",
            unit="m",
        ),
        physics_field(
            "strength", "strength", "Multiple of normal gravity; less makes jumps higher, 0 makes the player float."
        ),
        _SHOWN,
        *_NAME,
    ),
    "gravity: {from: [-4, 0, -8], to: [4, 6, 0], towards: north}",
    physics=(("strength", "strength"),),
    carries=True,
    colours=((0.80, 0.72, 1.0), (0.92, 0.72, 0.85)),
    pull=Pull.SPAN,
    new=zones(
        "gravity: {from: [-2, 0, -4], to: [2, 3, 0], towards: north}", hint="A box with another direction of down."
    ),
)
CURRENT = ZoneKind(
    "current",
    "A box of moving air or water; an upward flow lifts the player.",
    (
        *_BOX,
        flow_field(),
        physics_field("on_ground", "hold", "Fraction of the flow that moves a standing player."),
        _SHOWN,
        *_NAME,
    ),
    "current: {from: [-2, 0, -8], to: [2, 3, 0], flow: [0, 0, -3]}",
    physics=(("flow", "current"), ("on_ground", "hold")),
    carries=True,
    outline=Outline.BOX,
    colours=((0.93, 0.97, 1.0), WHITE),
    pull=Pull.SPAN,
    new=zones(
        "current: {from: [-1.5, 0, -4], to: [1.5, 2, 0], flow: [0, 0, -3]}",
        "wind stream",
        "A box in which a wind blows.",
        rank=-1,
    ),
)
WATER = ZoneKind(
    "water",
    "A box of water to wade, swim and float in. The player swims in the direction of view.",
    (
        *_BOX,
        flow_field((0.0, 0.0, 0.0)),
        physics_field("drag", "drag", "Rate of speed loss; 4 removes nearly all within a second.", "1/s"),
        physics_field(
            "buoyancy",
            "buoyancy",
            "1 balances a fully submerged body, 2 a half submerged one; below 1 the player sinks.",
        ),
        ValueKind.COLOUR.field("colour", "Colour of the water.", "#2f7f8f"),
        _SHOWN,
        *_NAME,
    ),
    "water: {from: [-5, -3, -5], to: [5, -0.2, 5]}",
    physics=(("flow", "current"), ("drag", "drag"), ("buoyancy", "buoyancy")),
    is_water=True,
    carries=True,
    look=FaceLook.WATER,
    pull=Pull.SPAN,
    turn=Turn.AS_A_WHOLE,
    new=zones("water: {from: [-2, 0, -2], to: [2, 1.2, 2]}", "pool swim lake", "A box of water to swim in.", rank=-2),
)
LADDER = ZoneKind(
    "ladder",
    "A ladder on a wall. Walk towards it to climb; look down or walk back to climb down; jump to let go.",
    (
        base_point_field("Centre of its base, on the wall."),
        facing_field("Direction a climber faces: into the wall."),
        length_field("height", "Height that the feet can reach.", 3.0),
        length_field("width", "Width of the ladder.", 0.6, low=0.2, high=20),
        ValueKind.SURFACE.field("surface", "Surface."),
        ValueKind.FLAG.field("collide", "Whether its rungs collide.", False),
        _SHOWN,
        *_NAME,
    ),
    "ladder: {at: [0, 0, -4], facing: north, height: 3}",
    carries=True,
    new=ways("ladder: {at: [0, 0, 0], height: 3}", "climb", "A ladder. It belongs in front of a wall."),
)
PAD = ZoneKind(
    "pad",
    "A launch pad. Exactly one of `to` and `speed` sets the jump.",
    (
        base_point_field("Centre, on the ground."),
        facing_field("Direction its north faces; `to` and `speed` rotate with it."),
        length_field("size", "Side length.", 1.4, low=0.2, high=50),
        ValueKind.POINT.field(
            "to", "Landing point of the feet relative to its centre, in its own directions.", unit="m"
        ),
        length_field("over", "Height of the flight above the higher of its two ends.", 1.0, low=0.05, high=50),
        ValueKind.POINT.field(
            "speed",
            "Launch velocity: east, up and south in its own directions, instead of `to`.",
            unit="m/s",
            low=-60,
            high=60,
        ),
        ValueKind.SURFACE.field("surface", "Surface."),
        ValueKind.FLAG.field("collide", "Whether its plate, 2 cm high, collides.", False),
        _SHOWN,
        *_NAME,
    ),
    "pad: {at: [0, 0, 0], to: [0, 4, -8], over: 1.5}",
    look=FaceLook.SQUARES,
    outline=Outline.BOX,
    colours=((1.0, 0.72, 0.28), YELLOW),
    relative_points=("to",),
    new=ways(
        "pad: {at: [0, 0, 0], to: [0, 2, -6], over: 1.5}",
        "jump launch spring",
        "A pad that throws the walker to a point.",
        rank=1,
    ),
)
CHECKPOINT = ZoneKind(
    "checkpoint",
    "A checkpoint box, set when the player stands in it. A player who falls twice in a row or enters a `kill` box "
    "respawns there.",
    (*_BOX, _SHOWN, *_NAME),
    "checkpoint: {from: [-1, 0, -9], to: [1, 2, -7], name: The bridge}",
    role=RunRole.CHECKPOINT,
    look=FaceLook.FRAME,
    outline=Outline.FRAME,
    colours=((0.45, 0.95, 0.60), GREEN),
    is_named=True,
    pull=Pull.SPAN,
    new=play(
        "checkpoint: {from: [-1, 0, -1], to: [1, 2, 1], name: Checkpoint}",
        "save",
        "The walker comes back here after a fall.",
        rank=-2,
    ),
)
KILL = ZoneKind(
    "kill",
    "A box that sends the player back to the last checkpoint, or to the spawn.",
    (*_BOX, _SHOWN, *_NAME),
    "kill: {from: [-4, -2, -9], to: [4, -1, -1], name: You fell into lava}",
    role=RunRole.KILL,
    look=FaceLook.GLOW,
    outline=Outline.CROSSED_BOX,
    colours=((1.0, 0.32, 0.18), VERMILION),
    pull=Pull.SPAN,
    new=zones(
        "kill: {from: [-1, 0, -1], to: [1, 0.3, 1], name: You fell}",
        "death lava hazard",
        "A box that puts the walker back.",
    ),
)
TELEPORT = ZoneKind(
    "teleport",
    "A box that moves the player to another place.",
    (
        *_BOX,
        ValueKind.POINT.field("arrive", "New position of the feet.", unit="m", required=True),
        facing_field("New direction of view."),
        _SHOWN,
        *_NAME,
    ),
    "teleport: {from: [-0.6, 0, -4], to: [0.6, 2, -3.6], arrive: [10, 0, 0], facing: east}",
    role=RunRole.TELEPORT,
    look=FaceLook.SWIRL,
    outline=Outline.BOX,
    colours=((0.62, 0.50, 1.0), REDDISH_PURPLE),
    pull=Pull.SPAN,
    turn=Turn.AS_A_WHOLE,
    destination="arrive",
    new=play(
        "teleport: {from: [-0.6, 0, -0.2], to: [0.6, 2, 0.2], arrive: [0, 0, -3]}",
        "portal",
        "A box that moves the walker to a point.",
        rank=-2,
    ),
)

ZONE_KINDS = {kind.name: kind for kind in (GRAVITY, CURRENT, WATER, LADDER, PAD, CHECKPOINT, KILL, TELEPORT)}
