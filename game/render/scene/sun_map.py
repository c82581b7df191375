"""The sun's map of the level: fitted closely, drawn once."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from pyrr import matrix44

from ..camera import Array, Vector
from .render_mesh import Floats

PENUMBRA_RADIUS = 0.07  # metres: the sun's half degree a few metres behind an edge
LOWEST_CASTER_MARGIN = 0.02  # metres above the lowest corner below which a level triangle throws no shadow on anything
ORIENTATION_STEPS = 24  # directions tried for the map's sides


@dataclass(frozen=True, slots=True)
class SunProjection:
    """world_to_clip and world_to_map (row vectors; the latter to 0..1) and metres that a side spans."""

    world_to_clip: Array
    world_to_map: Array
    map_width: float


def fit_sun_projection(triangles: Floats, to_sun: Vector) -> SunProjection:
    """The smallest square along the sun's light that holds whatever of (N, 3, 3) can throw a shadow."""
    forward = -np.asarray(to_sun)
    side = np.cross(forward, (0.0, 1.0, 0.0) if abs(forward[1]) < 0.99 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    above = np.cross(side, forward)
    corners = triangles.reshape(-1, 3) if len(triangles) else np.zeros((1, 3))
    high = (
        triangles[:, :, 1].max(axis=1) > corners[:, 1].min() + LOWEST_CASTER_MARGIN
        if len(triangles)
        else np.zeros(0, bool)
    )
    casters = triangles[high].reshape(-1, 3) if high.any() else corners
    flat = _outer_points(np.stack((casters @ side, casters @ above)))
    angles = np.arange(ORIENTATION_STEPS) * (math.pi / 2 / ORIENTATION_STEPS)
    sides = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    first, second = sides @ flat, np.stack((-sides[:, 1], sides[:, 0]), axis=1) @ flat
    spans = np.maximum(np.ptp(first, axis=1), np.ptp(second, axis=1))
    best = int(spans.argmin())
    span = float(spans[best]) * 1.02 + 0.2
    x = side * sides[best, 0] + above * sides[best, 1]
    y = above * sides[best, 0] - side * sides[best, 1]
    middle = np.array(((np.ptp(first[best]) / 2 + first[best].min()), 0.0, 0.0))
    middle[1] = np.ptp(second[best]) / 2 + second[best].min()
    depths = corners @ forward
    turn = np.eye(4)
    turn[:3, :3] = np.column_stack((x, y, -forward))
    move = matrix44.create_from_translation(np.array((-middle[0], -middle[1], 0.0)))
    half = span / 2
    project = matrix44.create_orthogonal_projection(
        -half, half, -half, half, float(depths.min()) - 1.0, float(depths.max()) + 1.0, dtype="f8"
    )
    clip = matrix44.multiply(matrix44.multiply(turn, move), project)
    to_unit = matrix44.multiply(
        matrix44.create_from_scale(np.full(3, 0.5), dtype="f8"),
        matrix44.create_from_translation(np.full(3, 0.5), dtype="f8"),
    )
    return SunProjection(np.asarray(clip), np.asarray(matrix44.multiply(clip, to_unit)), span)


def _outer_points(points: Array) -> Array:
    """Those of the points (2, N) that may be the furthest some way: not inside the polygon of eight such points."""
    angles = np.arange(8) * (math.pi / 4)
    furthest = (np.stack((np.cos(angles), np.sin(angles)), axis=1) @ points).argmax(axis=1)
    inside = np.ones(points.shape[1], bool)
    for start, end in itertools.pairwise(points[:, [*furthest, furthest[0]]].T):
        along, across = end - start
        if along or across:
            inside &= along * (points[1] - start[1]) > across * (points[0] - start[0])
    inside[furthest] = False
    return points[:, ~inside]
