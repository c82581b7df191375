"""Light of a lightmap by place, for tests of the bake. A renderer leaves the lightmap that it baked in its cache."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from game.level.level import Sky
from game.render import Renderer, Scene, SurfaceAppearance, build_scene_data
from game.render.gl.quality import QUALITIES, Quality
from game.render.scene.lightmap import LightmapCache, decode_lightmap
from game.render.scene.render_mesh import RenderMesh
from game.render.scene.uv_unwrap import unwrap
from tests.support.courtyard import Builder

TINY = replace(QUALITIES["low"], light_size=128, shadow_size=1024, tile_size=64)


class SceneLight:
    """The lightmap of a scene: baked where `folder` is a cache with it, else of an open sky with unshadowed lamps."""

    def __init__(self, scene: Scene, quality: Quality = TINY, folder: Path | None = None) -> None:
        cache = None if folder is None else LightmapCache(folder)
        self.lightmap = build_scene_data(scene, quality, cache=cache).lightmap
        assert self.lightmap.is_baked == (folder is not None)
        charts = unwrap(RenderMesh.from_scene(scene), quality.light_size)
        assert charts is not None
        self._charts, self._light = charts, decode_lightmap(self.lightmap.pixels)

    def at(self, place: tuple[float, float, float], normal: tuple[float, float, float]) -> np.ndarray:
        """Light (3,) of the lightmap texel nearest to a point with that normal."""
        charts = self._charts
        fits = (charts.chart_of_texel >= 0) & (charts.normal @ np.array(normal) > 0.99)
        away = np.where(fits, np.linalg.norm(charts.position - np.array(place), axis=-1), np.inf)
        y, x = np.unravel_index(away.argmin(), away.shape)
        assert away[y, x] < 1.0
        return self._light[y, x].astype(float)


def bake(ctx: Any, scene: Scene, quality: Quality = TINY) -> SceneLight:
    """The baked light of a scene."""
    with TemporaryDirectory() as folder:
        Renderer(ctx, scene, quality, light_cache=Path(folder)).release()
        return SceneLight(scene, quality, Path(folder))


def box_scene(opening: bool, colour: tuple[float, float, float] = (0.7, 0.7, 0.7)) -> Scene:
    """Closed room of 4 m with walls of 20 cm; with an opening, one wall ends 1 m below the ceiling."""
    b = Builder()
    b.box((-2.2, -0.2, -2.2), (2.2, 0, 2.2), "plain")
    b.box((-2.2, 3, -2.2), (2.2, 3.2, 2.2), "plain")
    b.box((-2.2, 0, -2.2), (-2, 3, 2.2), "plain")
    b.box((2, 0, -2.2), (2.2, 2.0 if opening else 3, 2.2), "plain")
    b.box((-2, 0, -2.2), (2, 3, -2), "plain")
    b.box((-2, 0, 2), (2, 3, 2.2), "plain")
    looks = tuple(SurfaceAppearance(colour) for _ in range(10))
    return Scene(np.array(b.triangles), np.array(b.index), looks, sky=Sky(haze=0.0))
