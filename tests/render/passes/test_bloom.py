"""Bloom: white areas glow, and quality low has none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.build.entities.point_entities import Light
from game.level.level import Sky
from game.render import Camera, Hud, Quality, Scene
from game.render.gl.quality import QUALITIES
from tests.render.conftest import grey, picture_of, plain, wall

SIZE = (320, 240)
QUICK = replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64, tile_size=16, clouds=0)
DARK = Sky(90.0, 0.0, 0.0, "day", (0.02, 0.02, 0.02), (0.02, 0.02, 0.02), (0.02, 0.02, 0.02))


def picture(ctx: Any, scene: Scene, quality: Quality) -> np.ndarray:
    view = Camera((0.0, 0.0, 5.0), 0.0, 0.0, 60.0)
    return picture_of(ctx, scene, quality, view, SIZE, hud=Hud(crosshair=False)).astype(float)


def bright(half: float) -> Scene:
    """White square in full sun and in the light of a strong lamp, under a dark sky."""
    sky = replace(DARK, sun_height=20.0, sun_from=180.0, sun=(1.0, 1.0, 1.0), palette="evening")
    lamp = Light((0.0, 0.0, 3.0), (1.0, 1.0, 1.0), brightness=9.0, reach=50.0, visible=False)
    return replace(plain([wall(0.0, half)], [(1.0, 1.0, 1.0)]), sky=sky, lamps=(lamp,))


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_white_areas_glow(ctx: Any, scale: float) -> None:
    scene, quality = bright(0.6), replace(QUICK, scale=scale)
    without, with_it = (picture(ctx, scene, replace(quality, bloom=bloom)) for bloom in (0.0, 0.25))
    assert grey(without)[120, 160] > 235, "the square is nearly white"
    gained = grey(with_it - without)
    edge = 160 + int(0.6 / 5.0 * 120 / np.tan(np.radians(30.0)))
    beside, far = gained[120, edge + 4 : edge + 12], gained[120, edge + 90 :]
    assert beside.min() > 1.5
    assert gained.max() < 45, "kept low"
    assert far.max() < 1.0
    along = gained[120, edge + 4 : edge + 90]
    assert (np.diff(along) < 1.5).all(), "less and less outwards"
    assert gained.min() >= -1.0, "nothing becomes darker"
    left, right = gained[120, : edge - 100][::-1], gained[120, 320 - (edge - 100) :]
    assert np.abs(left - right).max() < 3.0, "to all sides alike"


def test_low_quality_has_no_bloom() -> None:
    assert QUALITIES["low"].bloom == 0.0
    assert 0.0 < QUALITIES["medium"].bloom <= QUALITIES["high"].bloom < 0.4
