"""The wiki's sliding point: a sphere is moved, then set back once onto the plane that it got too near to.

A ray ahead picks the polygons (by their boxes, as its tree does); of those whose plane is nearer than the radius, with
the foot of the perpendicular inside, the nearest answers: the sphere is put to one radius from that plane.
The ground is followed by a ray straight down.
Its defects: one plane a tick, and nobody looks whether the new place is free, so a second wall lets it in; edges and
corners are never met; what it moves past within a tick is never seen; the test of the angles' sum accepts 6.28, less
than two pi; anything lower than its middle is climbed in one tick, and walls lower than the sphere are not there.

Here: the sphere is as broad as the walker and carried at the height of its middle; what is drawn and measured is as
tall as the walker and round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .reference_controller import Floats, MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, dot, length

INSIDE_ANGLE_SUM = 6.28  # as published: a little less than a turn


class SlidingSphereController(ReferenceController):
    """See the module. State in, command in, state out."""

    name = "sliding"
    title = "Sliding point"
    source = "seed 002, the engine wiki"
    body_turns = False

    @property
    def body(self) -> tuple[float, float, float]:
        """Round, and as tall as the walker."""
        radius, high, _ = self.settings.radii
        return radius, high, radius

    def resolve_move(self, faces: TriangleArrays, ask: MoveRequest) -> Floats:
        radius = ask.radii[0]
        place = ask.place + ask.wish_displacement
        ahead = float(length(ask.wish_displacement))
        if ahead > 0.0:
            end = ask.place + ask.wish_displacement * ((ahead + radius) / ahead)
            place = push_from_plane(
                faces, faces.near(np.minimum(ask.place, end), np.maximum(ask.place, end)), place, radius
            )
        ground = ground_below_point(faces, place)
        place = place + ask.gravity_displacement
        if ground is not None:
            place[1] = max(place[1], ground + ask.radii[1])
        return place


def push_from_plane(faces: TriangleArrays, near: Any, place: Floats, radius: float) -> Floats:
    """One radius away from the nearest plane that the sphere at `place` reaches into, or `place`."""
    if not len(near):
        return place
    normal = faces.normals[near].T
    corners = faces.corners[near]
    apart = dot(normal, place[:, None] - corners[:, 0].T)
    foot = place[:, None] - normal * apart
    met = (np.abs(apart) < radius) & is_inside_by_angles(foot, corners)
    if not met.any():
        return place
    best = int(np.argmin(np.where(met, np.abs(apart), np.inf)))
    side = 1.0 if apart[best] >= 0.0 else -1.0
    return np.asarray(foot[:, best] + side * radius * normal[:, best])


def is_inside_by_angles(p: Any, corners: Any) -> Any:
    """Whether the angles under which the corners are seen add up to a turn, or nearly: see FULL_ANGLE."""
    seen = []
    for k in range(3):
        to = corners[:, k].T - p
        seen.append(to / np.maximum(length(to), 1e-300))
    total = sum(np.arccos(np.clip(dot(seen[k], seen[(k + 1) % 3]), -1.0, 1.0)) for k in range(3))
    return np.asarray(total) >= INSIDE_ANGLE_SUM


def ground_below_point(faces: TriangleArrays, place: Floats) -> float | None:
    """Height of the first polygon on a ray straight down."""
    low = place.copy()
    low[1] = -np.inf
    near = faces.near(low, place)
    corners, normal = faces.corners[near], faces.normals[near]
    rise = normal[:, 1]
    upright = np.abs(rise) > 1e-9
    corners, normal, rise = corners[upright], normal[upright], rise[upright]
    if not len(corners):
        return None
    a = corners[:, 0]
    height = a[:, 1] - (normal[:, 0] * (place[0] - a[:, 0]) + normal[:, 2] * (place[2] - a[:, 2])) / rise
    foot = np.stack((np.full(len(a), place[0]), height, np.full(len(a), place[2])))
    hit = is_inside_by_angles(foot, corners) & (height <= place[1])
    return float(height[hit].max()) if hit.any() else None
