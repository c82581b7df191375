"""Zone pass: pads, water and checkpoints in the picture."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.build.entities.zones import LevelZone
from game.level.level import Sky
from game.render import Hud, Renderer, Snapshot
from game.render.camera import Camera
from game.render.gl.quality import QUALITIES
from tests.render.conftest import grey, ground, picture_of, plain, wall


@pytest.mark.parametrize("depth", [0.3, 4.0])
def test_water_takes_light_by_the_way_through_it(ctx: Any, depth: float) -> None:
    """Of a floor of one colour: deep water hides it and loses red first, shallow water shows it; foam at the sides."""
    pool = LevelZone("water", (0.0, -depth / 2, 0.0), (3.0, depth / 2, 3.0), colour=(0.18, 0.5, 0.56))
    scene = replace(plain([ground(9.0, -depth)], [(0.7, 0.7, 0.7)], haze=0.0), zones=(pool,))
    quality = replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64)
    shots = []
    for zones in ((), (pool,)):
        view = Camera((0.0, 6.0, 0.0), 0.0, -math.pi / 2, 70.0)
        shots.append(picture_of(ctx, replace(scene, zones=zones), quality, view, (200, 200)))
    middle = slice(80, 120), slice(80, 120)
    lost = 1.0 - (shots[1][middle] / shots[0][middle]).mean(axis=(0, 1))
    assert lost[0] > lost[2] + 0.02, "red before blue"
    assert (lost[0] < 0.25) == (depth < 1.0)
    edge = grey(shots[1])[100, 20:60].max()
    assert edge > grey(shots[1])[middle].mean() + 10 or depth < 1.0, "foam where it ends"


def test_a_diver_sees_near_walls_better_than_far_ones(ctx: Any) -> None:
    pool = LevelZone("water", (0.0, -2.0, 0.0), (12.0, 2.0, 12.0), colour=(0.18, 0.5, 0.56))
    boards = [wall(-2.0, 0.8, x=-1.2, y=-2.0), wall(-9.0, 3.0, x=4.5, y=-2.0)]
    scene = replace(plain(boards, [(0.7, 0.7, 0.7)] * 2, haze=0.0), zones=(pool,))
    renderer = Renderer(ctx, scene, replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64), eager=False)
    shots = []
    for eye in ((0.0, -2.0, 0.0), (0.0, 3.0, 0.0)):
        view = Camera(eye, 0.0, 0.0 if eye[1] < 0 else -0.5, 70.0)
        renderer.render(Snapshot(view, Hud(crosshair=False)), (240, 160))
        shots.append(renderer.image().astype(float))
    renderer.release()
    near, far = (shots[0][70:90, columns].mean(axis=(0, 1)) for columns in (slice(50, 70), slice(160, 180)))
    assert near[0] > far[0] + 10, "red is lost on the way"
    assert far[2] > far[0] + 10


def checkpoint_pictures(ctx: Any, sky: Sky, *shown: tuple[int, str]) -> list[np.ndarray]:
    """Pictures (2, rows, columns, 3) of a wall without and with a checkpoint in front of it.

    shown: the checkpoint that is reached and the palette of each.
    """
    zone = LevelZone("checkpoint", (0.0, 1.0, 0.0), (1.5, 1.0, 1.5))
    scene = replace(plain([ground(9.0), wall(-4.0, 6.0)], [(0.8, 0.8, 0.8)] * 2), sky=sky)
    pictures = []
    for zones in ((), (zone,)):
        quality = replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64)
        renderer = Renderer(ctx, replace(scene, zones=zones), quality)
        pictures.append([])
        for reached, palette in shown:
            hud = Hud(crosshair=False, palette=palette)
            view = Camera((0.0, 1.6, 5.0), 0.0, -0.15, 60.0)
            renderer.render(Snapshot(view, hud, time=1.0, checkpoint=reached), (320, 180))
            pictures[-1].append(renderer.image().astype(float))
        renderer.release()
    return [np.array(pair) for pair in zip(*pictures, strict=True)]


DAY, NIGHT = Sky(50.0, 0.0, 0.0), Sky(-20.0, 0.0, 0.0)


@pytest.mark.full
def test_the_last_checkpoint_reached_has_another_shape_in_every_palette(ctx: Any) -> None:
    """Without colour: the frame of a waiting one is dashed, that of the last one reached is unbroken."""
    for sky in (DAY, NIGHT):
        pictures = iter(checkpoint_pictures(ctx, sky, (-1, "usual"), (0, "usual"), (-1, "safe"), (0, "safe")))
        for _ in ("usual", "safe"):
            filled = []
            for _ in (-1, 0):
                plain_picture, shown = next(pictures)
                change = np.abs(grey(shown) - grey(plain_picture))
                row = change[125:150].max(axis=0)[100:220]  # the near side of the frame
                filled.append(np.percentile(row, 5) / row.max())
            assert filled[0] < 0.5
            assert filled[1] > 0.6
