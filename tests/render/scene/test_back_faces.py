"""Back-face culling of closed solids; open surfaces are drawn from both sides."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Hud, Renderer, Scene, Snapshot, SurfaceAppearance
from game.render.gl.quality import QUALITIES
from tests.support.courtyard import Builder

SIZE = (320, 200)
TINY = replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=256, tile_size=64)


def boxes() -> Scene:
    """Open floor with boxes above it, whose triangles lie between those of the floor; only the boxes are closed."""
    builder, chance = Builder(), np.random.default_rng(8)
    for at in np.stack(np.meshgrid(np.arange(-6.0, 7.0, 3.0), np.arange(-6.0, 7.0, 3.0)), axis=-1).reshape(-1, 2):
        size = chance.uniform(0.3, 1.2, 3)
        builder.box((at[0], 0.4, at[1]), (at[0] + size[0], 0.4 + size[1], at[1] + size[2]), "plain")
    floor = np.array([[(-9, 0, 9), (9, 0, 9), (9, 0, -9)], [(-9, 0, 9), (9, 0, -9), (-9, 0, -9)]])
    triangles = np.concatenate((floor[:1], builder.triangles, floor[1:]))
    closed = np.ones(len(triangles), np.bool_)
    closed[[0, -1]] = False
    looks = (SurfaceAppearance((0.7, 0.7, 0.7)), SurfaceAppearance((0.8, 0.4, 0.3)))
    return Scene(triangles, closed.astype(int), looks, sky=Sky(haze=0.0), closed=closed)


def pictures(ctx: Any, scene: Scene) -> list[np.ndarray]:
    renderer, found = Renderer(ctx, scene, TINY, eager=False), []
    for quarter in range(4):
        turn = quarter * math.tau / 4 + 0.3
        for height in (2.5, 0.2):
            view = Camera((9.0 * math.sin(turn), height, 9.0 * math.cos(turn)), turn, 0.15 * (0.2 - height))
            renderer.render(Snapshot(view, Hud(crosshair=False)), SIZE)
            found.append(renderer.image())
    renderer.release()
    return found


@pytest.mark.full
def test_culling_back_faces_of_solids_keeps_the_picture(ctx: Any) -> None:
    scene = boxes()
    for with_them, without in zip(
        pictures(ctx, replace(scene, closed=np.zeros(0, np.bool_))), pictures(ctx, scene), strict=True
    ):
        assert np.ptp(without) > 50
        assert (with_them != without).any(axis=2).sum() <= 3  # where a silhouette's two sides are equally far
