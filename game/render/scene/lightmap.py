"""Lightmap as plain data: open-sky light or baked light from the cache on disk, and its encoding.

No GL, so that it can be built in another process.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from ...level.build.entities.point_entities import Light
from ..gl.programs import SHADER_CONSTANTS
from ..gl.quality import Quality
from .bake_input import BakeInput, Bytes, Floats32, prepare_bake_input
from .daylight import Daylight
from .light_probes import LightProbes
from .lightmap_cache import LightmapCache, lightmap_cache_key
from .point_lights import pack_point_lights, unshadowed_irradiance
from .render_mesh import RenderMesh
from .stains import encode_stains, stain_map
from .uv_unwrap import unwrap

MAX_RADIANCE = SHADER_CONSTANTS["MAX_RADIANCE"]
NORMAL_MAP_SIZE = 64  # texels along the fallback lightmap, indexed by the normal


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
    lamps: tuple[Light, ...] = (),
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


def open_sky_irradiance(normals: npt.NDArray[Any], daylight: Daylight) -> Floats:
    """Light (N, 3) from an unobstructed sky and ground on surfaces with unit normals (N, 3)."""
    up = normals[:, 1:2]
    sky = 0.45 * daylight.zenith + 0.55 * daylight.horizon
    ground = daylight.ground + 0.12 * daylight.sunlight * max(daylight.to_sun[1], 0.0)
    return sky * (0.5 + 0.5 * up) + ground * (0.5 - 0.5 * up)


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
