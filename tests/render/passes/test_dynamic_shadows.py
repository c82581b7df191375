"""Dynamic shadows of movers and balls; ambient occlusion inside movers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Hud, Renderer, Scene, Snapshot, SurfaceAppearance
from game.render.gl.quality import QUALITIES
from game.render.scene.mover_meshes import FLOATS_PER_VERTEX, ambient_openness, mover_meshes
from game.render.scene.scene import MoverAppearance
from game.render.snapshot import BallInstances
from tests.render.conftest import grey, ground, plain
from tests.support.shapes import box

SIZE = (400, 400)
QUICK = replace(QUALITIES["low"], scale=1.0, light_size=128, shadow_size=512, tile_size=64)
SUN = Sky(45.0, 90.0, 0.0)  # from the west: shadows fall to the east, as long as things are high


def yard(mover: np.ndarray | None = None) -> Scene:
    """Floor of 20 m, a distant post, and optionally a mover."""
    floor = plain([ground(10.0)], [(0.7, 0.7, 0.7)])
    post = box((9.0, 0.0, 9.0), (9.5, 4.0, 9.5))
    triangles = np.concatenate((floor.triangles, post))
    movers = () if mover is None else (MoverAppearance(mover, np.zeros(len(mover), np.int32)),)
    return Scene(
        triangles, np.zeros(len(triangles), int), (SurfaceAppearance((0.7, 0.7, 0.7)),), sky=SUN, movers=movers
    )


def pose(x: float, y: float, z: float) -> np.ndarray:
    return np.column_stack((np.eye(3), (x, y, z)))[None]


def floor_light(renderer: Renderer, places: np.ndarray, **more: Any) -> np.ndarray:
    """Luma of the floor at points (x, z) (n, 2), seen from above."""
    view = Camera((0.0, 30.0, 0.0), 0.0, -math.pi / 2, 40.0)
    renderer.render(Snapshot(view, Hud(crosshair=False), **more), SIZE)
    clip = np.column_stack((places[:, 0], np.zeros(len(places)), places[:, 1], np.ones(len(places))))
    flat = clip @ view.view_projection_matrix(1.0)
    column = ((flat[:, 0] / flat[:, 3] + 1) / 2 * SIZE[0]).astype(int)
    row = ((1 - flat[:, 1] / flat[:, 3]) / 2 * SIZE[1]).astype(int)
    return np.asarray(grey(renderer.image())[row, column])


GRID = np.stack(np.meshgrid(np.linspace(-7, 7, 29), np.linspace(-7, 7, 29)), axis=-1).reshape(-1, 2)


def shadow_of(low: np.ndarray, high: np.ndarray, rim: float) -> tuple[np.ndarray, np.ndarray]:
    """Masks of the points of GRID certainly inside and certainly outside the shadow of a box under SUN."""
    x, z = GRID[:, 0], GRID[:, 1]
    across = (z > low[2] + rim) & (z < high[2] - rim)
    inside = across & (x > low[0] + low[1] + rim) & (x < high[0] + high[1] - rim)
    outside = (z < low[2] - rim) | (z > high[2] + rim) | (x < low[0] + low[1] - rim) | (x > high[0] + high[1] + rim)
    beneath = (x > low[0] - rim - 0.3) & (x < high[0] + rim + 0.3) & ~outside  # hidden from above by the box itself
    return inside & ~beneath, outside & ((x < low[0] - 0.5) | (x > high[0] + 0.5) | (z < low[2] - 0.5))


@pytest.mark.sample(1)
@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (-4.0, 1.5, 3.0), (2.0, 0.5, -4.0)])
def test_the_shadow_of_a_mover_follows_it(ctx: Any, place: tuple[float, float, float]) -> None:
    low, high = np.array((-1.0, 2.0, -1.5)), np.array((1.0, 2.4, 1.5))
    renderer = Renderer(ctx, yard(box(low, high)), QUICK, eager=False)
    bare = floor_light(renderer, GRID)
    inside, outside = shadow_of(low + place, high + place, 0.2)
    assert inside.sum() > 8
    for _ in range(2):  # a second picture of the same moment is the same
        lit = floor_light(renderer, GRID, movers=pose(*place))
        assert (lit[inside] < 0.72 * bare[inside]).all()
        assert np.abs(lit[outside] - bare[outside]).max() < 2.0
    away = floor_light(renderer, GRID, movers=pose(place[0], place[1], place[2] + 60.0))
    assert np.abs(away - bare).max() < 2.0, "it has gone"
    renderer.release()


def test_balls_cast_shadows_unless_the_quality_disables_them(ctx: Any) -> None:
    centres = np.array([(-2.0, 3.0, 0.0), (3.0, -500.0, 2.0)])  # one has fallen out of the level
    none = np.zeros((0, 3))
    look = BallInstances(centres, np.array((0.6, 0.6)), np.array([(1.0, 0, 0, 0)] * 2), np.full((2, 3), 0.5), none,
                     none, np.zeros(0), np.zeros(0))  # fmt: skip
    inside = np.hypot((GRID[:, 0] - 1.0) / math.sqrt(2.0), GRID[:, 1]) < 0.45
    outside = (np.hypot((GRID[:, 0] - 1.0) / math.sqrt(2.0), GRID[:, 1]) > 0.8) & (GRID[:, 0] > -1.0)
    assert inside.sum() >= 3
    for size, dark in ((1024, True), (0, False)):
        renderer = Renderer(ctx, yard(), replace(QUICK, dynamic_shadow_size=size), eager=False)
        bare = floor_light(renderer, GRID)
        lit = floor_light(renderer, GRID, balls=look)
        assert (lit[inside] < 0.8 * bare[inside]).all() == dark
        assert np.abs(lit[outside] - bare[outside]).max() < 2.0
        renderer.release()


@pytest.mark.full
def test_openness_is_low_inside_a_tube_and_full_on_a_block() -> None:
    block = box((-1, -1, -1), (1, 1, 1))
    tube = np.concatenate([box((-2.2, -2.2, -2.5), (2.2, -2, 2.5)), box((-2.2, 2, -2.5), (2.2, 2.2, 2.5)),
                           box((-2.2, -2, -2.5), (-2, 2, 2.5)), box((2, -2, -2.5), (2.2, 2, 2.5))])  # fmt: skip
    for triangles, inner in ((block, False), (tube, True)):
        meshes = mover_meshes(yard(triangles))
        assert meshes.pictured is None
        rows = meshes.vertices
        assert rows.shape[1] == FLOATS_PER_VERTEX
        assert meshes.textures == ("plain",)
        open_ = rows[:, 12]
        assert ((open_ >= 0.0) & (open_ <= 1.0)).all()
        middle = (np.abs(rows[:, :2]).max(axis=1) <= 2.0) & (np.abs(rows[:, 2]) < 1.1)
        facing_in = middle & (np.einsum("ij,ij->i", rows[:, :2], rows[:, 3:5]) < -0.5)
        if inner:
            assert facing_in.sum() > 20
            assert open_[facing_in].max() < 0.6
            outside = np.einsum("ij,ij->i", rows[:, :2], rows[:, 3:5]) > 2.1
            assert open_[outside].min() == 1.0
        else:
            assert (open_ == 1.0).all()
    # the part of a half space that a wide wall beside a place hides is known: half, less what is far
    wall = np.array([[(0, 0, -50), (0, 0, 50), (0, 50, 0)]], float)
    assert ambient_openness(np.array([(0.01, 0.01, 0.0)]), np.array([(0.0, 1.0, 0.0)]), wall) == pytest.approx(
        [0.5], abs=0.06
    )
