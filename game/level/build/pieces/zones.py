"""Pieces that are zones: gravity, current, water, ladder, pad, checkpoint, kill, teleport."""

from __future__ import annotations

from typing import Any

from ....core.vectors import Point
from ..entities.zones import ZoneSpec
from .piece_builder import PieceBuilder, Placement

_DIRECTIONS: dict[str, Point] = {
    "down": (0.0, -1.0, 0.0),
    "up": (0.0, 1.0, 0.0),
    "north": (0.0, 0.0, -1.0),
    "south": (0.0, 0.0, 1.0),
    "east": (1.0, 0.0, 0.0),
    "west": (-1.0, 0.0, 0.0),
}
MIN_ZONE_THICKNESS = 0.01  # m
LADDER_REACH = 1.1  # m in front of the wall; a body facing it stands 0.35 m away
LADDER_TOP_CLEARANCE = 0.10  # m above the top that the feet reach, to clear the edge
LADDER_SINK = 0.05  # m below its foot that its zone begins
LADDER_RAIL_THICKNESS = 0.05  # m
RUNG_THICKNESS, RUNG_SPACING = 0.035, 0.30  # m
PAD_HEIGHT = 0.02  # m
PAD_REACH_ABOVE, PAD_REACH_BELOW = 0.25, 0.15  # m: vertical range of the feet on a pad


def _read_zone_box(builder: PieceBuilder, kind: str, **fields: Any) -> Placement:
    """Zone between `from` and `to`, with its marker in the centre."""
    values = builder.values
    low, high = values.point("from"), values.point("to")
    centre = tuple((a + b) / 2.0 for a, b in zip(low, high, strict=True))
    x, y, z = (abs(b - a) / 2.0 for a, b in zip(low, high, strict=True))
    if min(x, y, z) < MIN_ZONE_THICKNESS / 2.0:
        builder.reject_piece(
            "to", "the box is flat: `from` and `to` are equal along an axis", "make it at least 1 cm thick"
        )
    if "aim" in fields:
        ax, ay, az = (to - from_ for to, from_ in zip(fields["aim"], centre, strict=True))
        fields["aim"] = (ax, ay, az)
    builder.add_marker(
        "zone", ZoneSpec(kind, (x, y, z), name=values.text("name"), visible=values.flag("visible"), **fields)
    )
    return 0.0, centre


def build_gravity(builder: PieceBuilder) -> Placement:
    """Zone with its own gravity."""
    values = builder.values
    down = values.point("down") if values.is_given("down") else _DIRECTIONS[values.text("towards")]
    if not any(down):
        builder.reject_piece("down", "the vector has no length", "write a direction, e.g. [0, -1, 0]")
    return _read_zone_box(builder, "gravity", down=down, strength=values.number("strength"))


def build_current(builder: PieceBuilder) -> Placement:
    """Zone of moving air or water."""
    values = builder.values
    return _read_zone_box(builder, "current", flow=values.point("flow"), on_ground=values.number("on_ground"))


def build_water(builder: PieceBuilder) -> Placement:
    """Zone of water."""
    values = builder.values
    flow = values.point("flow")
    fields: dict[str, Any] = {"flow": flow} if any(flow) else {}
    if values.is_given("colour"):
        fields["colour"] = values.point("colour")
    return _read_zone_box(builder, "water", drag=values.number("drag"), buoyancy=values.number("buoyancy"), **fields)


def build_ladder(builder: PieceBuilder) -> Placement:
    """Rails and rungs, and the zone in front; origin at the foot, climbed facing north."""
    values = builder.values
    height, width = values.number("height"), values.number("width")
    surface, side = values.surface("surface"), width / 2.0
    for x in (-side, side):
        builder.add_cuboid(
            (x - LADDER_RAIL_THICKNESS / 2, 0.0, 0.02),
            (x + LADDER_RAIL_THICKNESS / 2, height, 0.02 + LADDER_RAIL_THICKNESS),
            surface,
            surface,
            rests=False,
        )
    count = max(1, int((height - 0.1) / RUNG_SPACING))
    for rung in range(1, count + 1):
        y = rung * height / (count + 1)
        builder.add_cuboid(
            (-side, y - RUNG_THICKNESS / 2, 0.03),
            (side, y + RUNG_THICKNESS / 2, 0.03 + RUNG_THICKNESS),
            surface,
            surface,
            rests=False,
        )
    tall = height + LADDER_TOP_CLEARANCE + LADDER_SINK
    half = (side + 0.15, tall / 2.0, LADDER_REACH / 2.0)
    centre = (0.0, tall / 2.0 - LADDER_SINK, LADDER_REACH / 2.0)
    builder.add_marker("zone", ZoneSpec("ladder", half, climbs=True, name=values.text("name")), centre)
    return values.number("facing"), values.point("at")


def build_pad(builder: PieceBuilder) -> Placement:
    """Plate and zone of a launch pad; origin in its centre."""
    values = builder.values
    if values.is_given("to") == values.is_given("speed"):
        builder.reject_piece("to", "a pad needs exactly one of `to` and `speed`", "give one of them")
    half, surface = values.number("size") / 2.0, values.surface("surface")
    builder.add_cuboid((-half, 0.0, -half), (half, PAD_HEIGHT, half), surface, surface)
    centre = (0.0, (PAD_REACH_ABOVE - PAD_REACH_BELOW) / 2.0, 0.0)
    fields: dict[str, Any] = {"over": values.number("over"), "name": values.text("name")}
    fields["visible"] = values.flag("visible")
    if values.is_given("speed"):
        fields["speed"] = values.point("speed")
    else:
        fields["aim"] = values.point("to")
    builder.add_marker(
        "zone", ZoneSpec("pad", (half, (PAD_REACH_ABOVE + PAD_REACH_BELOW) / 2.0, half), **fields), centre
    )
    return values.number("facing"), values.point("at")


def build_checkpoint(builder: PieceBuilder) -> Placement:
    """Checkpoint zone."""
    return _read_zone_box(builder, "checkpoint")


def build_kill(builder: PieceBuilder) -> Placement:
    """Zone that sends the player back."""
    return _read_zone_box(builder, "kill")


def build_teleport(builder: PieceBuilder) -> Placement:
    """Zone that moves the player."""
    values = builder.values
    return _read_zone_box(builder, "teleport", aim=values.point("arrive"), look=values.number("facing"))
