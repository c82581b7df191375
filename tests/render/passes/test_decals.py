"""Decals in the picture: their own colours, one side, behind other things, and one upload a frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from game.render import Decal, DecalPicture, Hud, Renderer, Scene, Snapshot
from game.render.camera import Camera
from game.render.gl.quality import QUALITIES
from game.render.passes.decals import MAX_TEXTURES
from tests.render.conftest import ground, plain, wall

SIZE = (240, 240)
QUALITY = replace(QUALITIES["medium"], light_size=64, shadow_size=64, samples=0, bloom=0.0, clouds=0, anisotropy=1.0)
SOUTH = 32768  # faces the camera, which looks north


def coloured(*rows: tuple[int, int, int, int]) -> DecalPicture:
    """Picture of horizontal bands."""
    return DecalPicture(np.repeat(np.array(rows, np.uint8)[:, None, :], 32, axis=1).repeat(32 // len(rows), axis=0))


def taken(ctx: Any, *decals: Decal, scene: Scene | None = None, frames: int = 1, eager: bool = True) -> np.ndarray:
    renderer = Renderer(ctx, scene or plain([ground(20.0)], [(0.4, 0.4, 0.4)]), QUALITY, eager=eager)
    try:
        for _ in range(frames):
            renderer.render(Snapshot(Camera((0.0, 1.2, 4.0)), hud=Hud(crosshair=False), decals=decals), SIZE)
        return renderer.image().astype(int)
    finally:
        renderer.release()


def test_a_decal_shows_its_own_colours_the_right_way_up(ctx: Any) -> None:
    picture = coloured((200, 40, 30, 255), (30, 60, 190, 255))
    seen = taken(ctx, Decal(picture, (0.0, 1.2, 1.0), SOUTH, 2.0, 2.0))
    assert np.abs(seen[95, 120] - (200, 40, 30)).max() <= 3
    assert np.abs(seen[145, 120] - (30, 60, 190)).max() <= 3
    darker = taken(ctx, Decal(picture, (0.0, 1.2, 1.0), SOUTH, 2.0, 2.0, brightness=0.25))
    assert (darker[95, 120] < seen[95, 120]).all()


def test_left_and_right_are_not_exchanged(ctx: Any) -> None:
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[..., 3], pixels[:, :4, 0], pixels[:, 4:, 2] = 255, 220, 220
    seen = taken(ctx, Decal(DecalPicture(pixels), (0.0, 1.2, 1.0), SOUTH, 2.0, 2.0))
    assert seen[120, 90][0] > 200 > 100 > seen[120, 90][2]
    assert seen[120, 150][2] > 200 > 100 > seen[120, 150][0]


def test_a_decal_has_one_side_and_hides_behind_walls(ctx: Any) -> None:
    picture, bare = coloured((250, 0, 250, 255)), taken(ctx)
    assert (taken(ctx, Decal(picture, (0.0, 1.2, 1.0), 0, 2.0, 2.0)) == bare).all()
    scene = plain([ground(20.0), wall(2.0, 3.0)], [(0.4, 0.4, 0.4), (0.6, 0.5, 0.4)])
    hidden = taken(ctx, Decal(picture, (0.0, 1.2, 1.0), SOUTH, 1.0, 1.0), scene=scene)
    assert (hidden == taken(ctx, scene=scene)).all()


def test_transparent_pixels_show_what_is_behind(ctx: Any) -> None:
    seen = taken(ctx, Decal(coloured((250, 0, 250, 0), (250, 0, 250, 255)), (0.0, 1.2, 1.0), SOUTH, 2.0, 2.0))
    assert (seen[90, 120] == taken(ctx)[90, 120]).all()
    assert seen[145, 120][0] > 200


def test_the_scene_may_have_decals_of_its_own(ctx: Any) -> None:
    scene = plain([ground(20.0)], [(0.4, 0.4, 0.4)])
    decal = Decal(coloured((200, 40, 30, 255)), (0.0, 1.2, 1.0), SOUTH, 2.0, 2.0)
    assert (taken(ctx, scene=replace(scene, decals=(decal,))) == taken(ctx, decal)).all()


def test_a_frame_uploads_one_picture(ctx: Any) -> None:
    decals = tuple(Decal(coloured((250, 0, 250, 255)), (k - 1.0, 1.2, 1.0), SOUTH, 0.8, 0.8) for k in range(3))

    def shown(image: np.ndarray) -> int:
        return sum(bool((np.abs(image[120, 120 + x] - (250, 0, 250)) < 8).all()) for x in (-40, 0, 40))

    assert [shown(taken(ctx, *decals, frames=n, eager=False)) for n in (1, 2, 3)] == [1, 2, 3]


def test_more_pictures_than_are_kept_are_drawn_one_after_the_other(ctx: Any) -> None:
    renderer = Renderer(ctx, plain([ground(20.0)], [(0.4, 0.4, 0.4)]), QUALITY)
    for k in range(MAX_TEXTURES + 6):
        picture = DecalPicture(np.full((4, 4, 4), (250, 3 * k, 250, 255), np.uint8))
        decals = [Decal(picture, (0.0, 1.2, 1.0), SOUTH, 0.8, 0.8)]
        renderer.render(Snapshot(Camera((0.0, 1.2, 4.0)), hud=Hud(crosshair=False), decals=tuple(decals)), (24, 24))
        if k in (0, MAX_TEXTURES - 1, MAX_TEXTURES + 5):
            assert np.abs(renderer.image()[12, 12].astype(int) - (250, 3 * k, 250)).max() < 8
    renderer.release()
