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
from game.render.scene.scene_data import LEVEL_VERTEX, build_scene_data
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


def test_back_faces_of_solids_are_not_drawn(ctx: Any) -> None:
    scene = boxes()
    turned = replace(scene, triangles=scene.triangles[:, ::-1])
    seen, hidden = (pictures(ctx, replace(turned, closed=flags)) for flags in (np.zeros(0, np.bool_), turned.closed))
    assert all((a != b).any(axis=2).mean() > 0.02 for a, b in zip(seen, hidden, strict=True))


def test_vertices_of_solids_come_first() -> None:
    scene = boxes()
    prepared = build_scene_data(scene, TINY)
    rows = prepared.vertices.view(LEVEL_VERTEX).reshape(-1, 3)
    assert prepared.closed_vertex_count == 3 * (len(scene.triangles) - 2)
    assert np.array_equal(rows["in_position"][:-2], scene.triangles[1:-1].astype(np.float32))
    assert np.array_equal(rows["in_position"][-2:], scene.triangles[[0, -1]].astype(np.float32))


def test_culling_keeps_the_shadow_map(ctx: Any) -> None:
    scene, maps = boxes(), []
    turned = replace(scene, triangles=scene.triangles[:, ::-1])
    for one in (replace(scene, closed=np.zeros(0, np.bool_)), scene, turned):
        renderer = Renderer(ctx, one, TINY, eager=False)
        maps.append(np.frombuffer(renderer._current_scene.shadow_map.texture.read(), np.float32))
        renderer.release()
    both, front, back = maps
    assert (both < 1.0).mean() > 0.2
    assert (np.abs(both - front) > 1e-3).mean() < 0.01  # at a silhouette, by the offset of the side that is met
    assert (np.abs(both - back) > 1e-3).mean() > 0.05
