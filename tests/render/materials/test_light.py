"""Pictures and the baked light: mean colours, no stains, and no new bake for a picture that was saved again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level.level import Sky
from game.level.materials import AlphaMode, PbrMaterial
from game.render import Renderer, Scene, SceneBuilder, SurfaceAppearance, build_scene_data
from game.render.scene.lightmap import LightmapCache, stain_map
from game.render.scene.render_mesh import RenderMesh
from game.render.scene.uv_unwrap import unwrap
from tests.render.materials.boards import LOW, WHOLE, board, join, plain_picture, quad
from tests.render.scene.baked_light import TINY, bake


def corner(material: PbrMaterial | None, colour: tuple[float, float, float] = (0.9, 0.9, 0.9)) -> Scene:
    """Floor with a surface, and a white wall beside it, in the sun."""
    floor = [(-4.0, 0.0, 4.0), (4.0, 0.0, 4.0), (4.0, 0.0, -4.0), (-4.0, 0.0, -4.0)]
    wall = [(-4.0, 0.0, -4.0), (4.0, 0.0, -4.0), (4.0, 3.0, -4.0), (-4.0, 3.0, -4.0)]
    return Scene(
        np.concatenate([quad(floor), quad(wall)]), np.array([0, 0, 1, 1], np.int32),
        (SurfaceAppearance(colour, pbr=material), SurfaceAppearance((0.9, 0.9, 0.9))),
        sky=Sky(sun_height=60.0, sun_from=180.0), uv=np.tile(quad(WHOLE), (2, 1, 1)),
    )  # fmt: skip


def light_on_the_wall(ctx: Any, scene: Scene) -> np.ndarray:
    return bake(ctx, scene).at((0.0, 0.4, -4.0), (0.0, 0.0, 1.0))


@pytest.mark.full
def test_light_bounces_in_the_mean_colour_of_the_picture(ctx: Any, tmp_path: Path) -> None:
    red = PbrMaterial(base_colour_map=plain_picture(tmp_path, 230, 20, 20))
    pictured, coloured, grey = (
        light_on_the_wall(ctx, scene)
        for scene in (corner(red), corner(None, (230 / 255, 20 / 255, 20 / 255)), corner(None))
    )
    assert pictured[0] / pictured[2] > 1.15 * grey[0] / grey[2]
    assert np.abs(pictured / coloured - 1.0).max() < 0.06
    tinted = light_on_the_wall(ctx, corner(replace(red, base_colour=(0.0, 1.0, 1.0, 1.0))))
    assert tinted[0] < pictured[0], "the factor counts"


def test_pictures_have_no_stains(tmp_path: Path) -> None:
    for material, even in ((PbrMaterial(), True), (None, False)):
        mesh = RenderMesh.from_scene(corner(material))
        charts = unwrap(mesh, 128)
        assert charts is not None
        floor = (charts.chart_of_texel >= 0) & (charts.normal[..., 1] > 0.9)
        stains = stain_map(charts, mesh)[floor]
        assert bool(np.ptp(stains) == 0.0) is even


def test_a_saved_picture_needs_no_bake(ctx: Any, tmp_path: Path) -> None:
    picture = plain_picture(tmp_path, 230, 20, 20)
    cache = LightmapCache(tmp_path / "light")
    first = corner(PbrMaterial(base_colour_map=picture))
    Renderer(ctx, first, TINY, light_cache=cache.folder).release()
    source = replace(picture.picture, modified=(5, 5))
    second = corner(PbrMaterial(base_colour_map=replace(picture, picture=source)))
    builder = SceneBuilder(TINY, cache)
    assert builder.build_final(first).lightmap.is_baked
    quick = builder.build_fast(second)
    assert quick.lightmap.bake_input is None
    assert builder.build_final(second).lightmap.is_baked


@pytest.mark.parametrize("blended", [False, True])
def test_a_level_of_one_surface_can_be_prepared(blended: bool) -> None:
    mode = AlphaMode.BLEND if blended else AlphaMode.OPAQUE
    scene = board(PbrMaterial(alpha_mode=mode))
    for one in (scene, join(scene, scene)):
        data = build_scene_data(one, LOW)
        assert len(data.vertices) == 0
        assert data.pictured is not None
