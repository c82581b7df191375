"""Measures of pictures that are made for them."""

from __future__ import annotations

import numpy as np
import pytest

from game.drawing.picture_measures import BLOCK, halo_width, largest_part, measure_picture

WALL, FLOOR, SKY = 0, 1, -1


def picture(rows: int, columns: int, value: int) -> np.ndarray:
    return np.full((rows * BLOCK, columns * BLOCK, 3), value, np.uint8)


def test_bright_pixels_count_on_surfaces_only() -> None:
    image = picture(4, 4, 128)
    image[: 2 * BLOCK] = 255  # the sky
    image[3 * BLOCK :, :BLOCK] = 250
    planes = np.full((4, 4), WALL)
    planes[:2] = SKY
    assert measure_picture(image, planes).bright == pytest.approx(1 / 16)


def test_percentiles_are_those_of_luminance() -> None:
    image = picture(10, 10, 128)
    image[:BLOCK], image[-BLOCK:] = 26, 230
    measured = measure_picture(image, np.full((10, 10), WALL))
    assert (measured.dark, measured.light) == (pytest.approx(26 / 255), pytest.approx(230 / 255))


def test_grain_is_contrast_that_a_blur_removes_and_steps_are_not() -> None:
    checks = np.indices((8 * BLOCK, 8 * BLOCK)).sum(axis=0)
    planes = np.full((8, 8), WALL)
    grain, slabs = (np.repeat(np.where(on, 140, 100).astype(np.uint8)[..., None], 3, axis=2)
                    for on in (checks % 2 == 0, checks // 16 % 2 == 0))  # fmt: skip
    fine, coarse = measure_picture(grain, planes), measure_picture(slabs, planes)
    assert fine.contrast == pytest.approx(20 / 120, rel=0.05)
    assert coarse.contrast == pytest.approx(20 / 120, rel=0.05)
    assert fine.smooth_contrast < 0.01
    assert coarse.smooth_contrast > 0.1


def test_a_plain_wall_is_one_connected_plane_without_contrast() -> None:
    planes = np.array([[SKY, SKY, SKY, SKY], [WALL, WALL, FLOOR, WALL], [WALL, FLOOR, FLOOR, WALL]])
    assert largest_part(planes) == 3
    image = picture(3, 4, 128)
    assert measure_picture(image, planes).plain == pytest.approx(3 / 12)
    image[BLOCK::2, ::2] = 0  # nothing is plain any more
    assert measure_picture(image, planes).plain == 0.0


def test_a_spiral_is_one_part() -> None:
    planes = np.array([[0, 0, 0, 0, 0], [1, 1, 1, 1, 0], [0, 0, 0, 1, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]])
    assert largest_part(planes) == 17


def test_the_halo_ends_where_the_wall_has_nine_tenths_of_its_light() -> None:
    distances = np.linspace(0.01, 0.9, 90)
    light = 0.4 * np.clip(0.5 + distances / 0.4, 0.0, 1.0)
    assert halo_width(distances, light) == pytest.approx(0.16, abs=0.011)
    assert halo_width(distances, np.full(90, 0.4)) == 0.0
