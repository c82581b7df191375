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

    def resolve_move(self, faces: TriangleArrays, request: MoveRequest) -> Floats:
        radius = request.radii[0]
        centre = request.centre + request.wish_displacement
        step_length = float(length(request.wish_displacement))
        if step_length > 0.0:
            end = request.centre + request.wish_displacement * ((step_length + radius) / step_length)
            centre = push_from_plane(
                faces,
                faces.overlapping_box(np.minimum(request.centre, end), np.maximum(request.centre, end)),
                centre,
                radius,
            )
        ground = ground_below_point(faces, centre)
        centre = centre + request.gravity_displacement
        if ground is not None:
            centre[1] = max(centre[1], ground + request.radii[1])
        return centre


def push_from_plane(faces: TriangleArrays, candidates: Any, centre: Floats, radius: float) -> Floats:
    """The centre, pushed to one radius from the nearest plane that the sphere penetrates; else unchanged."""
    if not len(candidates):
        return centre
    normal = faces.normals[candidates].T
    corners = faces.corners[candidates]
    plane_distance = dot(normal, centre[:, None] - corners[:, 0].T)
    foot = centre[:, None] - normal * plane_distance
    penetrates = (np.abs(plane_distance) < radius) & is_inside_by_angles(foot, corners)
    if not penetrates.any():
        return centre
    best = int(np.argmin(np.where(penetrates, np.abs(plane_distance), np.inf)))
    side = 1.0 if plane_distance[best] >= 0.0 else -1.0
    return np.asarray(foot[:, best] + side * radius * normal[:, best])


def is_inside_by_angles(p: Any, corners: Any) -> Any:
    """Point-in-triangle test: whether the angles between the directions to the corners add up to INSIDE_ANGLE_SUM."""
    directions = []
    for k in range(3):
        offset = corners[:, k].T - p
        directions.append(offset / np.maximum(length(offset), 1e-300))
    total = sum(np.arccos(np.clip(dot(directions[k], directions[(k + 1) % 3]), -1.0, 1.0)) for k in range(3))
    return np.asarray(total) >= INSIDE_ANGLE_SUM


def ground_below_point(faces: TriangleArrays, point: Floats) -> float | None:
    """Height (m) of the first polygon on a ray straight down, or None."""
    low = point.copy()
    low[1] = -np.inf
    candidates = faces.overlapping_box(low, point)
    corners = faces.corners[candidates]
    normal = faces.normals[candidates]
    normal_y = normal[:, 1]
    is_hit_from_above = np.abs(normal_y) > 1e-9
    corners, normal, normal_y = corners[is_hit_from_above], normal[is_hit_from_above], normal_y[is_hit_from_above]
    if not len(corners):
        return None
    a = corners[:, 0]
    height = a[:, 1] - (normal[:, 0] * (point[0] - a[:, 0]) + normal[:, 2] * (point[2] - a[:, 2])) / normal_y
    foot = np.stack((np.full(len(a), point[0]), height, np.full(len(a), point[2])))
    hit = is_inside_by_angles(foot, corners) & (height <= point[1])
    return float(height[hit].max()) if hit.any() else None
