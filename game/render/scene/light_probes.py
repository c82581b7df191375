"""Light probes: ambient light of what moves, baked with the lightmap on a regular grid of points.

Each probe is an ambient cube: the light on its six faces +x, -x, +y, -y, +z, -z. The light on a normal n is the sum of
the three faces towards n, weighted by the squares of n (Mitchell, McTaggart and Green: "Shading in Valve's Source
Engine", SIGGRAPH 2006). Each face also has the distance to the nearest surface in its direction, so that no light goes
through a wall: `ambient` in shaders/include/ambient.glsl. No GL.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.vectors import Flags, Floats, Vector
from ..gl.programs import SHADER_CONSTANTS

Floats32 = npt.NDArray[np.float32]
Floats16 = npt.NDArray[np.float16]

SPACING = 1.5  # metres between probes, where they are not too many
TEXELS_PER_PROBE = 64  # of the lightmap, at least: a larger level has a coarser grid
MAX_ALONG_AXIS = 128  # probes; twelve faces then fit into the side of a texture of 2048
RAY_SHARE = 0.07  # of the rays of the lightmap, for all probes together
MIN_RAYS, MAX_RAYS = 32, 256  # of a probe
MAX_BACKFACE_FRACTION = 0.25  # of the rays; a probe with more hits on back faces is in a solid or below the ground
FARTHEST_WALL = SHADER_CONSTANTS["PROBE_FARTHEST_WALL"]
MIN_DISTANCE = 0.02  # spacings: smallest distance to a surface
WALL_TOLERANCE = 0.03  # spacings by which a place may be in a wall and still count as before it
FILL_ROUNDS = 4  # spacings into a solid to which the light before it spreads
SMOOTHING = 0.3  # weight of a neighbour in sight, which traced other rays
SMOOTHED_CONTRAST = 0.4  # relative difference of light at which this weight is 0
PROBE_CONSTANTS = (  # of the key of baked light
    SPACING, TEXELS_PER_PROBE, MAX_ALONG_AXIS, RAY_SHARE, MIN_RAYS, MAX_RAYS, MAX_BACKFACE_FRACTION, FARTHEST_WALL,
    MIN_DISTANCE, WALL_TOLERANCE, FILL_ROUNDS, SMOOTHING, SMOOTHED_CONTRAST,
)  # fmt: skip
FACES = 6


@dataclass(frozen=True, slots=True)
class ProbeGrid:
    """Grid of probes. origin: of the first, metres. spacing: metres. counts: along x, y and z."""

    origin: Vector
    spacing: float
    counts: tuple[int, int, int]

    @property
    def points(self) -> Floats32:
        """Rows (P, 4) of the probes, x fastest and z slowest: metres, and 1 to 27 by their place in a 3x3x3 block."""
        z, y, x = np.indices(self.counts[::-1]).reshape(3, -1)
        at = np.array(self.origin) + self.spacing * np.stack((x, y, z), axis=1)
        return np.column_stack((at, 1 + x % 3 + 3 * (y % 3) + 9 * (z % 3))).astype(np.float32)

    def ray_count(self, lightmap_rays: int) -> int:
        """Rays of each probe beside so many of the lightmap."""
        return int(min(max(RAY_SHARE * lightmap_rays / math.prod(self.counts), MIN_RAYS), MAX_RAYS))


@dataclass(frozen=True, slots=True, eq=False)
class LightProbes:
    """Baked probes. cubes: (nz, faces, ny, nx, 4) light and 1 / distance^2 to a surface in spacings.

    Between probes the inverse square leans towards the nearer surface: a wall ends too far off rather than too near.

    faces: 6, or 12 in a level with lamps: without the direct light of lamps, and with it.
    """

    grid: ProbeGrid
    cubes: Floats16

    def light_on(self, points: Floats32, normals: Floats32) -> Floats32:
        """Light (n, 3), with that of lamps, at points (n, 3) on surfaces with normals (n, 3); walls are not heeded."""
        last = np.array(self.grid.counts) - 1
        place = np.clip((points - np.array(self.grid.origin)) / self.grid.spacing, 0.0, last)
        low = np.floor(place).astype(np.int64)
        faces = self.cubes.shape[1] - FACES + 2 * np.arange(3) + (normals < 0.0)
        light = np.zeros((len(points), 3), np.float32)
        for corner in itertools.product((0, 1), repeat=3):
            x, y, z = np.minimum(low + corner, last).T
            weight = np.prod(1.0 - np.abs(place - low - corner), axis=1)
            for axis in range(3):
                share = (weight * normals[:, axis] ** 2).astype(np.float32)
                light += share[:, None] * self.cubes[z, faces[:, axis], y, x, :3]
        return light


def fit_grid(low: Floats, high: Floats, limit: int) -> ProbeGrid:
    """Grid of at most `limit` probes around the box between two corners (3,), in its middle."""
    spacing = SPACING
    size = np.maximum(high - low, 0.0)
    while (counts := np.ceil(size / spacing).astype(int) + 1).prod() > limit or counts.max() > MAX_ALONG_AXIS:
        spacing *= 1.02
    x, y, z = ((low + high - spacing * (counts - 1)) / 2.0).tolist()
    return ProbeGrid((x, y, z), spacing, tuple(counts.tolist()))


def pack_cubes(indirect: Floats32, lamps: Floats32 | None, distances: Floats32) -> Floats16:
    """Cubes of LightProbes from light (nz, ny, nx, 6, 3) and distances (nz, ny, nx, 6). lamps: None without lamps."""
    inverse = np.maximum(distances, MIN_DISTANCE) ** -2
    lights = [indirect] if lamps is None else [indirect, indirect + lamps]
    rows = [np.concatenate((light, inverse[..., None]), axis=-1) for light in lights]
    return np.ascontiguousarray(np.moveaxis(np.concatenate(rows, axis=3), 3, 1).astype(np.float16))


def smooth_cubes(light: Floats32, is_valid: Flags, distances: Floats32, smoothing: float = SMOOTHING) -> Floats32:
    """Light (nz, ny, nx, 6, 3) of probes, averaged with neighbours in sight; that of others is from their neighbours.

    is_valid: (nz, ny, nx). distances: (nz, ny, nx, 6) to the nearest surface, in spacings.
    """
    result = np.where(is_valid[..., None, None], light, 0.0).astype(np.float32)
    total, weight = result.copy(), is_valid.astype(np.float32)
    grey = result.mean(axis=(-2, -1)) + np.float32(1e-6)
    for target, source, face in _neighbours(is_valid.ndim):
        contrast = np.abs(grey[source] - grey[target]) / np.maximum(grey[source], grey[target])
        seen = smoothing * np.maximum(1.0 - contrast / SMOOTHED_CONTRAST, 0.0)
        seen *= is_valid[target] & is_valid[source] & (distances[target][..., face] >= 1.0)
        total[target] += result[source] * seen[..., None, None]
        weight[target] += seen
    result[is_valid] = total[is_valid] / weight[is_valid, None, None]
    has_value = is_valid.copy()
    for _ in range(FILL_ROUNDS):
        total, weight = np.zeros_like(result), np.zeros(has_value.shape, np.float32)
        for target, source, _ in _neighbours(has_value.ndim):
            total[target] += result[source] * has_value[source][..., None, None]
            weight[target] += has_value[source]
        filled = ~has_value & (weight > 0.0)
        result[filled] = total[filled] / weight[filled, None, None]
        has_value |= filled
    return result


def _neighbours(dimensions: int) -> list[tuple[tuple[slice, ...], tuple[slice, ...], int]]:
    """Slices of the probes that have a neighbour in the direction of a face, of these neighbours, and the face."""
    low, high = slice(None, -1), slice(1, None)
    result = []
    for face in range(2 * dimensions):
        before = (slice(None),) * (dimensions - 1 - face // 2)
        target, source = (low, high) if face % 2 == 0 else (high, low)
        result.append(((*before, target), (*before, source), face))
    return result
