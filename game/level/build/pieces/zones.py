"""Pieces that are zones: gravity, current, water, ladder, pad, checkpoint, kill, teleport.

A kind declares its fields, what it does to a body or to the run, how it is drawn, and what the palette of the editor
offers. Defaults and ranges of what acts in the physics are those of `core.zone.Zone`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar

from ....core.srgb import GREEN, REDDISH_PURPLE, VERMILION, WHITE, YELLOW
from ....core.vectors import Vector
from ....core.zone import ZONE_RANGES, Zone
from ...format.numbers import Angle, Length, Number, Point
from ...format.piece_kind import Named, Pull, Turn, play, ways, zones
from ...format.values import Choice, Colour, Flag, Surface
from ..entities.zones import ZONE_FACTS, FaceLook, Outline, RunRole, ZoneFacts, ZoneSpec
from .piece_builder import BuiltPiece, PieceBuilder, Placement

MIN_ZONE_THICKNESS = 0.01  # m
LADDER_REACH = 1.1  # m in front of the wall; a body facing it stands 0.35 m away
LADDER_TOP_CLEARANCE = 0.10  # m above the top that the feet reach, to clear the edge
LADDER_SINK = 0.05  # m below its foot that its zone begins
LADDER_RAIL_THICKNESS = 0.05  # m
RUNG_THICKNESS = 0.035  # m
RUNG_SPACING = 0.30  # m
PAD_HEIGHT = 0.02  # m
PAD_REACH_ABOVE, PAD_REACH_BELOW = 0.25, 0.15  # m: vertical range of the feet on a pad
SIDES: dict[str, Vector] = {
    "down": (0.0, -1.0, 0.0),
    "up": (0.0, 1.0, 0.0),
    "north": (0.0, 0.0, -1.0),
    "east": (1.0, 0.0, 0.0),
    "south": (0.0, 0.0, 1.0),
    "west": (-1.0, 0.0, 0.0),
}
_USUAL = Zone(centre=(0.0, 0.0, 0.0), half=(1.0, 1.0, 1.0))  # with the defaults of the physics


def physics_field(quantity: str, doc: str, unit: str = "", required: bool = False) -> Number:
    """A field with the default and range that a quantity of the physics' Zone has.

    required: it has no default. For a quantity whose default is "no effect", so that a zone without it is an error.
    """
    return Number(doc, None if required else getattr(_USUAL, quantity), unit, *ZONE_RANGES[quantity])


class ZonePiece(BuiltPiece, Named):
    """A zone. facts: what others need to know about its kind."""

    facts: ClassVar[ZoneFacts]
    visible = Flag("Whether it is drawn.", True)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "facts" in vars(cls):
            ZONE_FACTS[cls.kind] = cls.facts

    def add_zone(
        self, out: PieceBuilder, half: Vector, centre: Vector, physics: Mapping[str, Any], **more: Any
    ) -> None:
        """Its marker. physics: fields of the physics' Zone. more: other fields of ZoneSpec."""
        ordered = tuple((field.name, physics[field.name]) for field in fields(Zone) if field.name in physics)
        spec = ZoneSpec(self.kind, half, ordered, self.name, self.visible, **more)
        out.add_marker("zone", spec, centre)


class BoxZone(ZonePiece):
    """A zone between two opposite corners. Its marker is in the centre."""

    pull = Pull.SPAN
    from_ = Point("One corner of the box.")
    to = Point("The opposite corner.")

    def physics(self) -> dict[str, Any]:
        """The fields of the physics' Zone that it sets."""
        return {}

    def build(self, out: PieceBuilder) -> Placement:
        return self.build_box(out)

    def build_box(self, out: PieceBuilder, **more: Any) -> Placement:
        """more: fields of ZoneSpec."""
        low, high = self.from_, self.to
        x, y, z = (abs(b - a) / 2.0 for a, b in zip(low, high, strict=True))
        if min(x, y, z) < MIN_ZONE_THICKNESS / 2.0:
            message = "the box is flat: `from` and `to` are equal along an axis"
            out.reject_piece(BoxZone.to, message, "make it at least 1 cm thick")
        self.add_zone(out, (x, y, z), (0.0, 0.0, 0.0), self.physics(), **more)
        return 0.0, self.centre

    @property
    def centre(self) -> Vector:
        """The middle of the box."""
        x, y, z = ((a + b) / 2.0 for a, b in zip(self.from_, self.to, strict=True))
        return x, y, z


