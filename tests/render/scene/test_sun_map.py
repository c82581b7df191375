"""Shadow map of the level: shadows behind casters, and no shadow acne."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Scene, SurfaceAppearance
from tests.render.conftest import ground, picture_of
from tests.render.scene.baked_light import TINY

SIZE = (320, 320)


def box(x: float, y: float, z: float) -> list[list[tuple[float, float, float]]]:
    """Top and the sides facing +x and +z of a box on the ground around the origin."""
    return [
        [(-x, y, z), (x, y, z), (x, y, -z), (-x, y, -z)],
        [(-x, 0, z), (x, 0, z), (x, y, z), (-x, y, z)],
        [(x, 0, z), (x, 0, -z), (x, y, -z), (x, y, z)],
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize("height", [20.0, 40.0, 60.0])
@pytest.mark.parametrize(("taps", "size"), [(1, 1024), (3, 2048), (8, 4096), (16, 4096)])
def test_a_floor_has_no_shadow_acne(ctx: Any, taps: int, size: int, height: float) -> None:
    quads = np.array([ground(30.0), *box(6.0, 1.4, 6.0)])
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]], axis=1).reshape(-1, 3, 3)
    looks = (SurfaceAppearance((0.5, 0.5, 0.5), "plain"),)
    quality = replace(TINY, scale=1.0, shadow_taps=taps, shadow_size=size, tile_size=16)
    pictures = []
    for scene in (triangles, triangles[:2]):
        sky = Sky(sun_height=height, sun_from=120.0, haze=0.0)
        lit = Scene(scene, np.zeros(len(scene), np.int32), looks, sky=sky)
        view = Camera((0.0, 28.0, 0.0), 0.0, -1.5707963, 60.0, 0.05)
        pictures.append(picture_of(ctx, lit, quality, view, SIZE, calm=True).sum(axis=2))  # without birds
    with_box, bare = pictures
    metres = 2 * 28.0 * np.tan(np.radians(30.0)) / SIZE[0]
    z, x = (np.mgrid[: SIZE[0], : SIZE[1]] - SIZE[0] / 2 + 0.5) * metres
    beside = np.maximum(np.abs(x), np.abs(z)) > 6.6  # off the box, whose top is nearer and looks larger
    lit = beside & (x < 6.0) & (z > -6.0)  # the sun stands in the west and south: shadows fall east and north
    assert np.abs(with_box - bare)[lit].max() <= 9, "three parts of three: what the tiles' light may be off"
    assert (with_box - bare)[(x > 6.4) & (x < 6.6) & (np.abs(z) < 3)].max() < -60, "behind the box there is shadow"
