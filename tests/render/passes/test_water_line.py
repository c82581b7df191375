"""Water line pass: the picture changes smoothly while the eye goes through the surface, at every direction of view."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from game.level.build.entities.zones import LevelZone
from game.render import Hud, Renderer, Snapshot
from game.render.camera import Camera
from game.render.gl.quality import QUALITIES
from game.render.scene.scene import Scene
from tests.render.conftest import ground, plain, wall

POOL = LevelZone("water", (0.0, -1.0, 0.0), (4.0, 1.0, 4.0), colour=(0.2, 0.5, 0.6))
SIZE = (160, 90)


def pool() -> Scene:
    white = (0.75, 0.72, 0.65)
    return replace(plain([ground(9.0, -2.0), wall(-4.0, 4.0)], [white, white]), zones=(POOL,))


@pytest.fixture
def renderer(ctx: Any) -> Any:
    made = Renderer(ctx, pool(), replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64))
    yield made
    made.release()


def picture(renderer: Renderer, height: float, pitch: float = 0.0) -> Any:
    """Picture (rows, columns, 3) from an eye at `height` (m) above the surface."""
    renderer.render(Snapshot(Camera((0.0, height, 2.0), 0.0, pitch, 60.0, 0.08), Hud(crosshair=False), time=1.0), SIZE)
    return renderer.image().astype(float)


@pytest.mark.full
@pytest.mark.parametrize("pitch", [0.0, -0.5, 0.5])
def test_no_centimetre_changes_more_than_a_part_of_the_picture(renderer: Renderer, pitch: float) -> None:
    """With the colour of the water over the whole picture at once, a step changed it by 40 of 255 in the mean.

    With the light that the way through the water takes from the whole picture at once, by 22.
    """
    heights = np.arange(-0.30, 0.301, 0.01)
    pictures = [picture(renderer, height, pitch) for height in heights]
    steps = [np.abs(b - a).mean() for a, b in pairwise(pictures)]
    assert max(steps) < 12.0
    assert np.abs(pictures[-1] - pictures[0]).mean() > 20.0


def test_the_line_goes_down_the_picture_as_the_eye_rises(renderer: Renderer) -> None:
    """Rows of the wall that have the colour of the water, which is less red than the wall."""
    shares = []
    for height in np.arange(-0.14, 0.141, 0.02):
        red, _, blue = np.moveaxis(picture(renderer, height), 2, 0)
        wet = (blue > red - 10.0).mean(axis=1) > 0.5
        shares.append(wet.mean())
        if 0.3 < wet.mean() < 0.7:
            assert wet[-SIZE[1] // 6 :].all()
            assert not wet[: SIZE[1] // 6].any()
    assert shares[0] > 0.95
    assert (np.diff(shares) < 0.05).all()
    assert len([share for share in shares if 0.1 < share < 0.9]) >= 3
