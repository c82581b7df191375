"""Projection of the sun's shadow map: orthographic, fitted tightly to the shadow casters of the level.

passes/shadows.py draws the map.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from pyrr import matrix44

from ...core.vectors import Floats, Vector
from ..camera import Array

PENUMBRA_RADIUS = 0.07  # metres: angular diameter of the sun of 0.5 degrees, a few metres behind an edge
LOWEST_CASTER_MARGIN = 0.02  # metres above the lowest vertex; horizontal triangles below it cast no visible shadow
NEAR_CASTERS = 6.0  # metres around all that collides; what stands farther off has no texels of its own
NEAR_WIDTH = 60.0  # metres along the near map
NEAR_LEAST = 80.0  # metres along the map of the level; a wider one has a near map beside it
NEAR_AHEAD = 8.0  # metres from the eye to the point around which the near map is drawn
NEAR_SLACK = 12.0  # metres that this point may leave the middle of the map before the map is drawn again
ORIENTATION_STEPS = 24  # tried rotations about the light axis within a quarter turn


@dataclass(frozen=True, slots=True)
class ShadowProjection:
    """Orthographic projection of the shadow map, for row vectors.

    world_to_clip: (4, 4). world_to_map: (4, 4), to 0..1 and depth. map_width: metres along a side.
    """

    world_to_clip: Array
    world_to_map: Array
    map_width: float

    def part_to_clip(self, scale: Floats, offset: Floats) -> Array:
        """World to clip space (4, 4) of the part of the map whose positions times scale (3,) plus offset are 0..1."""
        matrix = np.array(self.world_to_map)
        matrix[:, :3] = matrix[:, :3] * scale + np.outer(matrix[:, 3], offset)
        matrix[:, :3] = 2.0 * matrix[:, :3] - matrix[:, 3:]
        return matrix


def near_map_offset(fit: ShadowProjection, size: int, focus: Floats, last: Array | None) -> Array:
    """Offset (2,) of the near map: a position in the map of the level times map_width / NEAR_WIDTH, plus this, is 0..1.

    size: texels along a side. focus: (3,), point in the world that the map surrounds. last: present offset, which stays
    while the focus is within NEAR_SLACK of its middle. The offset is a number of whole texels, so that a texel keeps
    its place in the world and edges of shadows do not shimmer.
    """
    middle = (np.append(focus, 1.0) @ fit.world_to_map)[:2]
    offset = 0.5 - middle * (fit.map_width / NEAR_WIDTH)
    if last is not None and np.abs(offset - last).max() <= NEAR_SLACK / NEAR_WIDTH:
        return last
    return np.asarray(np.rint(offset * size) / size)


def fit_shadow_map(
    triangles: Floats, to_sun: Vector, solid_bounds: tuple[Vector, Vector] | None = None
) -> ShadowProjection:
    """Fit the shadow map: smallest square along the light direction that contains all shadow casters of (N, 3, 3).

    solid_bounds: of what collides; casters beyond NEAR_CASTERS around it are left out, so that a backdrop does not
    coarsen the shadows of the level. The rotation about the light axis is the best of ORIENTATION_STEPS tried ones.
    Depth covers all triangles, casters or not. The square gets a margin of 2 % plus 0.2 m.
    """
    forward = -np.asarray(to_sun)
    side = np.cross(forward, (0.0, 1.0, 0.0) if abs(forward[1]) < 0.99 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    above = np.cross(side, forward)
    corners = triangles.reshape(-1, 3) if len(triangles) else np.zeros((1, 3))
    can_cast = (
        triangles[:, :, 1].max(axis=1) > corners[:, 1].min() + LOWEST_CASTER_MARGIN
        if len(triangles)
        else np.zeros(0, bool)
    )
    if solid_bounds is not None:
        low, high = np.subtract(solid_bounds[0], NEAR_CASTERS), np.add(solid_bounds[1], NEAR_CASTERS)
        can_cast &= ((triangles.max(axis=1) >= low) & (triangles.min(axis=1) <= high)).all(axis=1)
    casters = triangles[can_cast].reshape(-1, 3) if can_cast.any() else corners
    outline = _outer_points(np.stack((casters @ side, casters @ above)))
    angles = np.arange(ORIENTATION_STEPS) * (math.pi / 2 / ORIENTATION_STEPS)
    sides = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    first, second = sides @ outline, np.stack((-sides[:, 1], sides[:, 0]), axis=1) @ outline
    widths = np.maximum(np.ptp(first, axis=1), np.ptp(second, axis=1))
    best = int(widths.argmin())
    width = float(widths[best]) * 1.02 + 0.2
    x = side * sides[best, 0] + above * sides[best, 1]
    y = above * sides[best, 0] - side * sides[best, 1]
    centre = np.array(((np.ptp(first[best]) / 2 + first[best].min()), 0.0, 0.0))
    centre[1] = np.ptp(second[best]) / 2 + second[best].min()
    depths = corners @ forward
    rotation = np.eye(4)
    rotation[:3, :3] = np.column_stack((x, y, -forward))
    translation = matrix44.create_from_translation(np.array((-centre[0], -centre[1], 0.0)))
    half_width = width / 2
    projection = matrix44.create_orthogonal_projection(
        -half_width,
        half_width,
        -half_width,
        half_width,
        float(depths.min()) - 1.0,
        float(depths.max()) + 1.0,
        dtype="f8",
    )
    clip = matrix44.multiply(matrix44.multiply(rotation, translation), projection)
    to_unit = matrix44.multiply(
        matrix44.create_from_scale(np.full(3, 0.5), dtype="f8"),
        matrix44.create_from_translation(np.full(3, 0.5), dtype="f8"),
    )
    return ShadowProjection(np.asarray(clip), np.asarray(matrix44.multiply(clip, to_unit)), width)


def _outer_points(points: Array) -> Array:
    """Points (2, N) that can be extreme in some direction: all but those inside the octagon of eight extreme points."""
    angles = np.arange(8) * (math.pi / 4)
    extreme = (np.stack((np.cos(angles), np.sin(angles)), axis=1) @ points).argmax(axis=1)
    inside = np.ones(points.shape[1], bool)
    for start, end in itertools.pairwise(points[:, [*extreme, extreme[0]]].T):
        along, across = end - start
        if along or across:
            inside &= along * (points[1] - start[1]) > across * (points[0] - start[0])
    inside[extreme] = False
    return points[:, ~inside]
