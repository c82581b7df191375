"""Pieces that are points: light, target, exhibit, ball, box of balls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...geometry.faces import LampSpec, TargetSpec
from ..entities.balls import place_balls_in_box, read_ball_spec, sphere_directions
from ..entities.point_entities import ExhibitSpec
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, Placement


def build_light(builder: PieceBuilder) -> Placement:
    """Marker of a point light."""
    values = builder.values
    builder.add_marker(
        "light",
        LampSpec(values.colour("colour"), values.number("brightness"), values.number("reach"), values.flag("visible")),
    )
    return 0.0, values.point("at")


def build_target(builder: PieceBuilder) -> Placement:
    """Marker of a target."""
    values = builder.values
    builder.add_marker("target", TargetSpec(values.number("radius"), values.text("name"), values.flag("visible")))
    return 0.0, values.point("at")


def build_exhibit(builder: PieceBuilder) -> Placement:
    """Marker of an exhibit of the collision lab."""
    values = builder.values
    builder.add_marker("exhibit", ExhibitSpec(values.text("show")))
    return values.number("facing"), values.point("at")


def build_ball(builder: PieceBuilder) -> Placement:
    """Marker of one ball."""
    values = builder.values
    builder.add_marker("ball", read_ball_spec(values, values.point("velocity")))
    return 0.0, values.point("at")


def build_balls(builder: PieceBuilder) -> Placement:
    """Markers of evenly spaced balls in a box."""
    values = builder.values
    low = np.minimum(values.point("from"), values.point("to"))
    high = np.maximum(values.point("from"), values.point("to"))
    count = values.integer("count")
    radius = values.number("radius")
    places = place_balls_in_box(low.tolist(), high.tolist(), count, radius)
    if places is None:
        builder.reject_piece(
            "count",
            f"{count} balls of {radius:g} m radius do not fit into this box",
            "use a larger box, or smaller or fewer balls",
        )
    ball = read_ball_spec(values, values.point("velocity"))
    velocities = np.array(ball.velocity) + values.number("speed") * sphere_directions(count)
    for place, (x, y, z) in zip(places.tolist(), velocities.tolist(), strict=True):
        builder.add_marker("ball", replace(ball, velocity=(x, y, z)), place)
    return IDENTITY_PLACEMENT
