"""Tufts of grass near the eye: cards of blades on upright faces with grass. No GL.

They stand at places of a fixed grid that is filled chunk by chunk as the eye comes near, so that a tuft is where it was
when the eye returns. They take the baked light of the face below, as leaf cards do.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...core.vectors import Flags, Floats, Indices, Point
from .leaf_cards import LEAF_CARD, LeafCards

CHUNK = 4.0  # metres along a side
TUFT_RANGE = 10.0  # metres from the eye at which tufts have no height
SPACING = 0.2  # metres between tufts
HEIGHTS = 0.05, 0.15  # metres
MIN_NORMAL_Y = 0.75  # steeper faces have no tufts
CLEARANCE = 0.4  # metres: tufts stand below nothing that is nearer, and a path laid on grass is nearer
MAX_CHUNKS = 400  # that are remembered


class TuftField:
    """Tufts on the faces of a level.

    Triangles (N, 3, 3), normals (N, 3), colours (N, 3) sRGB, lightmap_uv (N, 3, 2). is_grass: (N,).
    """

    def __init__(self, triangles: Floats, normals: Floats, colours: Floats, is_grass: Flags, lightmap_uv: Floats):
        self._triangles, self._colours, self._lightmap_uv, self._normals = triangles, colours, lightmap_uv, normals
        self._is_grass = is_grass & (normals[:, 1] > MIN_NORMAL_Y)
        self._low, self._high = self._triangles.min(axis=1), self._triangles.max(axis=1)
        self._chunks: dict[tuple[int, int], LeafCards] = {}
        self._shown: tuple[tuple[int, int], ...] | None = None if self._is_grass.any() else ()

    def near(self, eye: Point) -> LeafCards | None:
        """Tufts (n,) LEAF_CARD of the chunks in range of an eye (m); None if they are those of the last call."""
        if self._shown == ():
            return None
        first, last = (
            np.floor((np.array((eye[0], eye[2])) + d) / CHUNK).astype(int) for d in (-TUFT_RANGE, TUFT_RANGE)
        )
        keys = tuple((i, k) for i in range(first[0], last[0] + 1) for k in range(first[1], last[1] + 1))
        if keys == self._shown:
            return None
        self._shown = keys
        if len(self._chunks) > MAX_CHUNKS:
            self._chunks.clear()
        for key in keys:
            if key not in self._chunks:
                self._chunks[key] = self._fill(*key)
        return np.concatenate([self._chunks[key] for key in keys])

    def _fill(self, i: int, k: int) -> LeafCards:
        corner = CHUNK * np.array((i, k))
        inside = (self._low[:, (0, 2)] <= corner + CHUNK) & (self._high[:, (0, 2)] >= corner)
        faces = np.flatnonzero(inside.all(axis=1))
        if not self._is_grass[faces].any():
            return np.zeros(0, LEAF_CARD)
        generator = np.random.default_rng((11, i % 2**32, k % 2**32))
        steps = np.arange(0.0, CHUNK, SPACING) + 0.5 * SPACING
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        points = corner + grid + generator.uniform(-0.6 * SPACING, 0.6 * SPACING, grid.shape)
        at, face, weights, heights = _faces_at(points, self._triangles[faces])
        order = np.flatnonzero(self._is_grass[faces[face]])
        below = (at[order, None] == at) & (heights > heights[order, None] + 0.004)
        order = order[~(below & (heights < heights[order, None] + CLEARANCE)).any(axis=1)]
        face = faces[face[order]]
        points, weights, heights = points[at[order]], weights[order], heights[order]
        rows = np.zeros(len(order), LEAF_CARD)
        half = generator.uniform(*HEIGHTS, (len(order), 1)) / 2.0
        heading = generator.uniform(0.0, 2.0 * np.pi, len(order))
        along = generator.normal((0.0, 1.0, 0.0), 0.16, (len(order), 3))
        rows["in_along"] = half * along
        rows["in_across"] = 1.1 * half * np.stack((np.cos(heading), np.zeros(len(order)), np.sin(heading)), axis=1)
        rows["in_centre"] = np.stack((points[:, 0], heights, points[:, 1]), axis=1) + rows["in_along"]
        rows["in_normal"][:, :3] = self._normals[face]
        tone = generator.uniform(1.0, 1.6, (len(order), 1)) * generator.normal(1.0, 0.04, (len(order), 3))
        rows["in_colour"] = srgb_to_linear(self._colours[face]) * tone
        rows["in_lightmap_uv"] = np.einsum("ni,nij->nj", weights, self._lightmap_uv[face])
        return rows


def _faces_at(points: Floats, triangles: Floats) -> tuple[Indices, Indices, Floats, Floats]:
    """Pairs of points (P, 2), x and z, above or below triangles (T, 3, 3): indices of both, weights (m, 3), y (m,)."""
    a, b, c = (triangles[:, corner][:, (0, 2)] for corner in range(3))
    e, f, p = b - a, c - a, points[:, None] - a
    area = e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (p[..., 0] * f[:, 1] - p[..., 1] * f[:, 0]) / area
        v = (e[:, 0] * p[..., 1] - e[:, 1] * p[..., 0]) / area
        at, face = np.nonzero((u >= 0.0) & (v >= 0.0) & (u + v <= 1.0))
    u, v = u[at, face], v[at, face]
    weights = np.stack((1.0 - u - v, u, v), axis=1)
    return at, face, weights, np.einsum("ni,ni->n", weights, triangles[face, :, 1])


def tuft_picture(side: int = 64) -> npt.NDArray[np.uint8]:
    """Picture (side, side, 4) of blades that grow from the lower edge. rgb: tone; a: opacity."""
    larger = 4
    y, x = (np.mgrid[: larger * side, : larger * side] + 0.5) / (larger * side)
    up = 1.0 - y
    tones, opacity = np.full(x.shape, 0.5), np.zeros(x.shape)
    generator = np.random.default_rng(5)
    for foot in np.linspace(0.22, 0.78, 9) + generator.normal(0.0, 0.03, 9):
        length, lean = generator.uniform(0.6, 0.98), 0.9 * (foot - 0.5) + generator.normal(0.0, 0.12)
        middle = foot + lean * (up / length) ** 2 * length
        inside = (up < length) & (np.abs(x - middle) < 0.035 * (1.0 - up / length))
        tones[inside] = (generator.uniform(0.45, 0.75) + 0.15 * up)[inside]
        opacity[inside] = 1.0
    fine = np.stack((tones, tones, tones, opacity), axis=2).reshape(side, larger, side, larger, 4)
    return np.asarray(np.rint(255.0 * fine.mean(axis=(1, 3))), np.uint8)
