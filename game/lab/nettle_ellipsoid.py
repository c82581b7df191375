"""Ellipsoid against polygons in world space, after Nettle.

Source: Paul Nettle, "General Collision Detection for Games Using Ellipsoids", 2000.

Gravity is added to the wished displacement. For each polygon in the swept box, the method takes the point at which the
ellipsoid meets the polygon's *plane*, then the closest point of the polygon, and casts a ray from there back along the
motion to the ellipsoid. The body slides on the plane through that point perpendicular to the line to its centre, and
repeats. Defects: the normal of an ellipsoid is taken to pass through its centre, which holds for a sphere only, so the
body slides too high or too low and sinks into slopes; the closest point to the plane hit is not the first contact with
an edge, so the body cuts corners; it backs off along the motion; it does not turn; planes are one-sided.

The article leaves open, and this module chooses: an epsilon of 1 mm, at most 24 slides, no friction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.vectors import Floats
from .reference_controller import MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, dot, is_inside_by_edges, length, nearest_on_outline

CONTACT_EPSILON = 1e-3  # m
MAX_SLIDES = 24


class NettleController(ReferenceController):
    """Nettle's method."""

    name = "article"
    title = "2000 article"
    source = 'Nettle, "General Collision Detection for Games Using Ellipsoids", 2000'
    body_turns = False

    def resolve_move(self, faces: TriangleArrays, request: MoveRequest) -> Floats:
        centre: Floats
        centre = request.centre.copy()
        displacement = request.wish_displacement + request.gravity_displacement
        radii = np.array(request.radii)
        for _ in range(MAX_SLIDES):
            size = float(length(displacement))
            if not size >= CONTACT_EPSILON:
                return centre
            candidates = faces.overlapping_sweep(centre, displacement, radii)
            hit = _first_hit(faces, candidates, centre, displacement / size, size, radii)
            if hit is None:
                return np.asarray(centre + displacement)
            distance, point = hit
            target = centre + displacement
            centre = centre + displacement / size * (distance - CONTACT_EPSILON)
            to_contact = point - centre
            square = float(dot(to_contact, to_contact))
            if square == 0.0:
                return centre
            target = target - to_contact * (dot(target - point, to_contact) / square)
            displacement = target - point
        return centre


def _first_hit(
    faces: TriangleArrays, candidates: Any, centre: Floats, direction: Floats, max_distance: float, radii: Floats
) -> Any:
    """(distance, point of the polygon) of the first contact within max_distance (m) along a unit vector, or None."""
    if not len(candidates):
        return None
    corners = faces.corners[candidates]
    a, b, c = corners[:, 0].T, corners[:, 1].T, corners[:, 2].T
    normal = faces.normals[candidates].T
    c0 = centre[:, None]
    v = direction[:, None]
    approach = dot(normal, v)
    plane_distance = dot(normal, c0 - a)
    radius = length(normal * radii[:, None])
    embedded = np.abs(plane_distance) <= radius
    lowest_point = c0 - normal * radius
    t = -dot(normal, lowest_point - a) / approach
    on_plane = np.where(embedded, c0 - normal * plane_distance, lowest_point + v * t)
    point = np.where(is_inside_by_edges(on_plane, a, b, c, normal), on_plane, nearest_on_outline(on_plane, a, b, c))
    # ray from the point against the motion to the ellipsoid, which is the unit sphere after division by the radii
    to_centre, back = (c0 - point) / radii[:, None], -v / radii[:, None]
    speed = length(back)
    back = back / speed
    along = dot(to_centre, back)
    discriminant = 1.0 - (dot(to_centre, to_centre) - along * along)
    distance = np.where(discriminant < 0.0, np.nan, along - np.sqrt(np.maximum(discriminant, 0.0))) / speed
    hit = (distance >= 0.0) & (distance <= max_distance) & (approach <= 0.0)
    if not hit.any():
        return None
    best = int(np.argmin(np.where(hit, distance, np.inf)))
    return float(distance[best]), point[:, best]
