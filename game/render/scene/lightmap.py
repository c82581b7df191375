"""The unfolded level's light as plain data: an open sky's at first, or what a cache has kept; and the tables that
gathering needs. No GL: it can be made in another process."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..gl.programs import read_source
from ..gl.quality import Quality
from . import lightmap_cache
from .bvh import build_bvh, pack_into_texture
from .daylight import Daylight
from .lightmap_cache import LightmapCache
from .point_lights import pack_point_lights, unshadowed_irradiance
from .render_mesh import Floats, RenderMesh, srgb_to_linear
from .scene import LampAppearance
from .uv_unwrap import UvCharts, unwrap

BAKE_VERSION = 6  # of the gathering outside the shaders: kept atlases of other versions are not used
MAX_RADIANCE = 4.0  # of baked light; the atlas keeps the root of light / BRIGHTEST in 8 bits
MIN_TINT, TINT_RANGE = (
    0.40,
    0.75,
)  # what the atlas' alpha of 0 leaves of a surface's colour, and 1 more; the shader knows both
MAX_OCCLUSION = 0.80  # part of a surface's colour that a corner takes which is closed all round
NORMAL_MAP_SIZE = 64  # texels along the fallback, which is indexed by the normal alone

Bytes = npt.NDArray[np.uint8]
Floats32 = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TextureTable:
    """Rows of four floats as a texture that shaders read: (width, height) and its bytes."""

    size: tuple[int, int]
    data: bytes


@dataclass(frozen=True, slots=True)
class BakeInput:
    """What rays need: where the texels are (height, width, 4; the last number is 1 where there is one), how they
    face, the tree and the triangles; and what turns sums into an atlas: charts and stains (height, width). lamps:
    of `pack_point_lights`; sky: the first light without that of lamps, where there are any."""

    positions: Floats32
    normals: Floats32
    chart_of_texel: npt.NDArray[np.int32]
    stain_map: Floats32
    nodes: TextureTable
    corners: TextureTable
    node_count: int
    lamps: Floats32
    open_sky_pixels: Bytes | None = None


@dataclass(frozen=True, slots=True)
class Lightmap:
    """Light of a level: pixels (height, width, 4), the places of all corners in it (N, 3, 2), the name by which a
    cache keeps the gathered one, whether this is the gathered one, and what gathering needs where it is not."""

    pixels: Bytes
    corner_uv: Floats
    cache_key: str
    is_baked: bool = False
    bake_input: BakeInput | None = None


def prepare_lightmap(
    model: RenderMesh,
    light: Daylight,
    quality: Quality,
    shaders: Path,
    cache: LightmapCache | None = None,
    walk: bool = True,
    lamps: tuple[LampAppearance, ...] = (),
) -> Lightmap:
    """The gathered light where the cache has it, else an open sky's and that of lamps without shadows, with what
    gathering needs if `walk`."""
    name = lightmap_cache_key(model, light, quality, shaders, lamps)
    kept = None if cache is None else cache.get(name, quality.light_size, len(model.triangles))
    if kept is not None:
        return Lightmap(*kept, name, is_baked=True)
    charts = unwrap(model, quality.light_size)
    if charts is None:
        return Lightmap(normal_indexed_lightmap(light), octahedral_uv(model.normals), name, is_baked=True)
    stain = stain_noise(charts.position)
    flat = open_sky_irradiance(charts.normal.reshape(-1, 3).astype(np.float64), light).reshape(charts.normal.shape)
    rows = pack_point_lights(lamps)
    pixels = sky = encode_lightmap(flat, encode_stain_and_occlusion(stain))
    if lamps:
        pixels = encode_lightmap(
            flat + unshadowed_irradiance(charts.position, charts.normal, rows), encode_stain_and_occlusion(stain)
        )
    tables = prepare_bake_input(model, charts, stain, rows, sky if lamps else None) if walk else None
    return Lightmap(pixels, charts.corner_uv, name, bake_input=tables)


def lightmap_cache_key(
    model: RenderMesh, light: Daylight, quality: Quality, shaders: Path, lamps: tuple[LampAppearance, ...] = ()
) -> str:
    """The name of a level's light in a cache: of all that it depends on."""
    read = [
        "bake/bake_indirect_light.frag.glsl",
        "shadow_map/shadow_map.vert.glsl",
        *(["bake/bake_point_light.frag.glsl"] if lamps else []),
    ]
    sources = [read_source(shaders, name, (("SHADOW_TAPS", "1"),)).text for name in read]
    return lightmap_cache.content_key(
        BAKE_VERSION, model.triangles, model.colours, light, quality.light_size, quality.light_rays, quality.shadow_size,
        sources, *([pack_point_lights(lamps)] if lamps else []),
    )  # fmt: skip


