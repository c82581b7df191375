"""Vertex buffer of the level: vertex format and packing of a render mesh into it. Plain data, no GL."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from ..gl.shader_constants import SHADER_CONSTANTS
from .render_mesh import TEXTURES, RenderMesh
from .surface_textures import TILE_SIZES

# One row per vertex; the names are the attributes of level/level.vert.glsl
LEVEL_VERTEX = np.dtype(
    [
        ("in_position", "f4", 3),
        ("in_normal", "i1", 4),
        ("in_tangent", "i1", 4),
        ("in_tile_uv", "f4", 2),
        ("in_lightmap_uv", "u2", 2),
        ("in_colour", "u1", 4),
    ]
)
LEVEL_VERTEX_FORMAT = "3f 4i1 4i1 2f 2u2 4f1"  # moderngl normalises only f1; the shader divides the others
POSITION_FORMAT = f"3f {LEVEL_VERTEX.itemsize - 12}x"
MAX_FLOW_SPEED = SHADER_CONSTANTS["MAX_FLOW_SPEED"]


def pack_level_vertices(mesh: RenderMesh, lightmap_uv: Floats) -> npt.NDArray[np.uint8]:
    """Bytes of the level's vertex buffer, three vertices per triangle; triangles that bound solids come first."""
    rows = np.zeros((len(mesh.triangles), 3), LEVEL_VERTEX)
    rows["in_position"] = mesh.triangles
    rows["in_normal"][..., :3] = np.rint(mesh.corner_normals * 127)
    rows["in_tangent"][..., :3] = np.rint(mesh.tangents * 127)[:, None]
    tile_sizes = np.array([TILE_SIZES[name] for name in TEXTURES])[mesh.texture_layers]
    rows["in_tangent"][..., 3] = np.rint(
        127 * np.sqrt(np.minimum(mesh.flow_speeds / tile_sizes / MAX_FLOW_SPEED, 1.0))
    )[:, None]
    # Subtract whole tiles per triangle: keeps float32 precision far from the origin.
    tile_coordinates = mesh.texture_coordinates / tile_sizes[:, None, None]
    rows["in_tile_uv"] = tile_coordinates - np.floor(tile_coordinates[:, :1])
    largest_coordinate = np.abs(rows["in_tile_uv"]).max(axis=(1, 2), initial=0.0)
    rows["in_normal"][..., 3] = np.clip(np.ceil(largest_coordinate), 1, 127)[:, None]
    rows["in_lightmap_uv"] = np.rint(np.clip(lightmap_uv, 0.0, 1.0) * 65535)
    rows["in_colour"][..., :3] = np.rint(np.clip(mesh.colours, 0.0, 1.0) * 255)[:, None]
    rows["in_colour"][..., 3] = mesh.texture_layers[:, None]
    return rows[np.argsort(~mesh.closed, kind="stable")].reshape(-1).view(np.uint8)
