"""Pieces without a surface: light, target, exhibit."""

from __future__ import annotations

from ...geometry.faces import LampSpec, TargetSpec
from ..entities.exhibits import ExhibitSpec
from .piece_builder import PieceBuilder, Placement

DEFAULT_LIGHT_COLOUR = (0xFF / 255, 0xD6 / 255, 0xA0 / 255)  # the colour that the schema gives as the default


def build_light(work: PieceBuilder) -> Placement:
    """A point that gives light."""
    values = work.values
    colour = values.point("colour") if values.is_given("colour") else DEFAULT_LIGHT_COLOUR
    work.add_marker(
        "light", LampSpec(colour, values.number("brightness"), values.number("reach"), values.flag("visible"))
    )
    return 0.0, values.point("at")


def build_target(work: PieceBuilder) -> Placement:
    """A ball to reach."""
    values = work.values
    work.add_marker("target", TargetSpec(values.number("radius"), values.text("name"), values.flag("visible")))
    return 0.0, values.point("at")


def build_exhibit(work: PieceBuilder) -> Placement:
    """A station of the collision lab."""
    values = work.values
    work.add_marker("exhibit", ExhibitSpec(values.text("show")))
    return values.number("facing"), values.point("at")
