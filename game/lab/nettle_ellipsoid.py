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

    def resolve_move(self, faces: TriangleArrays, ask: MoveRequest) -> Floats:
        place: Floats
        place, way = ask.place.copy(), ask.wish_displacement + ask.gravity_displacement
        radii = np.array(ask.radii)
        for _ in range(MAX_SLIDES):
            size = float(length(way))
            if not size >= CONTACT_EPSILON:
                return place
            near = faces.near_sweep(place, way, radii)
            found = _first_hit(faces, near, place, way / size, size, radii)
            if found is None:
                return np.asarray(place + way)
            distance, point = found
            goal = place + way
            place = place + way / size * (distance - CONTACT_EPSILON)
            across = point - place
            square = float(dot(across, across))
            if square == 0.0:
                return place
            goal = goal - across * (dot(goal - point, across) / square)
            way = goal - point
        return place


def _first_hit(faces: TriangleArrays, near: Any, place: Floats, ahead: Floats, size: float, radii: Floats) -> Any:
    """(distance, point of the polygon) of the first contact within `size` m along the unit vector `ahead`, or None."""
    if not len(near):
        return None
    corners = faces.corners[near]
    a, b, c = corners[:, 0].T, corners[:, 1].T, corners[:, 2].T
    normal = faces.normals[near].T
    middle, v = place[:, None], ahead[:, None]
    towards = dot(normal, v)
    apart = dot(normal, middle - a)
    radius = length(normal * radii[:, None])
    embedded = np.abs(apart) <= radius
    lowest = middle - normal * radius
    away = -dot(normal, lowest - a) / towards
    on_plane = np.where(embedded, middle - normal * apart, lowest + v * away)
    point = np.where(is_inside_by_edges(on_plane, a, b, c, normal), on_plane, nearest_on_outline(on_plane, a, b, c))
    # ray from the point against the motion to the ellipsoid, which is the unit sphere after division by the radii
    to, back = (middle - point) / radii[:, None], -v / radii[:, None]
    speed = length(back)
    back = back / speed
    along = dot(to, back)
    under = 1.0 - (dot(to, to) - along * along)
    distance = np.where(under < 0.0, np.nan, along - np.sqrt(np.maximum(under, 0.0))) / speed
    hit = (distance >= 0.0) & (distance <= size) & (towards <= 0.0)
    if not hit.any():
        return None
    best = int(np.argmin(np.where(hit, distance, np.inf)))
    return float(distance[best]), point[:, best]
