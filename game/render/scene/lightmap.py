"""Lightmap as plain data: initial open-sky light or cached baked light, its encoding, and the input of the bake.

No GL, so that it can be built in another process.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.srgb import srgb_to_linear
from ...core.vectors import Colour, Floats, Ints
from ..gl.programs import read_shader
from ..gl.quality import Quality
from ..gl.shader_constants import SHADER_CONSTANTS
from . import lightmap_cache
from .bvh import build_bvh, pack_into_texture
from .daylight import Daylight
from .light_probes import PROBE_CONSTANTS, TEXELS_PER_PROBE, LightProbes, ProbeGrid, fit_grid
from .lightmap_cache import LightmapCache
from .point_lights import pack_point_lights, unshadowed_irradiance
from .render_mesh import RenderMesh
from .scene import LampAppearance
from .uv_unwrap import TEXEL_CONSTANTS, UvCharts, unwrap

BAKE_VERSION = 9  # of the Python part of the bake; increment it to discard cached lightmaps
MAX_RADIANCE, MIN_TINT, TINT_RANGE = (SHADER_CONSTANTS[name] for name in ("MAX_RADIANCE", "MIN_TINT", "TINT_RANGE"))
MIN_DIRTY_WALL = 1.2  # metres of height
NORMAL_MAP_SIZE = 64  # texels along the fallback lightmap, indexed by the normal

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


@dataclass(frozen=True, slots=True)
class Lightmap:
    """Lightmap of a level, and the light probes that were baked with it.

    pixels: (height, width, 4). corner_uv: (N, 3, 2) texture coordinates of the triangles. cache_key: of the baked
    lightmap. is_baked: pixels are final. bake_input: None when baked or not bakeable. probes: None unless baked.
    """

    pixels: Bytes
    corner_uv: Floats
    cache_key: str
    is_baked: bool = False
    bake_input: BakeInput | None = None
    probes: LightProbes | None = None


def load_lightmap(cache: LightmapCache | None, key: str, quality: Quality, triangle_count: int) -> Lightmap | None:
    """Baked lightmap of a key from the cache; None if it is not there."""
    cached = None if cache is None else cache.get(key, quality.light_size, triangle_count)
    return cached and Lightmap(cached[0], cached[1], key, is_baked=True, probes=cached[2])


def prepare_lightmap(
    mesh: RenderMesh,
    daylight: Daylight,
    quality: Quality,
    shaders: Path,
    cache: LightmapCache | None = None,
    bakes: bool = True,
    lamps: tuple[LampAppearance, ...] = (),
) -> Lightmap:
    """Baked lightmap from the cache; otherwise open-sky light plus unshadowed lamps, with the bake input if `bakes`."""
    key = lightmap_cache_key(mesh, daylight, quality, shaders, lamps)
    cached = load_lightmap(cache, key, quality, len(mesh.triangles))
    if cached is not None:
        return cached
    charts = unwrap(mesh, quality.light_size)
    if charts is None:
        return Lightmap(normal_indexed_lightmap(daylight), octahedral_uv(mesh.normals), key, is_baked=True)
    stains = stain_map(charts, mesh)
    open_sky = open_sky_irradiance(charts.normal.reshape(-1, 3).astype(np.float64), daylight).reshape(
        charts.normal.shape
    )
    lamp_rows = pack_point_lights(lamps)
    pixels = open_sky_pixels = encode_lightmap(open_sky, encode_stains(stains))
    if lamps:
        pixels = encode_lightmap(
            open_sky + unshadowed_irradiance(charts.position, charts.normal, lamp_rows),
            encode_stains(stains),
        )
    bake_input = (
        prepare_bake_input(mesh, charts, stains, lamp_rows, open_sky_pixels if lamps else None) if bakes else None
    )
    return Lightmap(pixels, charts.corner_uv, key, bake_input=bake_input)


def lightmap_cache_key(
    mesh: RenderMesh, daylight: Daylight, quality: Quality, shaders: Path, lamps: tuple[LampAppearance, ...] = ()
) -> str:
    """Cache key of a baked lightmap: hash of everything it depends on, shader sources included."""
    files = [
        "bake/bake_indirect_light.frag.glsl",
        "bake/bake_probe_light.frag.glsl",
        "shadow_map/shadow_map.vert.glsl",
        *(["bake/bake_point_light.frag.glsl"] if lamps else []),
    ]
    sources = [re.sub(r"//.*", "", read_shader(shaders, file, (("SHADOW_TAPS", "1"),)).text) for file in files]
    return lightmap_cache.content_key(
        BAKE_VERSION, BAKE, TEXEL_CONSTANTS, PROBE_CONSTANTS, (MAX_RADIANCE, MIN_TINT, TINT_RANGE, MIN_DIRTY_WALL),
        mesh.triangles, mesh.colours, mesh.solid_bounds, daylight,
        quality.light_size, quality.light_rays,
        quality.shadow_size, sources, *([pack_point_lights(lamps)] if lamps else []),
        *(() if mesh.pictured is None else mesh.pictured.light_key()),
    )  # fmt: skip


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
        TextureTable(*pack_into_texture(bvh.nodes)),
        TextureTable(*pack_into_texture(table)),
        len(bvh.nodes),
        lamps,
        fit_grid(np.array(low), np.array(high), charts.chart_of_texel.size // TEXELS_PER_PROBE),
        open_sky_pixels,
        None if mesh.pictured is None else mesh.pictured.surface_index[order],
        None if mesh.pictured is None else mesh.pictured.mean_tints[order],
    )


def stain_map(charts: UvCharts, mesh: RenderMesh) -> Floats32:
    """Stains (height, width) 0..1 of the charts. Pictures have none: they look as their author painted them."""
    stains = stain_noise(charts.position)
    if mesh.pictured is not None:
        pictured_charts = np.unique(charts.chart_of_triangle[mesh.pictured.has_picture])
        stains[np.isin(charts.chart_of_texel, pictured_charts)] = 0.5
    return stains


def wall_dirt(bake_input: BakeInput, is_valid: npt.NDArray[np.bool_]) -> Floats32:
    """Dirt (height, width) 0..1 of high walls: splashes at the foot, and streaks that run down from the top edge.

    is_valid: (height, width) texels that are not in the ground. Pictures, whose stains are 0.5, have no dirt.
    """
    result = np.zeros(is_valid.shape, np.float32)
    is_wall = is_valid & (np.abs(bake_input.normals[..., 1]) < 0.3) & (bake_input.stain_map != 0.5)
    chart, position = bake_input.chart_of_texel[is_wall], bake_input.positions[is_wall][:, :3]
    if not len(chart):
        return result
    foot, top = np.full(int(chart.max()) + 1, np.inf), np.full(int(chart.max()) + 1, -np.inf)
    np.minimum.at(foot, chart, position[:, 1])
    np.maximum.at(top, chart, position[:, 1])
    tall = (top - foot)[chart] >= MIN_DIRTY_WALL
    above, below = (position[:, 1] - foot[chart]).astype(np.float32), (top[chart] - position[:, 1]).astype(np.float32)
    columns = position * (1.0, 0.06, 1.0)  # nearly the same down the wall
    rough, streaks = stain_noise(2.5 * position), stain_noise(3.0 * columns) - 0.5
    splashes = np.exp(-above / (0.2 + 0.6 * rough * rough))
    runs = np.clip(4.0 * streaks, 0.0, 1.0) * np.exp(-below / (0.3 + 2.5 * np.maximum(streaks, 0.0)))
    result[is_wall] = np.where(tall, np.maximum(splashes, 0.9 * runs), 0.0)
    return result


def stain_noise(positions: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Low-frequency noise of surface darkness (..., 3) -> (...) 0..1, which hides the repetition of tiles."""
    x, y, z = np.moveaxis(positions, -1, 0)
    total = np.zeros(x.shape, np.float32)
    generator = np.random.default_rng(20)
    for wavelength in (7.0, 4.1, 2.3, 1.3):
        for _ in range(3):
            k = generator.normal(size=3)
            k *= 2 * math.pi / wavelength / np.linalg.norm(k)
            total += np.sin(k[0] * x + k[1] * y + k[2] * z + generator.uniform(0, 6.28))
    return np.asarray(np.clip(0.5 + total * 0.07, 0.0, 1.0), dtype=np.float32)


