"""Sliding point for a sphere: one push-out to the nearest plane.

Source: an engine's wiki, "Collision detection" (bounding volumes, ray against polygon, AABB tree, sliding point).

A ray ahead selects the polygons by their boxes. Among those whose plane is nearer than the radius, with the foot of the
perpendicular inside the polygon, the nearest one pushes the sphere to one radius from its plane. A ray straight down
finds the ground. Defects: one plane a tick, and no test of the new position, so a second wall lets the sphere in; edges
and corners are never hit; fast motion tunnels; the angle-sum test accepts 6.28, less than two pi; anything lower than
the centre is climbed in one tick, and walls lower than the sphere do not exist.

Differences here: the sphere has the walker's radius and its centre the height of the walker's centre; the body that is
drawn and measured is as tall as the walker, and round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.vectors import Floats
from .reference_controller import MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, dot, length

INSIDE_ANGLE_SUM = 6.28  # as published: a little less than a turn


class SlidingSphereController(ReferenceController):
    """The wiki's sliding point."""

    name = "sliding"
    title = "Sliding point"
    source = '"Collision detection", an engine wiki'
    body_turns = False

    @property
    def body(self) -> tuple[float, float, float]:
        """A round body, as tall as the walker."""
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
    """The centre, pushed to one radius from the nearest plane that the sphere at `place` penetrates; else `place`."""
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
    """Point-in-triangle test: whether the angles between the directions to the corners add up to INSIDE_ANGLE_SUM."""
    seen = []
    for k in range(3):
        to = corners[:, k].T - p
        seen.append(to / np.maximum(length(to), 1e-300))
    total = sum(np.arccos(np.clip(dot(seen[k], seen[(k + 1) % 3]), -1.0, 1.0)) for k in range(3))
    return np.asarray(total) >= INSIDE_ANGLE_SUM


def ground_below_point(faces: TriangleArrays, place: Floats) -> float | None:
    """Height (m) of the first polygon on a ray straight down, or None."""
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
