"""Overlay layers over the world: coloured faces, lines, points and a grid. Plain data.

The renderer uploads each layer object once and keeps it while the same object is drawn. Create a new object only for
changed content.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.vectors import Vector

Floats32 = npt.NDArray[np.float32]
RING_WIDTH = 0.28  # of the radius of a ring
RING_SEGMENTS = 28
DEFAULT_DEPTH_BIAS = 0.002  # against z-fighting of narrow lines with a surface


def _as_float_array(values: Any, *shape: int) -> Floats32:
    array = np.ascontiguousarray(np.asarray(values, dtype=np.float32).reshape(-1, *shape))
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, slots=True)
class OverlayFaces:
    """Coloured triangles.

    triangles: (n, 3, 3) metres. colours: (n, 4) sRGB and opacity, or one for all. shaded: brightness depends on the
    orientation. stripes: (n,) 1 for striped faces, so that colour is not the only distinction.
    """

    triangles: npt.ArrayLike
    colours: npt.ArrayLike = (1.0, 1.0, 1.0, 0.5)
    shaded: bool = True
    stripes: npt.ArrayLike = 0.0

    def pack_vertices(self) -> Floats32:
        """(3 n, 8) rows of position, colour and stripes. Raises ValueError where the arrays do not match."""
        triangles = _as_float_array(self.triangles, 3, 3)
        count = len(triangles)
        colours = np.array(np.broadcast_to(_as_float_array(self.colours, 4), (count, 4)))
        if self.shaded:
            colours[:, :3] *= facing_brightness(triangles)[:, None]
        stripes = np.broadcast_to(np.asarray(self.stripes, dtype=np.float32), (count,))
        rows = np.empty((count, 3, 8), np.float32)
        rows[..., :3] = triangles
        rows[..., 3:7] = colours[:, None]
        rows[..., 7] = stripes[:, None]
        return rows.reshape(-1, 8)


def facing_brightness(triangles: Floats32) -> Floats32:
    """(n,) brightness by orientation: light from above, dark below, different on the sides."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(length > 0.0, length, 1.0)
    return np.asarray(0.80 + normals @ (0.06, 0.20, -0.04), dtype=np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class OverlayLines:
    """Line segments.

    segments: (n, 2, 3) metres. colours: (n, 4) sRGB and opacity, or one for all. width: pixels. occluded_opacity:
    factor of the opacity behind other geometry. fade_distance: metres from the camera. depth_bias: fraction of the
    distance by which the lines are drawn nearer, more for wide lines on surfaces that are seen at a flat angle.
    """

    segments: npt.ArrayLike
    colours: npt.ArrayLike = (1.0, 1.0, 1.0, 1.0)
    width: float = 2.0
    occluded_opacity: float = 0.0
    fade_distance: float = math.inf
    depth_bias: float = DEFAULT_DEPTH_BIAS

    def pack_vertices(self) -> Floats32:
        """(n, 10) rows of start, end and colour. Raises ValueError where the arrays do not match."""
        segments = _as_float_array(self.segments, 6)
        colours = np.broadcast_to(_as_float_array(self.colours, 4), (len(segments), 4))
        return np.concatenate((segments, colours), axis=1)


@dataclass(frozen=True, eq=False, slots=True)
class OverlayPoints:
    """Points (n, 3) in metres, drawn as outlined discs of `size` pixels; colours: (n, 4), or one for all."""

    points: npt.ArrayLike
    colours: npt.ArrayLike = (1.0, 1.0, 1.0, 1.0)
    size: float = 9.0
    occluded_opacity: float = 0.35

    def pack_vertices(self) -> Floats32:
        """(n, 10) rows of position, twice, and colour."""
        points = _as_float_array(self.points, 3)
        colours = np.broadcast_to(_as_float_array(self.colours, 4), (len(points), 4))
        return np.concatenate((points, points, colours), axis=1)


@dataclass(frozen=True, slots=True)
class OverlayGrid:
    """Horizontal grid through `at`, with a line every `step` metres and a stronger one every metre or more.

    The lines through x = 0 and z = 0 are coloured. It fades out at `fade_distance` metres from `at`.
    """

    at: Vector
    step: float = 0.5
    fade_distance: float = 12.0


@dataclass(frozen=True, slots=True)
class Overlay:
    """Layers of one frame, drawn in the order faces, grid, lines, points."""

    faces: tuple[OverlayFaces, ...] = field(default=())
    lines: tuple[OverlayLines, ...] = field(default=())
    points: tuple[OverlayPoints, ...] = field(default=())
    grid: OverlayGrid | None = None


def concatenate_layers(layers: list[Overlay]) -> Overlay | None:
    """One overlay with the layers of all; None for no overlay. The first grid is kept."""
    if not layers:
        return None
    return Overlay(
        tuple(face for layer in layers for face in layer.faces),
        tuple(line for layer in layers for line in layer.lines),
        tuple(point for layer in layers for point in layer.points),
        next((layer.grid for layer in layers if layer.grid is not None), None),
    )


def ring_triangles(at: Vector, radius: float) -> npt.NDArray[np.float64]:
    """(n, 3, 3) triangles of a level ring around a point, seen from both sides, m."""
    angle = np.arange(RING_SEGMENTS + 1) * (math.tau / RING_SEGMENTS)
    circle = np.column_stack((np.cos(angle), np.zeros(len(angle)), np.sin(angle)))
    outer, inner = np.array(at) + radius * circle, np.array(at) + radius * (1.0 - RING_WIDTH) * circle
    faces = [
        *((outer[k], outer[k + 1], inner[k]) for k in range(RING_SEGMENTS)),
        *((inner[k], outer[k + 1], inner[k + 1]) for k in range(RING_SEGMENTS)),
    ]
    triangles: npt.NDArray[np.float64] = np.array(faces)
    return np.concatenate([triangles, triangles[:, ::-1]])
