"""Pieces without a surface: light, target, exhibit."""

from __future__ import annotations

from ...geometry.faces import Ball, Lamp
from ..entities.exhibits import Shown
from .piece_builder import Placement, Workbench

WARM = (0xFF / 255, 0xD6 / 255, 0xA0 / 255)  # the colour that the schema gives as the default


def light(work: Workbench) -> Placement:
    """A point that gives light."""
    values = work.values
    colour = values.point("colour") if values.given("colour") else WARM
    work.mark("light", Lamp(colour, values.number("brightness"), values.number("reach"), values.flag("visible")))
    return 0.0, values.point("at")


def target(work: Workbench) -> Placement:
    """A ball to reach."""
    values = work.values
    work.mark("target", Ball(values.number("radius"), values.text("name"), values.flag("visible")))
    return 0.0, values.point("at")


def exhibit(work: Workbench) -> Placement:
    """A station of the collision lab."""
    values = work.values
    work.mark("exhibit", Shown(values.text("show")))
    return values.number("facing"), values.point("at")
