"""Disk cache of baked lightmaps, keyed by all that the baked light depends on."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
from pathlib import Path

import numpy as np

from ...core import user_folders
from ...core.atomic_files import write_atomic
from ...core.vectors import Floats
from ...level.build.entities.point_entities import Light
from ..gl.programs import SHADER_CONSTANTS, read_shader
from ..gl.quality import Quality
from .bake_input import BAKE, Bytes
from .daylight import Daylight
from .light_probes import FACES, PROBE_CONSTANTS, LightProbes, ProbeGrid
from .point_lights import pack_point_lights
from .render_mesh import RenderMesh
from .stains import MIN_DIRTY_WALL, MIN_TINT, TINT_RANGE
from .uv_unwrap import TEXEL_CONSTANTS

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
