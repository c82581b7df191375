"""Pieces without a surface: light, target, exhibit."""

from __future__ import annotations

import numpy as np

from ...geometry.faces import LampSpec, TargetSpec
from ..entities.balls import place_balls_in_box, read_ball_spec, sphere_direction
from ..entities.point_entities import ExhibitSpec
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, Placement

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


def build_ball(work: PieceBuilder) -> Placement:
    """One ball."""
    values = work.values
    work.add_marker("ball", read_ball_spec(values, values.point("velocity")))
    return 0.0, values.point("at")


def build_balls(work: PieceBuilder) -> Placement:
    """A box full of them."""
    values = work.values
    low = np.minimum(values.point("from"), values.point("to"))
    high = np.maximum(values.point("from"), values.point("to"))
    count, radius = values.integer("count"), values.number("radius")
    places = place_balls_in_box(low.tolist(), high.tolist(), count, radius)
    if places is None:
        work.reject_piece(
            "count",
            f"{count} balls of {radius:g} m radius do not fit into this box",
            "use a larger box, or smaller or fewer balls",
        )
    first, speed = values.point("velocity"), values.number("speed")
    for k, place in enumerate(places):
        x, y, z = (a + speed * b for a, b in zip(first, sphere_direction(k + 1), strict=True))
        work.add_marker("ball", read_ball_spec(values, (x, y, z)), place)
    return IDENTITY_PLACEMENT
