"""Height of what carries a body: the surface or the edge that it rests on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.angles import RADIANS_PER_HEADING_UNIT
from ...physics import WalkerSettings

TOUCHING_SKINS = 1.5  # a body touches what lies within so many skins


def touching_reach(radii: Any, settings: WalkerSettings) -> float:
    """Largest distance (m) from the centre of a body with these radii (3,) to what it touches."""
    return float(radii.max()) * (1.0 + TOUCHING_SKINS * settings.skin)


def carrying_height(state: Any, triangles: Any, settings: WalkerSettings, after: bool) -> float:
    """Height (m, frame of the body) of what carries a body: the highest walkable feature that it rests on.

    Without one it rides on edges: on the highest within the step height of its feet before a tick, on the lowest
    after one, or where all are higher. The height of its feet if it touches nothing walkable.
    """
    radii = state["radii"]
    position = state["position"]
    feet = float(position[1] - radii[1])
    angle = state["heading"] * RADIANS_PER_HEADING_UNIT
    s, c = math.sin(angle), math.cos(angle)
    local = triangles - position
    reach = touching_reach(radii, settings)
    near = ((local.min(axis=1) <= reach) & (local.max(axis=1) >= -reach)).all(axis=1)
    local = local[near]
    normals = np.cross(local[:, 1] - local[:, 0], local[:, 2] - local[:, 0])
    upward = np.abs(normals[:, 1]) / np.linalg.norm(normals, axis=1)
    steepest = math.cos(math.radians(settings.max_slope)) - 1e-6
    scaled = np.stack((c * local[..., 0] - s * local[..., 2], local[..., 1], s * local[..., 0] + c * local[..., 2]), -1)
    scaled = scaled[upward >= steepest] / radii
    resting = []
    riding = []
    for triangle in scaled:
        point = closest_point(triangle)
        if np.linalg.norm(point) > 1.0 + TOUCHING_SKINS * settings.skin:
            continue
        gradient = -point / radii
        lean = gradient[1] / np.linalg.norm(gradient)
        height = float(point[1] * radii[1] + position[1])
        if lean >= steepest:
            resting.append(height)
        elif lean > 0.0:
            riding.append(height)
    if resting:
        return max(resting)
    low = [h for h in riding if not after and h <= feet + settings.step_height + 0.03]
    return max(low) if low else min(riding, default=feet)


def closest_point(triangle: Any) -> Any:
    """Point of a triangle (3, 3) nearest to the origin."""
    edges = triangle[[1, 2, 0]] - triangle
    normal = np.cross(edges[0], edges[1])
    normal = normal / np.linalg.norm(normal)
    foot = normal * (triangle[0] @ normal)
    if (_dot_product(np.cross(edges, foot - triangle), normal) >= 0.0).all():
        return foot
    u = np.clip(-_dot_product(triangle, edges) / _dot_product(edges, edges), 0.0, 1.0)
    points = triangle + u[:, None] * edges
    return points[np.argmin(_dot_product(points, points))]


def _dot_product(a: Any, b: Any) -> Any:
    return np.einsum("...k,...k->...", a, b)
