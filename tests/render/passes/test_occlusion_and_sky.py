"""Ambient occlusion in the lightmap; hills, mist and stars of the sky."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from game.render import Camera, Hud, Renderer, Scene, SkyAppearance, Snapshot
from game.render.scene.light_bake import OCCLUSION_DISTANCE
from game.render.scene.lightmap import Lightmap, encode_stain_and_occlusion
from game.render.scene.render_mesh import RenderMesh
from tests.render.conftest import QUICK, SMALL, grey, plain
from tests.render.scene.baked_light import bake

NIGHT = SkyAppearance(38.0, 30.0, 0.004, "night", (0.45, 0.52, 0.70), (0.03, 0.05, 0.12), (0.10, 0.14, 0.24))


def tone(scene: Scene, lightmap: Lightmap, place: tuple[float, float, float]) -> float:
    """Lightmap alpha, 0..1, at a point of the floor (the first two triangles)."""
    corners = RenderMesh.from_scene(scene).triangles[0]
    system = np.column_stack((corners[:, 0], corners[:, 2], np.ones(3)))
    u, v = np.linalg.solve(system, lightmap.corner_uv[0]).T @ (place[0], place[2], 1.0)
    height, width, _ = lightmap.pixels.shape
    return float(lightmap.pixels[int(v * height), int(u * width), 3]) / 255.0


def test_ambient_occlusion_darkens_the_floor_next_to_a_wall_only(ctx: Any) -> None:
    high = [(-6.0, 0.0, -3.0), (6.0, 0.0, -3.0), (6.0, 5.0, -3.0), (-6.0, 5.0, -3.0)]
    floor = [(-6.0, 0.0, 3.0), (6.0, 0.0, 3.0), (6.0, 0.0, -3.0), (-6.0, 0.0, -3.0)]
    scenes = [plain(quads, [(0.6, 0.6, 0.6)] * len(quads)) for quads in ([floor, high], [floor])]
    lit = [(scene, bake(ctx, scene).lightmap) for scene in scenes]
    reach = np.arange(0.1, 2.0, 0.1)
    shade = [np.array([tone(*one, (x, 0.0, z)) for x in (-3.0, 0.0, 3.0) for z in -3.0 + reach]).reshape(3, -1).mean(0)
             for one in lit]  # fmt: skip
    # half of what a place at the foot of a wall sees is that wall, at distances from none to far
    deepest = encode_stain_and_occlusion(np.float32(0.5)) - encode_stain_and_occlusion(np.float32(0.5), 0.5)
    lost = shade[1] - shade[0]
    assert 0.3 * deepest < lost[0] < deepest
    near = reach < OCCLUSION_DISTANCE - 0.3
    assert (np.diff(lost[near]) < 0.02).all(), "the farther from the wall the less"
    assert np.abs(lost[reach > OCCLUSION_DISTANCE + 0.35]).max() < 0.012, "beyond its reach nothing"


def empty(sky: SkyAppearance) -> Scene:
    return Scene(np.zeros((0, 3, 3)), np.zeros(0, np.int32), sky=sky)


def seen(renderer: Renderer, pitch: float, yaw: float = 0.6, fov: float = 60.0) -> np.ndarray:
    renderer.render(Snapshot(Camera((0.0, 5.0, 0.0), yaw, math.radians(pitch), fov), Hud(crosshair=False)), SMALL)
    return renderer.image()


@pytest.mark.parametrize("quality", ["low", pytest.param("medium", marks=pytest.mark.full)])
def test_hills_are_on_the_horizon_above_mist(ctx: Any, quality: str) -> None:
    renderer = Renderer(ctx, empty(SkyAppearance()), quality)
    image = grey(seen(renderer, 0.0))  # a row is about a quarter of a degree; the horizon is row 135
    steps = (image[2:] - image[:-2])[90:133]
    assert (steps.min(axis=0) < -2.5).mean() > 0.9, "a ridge in nearly every column"
    assert image[136:150].mean() > image[119:132].mean() + 2, "the foot of the hills lies in mist"
    low = seen(renderer, -60.0).astype(float)
    assert grey(low).std() > 3, "mist has billows"
    assert grey(low).mean() > 110, "and is no abyss"
    assert np.abs(np.diff(grey(seen(renderer, -4.0)).mean(axis=1)))[150:].max() < 5, "no seam below the hills"
    renderer.release()


@pytest.mark.full
def test_stars_are_visible_at_night_only(ctx: Any) -> None:
    counts = []
    for sky in (NIGHT, SkyAppearance(), SkyAppearance(-30.0), SkyAppearance(3.0)):
        renderer = Renderer(ctx, empty(sky), QUICK)
        image = grey(seen(renderer, 45.0, 3.0))
        around = (image[:-2, 1:-1] + image[2:, 1:-1] + image[1:-1, :-2] + image[1:-1, 2:]) / 4
        counts.append(int((image[1:-1, 1:-1] > around + 8).sum()))
        if sky is NIGHT:
            below = grey(seen(renderer, -30.0))
            assert below.max() < 90, "none below"
        renderer.release()
    night, day, deep_night, dusk = counts
    assert night > 30
    assert deep_night > 30
    assert day == dusk == 0
