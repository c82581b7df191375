"""Point lights: falloff, reach and shadows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.build.entities.point_entities import Light
from game.level.level import Sky
from game.render import Scene
from game.render.scene.bake_input import BAKE
from game.render.scene.daylight import SUN_RADIANCE
from game.render.scene.lamps import REFERENCE_DISTANCE, pack_point_lights, unshadowed_irradiance
from tests.render.conftest import ground, plain
from tests.render.scene.baked_light import SceneLight, bake, box_scene

NIGHT = Sky(haze=0.0, palette="night", sun=(0.0, 0.0, 0.0), zenith=(0.01, 0.01, 0.02), horizon=(0.01, 0.01, 0.02))
WHITE = (1.0, 1.0, 1.0)


def with_lamps(scene: Scene, *lamps: Light) -> Scene:
    return replace(scene, lamps=lamps, sky=NIGHT)


def test_lamp_light_follows_the_inverse_square_law_up_to_its_reach() -> None:
    rows = pack_point_lights([Light((0, 3, 0), WHITE, 2.0, 10.0)])
    below = np.array(
        [(0, 3 - REFERENCE_DISTANCE, 0), (0, 1 - REFERENCE_DISTANCE, 0), (0, -6.9, 0), (0, -7.1, 0), (0, 4, 0)],
        np.float32,
    )
    up = np.broadcast_to(np.array((0, 1, 0), np.float32), below.shape)
    light = unshadowed_irradiance(below, up, rows)[:, 1]
    assert light[0] == pytest.approx(2 * SUN_RADIANCE, rel=0.01), "brightness 1: as the sun by day"
    assert light[1] == pytest.approx(light[0] * REFERENCE_DISTANCE**2 / (2 + REFERENCE_DISTANCE) ** 2, rel=0.06)
    assert 0 < light[2] < 1e-3 * light[0]
    assert light[3] == 0.0
    assert light[4] == 0.0, "it looks away from the lamp"
    slanted = unshadowed_irradiance(
        np.array([(REFERENCE_DISTANCE, 3 - REFERENCE_DISTANCE, 0)], np.float32), up[:1], rows
    )[0, 1]
    assert slanted == pytest.approx(light[0] * 0.5 * np.sqrt(0.5), rel=0.02)


@pytest.mark.full
def test_baked_and_unshadowed_lamp_light_agree_without_obstacles(ctx: Any) -> None:
    scene = with_lamps(plain([ground(6.0)], [(0.5, 0.5, 0.5)]), Light((0, 2, 0), (1.0, 0.5, 0.2), 0.5, 9.0))
    unlit = with_lamps(plain([ground(6.0)], [(0.5, 0.5, 0.5)]), Light((0, 2, 0), (1.0, 0.5, 0.2), 1e-6, 9.0))
    first, final, dark = SceneLight(scene), bake(ctx, scene), bake(ctx, unlit)
    for place in ((0, 0, 0), (2, 0, 1), (-4, 0, 3)):
        guess, light = first.at(place, (0, 1, 0)), final.at(place, (0, 1, 0))
        assert light == pytest.approx(guess, abs=0.04 + 0.04 * guess.max())
        light = light - dark.at(place, (0, 1, 0))
        assert light[0] > 1.5 * light[1] > 2 * light[2], "of the lamp's colour"


def test_walls_block_lamp_light(ctx: Any) -> None:
    dark = bake(ctx, replace(box_scene(False), sky=NIGHT))
    scene = with_lamps(box_scene(False), Light((0, 2, 0), WHITE, 1.0, 8.0))
    lit, first = bake(ctx, scene), SceneLight(scene)
    for place, normal in (((0.5, 0, 0), (0, 1, 0)), ((-2, 1.5, 0), (1, 0, 0)), ((0.5, 3, 0), (0, -1, 0))):
        assert lit.at(place, normal).min() > 20 * BAKE.shadow_offset > dark.at(place, normal).max()
    outside = ((0, 3.2, 0), (0, 1, 0)), ((2.2, 1.5, 0), (1, 0, 0)), ((0, 1.5, 2.2), (0, 0, 1))
    for place, normal in outside:
        assert lit.at(place, normal) == pytest.approx(dark.at(place, normal), abs=0.01)
    assert first.at((2.2, 1.5, 0), (1, 0, 0)) == pytest.approx(0, abs=0.02), "it looks away from the lamp"
