"""Shadow maps: of the level, without acne; of wide levels near the eye, with exact edges and no shimmer."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Hud, Renderer, Scene, Snapshot, SurfaceAppearance
from game.render.scene.daylight import direction_to_sun
from game.render.scene.scene_data import SceneBuilder
from game.render.snapshot import BallInstances, EllipsoidInstance
from tests.render.conftest import ground, picture_of
from tests.render.scene.baked_light import TINY

SIZE = (320, 320)
FAR = replace(TINY, scale=1.0, shadow_taps=16, shadow_size=4096, min_penumbra=0.0, tile_size=16)
NEAR = replace(FAR, near_shadow=True)
EYE_HEIGHT = 8.0
SKY = Sky(45.0, 120.0, 0.0)


def boards(*middles: tuple[float, float], reach: float = 200.0) -> np.ndarray:
    """Rectangles (N, 2, 2) above the eye, as corners of least and greatest x and z: around `middles` and far off."""
    random = np.random.default_rng(5)
    places = [middle + random.uniform(-7.0, 7.0, 2) for middle in middles for _ in range(9)]
    places += [np.array((sign * reach, sign * reach)) for sign in (-1, 1)]
    halves = random.uniform(0.2, 1.2, (len(places), 2))
    return np.stack((places - halves, places + halves), axis=1)


def scene_of(rectangles: np.ndarray, sky: Sky = SKY) -> Scene:
    """Ground, and rectangles over it that cast their shadows around the places below them."""
    shift = 14.0 * np.array(direction_to_sun(sky)) / direction_to_sun(sky)[1]
    quads = [ground(300.0)]
    for (x0, z0), (x1, z1) in rectangles + shift[[0, 2]]:
        quads.append([(x0, 14.0, z1), (x1, 14.0, z1), (x1, 14.0, z0), (x0, 14.0, z0)])
    corners = np.array(quads)
    triangles = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]], axis=1).reshape(-1, 3, 3)
    looks = (SurfaceAppearance((0.5, 0.5, 0.5), "plain"),)
    return Scene(triangles, np.zeros(len(triangles), np.int32), looks, sky=sky)


def ray_cast(rectangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether points (..., 2) of the ground, x and z, are in the shadow of a rectangle."""
    inside = (points[..., None, :] > rectangles[:, 0]) & (points[..., None, :] < rectangles[:, 1])
    return np.asarray(inside.all(axis=-1).any(axis=-1))


def from_above(renderer: Renderer, x: float, z: float, **more: Any) -> np.ndarray:
    """Brightness of the ground around a place, 3.6 cm to the pixel."""
    view = Camera((x, EYE_HEIGHT, z), 0.0, -math.pi / 2, 72.0, 0.05)
    renderer.render(Snapshot(view, Hud(crosshair=False), time=0.0, **more), SIZE)
    return np.asarray(renderer.image().astype(int).sum(axis=2))


PIXEL = 2 * EYE_HEIGHT * math.tan(math.radians(36.0)) / SIZE[0]
PLACES = np.stack(np.meshgrid(*[(np.arange(SIZE[0]) + 0.5 - SIZE[0] / 2) * PIXEL] * 2), axis=-1)  # x and z from the eye


def wrong_pixels(picture: np.ndarray, rectangles: np.ndarray, points: np.ndarray, tolerance: float) -> int:
    """Number of pixels, of those farther than `tolerance` from every edge of a shadow, with the wrong light."""
    steps = tolerance * np.array(list(itertools.product((-1, 0, 1), repeat=2)))
    casts = ray_cast(rectangles, points[..., None, :] + steps)
    certain = casts.all(axis=-1) | ~casts.any(axis=-1)
    assert 0.02 < casts[certain].mean() < 0.9, "the picture shows shadows and light"
    dark = picture < (picture.max() + picture.min()) / 2
    return int(np.count_nonzero((dark != casts[..., 4]) & certain))


@pytest.mark.full
def test_edges_of_shadows_near_the_eye_are_exact_to_5_cm(ctx: Any) -> None:
    rectangles = boards((0.0, 0.0), (60.0, -40.0))
    scene = scene_of(rectangles)
    for quality in (NEAR, FAR):
        renderer = Renderer(ctx, scene, quality, eager=False)
        for x, z in ((0.0, 0.0), (60.0, -40.0)):
            wrong = wrong_pixels(from_above(renderer, x, z), rectangles, PLACES + np.array((x, z)), 0.05)
            # The penumbra fills gaps and rounds corners: a pixel or two of 100 000.
            assert wrong <= 3 if quality.near_shadow else wrong > 1000, f"{quality.near_shadow}, {x}, {z}: {wrong}"
        renderer.release()


