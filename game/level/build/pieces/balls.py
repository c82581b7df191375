"""Balls, one by one and by the box."""

from __future__ import annotations

import numpy as np

from ..entities.balls import lying, spread, way
from .piece_builder import STILL, Placement, Workbench


def ball(work: Workbench) -> Placement:
    """One ball."""
    values = work.values
    work.mark("ball", lying(values, values.point("velocity")))
    return 0.0, values.point("at")


def balls(work: Workbench) -> Placement:
    """A box full of them."""
    values = work.values
    low = np.minimum(values.point("from"), values.point("to"))
    high = np.maximum(values.point("from"), values.point("to"))
    count, radius = values.integer("count"), values.number("radius")
    places = spread(low.tolist(), high.tolist(), count, radius)
    if places is None:
        work.refuse("count", f"{count} balls of {radius:g} m do not fit into this box",
                    "make the box larger, or the balls smaller or fewer")  # fmt: skip
    first, speed = values.point("velocity"), values.number("speed")
    for k, place in enumerate(places):
        x, y, z = (a + speed * b for a, b in zip(first, way(k + 1), strict=True))
        work.mark("ball", lying(values, (x, y, z)), place)
    return STILL
