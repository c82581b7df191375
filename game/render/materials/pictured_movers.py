"""Pictured triangles of moving platforms, transformed on the CPU when their poses change. Plain data, no GL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Floats, Indices, Ints
from ...level.materials import PbrMaterial
from .picture_decoder import Bytes
from .pictured_mesh import PICTURED_VERTEX, TriangleOrder, order_triangles

# Columns of a vertex: position, normal, tangent with handedness, texture coordinates, colour 0..1, ambient openness
POSITION = slice(0, 3)
NORMAL = slice(3, 6)
TANGENT = slice(6, 9)
HANDEDNESS = 9
UV = slice(10, 12)
COLOUR = slice(12, 16)
OPENNESS = 16
SURFACE = 17
COLUMNS = 18


@dataclass(frozen=True, slots=True, eq=False)
class PicturedMovers:
    """Vertices (n, COLUMNS) of all movers, each in the frame of its mover, in the order in which they are drawn.

    mover: (n,) number of the mover. blended_surfaces: (B,) of the blended triangles, which come last.
    """

    vertices: Floats
    mover: Indices
    order: TriangleOrder
    blended_surfaces: Ints

    @classmethod
    def join(cls, movers: Sequence[Floats], materials: Sequence[PbrMaterial | None]) -> PicturedMovers | None:
        """Vertices of triangles (t, 3, COLUMNS) of each mover; None if there are none."""
        rows = np.concatenate([np.zeros((0, 3, COLUMNS)), *movers])
        if not len(rows):
            return None
        numbers = np.repeat(np.arange(len(movers)), [len(triangles) for triangles in movers])
        surfaces = rows[:, 0, SURFACE].astype(np.int32)
        ordered = order_triangles(surfaces, np.zeros(len(rows), np.bool_), materials)
        order = ordered.order
        blended = surfaces[order[ordered.blended_first // 3 :]]
        return cls(rows[order].reshape(-1, COLUMNS), np.repeat(numbers[order], 3), ordered, blended)

    def posed(self, poses: Floats) -> tuple[Bytes, Floats]:
        """Bytes of the vertex buffer at these poses (K, 3, 4), and positions (m) and normals (n, 6) of the vertices."""
        vertices = self.vertices
        pose = poses[self.mover]
        rotation = pose[:, :, :3]
        rows = np.zeros(len(vertices), PICTURED_VERTEX)
        positions = np.einsum("nij,nj->ni", rotation, vertices[:, POSITION]) + pose[:, :, 3]
        normals = np.einsum("nij,nj->ni", rotation, vertices[:, NORMAL])
        rows["in_position"] = positions
        rows["in_normal"][:, :3] = np.rint(127 * normals)
        rows["in_tangent"][:, :3] = np.rint(127 * np.einsum("nij,nj->ni", rotation, vertices[:, TANGENT]))
        rows["in_tangent"][:, 3] = 127 * vertices[:, HANDEDNESS]
        rows["in_uv"] = vertices[:, UV]
        rows["in_lightmap_uv"][:, 0] = np.rint(65535 * np.clip(vertices[:, OPENNESS], 0.0, 1.0))
        rows["in_vertex_colour"] = np.rint(255 * vertices[:, COLOUR])
        return rows.view(np.uint8), np.concatenate((positions, normals), axis=1)
