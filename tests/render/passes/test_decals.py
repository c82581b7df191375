"""Decals in the picture: their own colours, one side, behind other things; their textures are released."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.render import Decal, DecalPicture, Hud, Renderer, Snapshot
from game.render.camera import Camera
from game.render.gl.quality import QUALITIES
from tests.render.conftest import ground, plain, wall
from tests.support import gl

SIZE = (240, 240)
QUALITY = replace(QUALITIES["medium"], light_size=64, shadow_size=64, samples=0, bloom=0.0, clouds=0, anisotropy=1.0)
FLOOR = plain([ground(20.0)], [(0.4, 0.4, 0.4)])
SOUTH = 32768  # faces the camera, which looks north


def coloured(*rows: tuple[int, int, int, int]) -> DecalPicture:
    """Picture of horizontal bands."""
    return DecalPicture(np.repeat(np.array(rows, np.uint8)[:, None, :], 32, axis=1).repeat(32 // len(rows), axis=0))


@pytest.fixture(scope="module")
def bare_floor(context: Any) -> Iterator[Renderer]:
    renderer = Renderer(context, FLOOR, QUALITY)
    yield renderer
    renderer.release()


@pytest.fixture
def floor(ctx: Any, bare_floor: Renderer) -> Renderer:
    return bare_floor


def pictures(renderer: Renderer, *decals: Decal) -> np.ndarray:
    renderer.render(Snapshot(Camera((0.0, 1.2, 4.0)), hud=Hud(crosshair=False), decals=decals), SIZE)
    return renderer.image().astype(int)


def test_a_decal_shows_its_own_colours_the_right_way_up(floor: Renderer) -> None:
    picture = coloured((200, 40, 30, 255), (30, 60, 190, 255))
    seen = pictures(floor, Decal(picture, (0.0, 1.2, 1.0), SOUTH, 2.0, 2.0))
    assert np.abs(seen[95, 120] - (200, 40, 30)).max() <= 3
    assert np.abs(seen[145, 120] - (30, 60, 190)).max() <= 3


def test_a_decal_has_one_side_and_hides_behind_walls(ctx: Any, floor: Renderer) -> None:
    picture, bare = coloured((250, 0, 250, 255)), pictures(floor)
    assert (pictures(floor, Decal(picture, (0.0, 1.2, 1.0), 0, 2.0, 2.0)) == bare).all()
    scene = plain([ground(20.0), wall(2.0, 3.0)], [(0.4, 0.4, 0.4), (0.6, 0.5, 0.4)])
    renderer = Renderer(ctx, scene, QUALITY)
    hidden = pictures(renderer, Decal(picture, (0.0, 1.2, 1.0), SOUTH, 1.0, 1.0))
    assert (hidden == pictures(renderer)).all()
    renderer.release()


def test_transparent_pixels_show_what_is_behind(floor: Renderer) -> None:
    seen = pictures(floor, Decal(coloured((250, 0, 250, 0), (250, 0, 250, 255)), (0.0, 1.2, 1.0), SOUTH, 2.0, 2.0))
    assert (seen[90, 120] == pictures(floor)[90, 120]).all()
    assert seen[145, 120][0] > 200


def test_textures_of_pictures_that_nobody_holds_are_released(ctx: Any) -> None:
    """As those of the doors of a level that was left."""
    renderer = Renderer(ctx, FLOOR, QUALITY)
    pictures(renderer, Decal(coloured((250, 0, 250, 255)), (0.0, 1.2, 1.0), SOUTH, 0.8, 0.8))
    pictures(renderer)
    gc.collect()
    before = gl.count_objects(ctx)
    for k in range(5):
        pictures(renderer, Decal(coloured((250, 40 * k, 250, 255)), (0.0, 1.2, 1.0), SOUTH, 0.8, 0.8))
    pictures(renderer)
    assert gl.count_objects(ctx) == before
    renderer.release()
