"""Passes of ellipsoids and balls: rotation, opacity and occlusion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from game.render import Camera
from game.render.passes.bodies import body_quaternion
from game.render.snapshot import BallInstances, EllipsoidInstance
from tests.render.passes.test_markers import changed, picture, scene_of

RED = (0.9, 0.2, 0.2)


def look(centre: Any = (0.0, 1.0, 0.0), **more: Any) -> EllipsoidInstance:
    return EllipsoidInstance(centre, (0.3, 0.6, 0.3), RED, **more)


def extent(ctx: Any, *bodies: EllipsoidInstance) -> tuple[int, int, np.ndarray]:
    """Width and height in pixels of the changed area, and the picture."""
    image = picture(ctx, scene_of(), ellipsoids=bodies)
    rows, columns = np.nonzero(changed(picture(ctx, scene_of()), image, 6))
    if not len(rows):
        return 0, 0, image
    return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1, image


def test_translucent_ellipsoids_show_the_background(ctx: Any) -> None:
    behind = picture(ctx, scene_of())[67, 120]
    glass = extent(ctx, look(opacity=0.3))[2][67, 120]
    solid = extent(ctx, look(opacity=1.0))[2][67, 120]
    assert np.abs(solid - behind).max() > 2 * np.abs(glass - behind).max() > 20
    assert solid[0] > 2 * solid[2]


def test_a_wall_hides_an_ellipsoid(ctx: Any) -> None:
    assert extent(ctx, look((0.0, 1.0, -9.0)))[:2] == (0, 0)
    assert extent(ctx)[:2] == (0, 0)


def test_balls_are_discs_of_their_colours_and_no_ball_is_nothing(ctx: Any) -> None:
    centres, none = np.array([(-0.8, 1.0, 0.0), (0.8, 1.0, 0.0), (0.0, 1.0, -9.0)]), np.zeros((0, 3))
    colours = np.array([(0.9, 0.1, 0.1), (0.1, 0.1, 0.9), (0.1, 0.9, 0.1)])
    balls = BallInstances(
        centres, np.full(3, 0.3), np.array([(1.0, 0.0, 0.0, 0.0)] * 3), colours, none, none, np.zeros(0), np.zeros(0)
    )
    bare, image = picture(ctx, scene_of()), picture(ctx, scene_of(), balls=balls)
    rows, columns = np.nonzero(changed(bare, image, 12))
    for side, colour in ((columns < 120, 0), (columns >= 120, 2)):  # the third one is behind the wall
        assert 140 < side.sum() < 420
        assert image[rows[side], columns[side]].sum(axis=0).argmax() == colour


def rotated(turn: tuple[float, float, float, float], point: Any) -> np.ndarray:
    """Rotation by a quaternion, as in bodies/ellipsoid.vert.glsl."""
    way, p = np.array(turn[:3]), np.asarray(point, dtype=float)
    return np.asarray(p + 2.0 * np.cross(way, np.cross(way, p) + turn[3] * p))


@pytest.mark.parametrize(
    ("up", "north"),
    [((0, 1, 0), (0, 0, -1)), ((0, -1, 0), (0, 0, -1)), ((1, 0, 0), (0, 0, -1)), ((0, 0, 1), (0, 1, 0)),
     ((-1, 0, 0), (0, 1, 0)), ((0, 0, -1), (1, 0, 0)), ((0, 0.6, 0.8), (0, 0.8, -0.6))],
)  # fmt: skip
def test_the_quaternion_follows_up_north_and_yaw(up: Any, north: Any) -> None:
    """The rotated axes equal those of a camera with the same up, north and yaw."""
    for yaw in (0.0, 0.7, -2.0, 3.1):
        turn = body_quaternion(look(yaw=yaw, up=up, north=north))
        assert sum(part * part for part in turn) == pytest.approx(1.0, abs=1e-12)
        right, over, ahead = Camera((0.0, 0.0, 0.0), yaw, 0.0, up=up, north=north).basis()
        assert rotated(turn, (1, 0, 0)) == pytest.approx(right, abs=1e-9)
        assert rotated(turn, (0, 1, 0)) == pytest.approx(over, abs=1e-9)
        assert rotated(turn, (0, 0, -1)) == pytest.approx(ahead, abs=1e-9)


@pytest.mark.full
def test_a_character_has_a_visor_in_front_and_fades_without_a_rim(ctx: Any) -> None:
    front = extent(ctx, look(yaw=np.pi, visor=True, opacity=1.0))[2].astype(int)
    back = extent(ctx, look(visor=True, opacity=1.0))[2].astype(int)
    height = 67 - round(0.6 * 0.6 * 29.2)  # of the visor's middle: 0.6 of the radius over the body's
    assert back[height, 120, 0] > 3 * front[height, 120].max()
    assert np.abs(front[80, 120] - back[80, 120]).max() < 6
    empty = picture(ctx, scene_of()).astype(int)
    half = extent(ctx, look(visor=True, opacity=0.5))[2].astype(int)
    middle = (empty[80, 120] + back[80, 120]) / 2
    assert np.abs(half[80, 120] - middle).max() < 8
