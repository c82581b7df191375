"""Vertex buffer of the level: vertex format and packing of a render mesh into it. Plain data, no GL."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .render_mesh import TEXTURES, Floats, RenderMesh
from .surface_textures import TILE_SIZES

# one row a corner; the names are the attributes of level.vert.glsl
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
LEVEL_VERTEX_FORMAT = "3f 4i1 4i1 2f 2u2 4f1"  # moderngl normalises f1 alone; the shader divides the others
POSITION_FORMAT = f"3f {LEVEL_VERTEX.itemsize - 12}x"
MAX_FLOW_SPEED = 16.0  # tiles a second that a pattern runs at most; level.vert.glsl knows it too


def pack_level_vertices(model: RenderMesh, light_uv: Floats) -> npt.NDArray[np.uint8]:
    """The bytes of the level's vertex buffer; the corners of what is closed come first."""
    rows = np.zeros((len(model.triangles), 3), LEVEL_VERTEX)
    rows["in_position"] = model.triangles
    rows["in_normal"][..., :3] = np.rint(model.corner_normals * 127)
    rows["in_tangent"][..., :3] = np.rint(model.tangents * 127)[:, None]
    tile = np.array([TILE_SIZES[name] for name in TEXTURES])[model.texture_layers]
    rows["in_tangent"][..., 3] = np.rint(127 * np.sqrt(np.minimum(model.flow_speeds / tile / MAX_FLOW_SPEED, 1.0)))[
        :, None
    ]
    # whole tiles taken off each triangle, so that a level far from the origin keeps its detail
    metres = model.texture_coordinates / tile[:, None, None]
    rows["in_tile_uv"] = metres - np.floor(metres[:, :1])
    farthest = np.abs(rows["in_tile_uv"]).max(axis=(1, 2), initial=0.0)
    rows["in_normal"][..., 3] = np.clip(np.ceil(farthest), 1, 127)[:, None]
    rows["in_lightmap_uv"] = np.rint(np.clip(light_uv, 0.0, 1.0) * 65535)
    rows["in_colour"][..., :3] = np.rint(np.clip(model.colours, 0.0, 1.0) * 255)[:, None]
    rows["in_colour"][..., 3] = model.texture_layers[:, None]
    return rows[np.argsort(~model.closed, kind="stable")].reshape(-1).view(np.uint8)