def prepare_bake_input(
    model: RenderMesh, charts: UvCharts, stain: Floats32, lamps: Floats32, sky: Bytes | None
) -> BakeInput:
    """The tables that rays need."""
    there = (charts.chart_of_texel >= 0).astype(np.float32)[..., None]
    tree = build_bvh(model.triangles)
    triangles, uv, albedo = (
        model.triangles[tree.triangle_order],
        charts.corner_uv[tree.triangle_order],
        srgb_to_linear(model.colours)[tree.triangle_order],
    )
    table = np.zeros((len(triangles), 5, 4), np.float32)
    table[:, 0, :3] = triangles[:, 0]
    table[:, 1, :3] = triangles[:, 1] - triangles[:, 0]
    table[:, 2, :3] = triangles[:, 2] - triangles[:, 0]
    table[:, :3, 3] = albedo
    table[:, 3, :2], table[:, 3, 2:], table[:, 4, :2] = uv[:, 0], uv[:, 1], uv[:, 2]
    return BakeInput(
        np.concatenate((charts.position, there), axis=2),
        np.concatenate((charts.normal, there), axis=2),
        charts.chart_of_texel,
        stain,
        TextureTable(*pack_into_texture(tree.nodes)),
        TextureTable(*pack_into_texture(table)),
        len(tree.nodes),
        lamps,
        sky,
    )


def stain_noise(places: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Large, soft differences in how dark a surface is (..., 3) -> (...) 0..1: what breaks up repeating tiles."""
    x, y, z = np.moveaxis(places, -1, 0)
    sum_ = np.zeros(x.shape, np.float32)
    generator = np.random.default_rng(20)
    for wave in (7.0, 4.1, 2.3, 1.3):
        for _ in range(3):
            k = generator.normal(size=3)
            k *= 2 * math.pi / wave / np.linalg.norm(k)
            sum_ += np.sin(k[0] * x + k[1] * y + k[2] * z + generator.uniform(0, 6.28))
    return np.asarray(np.clip(0.5 + sum_ * 0.07, 0.0, 1.0), dtype=np.float32)


def open_sky_irradiance(normals: npt.NDArray[Any], light: Daylight) -> Floats:
    """Light (N, 3) that surfaces of unit normals (N, 3) get from an open sky and open ground."""
    up = normals[:, 1:2]
    sky = 0.45 * light.zenith + 0.55 * light.horizon
    ground = light.ground + 0.12 * light.sunlight * max(light.to_sun[1], 0.0)
    return sky * (0.5 + 0.5 * up) + ground * (0.5 - 0.5 * up)


def encode_stain_and_occlusion(
    stain: npt.NDArray[np.float32], crevice: float | npt.NDArray[np.float32] = 0.0
) -> Floats32:
    """The atlas' alpha (...), 0..1: by how stained a surface is, and how far what is near closes it in, each 0..1."""
    left = (0.85 + 0.30 * stain) * (1.0 - MAX_OCCLUSION * np.asarray(crevice, np.float32))
    return np.asarray(np.clip((left - MIN_TINT) / TINT_RANGE, 0.0, 1.0), dtype=np.float32)


def encode_lightmap(light: npt.NDArray[Any], tone: npt.NDArray[np.float32]) -> Bytes:
    """The atlas' pixels (..., 4) of light (..., 3) and `encode_stain_and_occlusion` (...)."""
    root = np.sqrt(np.clip(light / MAX_RADIANCE, 0.0, 1.0))
    return np.asarray(np.rint(np.concatenate((root, tone[..., None]), axis=-1) * 255), dtype=np.uint8)


def decode_lightmap(pixels: npt.NDArray[Any]) -> Floats32:
    """Light (..., 3) of an atlas' pixels (..., 4)."""
    root = pixels[..., :3].astype(np.float32) / np.float32(255)
    return np.asarray(root * root * np.float32(MAX_RADIANCE), dtype=np.float32)


def normal_indexed_lightmap(light: Daylight) -> Bytes:
    """An atlas (BALL, BALL, 4) that knows only the normal (folded octahedron), for levels with too many triangles."""
    grid = (np.arange(NORMAL_MAP_SIZE) + 0.5) / NORMAL_MAP_SIZE * 2 - 1
    x, y = np.meshgrid(grid, grid)
    z = 1 - np.abs(x) - np.abs(y)
    fold = np.maximum(-z, 0)
    normals = np.stack((x - np.sign(x) * fold, z, y - np.sign(y) * fold), axis=-1).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return encode_lightmap(
        open_sky_irradiance(normals, light).reshape(NORMAL_MAP_SIZE, NORMAL_MAP_SIZE, 3),
        encode_stain_and_occlusion(np.full((NORMAL_MAP_SIZE, NORMAL_MAP_SIZE), 0.5, np.float32)),
    )


def octahedral_uv(normals: Floats) -> Floats:
    """The places (N, 3, 2) of triangles with these normals (N, 3) in a `normal_indexed_lightmap`."""
    n = normals / np.abs(normals).sum(axis=1, keepdims=True)
    fold = np.maximum(-n[:, 1], 0)
    flat = n[:, ::2] + np.where(n[:, ::2] < 0, -1.0, 1.0) * fold[:, None]
    return np.repeat((flat * 0.5 + 0.5)[:, None], 3, axis=1)
