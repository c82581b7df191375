"""Curved patches of a .map file as triangles.

A patch (`patchDef2`, `patchDef3`) is a grid of control points with odd sides. Each 3 by 3 of them is a quadratic Bezier
surface. Source: the map format of Quake III Arena's q3map.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from ....core.vectors import Floats
from .map_parser import MAX_MAP_COORDINATE, Patch

MAX_SIDE = 31  # control points, as in the game
MAX_DEVIATION = 1.0  # unit (3 cm) between the surface and its triangles
MAX_SEGMENTS = 8  # of a curve between three control points
MIN_AREA = 1e-3  # square units: smaller triangles are left out, such as at the tip of a cone

_NUMBER = r"([-+]?[0-9.]{1,40}(?:[eE][-+]?[0-9]{1,3})?)"
_SIZE = re.compile(r"\s*(\S+)\s*\(\s*([0-9]{1,4})\s+([0-9]{1,4})(?:\s+[-+0-9.eE]{1,40}){3,5}\s*\)")
_CONTROL_POINT = re.compile(r"\(\s*" + r"\s+".join([_NUMBER] * 5) + r"\s*\)")


@dataclass(frozen=True, slots=True)
class PatchTriangles:
    """Triangles of a patch (N,3,3) in units, counter-clockwise seen from its front, and texture coordinates (N,3,2).
    count: N with those that are too small and left out."""

    corners: Floats
    uv: Floats
    count: int


def patch_triangles(patch: Patch) -> PatchTriangles | None:
    """The triangles of a patch; None where its text cannot be read."""
    grid = _control_points(patch.text)
    if grid is None:
        return None
    for axis in (0, 1):
        grid = _subdivide(np.moveaxis(grid, axis, 0))
        grid = np.moveaxis(grid, 0, axis)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    triangles = np.stack((a, b, c, a, c, d), axis=2).reshape(-1, 3, 5)
    corners = triangles[..., :3]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2.0
    return PatchTriangles(corners[area > MIN_AREA], triangles[area > MIN_AREA, :, 3:], len(triangles))


def patch_texture(patch: Patch) -> str:
    """The name of its texture."""
    return patch.text.split(maxsplit=1)[0].strip('"')[:100] if patch.text.strip() else ""


def _control_points(text: str) -> Floats | None:
    """(width, height, 5): points and texture coordinates of the control points."""
    size = _SIZE.match(text)
    if size is None:
        return None
    width, height = int(size[2]), int(size[3])
    sides = width % 2 == height % 2 == 1 and min(width, height) >= 3 and max(width, height) <= MAX_SIDE
    found = _CONTROL_POINT.findall(text, size.end()) if sides else []
    if not sides or len(found) != width * height:
        return None
    try:
        points = np.array(found, np.float64).reshape(width, height, 5)
    except ValueError:
        return None
    return points if np.isfinite(points).all() and (np.abs(points) <= MAX_MAP_COORDINATE).all() else None


def _subdivide(grid: Floats) -> Floats:
    """The grid with points on its curves in place of control points, along the first axis."""
    first, middle, last = grid[:-2:2], grid[1:-1:2], grid[2::2]
    bend = np.linalg.norm((2.0 * middle - first - last)[..., :3], axis=-1).max() / 4.0
    count = min(MAX_SEGMENTS, 2 ** math.ceil(math.log2(max(1.0, math.sqrt(bend / MAX_DEVIATION)))))
    t = (np.arange(count) / count)[:, None, None]
    curves = [(1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c for a, b, c in zip(first, middle, last, strict=True)]
    return np.concatenate([*curves, grid[-1:]])
