"""Pictures on surfaces that are not lit: the pixels of the picture, its filter, wrap modes, transform and scroll."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level.materials import PbrMaterial, TextureMap, Wrap
from game.render import Camera
from tests.render.materials.boards import FULL, LOW, WHOLE, board, middle, plain_picture, taken, write

BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def unlit(picture: TextureMap, **fields: Any) -> PbrMaterial:
    return PbrMaterial(base_colour_map=picture, unlit=True, **fields)


def across(ctx: Any, picture: TextureMap, count: int = 8, uv: Any = WHOLE, **snapshot: Any) -> list[float]:
    """Brightness 0..1 of `count` places from left to right."""
    image = taken(ctx, board(unlit(picture), uv=uv), **snapshot)
    return [float(image[64, int((k + 0.5) * 128 / count)].mean() / 255) for k in range(count)]


@pytest.mark.parametrize("quality", [pytest.param(LOW, marks=pytest.mark.full), FULL], ids=["low", "medium"])
def test_an_unlit_surface_shows_the_bytes_of_its_picture(ctx: Any, tmp_path: Path, quality: Any) -> None:
    for colour in ((128, 128, 128), (20, 90, 200), (245, 60, 10)):
        seen = middle(taken(ctx, board(unlit(plain_picture(tmp_path, *colour))), quality))
        assert np.abs(seen - colour).max() <= 2.5


def test_the_first_row_is_at_the_top_and_the_first_column_at_the_left(ctx: Any, tmp_path: Path) -> None:
    picture = write(tmp_path, [[(200, 0, 0), (0, 200, 0)], [(0, 0, 200), (200, 200, 0)]], nearest=True)
    image = taken(ctx, board(unlit(picture)))
    for place, colour in (((32, 32), (200, 0, 0)), ((32, 96), (0, 200, 0)), ((96, 32), (0, 0, 200))):
        assert np.abs(image[place] - colour).max() <= 3


def test_the_filter_mixes_in_linear_light_and_nearest_does_not_mix(ctx: Any, tmp_path: Path) -> None:
    pixels = [[BLACK, WHITE]]
    row = taken(ctx, board(unlit(write(tmp_path, pixels))))[64].mean(axis=1)
    assert abs(row[63:65].mean() - 188) <= 3, "half of the light of white"
    assert row[40] < row[50] < row[60] < row[70] < row[80]
    row = taken(ctx, board(unlit(write(tmp_path, pixels, nearest=True))))[64].mean(axis=1)
    assert row[:63].max() <= 2
    assert row[65:].min() >= 250


@pytest.mark.parametrize("quality", [pytest.param(LOW, marks=pytest.mark.full), FULL], ids=["low", "medium"])
def test_mipmaps_average_in_linear_light(ctx: Any, tmp_path: Path, quality: Any) -> None:
    y, x = np.indices((256, 256))
    checks = np.where(((x + y) % 2)[..., None], WHITE, BLACK)
    uv = 4.0 * np.array(WHOLE)
    seen = taken(ctx, board(unlit(write(tmp_path, checks)), uv=uv), quality)
    assert np.abs(seen[20:108, 20:108] - 188).max() <= 3, "128 would be the mean of the bytes"


def test_a_texture_is_repeated_mirrored_or_clamped_by_its_wrap_mode(ctx: Any, tmp_path: Path) -> None:
    half = [[BLACK, BLACK, WHITE, WHITE]]
    twice = np.array(WHOLE) * (2.0, 1.0)
    expected = {Wrap.REPEAT: [0, 0, 1, 1, 0, 0, 1, 1], Wrap.MIRROR: [0, 0, 1, 1, 1, 1, 0, 0],
                Wrap.CLAMP: [0, 0, 1, 1, 1, 1, 1, 1]}  # fmt: skip
    for wrap, pattern in expected.items():
        picture = write(tmp_path, half, nearest=True, wrap_u=wrap, wrap_v=wrap)
        assert np.round(across(ctx, picture, uv=twice)).tolist() == pattern, wrap
    shown = np.array(WHOLE) * (1.0, 2.0)
    picture = write(tmp_path, np.array(half).transpose(1, 0, 2), nearest=True, wrap_v=Wrap.MIRROR)
    column = taken(ctx, board(unlit(picture), uv=shown))[8::16, 64].mean(axis=1)
    assert np.round(column / 255).tolist() == [0, 0, 1, 1, 1, 1, 0, 0], "v grows downwards"


def test_a_transform_scales_and_moves_the_picture(ctx: Any, tmp_path: Path) -> None:
    pixels = [[BLACK, BLACK, WHITE, WHITE]]
    picture = write(tmp_path, pixels, nearest=True, transform=((2.0, 0.0, 0.25), (0.0, 1.0, 0.0)))
    assert np.round(across(ctx, picture, 16)).tolist() == [0, 0, 1, 1, 1, 1, 0, 0] * 2
    swapped = write(tmp_path, np.array(pixels).transpose(1, 0, 2), nearest=True,
                    transform=((0.0, 1.0, 0.0), (1.0, 0.0, 0.0)))  # fmt: skip
    assert np.round(across(ctx, swapped)).tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.full
def test_the_picture_moves_at_its_speed(ctx: Any, tmp_path: Path) -> None:
    pixels = np.zeros((4, 16, 3))
    pixels[:, 0] = 255
    picture = write(tmp_path, pixels, nearest=True)

    def stripe(speed: tuple[float, float], time: float) -> int:
        material = unlit(picture, scroll=speed)
        return int(taken(ctx, board(material), time=time)[64].mean(axis=1).argmax())

    assert stripe((0.5, 0.0), 0.0) == 0
    assert stripe((0.5, 0.0), 0.5) == pytest.approx(32, abs=1), "a quarter of the picture to the right"
    assert stripe((0.5, 0.0), 0.5 + 2.0 * 1000) == pytest.approx(32, abs=1)
    assert stripe((-0.5, 0.0), 0.5) == pytest.approx(96, abs=1)


def test_without_texture_coordinates_the_size_in_metres_holds(ctx: Any, tmp_path: Path) -> None:
    picture = write(tmp_path, [[BLACK, WHITE]], nearest=True)
    material = unlit(picture, size=(4.0, 1.0))
    nowhere = np.full((4, 2), np.nan)
    row = taken(ctx, board(material, uv=nowhere))[64].mean(axis=1)  # the board is 4 m wide, from x = -2 on
    assert np.round(row[[20, 50, 78, 110]] / 255).tolist() == [1, 1, 0, 0]


def test_coordinates_far_from_zero_keep_their_precision(ctx: Any, tmp_path: Path) -> None:
    pixels = np.random.default_rng(3).integers(0, 255, (32, 32, 3))
    picture = write(tmp_path, pixels, nearest=True)
    near = taken(ctx, board(unlit(picture)))
    far = taken(ctx, board(unlit(picture), uv=np.add(WHOLE, (200_000.0, -64_000.0))))
    assert (near == far).mean() > 0.99


@pytest.mark.full
def test_seen_at_an_angle_anisotropy_keeps_detail(ctx: Any, tmp_path: Path) -> None:
    from dataclasses import replace

    pixels = np.where((np.arange(64) % 8 < 4)[None, :, None], WHITE, BLACK) * np.ones((64, 1, 1))
    scene = board(unlit(write(tmp_path, pixels)), half=6.0, uv=6.0 * np.array(WHOLE))
    view = Camera((0.0, 7.0, 0.6), 0.0, -1.4, 50.0, 0.02)  # along the board, downwards
    contrast = [taken(ctx, scene, replace(FULL, anisotropy=one), view)[60:, 30:98].std() for one in (1.0, 16.0)]
    assert contrast[1] > 1.15 * contrast[0]