def open_sky_irradiance(normals: npt.NDArray[Any], daylight: Daylight) -> Floats:
    """Light (N, 3) from an unobstructed sky and ground on surfaces with unit normals (N, 3)."""
    up = normals[:, 1:2]
    sky = 0.45 * daylight.zenith + 0.55 * daylight.horizon
    ground = daylight.ground + 0.12 * daylight.sunlight * max(daylight.to_sun[1], 0.0)
    return sky * (0.5 + 0.5 * up) + ground * (0.5 - 0.5 * up)


def encode_stains(stain: npt.NDArray[np.float32]) -> Floats32:
    """Alpha channel (...) of the lightmap, 0..1, from stains, 0..1 and less where there is dirt."""
    return np.asarray(np.clip((0.80 + 0.40 * stain - MIN_TINT) / TINT_RANGE, 0.0, 1.0), dtype=np.float32)


def encode_lightmap(light: npt.NDArray[Any], alpha: npt.NDArray[np.float32], dithered: bool = False) -> Bytes:
    """Pixels (..., 4) of light (..., 3) and an alpha channel (...): 8-bit square root of light / MAX_RADIANCE.

    dithered: rounds up or down by chance, which hides the steps on dark walls.
    """
    root = np.sqrt(np.clip(light / MAX_RADIANCE, 0.0, 1.0))
    steps = np.concatenate((root, alpha[..., None]), axis=-1) * 255
    offset = np.random.default_rng(20).random(steps.shape[:-1], np.float32)[..., None] if dithered else 0.5
    return np.asarray(np.clip(np.floor(steps + offset), 0, 255), dtype=np.uint8)