class Gravity(BoxZone):
    """A box with its own gravity; the player can walk on its walls or ceiling."""

    kind = "gravity"
    example = "gravity: {from: [-4, 0, -8], to: [4, 6, 0], towards: north}"
    facts = ZoneFacts(carries=True, colours=((0.80, 0.72, 1.0), (0.92, 0.72, 0.85)))
    new = zones(
        "gravity: {from: [-2, 0, -4], to: [2, 3, 0], towards: north}", hint="A box with another direction of down."
    )
    from_, to = BoxZone.from_, BoxZone.to
    towards = Choice("Direction of gravity.", tuple(SIDES), "down")
    down = Point(
        "Direction of gravity as a vector [x, y, z], instead of `towards`; its length does not matter."
    ).optional()
    strength = physics_field(
        "strength", "Multiple of normal gravity; less makes jumps higher, 0 makes the player float."
    )

    def physics(self) -> dict[str, Any]:
        return {"strength": self.strength, "down": SIDES[self.towards] if self.down is None else self.down}

    def build(self, out: PieceBuilder) -> Placement:
        if self.down is not None and not any(self.down):
            out.reject_piece(Gravity.down, "the vector has no length", "write a direction, e.g. [0, -1, 0]")
        return self.build_box(out)


class Current(BoxZone):
    """A box of moving air or water; an upward flow lifts the player."""

    kind = "current"
    example = "current: {from: [-2, 0, -8], to: [2, 3, 0], flow: [0, 0, -3]}"
    facts = ZoneFacts(carries=True, outline=Outline.BOX, colours=((0.93, 0.97, 1.0), WHITE))
    new = zones(
        "current: {from: [-1.5, 0, -4], to: [1.5, 2, 0], flow: [0, 0, -3]}",
        "wind stream",
        "A box in which a wind blows.",
        rank=-1,
    )
    from_, to = BoxZone.from_, BoxZone.to
    flow = Point("Velocity: east, up and south.", None, "m/s", -30, 30)
    on_ground = physics_field("hold", "Fraction of the flow that moves a standing player.")

    def physics(self) -> dict[str, Any]:
        return {"current": self.flow, "hold": self.on_ground}


class Water(BoxZone):
    """A box of water to wade, swim and float in. The player swims in the direction of view."""

    kind = "water"
    example = "water: {from: [-5, -3, -5], to: [5, -0.2, 5]}"
    facts = ZoneFacts(is_water=True, carries=True, look=FaceLook.WATER)
    turns = Turn.AS_A_WHOLE
    new = zones("water: {from: [-2, 0, -2], to: [2, 1.2, 2]}", "pool swim lake", "A box of water to swim in.", rank=-2)
    from_, to = BoxZone.from_, BoxZone.to
    flow = Point("Velocity: east, up and south.", (0.0, 0.0, 0.0), "m/s", -30, 30)
    drag = physics_field("drag", "Rate of speed loss; 4 removes nearly all within a second.", "1/s")
    buoyancy = physics_field(
        "buoyancy", "1 balances a fully submerged body, 2 a half submerged one; below 1 the player sinks."
    )
    colour = Colour("Colour of the water.", "#2f7f8f")

    def physics(self) -> dict[str, Any]:
        flow = {"current": self.flow} if any(self.flow) else {}
        return {"water": True, **flow, "drag": self.drag, "buoyancy": self.buoyancy}

    def build(self, out: PieceBuilder) -> Placement:
        return self.build_box(out, colour=self.colour)


class Ladder(ZonePiece):
    """A ladder on a wall. Walk towards it to climb; look down or walk back to climb down; jump to let go."""

    kind = "ladder"
    example = "ladder: {at: [0, 0, -4], facing: north, height: 3}"
    facts = ZoneFacts(carries=True)
    new = ways("ladder: {at: [0, 0, 0], height: 3}", "climb", "A ladder. It belongs in front of a wall.")
    at = Point("Centre of its base, on the wall.")
    facing = Angle("Direction a climber faces: into the wall.")
    height = Length("Height that the feet can reach.", 3.0)
    width = Length("Width of the ladder.", 0.6, low=0.2, high=20)
    surface = Surface("Surface.")
    collide = Flag("Whether its rungs collide.", False)

    def build(self, out: PieceBuilder) -> Placement:
        """Rails and rungs, and the zone in front; origin at the foot, climbed facing north."""
        height, side, surface = self.height, self.width / 2.0, self.surface
        for x in (-side, side):
            low = (x - LADDER_RAIL_THICKNESS / 2, 0.0, 0.02)
            high = (x + LADDER_RAIL_THICKNESS / 2, height, 0.02 + LADDER_RAIL_THICKNESS)
            out.add_cuboid(low, high, surface, surface, rests=False)
        count = max(1, int((height - 0.1) / RUNG_SPACING))
        for rung in range(1, count + 1):
            y = rung * height / (count + 1)
            low, high = (-side, y - RUNG_THICKNESS / 2, 0.03), (side, y + RUNG_THICKNESS / 2, 0.03 + RUNG_THICKNESS)
            out.add_cuboid(low, high, surface, surface, rests=False)
        tall = height + LADDER_TOP_CLEARANCE + LADDER_SINK
        half = (side + 0.15, tall / 2.0, LADDER_REACH / 2.0)
        self.add_zone(out, half, (0.0, tall / 2.0 - LADDER_SINK, LADDER_REACH / 2.0), {"climb": (0.0, 0.0, -1.0)})
        return self.facing, self.at


