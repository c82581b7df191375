"""Birds: they fly above the level by day, and not at night or in a calm frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Hud, Renderer, Scene, Snapshot
from game.render.gl.quality import QUALITIES
from tests.support.shapes import box

TOP = 4.0
SCENE = Scene(box((-30, -1, -30), (30, TOP, 30)), np.zeros(12, int))
QUALITY = replace(QUALITIES["low"], scale=1.0, tile_size=16, shadow_size=256, light_size=64, clouds=0)


@pytest.fixture(scope="module")
def renderer(context: Any) -> Any:
    renderer = Renderer(context, SCENE, QUALITY, eager=False)
    yield renderer
    renderer.release()


def taken(renderer: Any, seconds: float, pitch: float, calm: bool = False) -> np.ndarray:
    view = Camera((0.0, TOP + 1.6, 0.0), 0.0, pitch, 90.0)
    renderer.render(Snapshot(view, Hud(crosshair=False), time=seconds, calm=calm), (640, 360))
    return renderer.image().astype(float)


def dark_pixels(renderer: Any, seconds: float, pitch: float, calm: bool = False) -> int:
    """Number of pixels that birds darken."""
    without = taken(renderer, seconds, pitch, calm=True)
    return int((taken(renderer, seconds, pitch, calm) < without - 12.0).any(axis=2).sum())


def test_birds_fly_above_the_level_and_move(renderer: Any) -> None:
    seen = [dark_pixels(renderer, seconds, 0.5) for seconds in (0.0, 10.0, 20.0)]
    assert sum(seen) > 50
    assert min(seen) > 0
    assert (taken(renderer, 10.0, 0.5) != taken(renderer, 10.2, 0.5)).any()
    assert dark_pixels(renderer, 10.0, 0.5, calm=True) == 0


def test_none_at_night(context: Any) -> None:
    renderer = Renderer(context, replace(SCENE, sky=Sky(palette="night")), QUALITY, eager=False)
    np.testing.assert_array_equal(taken(renderer, 10.0, 0.5), taken(renderer, 10.0, 0.5, calm=True))
    renderer.release()
