"""Input of the light bake: its constants, the texels, and a bounding volume hierarchy of the triangles as textures.

No GL, so that it can be built in another process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...core.vectors import Colour, Floats, Ints
from .light_probes import TEXELS_PER_PROBE, ProbeGrid, fit_grid
from .render_mesh import RenderMesh
from .uv_unwrap import UvCharts

MAX_LEAF_TRIANGLES = 4  # the shader reads the count from three bits
TEXTURE_ROW = 1024  # texels per row of BVH textures; shaders/include/bvh_traversal.glsl uses the same

Bytes = npt.NDArray[np.uint8]
Floats32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BakeConstants:
    """Constants of the light bake. All are part of the key of baked light.

    pass_fractions: of the rays in each pass; each pass reads the light of the previous one. first_pass_weight: fraction
    of open-sky light that the first pass reads at every hit; physically it would be less indoors, but then a room with
    one door is black. occlusion_distances: metres within which a surface darkens ambient light, for contact and for
    corners. max_occlusion: darkening of a fully occluded texel. max_backface_fraction: of the rays; a texel with more
    hits on back faces lies inside a solid. adaptation_level: light below which eye adaptation acts; shadow_gain,
    shadow_offset: its factor and offset. samples_per_lamp: light_rays per shadow ray to each lamp; the 3x3 filter
    multiplies them by nine. edge_contrast: relative difference of light that the second filter keeps.
    """

    pass_fractions: tuple[float, ...] = (0.25, 1.0)
    first_pass_weight: float = 0.6
    occlusion_distances: tuple[float, float] = (0.25, 0.9)
    max_occlusion: float = 0.85
    max_backface_fraction: float = 0.6
    adaptation_level: float = 0.28
    shadow_gain: float = 4.0
    shadow_offset: float = 0.018
    samples_per_lamp: int = 8
    edge_contrast: float = 0.25


BAKE = BakeConstants()


@dataclass(frozen=True, slots=True)
class TextureTable:
    """Rows of four float32 as a texture: (width, height) and its bytes."""

    size: tuple[int, int]
    data: bytes


@dataclass(frozen=True, slots=True)
class BakeInput:
    """Input of the light bake.

    positions, normals: (height, width, 4) per texel; w is 1 where the texel belongs to a chart. chart_of_texel:
    (height, width), -1: none. stain_map: (height, width) 0..1. nodes, corners: BVH and triangle tables. lamps: see
    pack_point_lights. open_sky_pixels: initial lightmap without lamps, if there are lamps. surface_index: (T,) surface
    of each triangle with a picture in the order of `corners`, -1 for others; tints: (T, 3) their mean vertex colours.
    Both are None without pictures.
    """

    positions: Floats32
    normals: Floats32
    chart_of_texel: npt.NDArray[np.int32]
    stain_map: Floats32
    nodes: TextureTable
    corners: TextureTable
    node_count: int
    lamps: Floats32
    probe_grid: ProbeGrid
    open_sky_pixels: Bytes | None = None
    surface_index: Ints | None = None
    tints: Floats | None = None

    def with_mean_colours(self, means: Mapping[int, Colour]) -> BakeInput:
        """Input in which triangles reflect the mean colour of their picture, by surface and linear."""
        if self.surface_index is None or self.tints is None or not means:
            return self
        table = np.frombuffer(self.corners.data, np.float32).reshape(-1, 4).copy()
        triangles = table[: 5 * len(self.surface_index)].reshape(-1, 5, 4)
        for surface, mean in means.items():
            chosen = self.surface_index == surface
            triangles[chosen, :3, 3] = np.array(mean) * self.tints[chosen]
        return replace(self, corners=TextureTable(self.corners.size, table.tobytes()))


def prepare_bake_input(
    mesh: RenderMesh, charts: UvCharts, stains: Floats32, lamps: Floats32, open_sky_pixels: Bytes | None
) -> BakeInput:
    """Tables that the bake shaders read."""
    has_chart = (charts.chart_of_texel >= 0).astype(np.float32)[..., None]
    casters = np.arange(len(mesh.triangles))
    if mesh.pictured is not None and mesh.pictured.casts_shadow.any():
        casters = np.flatnonzero(mesh.pictured.casts_shadow)
    bvh = build_bvh(mesh.triangles[casters])
    order = casters[bvh.triangle_order]
    triangles = mesh.triangles[order]
    uv = charts.corner_uv[order]
    low, high = mesh.solid_bounds or (mesh.triangles.min(axis=(0, 1)), mesh.triangles.max(axis=(0, 1)))
    albedo = srgb_to_linear(mesh.colours)[order]
    table = np.zeros((len(triangles), 5, 4), np.float32)
    table[:, 0, :3] = triangles[:, 0]
    table[:, 1, :3] = triangles[:, 1] - triangles[:, 0]
    table[:, 2, :3] = triangles[:, 2] - triangles[:, 0]
    table[:, :3, 3] = albedo
    table[:, 3, :2], table[:, 3, 2:], table[:, 4, :2] = uv[:, 0], uv[:, 1], uv[:, 2]
    return BakeInput(
        np.concatenate((charts.position, has_chart), axis=2),
        np.concatenate((charts.normal, has_chart), axis=2),
        charts.chart_of_texel,
        stains,
        pack_into_texture(bvh.nodes),
        pack_into_texture(table),
        len(bvh.nodes),
        lamps,
        fit_grid(np.array(low), np.array(high), charts.chart_of_texel.size // TEXELS_PER_PROBE),
        open_sky_pixels,
        None if mesh.pictured is None else mesh.pictured.surface_index[order],
        None if mesh.pictured is None else mesh.pictured.mean_tints[order],
    )


@dataclass(frozen=True, slots=True)
class LinearBvh:
    """BVH in depth-first order.

    nodes: (M, 8): minimum corner, skip index; maximum corner, leaf code. A ray that hits a node continues with the next
    one, otherwise at the skip index. Leaf code: 8 * first + count, or -1 for inner nodes. triangle_order: (N,) triangle
    at each leaf slot.
    """

    nodes: Floats32
    triangle_order: npt.NDArray[np.int64]


def build_bvh(triangles: Floats) -> LinearBvh:
    """Build by splitting at the midpoint of the widest axis of the triangle centres, or at the median where one side is
    empty.
    """
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    centres = (low + high) / 2
    nodes: list[list[float]] = []
    leaf_triangles: list[int] = []
    skip_indices: list[int] = []

    def add_node(members: npt.NDArray[np.int64]) -> None:
        node = len(nodes)
        is_leaf = len(members) <= MAX_LEAF_TRIANGLES
        code = float(8 * len(leaf_triangles) + len(members)) if is_leaf else -1.0
        nodes.append([*low[members].min(axis=0), 0.0, *high[members].max(axis=0), code])
        skip_indices.append(0)
        if is_leaf:
            leaf_triangles.extend(members.tolist())
        else:
            member_centres = centres[members]
            axis = int(np.ptp(member_centres, axis=0).argmax())
            split = (member_centres[:, axis].min() + member_centres[:, axis].max()) / 2
            is_left = member_centres[:, axis] < split
            if not 0 < np.count_nonzero(is_left) < len(members):
                is_left = np.zeros(len(members), np.bool_)
                is_left[np.argsort(member_centres[:, axis], kind="stable")[: len(members) // 2]] = True
            add_node(members[is_left])
            add_node(members[~is_left])
        skip_indices[node] = len(nodes)

    add_node(np.arange(len(triangles)))
    table = np.array(nodes, dtype=np.float32).reshape(-1, 8)
    # Grow by one float32 step, because rounding may have shrunk the box.
    table[:, 0:3] = np.nextafter(table[:, 0:3], np.float32(-np.inf))
    table[:, 4:7] = np.nextafter(table[:, 4:7], np.float32(np.inf))
    table[:, 3] = skip_indices
    return LinearBvh(table, np.array(leaf_triangles, dtype=np.int64))


def pack_into_texture(values: Floats32) -> TextureTable:
    """Table of the values, TEXTURE_ROW texels per row."""
    flat = np.ascontiguousarray(values, dtype=np.float32).reshape(-1, 4)
    rows = max(1, -(-len(flat) // TEXTURE_ROW))
    padded = np.zeros((rows * TEXTURE_ROW, 4), np.float32)
    padded[: len(flat)] = flat
    return TextureTable((TEXTURE_ROW, rows), padded.tobytes())
