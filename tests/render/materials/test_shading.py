"""Pictures in the light: the same grey as a surface colour, vertex colours, normal maps, metal, occlusion, emission."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.core.srgb import srgb_to_linear
from game.level.materials import PbrMaterial
from game.render.scene.daylight import compute_daylight
from game.render.scene.lightmap import open_sky_irradiance
from game.render.scene.render_mesh import limit_albedo
from tests.render.conftest import shown_colour
from tests.render.materials.boards import FULL, GREY, LOW, board, middle, plain_picture, taken, write

QUALITIES = pytest.mark.parametrize("quality", [pytest.param(LOW, marks=pytest.mark.full), FULL], ids=["low", "medium"])
AT_NIGHT = {"palette": "night", "sun_height": -20.0}


@pytest.mark.sample(1)
@QUALITIES
@pytest.mark.parametrize("byte", [40, 128, 200])
def test_a_grey_picture_has_the_brightness_that_its_value_has_as_a_colour(
    ctx: Any, tmp_path: Path, quality: Any, byte: int
) -> None:
    scene = board(PbrMaterial(base_colour_map=plain_picture(tmp_path, byte, byte, byte)), sun_height=30.0)
    sky = compute_daylight(scene.sky)
    light = open_sky_irradiance(np.array([[0.0, 0.0, 1.0]]), sky)[0] + sky.sunlight * math.cos(math.radians(30.0))
    albedo = srgb_to_linear(limit_albedo(np.full((1, 3), byte / 255))[0])
    expected = 255.0 * shown_colour(albedo * light, sky.exposure)
    seen = middle(taken(ctx, scene, quality))
    assert np.abs(seen - expected).max() <= 5.0, "the encoding of the lightmap takes up to 2 %, its reflection 2 %"
    same = middle(taken(ctx, board(None, colour=(byte / 255,) * 3, sun_height=30.0), quality))
    assert np.abs(seen - same).max() <= 9.0, "a surface of this colour also has the grain and stains of paint"


def test_factors_and_vertex_colours_multiply_the_picture_in_linear_light(ctx: Any, tmp_path: Path) -> None:
    white = plain_picture(tmp_path, 255, 255, 255)
    half = board(PbrMaterial(base_colour_map=white, unlit=True), vertex_colours=[(128, 128, 128, 255)] * 4)
    assert np.abs(middle(taken(ctx, half)) - 188).max() <= 3, "half of the light, and not half of the byte"
    factor = PbrMaterial(base_colour=(0.5, 1.0, 0.25, 1.0), base_colour_map=white, unlit=True)
    assert np.abs(middle(taken(ctx, board(factor))) - (188, 252, 137)).max() <= 4
    corners = [(255, 0, 0, 255), (0, 0, 255, 255), (0, 0, 255, 255), (255, 0, 0, 255)]
    blended = taken(ctx, board(PbrMaterial(unlit=True), vertex_colours=corners))
    assert blended[64, 4][0] > 230 > 60 > blended[64, 4][2]
    assert blended[64, 124][2] > 230 > 60 > blended[64, 124][0]


@QUALITIES
def test_emission_needs_no_light(ctx: Any, tmp_path: Path, quality: Any) -> None:
    glow = write(tmp_path, [[(255, 255, 255), (0, 0, 0)]], nearest=True)
    dark = (0.0, 0.0, 0.0, 1.0)
    material = PbrMaterial(base_colour=dark, emission=(0.0, 1.0, 0.0), emission_map=glow)
    row = taken(ctx, board(material, **AT_NIGHT), quality)[64]
    assert row[30][1] > 220
    assert row[30][[0, 2]].max() < 90, "a bright colour fades to white"
    assert row[100].max() < 40
    strong, weak = (
        middle(taken(ctx, board(PbrMaterial(base_colour=dark, emission=(e, e, e)), **AT_NIGHT), quality)).mean()
        for e in (5.0, 0.2)
    )
    assert strong > 250 > 160 > weak > 80


@pytest.mark.full
def test_a_normal_map_turns_the_surface_to_the_sun(ctx: Any, tmp_path: Path) -> None:
    dark = (0.2, 0.2, 0.2, 1.0)

    def brightness(texel: tuple[int, int, int], sun_from: float, mirrored: bool = False) -> float:
        material = PbrMaterial(base_colour=dark, normal_map=plain_picture(tmp_path, *texel))
        uv = [(0, 1), (1, 1), (1, 0), (0, 0)]
        if mirrored:
            uv = [(1 - u, v) for u, v in uv]
        scene = board(material, uv=uv, sun_from=sun_from, sun_height=30.0)
        return float(middle(taken(ctx, scene, FULL)).mean())

    right, left, up, down = (218, 128, 218), (38, 128, 218), (128, 218, 218), (128, 38, 218)
    east, west, south = 225.0, 135.0, 180.0  # degrees counter-clockwise from north; the camera looks north
    flat = brightness((128, 128, 255), east)
    assert brightness(right, east) > flat + 5
    assert brightness(left, east) < flat - 5
    assert brightness(left, west) > brightness((128, 128, 255), west) + 5
    assert brightness(up, south) > brightness(down, south) + 5, "green is up"
    assert brightness(left, east, mirrored=True) > flat + 5, "mirrored coordinates mirror the relief"
    assert brightness(up, south, mirrored=True) > brightness(down, south, mirrored=True), "but not what is up"
    bright = PbrMaterial(base_colour=dark, normal_map=plain_picture(tmp_path, *right), normal_scale=0.0)
    assert abs(middle(taken(ctx, board(bright, sun_from=east, sun_height=30.0), FULL)).mean() - flat) <= 2


def test_metal_reflects_in_its_colour_and_is_not_lit_diffusely(ctx: Any, tmp_path: Path) -> None:
    red = (0.9, 0.1, 0.1, 1.0)
    shade = {"sun_from": 0.0, "sun_height": 40.0}  # the sun is behind the board

    def seen(blue: int, green: int, **fields: Any) -> np.ndarray:
        picture = plain_picture(tmp_path, 0, green, blue)
        material = PbrMaterial(base_colour=red, metallic=1.0, metallic_roughness_map=picture, **fields)
        return middle(taken(ctx, board(material, **shade), FULL))

    plastic, mirror, rough = seen(0, 255), seen(255, 10), seen(255, 255)
    assert mirror[0] > 2 * mirror[1], "a metal mirrors in its own colour"
    assert np.abs(mirror - rough).max() > 4
    matt = middle(taken(ctx, board(PbrMaterial(base_colour=red), **shade), FULL))
    assert np.abs(plastic - matt).max() <= 6, "but for the 4 % that plastic mirrors"
    assert np.abs(seen(255, 255, roughness=0.04) - mirror).max() <= 2, "factors multiply the picture"


@pytest.mark.full
def test_occlusion_darkens_ambient_light_only(ctx: Any, tmp_path: Path) -> None:
    black = plain_picture(tmp_path, 0, 255, 255)

    def seen(strength: float, **sky: Any) -> float:
        material = PbrMaterial(occlusion_map=black, occlusion_strength=strength)
        return float(middle(taken(ctx, board(material, **sky), FULL)).mean())

    shade, sun = {"sun_from": 0.0}, {"sun_from": 180.0, "sun_height": 20.0}
    assert seen(1.0, **shade) < 12
    assert seen(0.0, **shade) > 90
    assert 30 < seen(0.5, **shade) < seen(0.0, **shade) - 15
    assert seen(1.0, **sun) > 150


@QUALITIES
def test_a_picture_that_cannot_be_read_leaves_the_colour(ctx: Any, tmp_path: Path, quality: Any) -> None:
    picture = plain_picture(tmp_path, 255, 0, 0)
    picture.picture.path.write_bytes(picture.picture.path.read_bytes()[:40])
    material = PbrMaterial(
        base_colour_map=picture, normal_map=picture, metallic_roughness_map=picture, metallic=1.0,
        emission_map=picture, emission=(1.0, 1.0, 1.0), occlusion_map=picture,
    )  # fmt: skip
    colour = (0.2, 0.5, 0.3)
    seen = middle(taken(ctx, board(material, colour=colour), quality))
    same = middle(taken(ctx, board(PbrMaterial(base_colour=(*srgb_to_linear(colour), 1.0)), colour=GREY), quality))
    assert np.abs(seen - same).max() <= 4
