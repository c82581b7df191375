"""Tufts of grass: where they stand, and what they look like in a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Scene, SurfaceAppearance
from game.render.gl.quality import QUALITIES
from game.render.nature.tufts import HEIGHTS, SPACING, TUFT_RANGE, TuftField
from tests.render.conftest import picture_of
from tests.support.shapes import box

LAWN, PATH, SLOPE = box((-8, -1, -8), (8, 0, 8)), box((-1, -1, -8), (1, 0.01, 8)), np.array(
    [[(8.0, 0.0, 8.0), (10.0, 2.0, -8.0), (8.0, 0.0, -8.0)]]
)  # fmt: skip
EYE = (0.0, 1.6, 0.0)


def field(*, scale: float = 1.0) -> TuftField:
    """Tufts of a lawn of 16 m with a path of 2 m across it, which lies 1 cm higher, and a slope beside it."""
    triangles = scale * np.concatenate((LAWN, PATH, SLOPE))
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    is_grass = np.concatenate((np.ones(12, bool), np.zeros(12, bool), np.ones(1, bool)))
    uv = triangles[:, :, (0, 2)] / 100.0 + 0.5
    return TuftField(triangles, normals, np.full((len(triangles), 3), 0.4), is_grass, uv)


def feet(rows: Any) -> Any:
    return rows["in_centre"] - rows["in_along"]


def test_tufts_stand_on_grass_and_not_on_a_path_or_below_it() -> None:
    rows = field().near(EYE)
    assert rows is not None
    at = feet(rows)
    flat = at[:, 0] < 8.0
    np.testing.assert_allclose(at[flat, 1], 0.0, atol=1e-6)
    np.testing.assert_allclose(at[~flat, 1], at[~flat, 0] - 8.0, atol=1e-5)
    assert not (np.abs(at[:, 0]) < 1.0).any()
    assert (np.abs(at[:, 2]) <= 8.0).all()
    expected = 14.0 * 16.0 / SPACING**2
    assert 0.85 * expected < flat.sum() < 1.1 * expected
    np.testing.assert_allclose(rows["in_lightmap_uv"], at[:, (0, 2)] / 100.0 + 0.5, atol=1e-5)
    height = 2.0 * np.linalg.norm(rows["in_along"], axis=1)
    assert height.max() < 1.6 * HEIGHTS[1]


def test_a_tuft_is_where_it_was_when_the_eye_returns_and_far_ones_are_left_out() -> None:
    wide = field(scale=10.0)
    first = wide.near(EYE)
    assert wide.near((0.5, 1.6, 0.5)) is None, "the same chunks"
    other = wide.near((40.0, 1.6, 0.0))
    again = wide.near(EYE)
    assert first is not None
    assert other is not None
    np.testing.assert_array_equal(first, again)
    for rows, eye in ((first, 0.0), (other, 40.0)):
        assert np.abs(rows["in_centre"][:, 0] - eye).max() < TUFT_RANGE + 5.0
    fresh = field(scale=10.0).near(EYE)
    np.testing.assert_array_equal(first, fresh)


@pytest.mark.full
def test_tufts_are_drawn_at_high_alone_and_do_not_move_in_a_calm_frame(ctx: Any) -> None:
    assert [name for name, one in QUALITIES.items() if one.tufts] == ["high"]
    looks = SurfaceAppearance((0.3, 0.5, 0.2), "grass"), SurfaceAppearance((0.5, 0.5, 0.5))
    scene = Scene(LAWN, np.zeros(12, int), looks, sky=Sky(haze=0.0))
    quality = replace(QUALITIES["low"], scale=1.0, samples=0, tile_size=64, shadow_size=512, clouds=0)

    def taken(tufts: bool, seconds: float = 0.0, calm: bool = False) -> Any:
        view = Camera(EYE, 0.0, -0.5, 60.0)
        return picture_of(ctx, scene, replace(quality, tufts=tufts), view, (256, 144), time=seconds, calm=calm)

    assert (np.abs(taken(False) - taken(True)).max(axis=2) > 8).mean() > 0.03
    assert np.array_equal(taken(True, 2.0, calm=True), taken(True, 5.0, calm=True))
    assert not np.array_equal(taken(True, 2.0), taken(True, 5.0))
    assert np.array_equal(taken(False, 2.0), taken(False, 5.0))
