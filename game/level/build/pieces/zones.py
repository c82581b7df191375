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
LADDER_REACH = 1.1  # m from a ladder's wall within which feet are on it; a body turned square to it stands 0.35 off
LADDER_TOP_CLEARANCE = 0.10  # m over a ladder's end to which the feet are carried, so that they clear the edge
LADDER_RAIL_THICKNESS, RUNG_THICKNESS, RUNG_SPACING = (
    0.05,
    0.035,
    0.30,
)  # m: thickness of a ladder's rails and rungs, and from rung to rung
PAD_HEIGHT = 0.02  # m high is a pad
PAD_REACH_ABOVE, PAD_REACH_BELOW = 0.25, 0.15  # m: feet so near to a pad are on it


def _read_zone_box(work: PieceBuilder, kind: str, **more: Any) -> Placement:
    """A zone between `from` and `to`; its mark stands in the middle."""
    values = work.values
    low, high = values.point("from"), values.point("to")
    centre = tuple((a + b) / 2.0 for a, b in zip(low, high, strict=True))
    x, y, z = (abs(b - a) / 2.0 for a, b in zip(low, high, strict=True))
    if min(x, y, z) < MIN_ZONE_THICKNESS / 2.0:
        work.reject_piece(
            "to", "the box is flat: `from` and `to` are equal along an axis", "make it at least 1 cm thick"
        )
    if "aim" in more:
        ax, ay, az = (to - from_ for to, from_ in zip(more["aim"], centre, strict=True))
        more["aim"] = (ax, ay, az)
    work.add_marker("zone", ZoneSpec(kind, (x, y, z), name=values.text("name"), visible=values.flag("visible"), **more))
    return 0.0, centre


def build_gravity(work: PieceBuilder) -> Placement:
    """A box with a gravity of its own."""
    values = work.values
    down = values.point("down") if values.is_given("down") else _DIRECTIONS[values.text("towards")]
    if not any(down):
        work.reject_piece("down", "the vector has no length", "write a direction, e.g. [0, -1, 0]")
    return _read_zone_box(work, "gravity", down=down, strength=values.number("strength"))


def build_current(work: PieceBuilder) -> Placement:
    """A box of moving air or water."""
    values = work.values
    return _read_zone_box(work, "current", flow=values.point("flow"), on_ground=values.number("on_ground"))


def build_water(work: PieceBuilder) -> Placement:
    """A box of water."""
    values = work.values
    flow = values.point("flow")
    more: dict[str, Any] = {"flow": flow} if any(flow) else {}
    if values.is_given("colour"):
        more["colour"] = values.point("colour")
    return _read_zone_box(work, "water", drag=values.number("drag"), buoyancy=values.number("buoyancy"), **more)


def build_ladder(work: PieceBuilder) -> Placement:
    """Rails and rungs against a wall, and the zone before them; around [0, 0, 0] at its foot, climbed northwards."""
    values = work.values
    height, width = values.number("height"), values.number("width")
    surface, side = values.surface("surface"), width / 2.0
    for x in (-side, side):
        work.add_cuboid(
            (x - LADDER_RAIL_THICKNESS / 2, 0.0, 0.02),
            (x + LADDER_RAIL_THICKNESS / 2, height, 0.02 + LADDER_RAIL_THICKNESS),
            surface,
            surface,
            rests=False,
        )
    count = max(1, int((height - 0.1) / RUNG_SPACING))
    for rung in range(1, count + 1):
        y = rung * height / (count + 1)
        work.add_cuboid(
            (-side, y - RUNG_THICKNESS / 2, 0.03),
            (side, y + RUNG_THICKNESS / 2, 0.03 + RUNG_THICKNESS),
            surface,
            surface,
            rests=False,
        )
    tall = height + LADDER_TOP_CLEARANCE + 0.05
    half = (side + 0.15, tall / 2.0, LADDER_REACH / 2.0)
    middle = (0.0, tall / 2.0 - 0.05, LADDER_REACH / 2.0)
    work.add_marker("zone", ZoneSpec("ladder", half, climbs=True, name=values.text("name")), middle)
    return values.number("facing"), values.point("at")


def build_pad(work: PieceBuilder) -> Placement:
    """A plate that throws; around [0, 0, 0] at its middle."""
    values = work.values
    if values.is_given("to") == values.is_given("speed"):
        work.reject_piece("to", "a pad needs exactly one of `to` and `speed`", "give one of them")
    half, surface = values.number("size") / 2.0, values.surface("surface")
    work.add_cuboid((-half, 0.0, -half), (half, PAD_HEIGHT, half), surface, surface)
    middle = (0.0, (PAD_REACH_ABOVE - PAD_REACH_BELOW) / 2.0, 0.0)
    more: dict[str, Any] = {"over": values.number("over"), "name": values.text("name")}
    more["visible"] = values.flag("visible")
    if values.is_given("speed"):
        more["speed"] = values.point("speed")
    else:
        more["aim"] = values.point("to")
    work.add_marker("zone", ZoneSpec("pad", (half, (PAD_REACH_ABOVE + PAD_REACH_BELOW) / 2.0, half), **more), middle)
    return values.number("facing"), values.point("at")


def build_checkpoint(work: PieceBuilder) -> Placement:
    """A box that is remembered."""
    return _read_zone_box(work, "checkpoint")


def build_kill(work: PieceBuilder) -> Placement:
    """A box that sends back."""
    return _read_zone_box(work, "kill")


def build_teleport(work: PieceBuilder) -> Placement:
    """A box that leads elsewhere."""
    values = work.values
    return _read_zone_box(work, "teleport", aim=values.point("arrive"), look=values.number("facing"))