@pytest.mark.parametrize("kind", ["balls", "ellipsoids"])
def test_bodies_are_in_the_shadows_of_the_near_map(ctx: Any, kind: str) -> None:
    rectangles = boards((0.0, 0.0))
    grid = np.stack(np.meshgrid(*[np.linspace(-3.5, 3.5, 15)] * 2), axis=-1).reshape(-1, 2)
    radius = 0.12
    to_sun = np.array(direction_to_sun(SKY))
    shift = 2 * radius * to_sun / to_sun[1]  # from the top of a body to the ground that it shades
    corners = 0.12 * np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    casts = ray_cast(rectangles, (grid - shift[[0, 2]])[:, None] + corners)
    certain = casts.all(axis=1) | ~casts.any(axis=1)
    grid, dark = grid[certain], casts[certain, 0]
    assert 5 < dark.sum() < len(dark) - 50
    centres = np.column_stack((grid[:, 0], np.full(len(grid), radius), grid[:, 1]))
    bodies: dict[str, Any] = {
        "balls": BallInstances(
            centres, np.full(len(grid), radius), np.tile((1.0, 0, 0, 0), (len(grid), 1)), np.full(centres.shape, 0.5),
            np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros(0),
        ),
        "ellipsoids": [
            EllipsoidInstance(tuple(centre), (radius,) * 3, (0.5,) * 3, opacity=1.0, is_part=True) for centre in centres
        ],
    }  # fmt: skip
    renderer = Renderer(ctx, scene_of(rectangles), replace(NEAR, dynamic_shadow_size=0), eager=False)
    picture = from_above(renderer, 0.0, 0.0, **{kind: bodies[kind]})
    renderer.release()
    seen = grid * EYE_HEIGHT / (EYE_HEIGHT - 2 * radius)
    column, row = (seen / PIXEL + SIZE[0] / 2).astype(int).T
    assert picture[row, column][dark].max() + 50 < picture[row, column][~dark].min()


def test_a_walk_by_small_steps_does_not_change_the_shadows(ctx: Any) -> None:
    renderer = Renderer(ctx, scene_of(boards((0.0, 0.0), (9.0, 3.0), (18.0, 6.0))), NEAR, eager=False)
    shadow_map = renderer._current_scene.shadow_map
    drawn, previous = [], None
    for step in range(45):
        picture = from_above(renderer, 12 * step * PIXEL, 4 * step * PIXEL)
        if previous is not None:
            moved, kept = picture[:-4, :-12], previous[4:, 12:]
            assert np.abs(moved - kept).max() <= 12, f"step {step}"
        previous = picture
        drawn.append(shadow_map.near_offset)
    redraws = sum(one is not other for one, other in itertools.pairwise(drawn))
    assert 1 <= redraws <= 3, "on 20 m"
    renderer.release()


@pytest.mark.sample(1)
@pytest.mark.parametrize("height", [20.0, 40.0, 60.0])
def test_a_floor_in_the_near_map_has_no_shadow_acne(ctx: Any, height: float) -> None:
    sky = replace(SKY, sun_height=height)
    pictures = []
    for quality in (NEAR, replace(FAR, shadow_size=4)):  # no texel of a map of 4 is dark
        renderer = Renderer(ctx, scene_of(boards(), sky), quality, eager=False)
        pictures.append(from_above(renderer, 3.0, 5.0))
        renderer.release()
    assert np.abs(pictures[0] - pictures[1]).max() <= 9


@pytest.mark.full
def test_the_near_map_follows_level_changes_and_the_sun(ctx: Any) -> None:
    narrow, wide = scene_of(boards((0.0, 0.0), reach=20.0)), scene_of(boards((0.0, 0.0)))
    moved = scene_of(boards((0.5, 0.3)))
    renderer = Renderer(ctx, wide, NEAR, eager=False)
    builder = SceneBuilder(NEAR)
    for scene in (narrow, wide, narrow, wide, moved):
        data = builder.build_final(scene, bakes=False)
        renderer.change_scene(data)
        fresh = Renderer(ctx, scene, NEAR, eager=False)
        for sun in (None, (60.0, 10.0), None):
            assert (from_above(renderer, 0.0, 0.0, sun=sun) == from_above(fresh, 0.0, 0.0, sun=sun)).all()
        fresh.release()
    renderer.release()


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
