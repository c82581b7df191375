"""Lightmap as plain data: light of an open sky or baked light, stains and dirt, its encoding, and its cache on disk.

No GL, so that it can be built in another process.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core import user_folders
from ...core.atomic_files import write_atomic
from ...core.vectors import Floats
from ...level.build.entities.point_entities import Light
from ..gl.programs import SHADER_CONSTANTS, read_shader
from ..gl.quality import Quality
from .bake_input import BAKE, BakeInput, Bytes, Floats32, prepare_bake_input
from .daylight import Daylight
from .lamps import pack_point_lights, unshadowed_irradiance
from .light_probes import FACES, PROBE_CONSTANTS, LightProbes, ProbeGrid
from .render_mesh import RenderMesh
from .uv_unwrap import TEXEL_CONSTANTS, UvCharts, unwrap

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


# Stains and dirt: the alpha channel

MIN_TINT, TINT_RANGE = SHADER_CONSTANTS["MIN_TINT"], SHADER_CONSTANTS["TINT_RANGE"]
MIN_DIRTY_WALL = 1.2  # metres of height


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


def encode_stains(stain: npt.NDArray[np.float32]) -> Floats32:
    """Alpha channel (...) of the lightmap, 0..1, from stains, 0..1 and less where there is dirt."""
    return np.asarray(np.clip((0.80 + 0.40 * stain - MIN_TINT) / TINT_RANGE, 0.0, 1.0), dtype=np.float32)


# The cache

BAKE_VERSION = 9  # of the Python part of the bake; increment it to discard cached lightmaps
MAX_ENTRIES = 24  # lightmaps


def lightmap_cache_key(
    mesh: RenderMesh, daylight: Daylight, quality: Quality, shaders: Path, lamps: tuple[Light, ...] = ()
) -> str:
    """Cache key of a baked lightmap: hash of everything it depends on, shader sources included."""
    files = [
        "bake/bake_indirect_light.frag.glsl",
        "bake/bake_probe_light.frag.glsl",
        "shadow_map/shadow_map.vert.glsl",
        *(["bake/bake_point_light.frag.glsl"] if lamps else []),
    ]
    sources = [re.sub(r"//.*", "", read_shader(shaders, file, (("SHADOW_TAPS", "1"),)).text) for file in files]
    return content_key(
        BAKE_VERSION, BAKE, TEXEL_CONSTANTS, PROBE_CONSTANTS,
        (SHADER_CONSTANTS["MAX_RADIANCE"], MIN_TINT, TINT_RANGE, MIN_DIRTY_WALL),
        mesh.triangles, mesh.colours, mesh.solid_bounds, daylight,
        quality.light_size, quality.light_rays,
        quality.shadow_size, sources, *([pack_point_lights(lamps)] if lamps else []),
        *(() if mesh.pictured is None else mesh.pictured.light_key()),
    )  # fmt: skip


def lightmap_folder() -> Path:
    """The user's folder of baked light."""
    return user_folders.cache_folder() / "light"


def content_key(*values: object) -> str:
    """Hash of values: arrays by type, shape and bytes, others by their repr."""
    digest = hashlib.sha256()
    for value in values:
        if isinstance(value, np.ndarray):
            digest.update(f"{value.dtype}{value.shape}".encode())
            digest.update(np.ascontiguousarray(value).tobytes())
        else:
            digest.update(repr(value).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:32]


class LightmapCache:
    """Lightmaps (h, w, 4) with texture coordinates (n, 3, 2) and light probes in one folder. An unreadable or read-only
    folder acts as an empty cache.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str, size: int, triangles: int) -> tuple[Bytes, Floats, LightProbes] | None:
        """Lightmap, texture coordinates and probes of a key; None when missing, damaged or of another size."""
        try:
            with np.load(self._path(key), allow_pickle=False) as stored:
                pixels = stored["atlas"]
                uv = stored["uv"].astype(np.float64)
                cubes = stored["probes"]
                x, y, z, spacing = stored["probe_grid"].tolist()
                depth, _, height, width, _ = cubes.shape
                probes = LightProbes(ProbeGrid((x, y, z), spacing, (width, height, depth)), cubes)
        except Exception:  # numpy and zipfile raise many types for damaged files
            return None
        is_valid = pixels.shape == (size, size, 4) and pixels.dtype == np.uint8 and uv.shape == (triangles, 3, 2)
        is_valid &= cubes.dtype == np.float16 and cubes.shape[1] in (FACES, 2 * FACES) and cubes.shape[4] == 4
        is_valid &= bool(np.isfinite((x, y, z, spacing)).all() and spacing > 0.0 and np.isfinite(cubes).all())
        return (pixels, uv, probes) if is_valid else None

    def put(self, key: str, pixels: Bytes, uv: Floats, probes: LightProbes) -> None:
        """Store baked light atomically and delete the oldest beyond MAX_ENTRIES."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            file = io.BytesIO()
            grid = (*probes.grid.origin, probes.grid.spacing)
            np.savez_compressed(file, atlas=pixels, uv=uv.astype(np.float32), probes=probes.cubes, probe_grid=grid)
            write_atomic(self._path(key), file.getvalue())
            stored = sorted(self.folder.glob("*.light.npz"), key=lambda path: path.stat().st_mtime)
            for path in stored[:-MAX_ENTRIES]:
                path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.light.npz"
