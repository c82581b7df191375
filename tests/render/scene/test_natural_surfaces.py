"""Natural surfaces: limits of albedo, ambient light in hollows, dirt on walls, and the key of baked light."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from game.core.srgb import srgb_to_linear
from game.level.level import Sky
from game.render import Camera
from game.render.gl.programs import SHADER_CONSTANTS, default_folder
from game.render.gl.quality import QUALITIES
from game.render.scene import lightmap
from game.render.scene.bake_input import BAKE, BakeConstants
from game.render.scene.daylight import compute_daylight
from game.render.scene.lightmap import lightmap_cache_key
from game.render.scene.render_mesh import ALBEDO_LIMITS, RenderMesh, limit_albedo
from game.render.scene.scene_data import PLANE_TONE, plane_tones
from game.render.scene.surface_textures import ambient_in_hollows
from tests.render.conftest import grey, ground, picture_of, plain, wall
from tests.render.scene.baked_light import TINY, bake


def luminance(colours: np.ndarray) -> np.ndarray:
    return srgb_to_linear(colours) @ (0.2126, 0.7152, 0.0722)


@pytest.mark.parametrize("limit", [SHADER_CONSTANTS["ALBEDO_LIMIT"], *ALBEDO_LIMITS.values()])
def test_colours_come_near_the_limit_of_albedo_and_never_reach_it(limit: float) -> None:
    greys = np.repeat(np.linspace(0.0, 1.0, 50)[:, None], 3, axis=1)
    limited = luminance(limit_albedo(greys, np.full(50, limit)))
    assert (np.diff(limited) > 0).all(), "what is brighter stays brighter"
    assert limited[-1] < limit
    dark = luminance(greys) < 0.5 * limit
    assert np.allclose(limited[dark], luminance(greys)[dark]), "dark colours stay"


def test_hollows_get_less_ambient_light_and_a_flat_tile_keeps_it() -> None:
    texel = 0.004
    assert ambient_in_hollows(np.full((64, 64), 0.01), texel) == pytest.approx(np.ones((64, 64)))
    height = np.zeros((64, 64))
    height[:, 30:33] = -0.004
    light = ambient_in_hollows(height, texel)
    assert light[10, 31] < 0.75
    assert light[10, 5] == pytest.approx(1.0)
    assert 1.0 <= light.max() <= SHADER_CONSTANTS["CAVITY_RANGE"]
    assert np.allclose(np.roll(light, 32, axis=1), ambient_in_hollows(np.roll(height, 32, axis=1), texel)), "it tiles"


def test_at_low_quality_the_planes_of_steps_are_told_apart_and_those_of_slopes_are_not() -> None:
    steps = [wall(0.3 * k, 1.0, y=0.17 * k) for k in range(12)]
    slope = [(x, y + z, z) for x, y, z in ground(1.0)]
    mesh = RenderMesh.from_scene(plain([*steps, wall(0.3, 1.0, x=5.0), slope], [(0.5, 0.5, 0.5)] * 14))
    tones = plane_tones(mesh)
    assert np.array_equal(tones[::2], tones[1::2]), "both triangles of a face have one tone"
    of_face = tones[::2]
    assert of_face[12] == of_face[1], "faces in one plane too"
    assert of_face[13] == 1.0
    assert np.mean(np.abs(np.diff(of_face[:12]))) > 0.5 * PLANE_TONE
    assert np.abs(of_face - 1.0).max() <= PLANE_TONE


def test_at_low_quality_a_wall_near_the_eye_has_texture_and_one_farther_off_has_not(ctx: Any) -> None:
    def roughness(distance: float) -> float:
        picture = picture_of(ctx, plain([wall(0.0, 20.0)], [(0.5, 0.5, 0.5)]), "low", Camera((0.0, 0.0, distance)))
        return float(np.abs(np.diff(grey(picture), axis=1)).mean())

    assert roughness(0.5) > 3.0 * roughness(4.0)


def test_a_wall_is_dirty_at_its_foot_on_the_ground_and_not_in_the_middle(ctx: Any) -> None:
    scene = plain([ground(5.0), wall(-4.0, 3.0, y=2.0)], [(0.6, 0.6, 0.6)] * 2)  # the wall begins 1 m below the ground
    lit = bake(ctx, scene, replace(TINY, light_rays=32))
    charts, alpha = lit._charts, lit.lightmap.pixels[..., 3].astype(float)
    on_wall = (charts.chart_of_texel >= 0) & (charts.normal[..., 2] > 0.9)
    height = charts.position[..., 1]
    foot, middle = (alpha[on_wall & (np.abs(height - y) < 0.15)].mean() for y in (0.15, 2.0))
    assert foot < 0.75 * middle


@pytest.mark.parametrize("name", [field.name for field in fields(BakeConstants)])
def test_every_constant_of_the_bake_is_in_the_key(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = plain([ground(1.0)], [(0.5, 0.5, 0.5)])
    arguments = RenderMesh.from_scene(scene), compute_daylight(Sky()), QUALITIES["low"], default_folder()
    before = lightmap_cache_key(*arguments)
    assert before == lightmap_cache_key(*arguments)
    value = getattr(BAKE, name)
    changed = tuple(1.1 * one for one in value) if isinstance(value, tuple) else 2 * value
    monkeypatch.setattr(lightmap, "BAKE", replace(BAKE, **{name: changed}))
    assert lightmap_cache_key(*arguments) != before
