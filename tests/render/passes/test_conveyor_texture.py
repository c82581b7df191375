"""Conveyor texture: aligned with the flow and moving at its speed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from game.render import Camera, Scene, SurfaceAppearance
from game.render.scene.render_mesh import flow_aligned_frames
from tests.render.conftest import picture_of
from tests.render.scene.baked_light import TINY

SIZE = (240, 240)
SHARP = replace(TINY, scale=1.0, tile_size=256)
DOWN = Camera((0.0, 6.0, 0.0), 0.0, -1.5707963, 60.0, 0.05)  # north is up in the picture, east right


def picture(ctx: Any, flow: tuple[float, float], time: float) -> np.ndarray:
    corners = np.array([(-20.0, 0, 20), (20, 0, 20), (20, 0, -20), (-20, 0, 20), (20, 0, -20), (-20, 0, -20)])
    scene = Scene(corners.reshape(2, 3, 3), np.zeros(2, np.int32), (SurfaceAppearance((0.6, 0.6, 0.6), "belt", flow),))
    return picture_of(ctx, scene, SHARP, DOWN, SIZE, time=time).mean(axis=2)


def shift(before: np.ndarray, after: np.ndarray) -> tuple[int, int]:
    """Shift (columns right, rows down) from `before` to `after`, by the maximum of the cross-correlation."""
    one, other = (np.fft.rfft2((image - image.mean())[60:180, 60:180]) for image in (before, after))
    found = np.fft.irfft2(other * np.conj(one))
    row, column = np.unravel_index(np.argmax(found), found.shape)
    return int((column + 60) % 120 - 60), int((row + 60) % 120 - 60)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("flow", "way"), [((2.0, 0.0), (1, 0)), ((-2.0, 0.0), (-1, 0)), ((0.0, -2.0), (0, -1))])
def test_the_pattern_moves_with_the_belt(ctx: Any, flow: tuple[float, float], way: tuple[int, int]) -> None:
    pixels = 0.25 * SIZE[1] / (2 * 6.0 * np.tan(np.radians(30.0)))  # of 25 cm, seen from 6 m
    moved = shift(picture(ctx, flow, 8.0), picture(ctx, flow, 8.125))
    assert moved == pytest.approx((way[0] * pixels, way[1] * pixels), abs=1.0)


def test_the_pattern_lies_along_the_flow() -> None:
    up, steep, wall = (0.0, 1.0, 0.0), (0.0, np.sqrt(0.75), 0.5), (1.0, 0.0, 0.0)
    normals = np.array([up, up, steep, wall, wall])
    flows = np.array([(0.0, 0, 0), (3, 0, -4), (0, 0, 2), (0, 0, 2), (2, 0, 0)])
    tangents, bitangents, speeds = flow_aligned_frames(normals, flows)
    assert speeds[[0, 4]].tolist() == [0.0, 0.0], "what does not run, and a wall that the flow runs into"
    assert tangents[1] == pytest.approx((0.6, 0.0, -0.8))
    assert speeds[1] == pytest.approx(5.0)
    assert tangents[2] == pytest.approx((0.0, -0.5, np.sqrt(0.75)))
    assert speeds[2] == pytest.approx(2.0 / np.sqrt(0.75)), "2 m/s on the plan are more along the slope"
    assert tangents[3] == pytest.approx((0.0, 0.0, 1.0))
    assert speeds[3] == pytest.approx(2.0)
    assert np.cross(normals, tangents) == pytest.approx(bitangents)