def decode_lightmap(pixels: npt.NDArray[Any]) -> Floats32:
    """Light (..., 3) of lightmap pixels (..., 4)."""
    root = pixels[..., :3].astype(np.float32) / np.float32(255)
    return np.asarray(root * root * np.float32(MAX_RADIANCE), dtype=np.float32)


def normal_indexed_lightmap(daylight: Daylight) -> Bytes:
    """Lightmap (NORMAL_MAP_SIZE, NORMAL_MAP_SIZE, 4) indexed by the octahedral normal, for levels with too many
    triangles to unwrap.
    """
    grid = (np.arange(NORMAL_MAP_SIZE) + 0.5) / NORMAL_MAP_SIZE * 2 - 1
    x, y = np.meshgrid(grid, grid)
    z = 1 - np.abs(x) - np.abs(y)
    fold = np.maximum(-z, 0)
    normals = np.stack((x - np.sign(x) * fold, z, y - np.sign(y) * fold), axis=-1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return encode_lightmap(
        open_sky_irradiance(normals, daylight).reshape(NORMAL_MAP_SIZE, NORMAL_MAP_SIZE, 3),
        encode_stains(np.full((NORMAL_MAP_SIZE, NORMAL_MAP_SIZE), 0.5, np.float32)),
    )


def octahedral_uv(normals: Floats) -> Floats:
    """Texture coordinates (N, 3, 2) in `normal_indexed_lightmap` for triangles with normals (N, 3)."""
    n = normals / np.abs(normals).sum(axis=1, keepdims=True)
    fold = np.maximum(-n[:, 1], 0)
    flat = n[:, ::2] + np.where(n[:, ::2] < 0, -1.0, 1.0) * fold[:, None]
    return np.repeat((flat * 0.5 + 0.5)[:, None], 3, axis=1)
