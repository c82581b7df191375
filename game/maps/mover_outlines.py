"""Outlines of lifts and other movers on a plan."""

from __future__ import annotations

from collections.abc import Iterator

from ..level.build.entities.movers import LevelMover
from .floor_plans import Storey

HEADROOM = 0.5  # m above the top of a mover that must be in the storey


def mover_outlines(mover: LevelMover, storey: Storey) -> Iterator[list[tuple[float, float]]]:
    """The bounds of a mover at rest, as four corners (x, z) in m, for each of its stops in a storey."""
    corners = (mover.triangles if len(mover.triangles) else mover.drawn).reshape(-1, 3)
    if not len(corners):
        return
    for stop in mover.spec.path or ((0.0, 0.0, 0.0),):
        low, high = (corners.min(axis=0) + mover.at + stop).tolist(), (corners.max(axis=0) + mover.at + stop).tolist()
        if storey.low <= high[1] + HEADROOM < storey.high:
            yield [(low[0], low[2]), (high[0], low[2]), (high[0], high[2]), (low[0], high[2])]
