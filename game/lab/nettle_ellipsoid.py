"""The 2000 article's method ("General Collision Detection for Games Using Ellipsoids"), all in the world's space.

Gravity is added to the wish; of each polygon within the box round the way the point is taken where the ellipsoid
would meet its *plane*, from that the nearest point of the polygon, and from there a ray back along the way tells when
the ellipsoid touches it. Then it slides on the plane through that point across the line to the body's middle, again and
again. Its defects: the normal of an ellipsoid is taken to pass through its middle (only a sphere's does), so it slides
too high or too low and sinks into slopes; the point of the polygon nearest to the plane's hit is not what an edge meets
first, so it cuts corners; it moves back by its epsilon along the motion; the ellipsoid does not turn; planes are
one-sided.

What the article leaves open, as it is here: its epsilon is 1 mm; its recursion without end stops after 24 rounds; its
friction is left at none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .reference_controller import Floats, MoveRequest, ReferenceController
from .triangle_arrays import TriangleArrays, dot, is_inside_by_edges, length, nearest_on_outline

CONTACT_EPSILON = 1e-3  # m
MAX_SLIDES = 24


class NettleController(ReferenceController):
    """See the module. State in, command in, state out."""

    name = "article"
    title = "2000 article"
    source = "seed 001, the 2000 article"
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
    """Distance to the nearest touch within `size` and the polygon's point; or None."""
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
    # back from there, against the way, to the ellipsoid: a unit sphere where all is divided by the radii
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
