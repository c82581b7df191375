"""Boxes of zones in the editor: where a ray meets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....core.vectors import Floats

if TYPE_CHECKING:
    from ....level.build.entities.zones import LevelZone


def ray_box(zone: LevelZone, eye: Floats, direction: Floats) -> tuple[float, Floats] | None:
    """(distance in m, unit normal towards the eye) of the side that a ray enters, or leaves from inside; None without
    one (slab test)."""
    axes = zone.axes
    half = np.asarray(zone.half)
    start = axes @ (eye - np.asarray(zone.centre))
    along = axes @ direction
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (-half - start) / along, (half - start) / along
    first, last = np.minimum(first, last), np.maximum(first, last)
    if (np.isnan(first) & (np.abs(start) > half)).any() or np.nanmax(first) > np.nanmin(last) or np.nanmin(last) < 0.0:
        return None
    is_inside = bool((np.abs(start) < half).all())
    axis = int(np.nanargmin(last)) if is_inside else int(np.nanargmax(first))
    distance = float(last[axis] if is_inside else first[axis])
    return distance, axes[axis] * -np.sign(along[axis])


def side_corners(zone: LevelZone, point: Floats) -> Floats:
    """Corners (4, 3) of the side of a box that a point (m) is on."""
    axes = zone.axes
    half = np.asarray(zone.half)
    own = axes @ (point - np.asarray(zone.centre))
    axis = int(np.argmin(np.abs(np.abs(own) - half)))
    first, second = (axis + 1) % 3, (axis + 2) % 3
    corners = np.zeros((4, 3))
    corners[:, axis] = np.copysign(half[axis], own[axis])
    corners[:, first] = half[first] * np.array((-1.0, 1.0, 1.0, -1.0))
    corners[:, second] = half[second] * np.array((-1.0, -1.0, 1.0, 1.0))
    placed: Floats = corners @ axes + np.asarray(zone.centre)
    return placed
