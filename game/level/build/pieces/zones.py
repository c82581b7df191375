"""Pieces that are zones: gravity, current, water, ladder, pad, checkpoint, kill, teleport."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ....core.vectors import Point
from ....core.zone import Zone
from ...format.schema.fields import ValueKind
from ...format.schema.zones import SIDES, ZONE_KINDS
from ..entities.zones import ZoneSpec
from .piece_builder import PieceBuilder, Placement

MIN_ZONE_THICKNESS = 0.01  # m
LADDER_REACH = 1.1  # m in front of the wall; a body facing it stands 0.35 m away
LADDER_TOP_CLEARANCE = 0.10  # m above the top that the feet reach, to clear the edge
LADDER_SINK = 0.05  # m below its foot that its zone begins
LADDER_RAIL_THICKNESS = 0.05  # m
RUNG_THICKNESS = 0.035  # m
RUNG_SPACING = 0.30  # m
PAD_HEIGHT = 0.02  # m
PAD_REACH_ABOVE, PAD_REACH_BELOW = 0.25, 0.15  # m: vertical range of the feet on a pad


def build_zone_box(builder: PieceBuilder, **more: Any) -> Placement:
    """Zone between `from` and `to`, with its marker in the centre. more: what its fields do not set (ZoneSpec)."""
    values = builder.values
    kind = ZONE_KINDS[builder.values.record.name]
    low, high = values.point("from"), values.point("to")
    centre = tuple((a + b) / 2.0 for a, b in zip(low, high, strict=True))
    x, y, z = (abs(b - a) / 2.0 for a, b in zip(low, high, strict=True))
    if min(x, y, z) < MIN_ZONE_THICKNESS / 2.0:
        builder.reject_piece(
            "to", "the box is flat: `from` and `to` are equal along an axis", "make it at least 1 cm thick"
        )
    if "arrive" in more:
        ax, ay, az = (to - from_ for to, from_ in zip(more["arrive"], centre, strict=True))
        more["arrive"] = (ax, ay, az)
    if values.has_field("colour"):
        more["colour"] = values.colour("colour")
    physics: dict[str, Any] = {"water": True} if kind.is_water else {}
    for name, quantity in kind.physics:
        field = kind.field(name)
        assert field is not None, name
        if field.kind is ValueKind.NUMBER:
            physics[quantity] = values.number(name)
        elif field.required or (values.is_given(name) and any(values.point(name))):
            physics[quantity] = values.point(name)
    _add_zone(builder, (x, y, z), (0.0, 0.0, 0.0), physics | more.pop("physics", {}), **more)
    return 0.0, centre


def _add_zone(builder: PieceBuilder, half: Point, centre: Point, physics: Mapping[str, Any], **more: Any) -> None:
    """Marker of the zone of a piece. physics: fields of the physics' Zone."""
    values = builder.values
    ordered = tuple((field.name, physics[field.name]) for field in fields(Zone) if field.name in physics)
    spec = ZoneSpec(values.record.name, half, ordered, values.text("name"), values.flag("visible"), **more)
    builder.add_marker("zone", spec, centre)


def build_gravity(builder: PieceBuilder) -> Placement:
    """Zone with its own gravity."""
    values = builder.values
    down = values.point("down") if values.is_given("down") else SIDES[values.text("towards")]
    if not any(down):
        builder.reject_piece("down", "the vector has no length", "write a direction, e.g. [0, -1, 0]")
    return build_zone_box(builder, physics={"down": down})


def build_ladder(builder: PieceBuilder) -> Placement:
    """Rails and rungs, and the zone in front; origin at the foot, climbed facing north."""
    values = builder.values
    height, width = values.number("height"), values.number("width")
    surface = values.surface("surface")
    side = width / 2.0
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
    _add_zone(builder, half, centre, {"climb": (0.0, 0.0, -1.0)})
    return values.number("facing"), values.point("at")


def build_pad(builder: PieceBuilder) -> Placement:
    """Plate and zone of a launch pad; origin in its centre."""
    values = builder.values
    if values.is_given("to") == values.is_given("speed"):
        builder.reject_piece("to", "a pad needs exactly one of `to` and `speed`", "give one of them")
    half = values.number("size") / 2.0
    surface = values.surface("surface")
    builder.add_cuboid((-half, 0.0, -half), (half, PAD_HEIGHT, half), surface, surface)
    centre = (0.0, (PAD_REACH_ABOVE - PAD_REACH_BELOW) / 2.0, 0.0)
    box = (half, (PAD_REACH_ABOVE + PAD_REACH_BELOW) / 2.0, half)
    if values.is_given("speed"):
        _add_zone(builder, box, centre, {"launch": values.point("speed")})
    else:
        _add_zone(builder, box, centre, {}, landing=values.point("to"), over=values.number("over"))
    return values.number("facing"), values.point("at")


def build_teleport(builder: PieceBuilder) -> Placement:
    """Zone that moves the player."""
    values = builder.values
    return build_zone_box(builder, arrive=values.point("arrive"), look=values.number("facing"))
