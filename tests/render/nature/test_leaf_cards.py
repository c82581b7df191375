"""Leaf cards: which parts are plants, and what they look like in a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.render import Camera, Scene, SurfaceAppearance
from game.render.gl.quality import QUALITIES
from game.render.nature.leaf_cards import scatter_leaf_cards
from tests.render.conftest import picture_of
from tests.support.shapes import box

SIZE = (256, 144)


def cards_on(triangles: np.ndarray, most: int = 5000, leafy: bool = True) -> np.ndarray:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    count = len(triangles)
    uv = np.tile(np.array([(0.25, 0.5), (0.75, 0.5), (0.5, 0.9)]), (count, 1, 1))
    return scatter_leaf_cards(triangles, normals, np.full((count, 3), 0.4), np.full(count, leafy), uv, most)


def test_only_faces_with_leaves_that_do_not_look_down_have_cards() -> None:
    hedge = box((0, 0, 0), (6, 1.2, 1))
    cards = cards_on(hedge)
    assert len(cards) > 200
    assert (cards["in_normal"][:, 1] > -0.5).all()
    assert not len(cards_on(hedge, leafy=False))
    assert not len(cards_on(hedge, most=0))


@pytest.mark.full
@pytest.mark.parametrize("samples", [0, 4])
def test_leaves_break_the_outline_of_a_hedge_and_move_unless_the_frame_is_calm(ctx: Any, samples: int) -> None:
    triangles = np.concatenate((box((-2, 0, -4), (2, 1.2, -3)), box((-9, -1, -9), (9, 0, 9))))
    looks = SurfaceAppearance((0.3, 0.5, 0.2), "leaves"), SurfaceAppearance((0.5, 0.5, 0.5))
    scene = Scene(triangles, np.arange(len(triangles)) // 12, looks,
                  sky=Sky(haze=0.0))  # fmt: skip
    quality = replace(QUALITIES["low"], scale=1.0, samples=samples, tile_size=64, shadow_size=512, clouds=0)

    def taken(cards: int, seconds: float = 0.0, calm: bool = False) -> np.ndarray:
        view = Camera((0.0, 1.0, 0.0), 0.0, 0.0, 60.0)
        return picture_of(ctx, scene, replace(quality, leaf_cards=cards), view, SIZE, time=seconds, calm=calm)

    bare, leafy = taken(0), taken(800)
    changed = np.abs(bare - leafy).max(axis=2) > 12
    assert changed.mean() > 0.05
    sky = bare[:, :, 2] > bare[:, :, 1] + 10
    assert (changed & sky).any(), "leaves before the sky"
    assert np.array_equal(taken(800, 2.0, calm=True), taken(800, 5.0, calm=True))
    assert not np.array_equal(taken(800, 2.0), taken(800, 5.0))