class Pad(ZonePiece):
    """A launch pad. Exactly one of `to` and `speed` sets the jump."""

    kind = "pad"
    example = "pad: {at: [0, 0, 0], to: [0, 4, -8], over: 1.5}"
    facts = ZoneFacts(look=FaceLook.SQUARES, outline=Outline.BOX, colours=((1.0, 0.72, 0.28), YELLOW))
    relative_points = ("to",)
    new = ways(
        "pad: {at: [0, 0, 0], to: [0, 2, -6], over: 1.5}",
        "jump launch spring",
        "A pad that throws the walker to a point.",
        rank=1,
    )
    at = Point("Centre, on the ground.")
    facing = Angle("Direction its north faces; `to` and `speed` rotate with it.")
    size = Length("Side length.", 1.4, low=0.2, high=50)
    to = Point("Landing point of the feet relative to its centre, in its own directions.").optional()
    over = Length("Height of the flight above the higher of its two ends.", 1.0, low=0.05, high=50)
    speed = Point(
        "Launch velocity: east, up and south in its own directions, instead of `to`.", None, "m/s", -60, 60
    ).optional()
    surface = Surface("Surface.")
    collide = Flag("Whether its plate, 2 cm high, collides.", False)

    def build(self, out: PieceBuilder) -> Placement:
        """Plate and zone; origin in its centre."""
        if (self.to is None) == (self.speed is None):
            out.reject_piece(Pad.to, "a pad needs exactly one of `to` and `speed`", "give one of them")
        half = self.size / 2.0
        out.add_cuboid((-half, 0.0, -half), (half, PAD_HEIGHT, half), self.surface, self.surface)
        centre = (0.0, (PAD_REACH_ABOVE - PAD_REACH_BELOW) / 2.0, 0.0)
        box = (half, (PAD_REACH_ABOVE + PAD_REACH_BELOW) / 2.0, half)
        if self.speed is not None:
            self.add_zone(out, box, centre, {"launch": self.speed})
        else:
            self.add_zone(out, box, centre, {}, landing=self.to, over=self.over)
        return self.facing, self.at


class Checkpoint(BoxZone):
    """A checkpoint box, set when the player stands in it. A player who falls twice in a row or enters a `kill` box
    respawns there."""

    kind = "checkpoint"
    example = "checkpoint: {from: [-1, 0, -9], to: [1, 2, -7], name: The bridge}"
    facts = ZoneFacts(
        role=RunRole.CHECKPOINT, look=FaceLook.FRAME, outline=Outline.FRAME, colours=((0.45, 0.95, 0.60), GREEN)
    )
    is_named = True
    new = play(
        "checkpoint: {from: [-1, 0, -1], to: [1, 2, 1], name: Checkpoint}",
        "save",
        "The walker comes back here after a fall.",
        rank=-2,
    )


class Kill(BoxZone):
    """A box that sends the player back to the last checkpoint, or to the spawn."""

    kind = "kill"
    example = "kill: {from: [-4, -2, -9], to: [4, -1, -1], name: You fell into lava}"
    facts = ZoneFacts(
        role=RunRole.KILL, look=FaceLook.GLOW, outline=Outline.CROSSED_BOX, colours=((1.0, 0.32, 0.18), VERMILION)
    )
    new = zones(
        "kill: {from: [-1, 0, -1], to: [1, 0.3, 1], name: You fell}",
        "death lava hazard",
        "A box that puts the walker back.",
    )


class Teleport(BoxZone):
    """A box that moves the player to another place."""

    kind = "teleport"
    example = "teleport: {from: [-0.6, 0, -4], to: [0.6, 2, -3.6], arrive: [10, 0, 0], facing: east}"
    facts = ZoneFacts(
        role=RunRole.TELEPORT,
        look=FaceLook.SWIRL,
        outline=Outline.BOX,
        colours=((0.62, 0.50, 1.0), REDDISH_PURPLE),
    )
    turns = Turn.AS_A_WHOLE
    destination = "arrive"
    new = play(
        "teleport: {from: [-0.6, 0, -0.2], to: [0.6, 2, 0.2], arrive: [0, 0, -3]}",
        "portal",
        "A box that moves the walker to a point.",
        rank=-2,
    )
    from_, to = BoxZone.from_, BoxZone.to
    arrive = Point("New position of the feet.")
    facing = Angle("New direction of view.")

    def build(self, out: PieceBuilder) -> Placement:
        x, y, z = (to - from_ for to, from_ in zip(self.arrive, self.centre, strict=True))
        return self.build_box(out, arrive=(x, y, z), look=self.facing)
