"""Level changes: loading beside the running level, reused light, patched shadow maps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import (
    Camera,
    Renderer,
    Scene,
    Snapshot,
    SurfaceAppearance,
    build_scene_data,
)
from game.render.gl.programs import default_folder
from game.render.gl.quality import QUALITIES
from game.render.scene.daylight import compute_daylight
from game.render.scene.lightmap import Lightmap, LightmapCache, open_sky_irradiance, prepare_lightmap
from game.render.scene.lightmap_reuse import LitScene, reuse_lightmap, sample_lightmap
from game.render.scene.render_mesh import RenderMesh
from tests.support.courtyard import LOOKS, NAMES, Builder

TINY = replace(QUALITIES["low"], light_size=128, shadow_size=512, tile_size=64)
ABOVE = Camera((0.0, 7.0, 9.0), 0.0, -0.75, 60.0, 0.1)
SIZE = (320, 180)


def made(*boxes: tuple[Any, ...], **more: Any) -> Scene:
    """Floor with a wall and boxes."""
    b = Builder()
    b.box((-8, -0.5, -8), (8, 0, 8), "plain")
    b.box((-4, 0, -6), (4, 3, -5.5), "brick")
    for low, high in boxes:
        b.box(low, high, "plain")
    looks = tuple(SurfaceAppearance((0.7, 0.7, 0.7), LOOKS[name].texture) for name in NAMES)
    fields = {"sky": Sky(haze=0.0), **more}
    return Scene(np.array(b.triangles), np.array(b.index), looks, **fields)


PILLAR = ((2.0, 0.0, -1.0), (3.0, 2.5, 0.0))
BENCH = ((-3.0, 0.0, 1.0), (-1.0, 0.6, 2.0))


def picture(renderer: Renderer) -> np.ndarray:
    renderer.render(Snapshot(ABOVE, time=3.0), SIZE)
    return renderer.image().astype(int)


@pytest.fixture
def renderer(ctx: Any) -> Iterator[Renderer]:
    made_here = Renderer(ctx, made(), TINY, eager=False)
    yield made_here
    made_here.release()


def test_a_changed_level_looks_as_in_a_new_renderer(ctx: Any, renderer: Renderer) -> None:
    for scene in (made(PILLAR), made(PILLAR, BENCH, sky=Sky(sun_height=20.0)), made()):
        prepared = build_scene_data(scene, TINY)
        renderer.change_scene(prepared)
        fresh = Renderer(ctx, prepared, eager=False)
        assert np.array_equal(picture(renderer), picture(fresh))
        assert renderer.scene is scene
        fresh.release()


def test_loading_steps_do_not_change_the_picture(ctx: Any, renderer: Renderer) -> None:
    before = picture(renderer)
    prepared = build_scene_data(made(PILLAR, sky=Sky(sun_from=30.0)), TINY)
    steps = 0
    while not renderer.load_step(prepared):
        steps += 1
        assert np.array_equal(picture(renderer), before)
    assert 1 <= steps < 12
    renderer.change_scene(prepared)
    after = picture(renderer)
    assert np.abs(after - before).max() > 60
    fresh = Renderer(ctx, prepared, eager=False)
    assert np.array_equal(after, picture(fresh))
    fresh.release()


@pytest.mark.full
def test_an_abandoned_level_change_leaves_no_trace(ctx: Any, renderer: Renderer) -> None:
    first, second = build_scene_data(made(PILLAR), TINY), build_scene_data(made(BENCH), TINY)
    renderer.load_step(first)
    while not renderer.load_step(second):
        pass
    renderer.change_scene(second)
    fresh = Renderer(ctx, second, eager=False)
    assert np.array_equal(picture(renderer), picture(fresh))
    fresh.release()


def test_a_level_with_another_texture_shows_it(renderer: Renderer) -> None:
    b = Builder()
    b.box((-8, -0.5, -8), (8, 0, 8), "grass")
    scene = Scene(np.array(b.triangles), np.array(b.index), tuple(LOOKS.values()))
    renderer.change_scene(build_scene_data(scene, TINY))
    grass = picture(renderer)
    renderer.change_scene(build_scene_data(replace(scene, surfaces=tuple(SurfaceAppearance() for _ in LOOKS)), TINY))
    assert np.abs(grass - picture(renderer)).max() > 20


def light_at(found: Lightmap, model: RenderMesh) -> np.ndarray:
    """Light (N, 3) at the centre of each triangle."""
    return sample_lightmap(found.pixels, found.corner_uv.mean(axis=1))


def gathered(ctx: Any, scene: Scene, folder: Path) -> Lightmap:
    Renderer(ctx, scene, TINY, light_cache=folder).release()
    found = prepare_lightmap(
        RenderMesh.from_scene(scene), compute_daylight(scene.sky), TINY, default_folder(), LightmapCache(folder)
    )
    assert found.is_baked
    return found


@pytest.mark.full
def test_reused_light_is_exact_where_unchanged_and_close_elsewhere(ctx: Any, tmp_path: Path) -> None:
    roof = ((-4.0, 3.0, -5.5), (4.0, 3.2, 0.0))
    before, after = made(roof), made(roof, ((-3.0, 0.0, -4.0), (-2.0, 1.0, -3.0)), BENCH)
    old, new = RenderMesh.from_scene(before), RenderMesh.from_scene(after)
    light = compute_daylight(before.sky)
    known = LitScene(old, light, gathered(ctx, before, tmp_path))
    found = reuse_lightmap(known, new, light, TINY)
    same = light_at(found, new)[: len(old.triangles)]
    assert np.abs(same - light_at(known.lightmap, old)).max() < 0.02
    truth = light_at(gathered(ctx, after, tmp_path), new)[len(old.triangles) :]
    guess = light_at(found, new)[len(old.triangles) :]
    sky = open_sky_irradiance(new.normals[len(old.triangles) :], light)
    seen = new.normals[len(old.triangles) :, 1] > -0.5  # what lies on the floor is seen by nobody
    error, plain = (np.abs(np.sqrt(other) - np.sqrt(truth))[seen].mean() for other in (guess, sky))
    assert error < 0.4 * plain
    assert error < 0.06
