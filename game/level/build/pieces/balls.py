"""Balls, one by one and by the box."""

from __future__ import annotations

import numpy as np

from ..entities.balls import place_balls_in_box, read_ball_spec, sphere_direction
from .piece_builder import IDENTITY_PLACEMENT, PieceBuilder, Placement


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
        work.reject_piece("count", f"{count} balls of {radius:g} m radius do not fit into this box",
                    "use a larger box, or smaller or fewer balls")  # fmt: skip
    first, speed = values.point("velocity"), values.number("speed")
    for k, place in enumerate(places):
        x, y, z = (a + speed * b for a, b in zip(first, sphere_direction(k + 1), strict=True))
        work.add_marker("ball", read_ball_spec(values, (x, y, z)), place)
    return IDENTITY_PLACEMENT
