"""Ambient occlusion in the lightmap; hills, mist and stars of the sky."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Hud, Renderer, Scene, Snapshot
from game.render.scene import light_bake
from game.render.scene.bake_input import BAKE
from game.render.scene.lightmap import Lightmap
from game.render.scene.lightmap_reuse import sample_lightmap
from game.render.scene.render_mesh import RenderMesh
from tests.render.conftest import SMALL, grey, plain
from tests.render.scene.baked_light import TINY, bake


def floor_light(scene: Scene, lightmap: Lightmap, place: tuple[float, float, float]) -> float:
    """Baked light at a point of the floor (the first two triangles)."""
    corners = RenderMesh.from_scene(scene).triangles[0]
    system = np.column_stack((corners[:, 0], corners[:, 2], np.ones(3)))
    u, v = np.linalg.solve(system, lightmap.corner_uv[0]).T @ (place[0], place[2], 1.0)
    return float(sample_lightmap(lightmap.pixels, np.array([[u, v]])).mean())


def test_ambient_occlusion_darkens_the_floor_next_to_a_wall_only(ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    high = [(-6.0, 0.0, -3.0), (6.0, 0.0, -3.0), (6.0, 5.0, -3.0), (-6.0, 5.0, -3.0)]
    floor = [(-6.0, 0.0, 3.0), (6.0, 0.0, 3.0), (6.0, 0.0, -3.0), (-6.0, 0.0, -3.0)]
    scene = plain([floor, high], [(0.6, 0.6, 0.6)] * 2)
    reach = np.arange(0.1, 2.0, 0.1)
    light = []
    for strength in (0.0, BAKE.max_occlusion):
        monkeypatch.setattr(light_bake, "BAKE", replace(BAKE, max_occlusion=strength))
        lightmap = bake(ctx, scene, replace(TINY, light_rays=64)).lightmap
        places = [(x, 0.0, z) for x in (-3.0, 0.0, 3.0) for z in -3.0 + reach]
        light.append(np.array([floor_light(scene, lightmap, place) for place in places]).reshape(3, -1).mean(axis=0))
    lost = 1.0 - light[1] / light[0]
    contact, corner = BAKE.occlusion_distances
    # half of what a place at the foot of a wall sees is that wall, at distances from none to far
    assert 0.3 * BAKE.max_occlusion * 0.5 < lost[0] < BAKE.max_occlusion * 0.5
    assert (np.diff(lost[reach < corner - 0.3]) < 0.02).all(), "the farther from the wall the less"
    assert lost[0] - lost[reach > contact + 0.15][0] > 0.4 * lost[0], "most of it close to the wall"
    assert np.abs(lost[reach > corner + 0.35]).max() < 0.02, "beyond its reach nothing"


def empty(sky: Sky) -> Scene:
    return Scene(np.zeros((0, 3, 3)), np.zeros(0, np.int32), sky=sky)


def seen(renderer: Renderer, pitch: float) -> np.ndarray:
    view = Camera((0.0, 5.0, 0.0), 0.6, math.radians(pitch), 60.0)
    renderer.render(Snapshot(view, Hud(crosshair=False), calm=True), SMALL)  # without birds
    return renderer.image()


@pytest.mark.parametrize("quality", ["low", pytest.param("medium", marks=pytest.mark.full)])
def test_hills_are_on_the_horizon_above_mist(ctx: Any, quality: str) -> None:
    renderer = Renderer(ctx, empty(Sky()), quality)
    image = grey(seen(renderer, 0.0))  # a row is about a quarter of a degree; the horizon is row 135
    steps = (image[2:] - image[:-2])[90:133]
    assert (steps.min(axis=0) < -2.5).mean() > 0.9, "a ridge in nearly every column"
    assert image[136:150].mean() > image[119:132].mean() + 2, "the foot of the hills lies in mist"
    low = seen(renderer, -60.0).astype(float)
    assert grey(low).std() > 3, "mist has billows"
    assert grey(low).mean() > 110, "and is no abyss"
    assert np.abs(np.diff(grey(seen(renderer, -4.0)).mean(axis=1)))[150:].max() < 5, "no seam below the hills"
    renderer.release()
