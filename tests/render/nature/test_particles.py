"""Particles: spray above its surface, dust and drops of a frame, and rings in water where the body wades."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from game.level.build.entities.zones import LevelZone
from game.level.level import Sky
from game.render import Body, Camera, Scene, SurfaceAppearance
from game.render.gl.quality import QUALITIES
from game.render.nature.particles import GRAVITY, dust, splash, spray_particles
from tests.render.conftest import picture_of
from tests.support.shapes import box

QUALITY = replace(QUALITIES["low"], scale=1.0, tile_size=16, shadow_size=256, light_size=64, clouds=0)
NOZZLE = np.array(
    [[(-0.1, 1.0, 0.1), (0.1, 1.0, 0.1), (0.1, 1.0, -0.1)], [(-0.1, 1.0, 0.1), (0.1, 1.0, -0.1), (-0.1, 1.0, -0.1)]]
)
HEIGHT = 0.8


def peaks(rows: Any) -> Any:
    return rows["in_origin"][:, 1] + rows["in_velocity"][:, 1] ** 2 / (2.0 * rows["in_velocity"][:, 3])


def test_spray_rises_from_its_faces_as_high_as_it_says() -> None:
    rows = spray_particles(NOZZLE, np.full(2, HEIGHT))
    assert len(rows) > 100
    assert (np.abs(rows["in_origin"][:, (0, 2)]) <= 0.1 + 1e-6).all()
    np.testing.assert_allclose(rows["in_origin"][:, 1], 1.0, atol=1e-6)
    assert 1.0 + 0.95 * HEIGHT < peaks(rows).max() <= 1.0 + HEIGHT + 1e-5
    np.testing.assert_array_equal(rows, spray_particles(NOZZLE, np.full(2, HEIGHT)), "the same each time")
    np.testing.assert_allclose(rows["in_velocity"][:, 3], GRAVITY)


def picture(ctx: Any, scene: Scene, eye: tuple[float, float, float], pitch: float, **shown: Any) -> np.ndarray:
    return picture_of(ctx, scene, QUALITY, Camera(eye, 0.0, pitch, 60.0), (320, 180), **shown).astype(float)


def test_spray_is_drawn_above_the_nozzle_alone_and_not_in_a_calm_frame(ctx: Any) -> None:
    looks = SurfaceAppearance((0.3, 0.3, 0.3), spray=HEIGHT), SurfaceAppearance((0.3, 0.3, 0.3))
    night = Sky(palette="night", haze=0.0)  # without birds
    scene = Scene(np.concatenate((NOZZLE, box((-4, -1, -4), (4, 0, 4)))), np.array([0, 0, *12 * [1]]), looks, sky=night)
    shown, calm = (picture(ctx, scene, (0.0, 1.2, 2.5), 0.0, time=3.0, calm=calm) for calm in (False, True))
    rows, columns = np.nonzero(np.abs(shown - calm).max(axis=2) > 6.0)
    assert len(rows) > 40
    assert np.abs(columns - 160).max() < 90
    assert rows.min() > 20, "nothing flies higher"


def test_dust_and_drops_are_seen_for_their_time(ctx: Any) -> None:
    generator = np.random.default_rng(1)
    night = Sky(palette="night", haze=0.0)
    scene = Scene(box((-4, -1, -4), (4, 0, 4)), np.zeros(12, int), (SurfaceAppearance((0.1, 0.1, 0.1)),), sky=night)
    for particles in (dust((0.0, 0.0, 0.0), 20, 5.0, generator), splash((0.0, 0.0, 0.0), 3.0, 60, 5.0, generator)):
        assert particles["in_shape"][:, 0].max() < 3.0
        changed = []
        for seconds in (4.9, 5.2, 9.0):
            shown, calm = (
                picture(ctx, scene, (0.0, 1.0, 2.0), -0.3, time=seconds, particles=particles, calm=calm)
                for calm in (False, True)
            )
            changed.append(int((np.abs(shown - calm).max(axis=2) > 3.0).sum()))
        assert changed[0] == changed[2] == 0
        assert changed[1] > 30


def test_rings_spread_around_a_body_that_stands_in_the_surface(ctx: Any) -> None:
    scene = Scene(
        box((-9, -4, -9), (9, -3, 9)), np.zeros(12, int), (SurfaceAppearance(),), sky=Sky(haze=0.0),
        zones=(LevelZone("water", (0.0, -1.5, 0.0), (8.0, 1.5, 8.0), colour=(0.3, 0.5, 0.5)),),
    )  # fmt: skip

    def with_body(height: float, speed: float = 2.0, calm: bool = False, seconds: float = 1.0) -> np.ndarray:
        body = Body((0.0, height, -3.0), (0.35, 0.9, 0.25), speed=speed)
        return picture(ctx, scene, (0.0, 2.0, 2.0), -0.75, body=body, time=seconds, calm=calm)

    wading, still = with_body(0.0), with_body(0.0, calm=True)
    rings = np.abs(wading - still).max(axis=2)
    assert (rings > 6.0).sum() > 300
    below = rings[150:].max()  # near the eye, 4 m from the body
    assert below < 0.5 * rings.max(), "they die away"
    slow = np.abs(with_body(0.0, 0.1) - still).max(axis=2)
    assert 0.0 < slow.mean() < 0.6 * rings.mean()
    for height in (3.0, -2.5):  # above the water, and deep in it
        np.testing.assert_allclose(with_body(height), with_body(height, calm=True), atol=1.0)
