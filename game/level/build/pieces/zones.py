"""Pieces that are zones: gravity, current, water, ladder, pad, checkpoint, kill, teleport."""

from __future__ import annotations

from typing import Any

from ..entities.zones import Region
from .piece_builder import Placement, Workbench

Point = tuple[float, float, float]

_TOWARDS: dict[str, Point] = {
    "down": (0.0, -1.0, 0.0),
    "up": (0.0, 1.0, 0.0),
    "north": (0.0, 0.0, -1.0),
    "south": (0.0, 0.0, 1.0),
    "east": (1.0, 0.0, 0.0),
    "west": (-1.0, 0.0, 0.0),
}
THINNEST = 0.01  # m
REACH = 1.1  # m from a ladder's wall within which feet are on it; a body turned square to it stands 0.35 off
ABOVE = 0.10  # m over a ladder's end to which the feet are carried, so that they clear the edge
RAIL, RUNG, RUNGS = 0.05, 0.035, 0.30  # m: thickness of a ladder's rails and rungs, and from rung to rung
PLATE = 0.02  # m high is a pad
PAD_ABOVE, PAD_BELOW = 0.25, 0.15  # m: feet so near to a pad are on it


def _box(work: Workbench, kind: str, **more: Any) -> Placement:
    """A zone between `from` and `to`; its mark stands in the middle."""
    values = work.values
    low, high = values.point("from"), values.point("to")
    centre = tuple((a + b) / 2.0 for a, b in zip(low, high, strict=True))
    x, y, z = (abs(b - a) / 2.0 for a, b in zip(low, high, strict=True))
    if min(x, y, z) < THINNEST / 2.0:
        work.refuse("to", "its box is flat: `from` and `to` are the same along an axis", "make it at least 1 cm thick")
    if "aim" in more:
        ax, ay, az = (to - from_ for to, from_ in zip(more["aim"], centre, strict=True))
        more["aim"] = (ax, ay, az)
    work.mark("zone", Region(kind, (x, y, z), name=values.text("name"), visible=values.flag("visible"), **more))
    return 0.0, centre


def gravity(work: Workbench) -> Placement:
    """A box with a gravity of its own."""
    values = work.values
    down = values.point("down") if values.given("down") else _TOWARDS[values.text("towards")]
    if not any(down):
        work.refuse("down", "it points nowhere", "write a way, such as [0, -1, 0]")
    return _box(work, "gravity", down=down, strength=values.number("strength"))


def current(work: Workbench) -> Placement:
    """A box of moving air or water."""
    values = work.values
    return _box(work, "current", flow=values.point("flow"), on_ground=values.number("on_ground"))


def water(work: Workbench) -> Placement:
    """A box of water."""
    values = work.values
    flow = values.point("flow")
    more: dict[str, Any] = {"flow": flow} if any(flow) else {}
    if values.given("colour"):
        more["colour"] = values.point("colour")
    return _box(work, "water", drag=values.number("drag"), buoyancy=values.number("buoyancy"), **more)


def ladder(work: Workbench) -> Placement:
    """Rails and rungs against a wall, and the zone before them; around [0, 0, 0] at its foot, climbed northwards."""
    values = work.values
    height, width = values.number("height"), values.number("width")
    surface, side = values.surface("surface"), width / 2.0
    for x in (-side, side):
        work.cuboid((x - RAIL / 2, 0.0, 0.02), (x + RAIL / 2, height, 0.02 + RAIL), surface, surface, rests=False)
    count = max(1, int((height - 0.1) / RUNGS))
    for rung in range(1, count + 1):
        y = rung * height / (count + 1)
        work.cuboid((-side, y - RUNG / 2, 0.03), (side, y + RUNG / 2, 0.03 + RUNG), surface, surface, rests=False)
    tall = height + ABOVE + 0.05
    half = (side + 0.15, tall / 2.0, REACH / 2.0)
    middle = (0.0, tall / 2.0 - 0.05, REACH / 2.0)
    work.mark("zone", Region("ladder", half, climbs=True, name=values.text("name")), middle)
    return values.number("facing"), values.point("at")


def pad(work: Workbench) -> Placement:
    """A plate that throws; around [0, 0, 0] at its middle."""
    values = work.values
    if values.given("to") == values.given("speed"):
        work.refuse("to", "one of `to` and `speed` says where a pad throws to", "write one of them")
    half, surface = values.number("size") / 2.0, values.surface("surface")
    work.cuboid((-half, 0.0, -half), (half, PLATE, half), surface, surface)
    middle = (0.0, (PAD_ABOVE - PAD_BELOW) / 2.0, 0.0)
    more: dict[str, Any] = {"over": values.number("over"), "name": values.text("name")}
    more["visible"] = values.flag("visible")
    if values.given("speed"):
        more["speed"] = values.point("speed")
    else:
        more["aim"] = values.point("to")
    work.mark("zone", Region("pad", (half, (PAD_ABOVE + PAD_BELOW) / 2.0, half), **more), middle)
    return values.number("facing"), values.point("at")


def checkpoint(work: Workbench) -> Placement:
    """A box that is remembered."""
    return _box(work, "checkpoint")


def kill(work: Workbench) -> Placement:
    """A box that sends back."""
    return _box(work, "kill")


def teleport(work: Workbench) -> Placement:
    """A box that leads elsewhere."""
    values = work.values
    return _box(work, "teleport", aim=values.point("arrive"), look=values.number("facing"))
