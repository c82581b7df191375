"""Masks with their shadows, translucent surfaces in order, two sides, movers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level.build.entities.zones import LevelZone
from game.level.materials import AlphaMode, PbrMaterial, TextureMap
from game.render import Camera, Hud, Renderer, Scene, Snapshot, SurfaceAppearance
from game.render.scene.scene import MoverAppearance
from tests.render.materials.boards import (
    FULL,
    LOW,
    SIZE,
    VIEW,
    WHOLE,
    board,
    join,
    middle,
    plain_picture,
    quad,
    taken,
    write,
)

QUALITIES = pytest.mark.parametrize("quality", [pytest.param(LOW, marks=pytest.mark.full), FULL], ids=["low", "medium"])
RED, GREEN, CLEAR = (255, 0, 0, 255), (0, 255, 0, 255), (0, 0, 0, 0)
OVER = Camera((0.0, 4.0, 0.0), 0.0, -1.5707963, 90.0, 0.02)  # looks down; north is up in the picture


def half_clear(folder: Path, **options: Any) -> TextureMap:
    """Red at the left, clear at the right."""
    return write(folder, [[RED, CLEAR]], nearest=True, **options)


def masked(picture: TextureMap, **fields: Any) -> PbrMaterial:
    return PbrMaterial(base_colour_map=picture, alpha_mode=AlphaMode.MASK, **fields)


def behind() -> Scene:
    return board(PbrMaterial(base_colour=(0.0, 0.0, 1.0, 1.0), unlit=True), half=6.0, z=-1.0)


@QUALITIES
def test_what_is_behind_a_hole_is_seen(ctx: Any, tmp_path: Path, quality: Any) -> None:
    image = taken(ctx, join(board(masked(half_clear(tmp_path), unlit=True), z=0.5), behind()), quality)
    assert image[64, 20][0] > 240 > 20 > image[64, 20][2]
    assert image[64, 108][2] > 240 > 20 > image[64, 108][0]
    opaque = board(PbrMaterial(base_colour_map=half_clear(tmp_path), unlit=True), z=0.5)
    assert taken(ctx, join(opaque, behind()), quality)[64, 108][2] < 20


def test_the_cutoff_decides_and_vertex_colours_count(ctx: Any, tmp_path: Path) -> None:
    picture = write(tmp_path, [[(255, 0, 0, 100), (255, 0, 0, 150)]], nearest=True)

    def visible(cutoff: float, vertex_opacity: int = 255) -> list[bool]:
        front = board(
            masked(picture, unlit=True, alpha_cutoff=cutoff), vertex_colours=[(255, 255, 255, vertex_opacity)] * 4
        )
        row = taken(ctx, front)[64]
        return [bool(row[x][0] > 240 and row[x][2] < 20) for x in (20, 108)]

    assert [visible(0.3), visible(0.5), visible(0.7)] == [[True, True], [False, True], [False, False]]
    assert visible(0.5, 128) == [False, False]


@QUALITIES
def test_light_falls_through_the_holes(ctx: Any, tmp_path: Path, quality: Any) -> None:
    plate = np.array([(-2.0, 3.0, 2.0), (2.0, 3.0, 2.0), (2.0, 3.0, -2.0), (-2.0, 3.0, -2.0)])
    floor = plate * (3.0, 0.0, 3.0)
    material = masked(half_clear(tmp_path), double_sided=True)
    scene = Scene(
        np.concatenate([quad(plate), quad(floor)]), np.array([0, 0, 1, 1], np.int32),
        (SurfaceAppearance(pbr=material), SurfaceAppearance((0.5, 0.5, 0.5))),
        sky=replace(behind().sky, sun_height=90.0), uv=np.concatenate([quad(WHOLE), quad(WHOLE)]),
    )  # fmt: skip
    view = replace(OVER, eye=(0.0, 2.5, 0.0))  # below the plate
    row = taken(ctx, scene, quality, view)[64].mean(axis=1)
    assert row[80:100].min() > 1.4 * row[28:48].max(), "the left half of the plate casts a shadow"
    renderer = Renderer(ctx, scene, quality, eager=False)
    try:
        renderer.render(Snapshot(view, Hud(crosshair=False)), SIZE)
        whole = renderer.image()[64].mean(axis=1)
        assert whole[80:100].max() < 1.1 * row[28:48].max(), "without its picture the plate has no hole"
        renderer.load_pictures()
        renderer.render(Snapshot(view, Hud(crosshair=False)), SIZE)
        assert np.abs(renderer.image()[64].mean(axis=1) - row).max() <= 1
    finally:
        renderer.release()


@QUALITIES
def test_panes_are_drawn_from_far_to_near(ctx: Any, tmp_path: Path, quality: Any) -> None:
    def pane(colour: tuple[int, int, int, int], z: float) -> Scene:
        picture = plain_picture(tmp_path, *colour)
        return board(PbrMaterial(base_colour_map=picture, alpha_mode=AlphaMode.BLEND, unlit=True), half=5.0, z=z)

    red, green = pane((255, 0, 0, 128), -0.4), pane((0, 255, 0, 128), 0.4)
    seen = [middle(taken(ctx, join(*order), quality)) for order in ((behind(), red, green), (green, red, behind()))]
    expected = np.array((0.25, 0.5, 0.25)) * 252  # half of green, and a half of that of red and blue
    assert np.abs(seen[0] - expected).max() <= 5
    assert np.abs(seen[1] - seen[0]).max() <= 1
    other_side = Camera((0.0, 0.0, -0.9), np.pi, 0.0, 90.0, 0.02)
    two_sided = [replace(one, surfaces=tuple(replace(s, pbr=replace(s.pbr, double_sided=True)) for s in one.surfaces))
                 for one in (green, red)]  # fmt: skip
    seen_from_behind = middle(taken(ctx, join(*two_sided), quality, other_side))
    assert seen_from_behind[0] > seen_from_behind[1] + 40, "now red is in front"


def test_glass_casts_no_shadow_and_keeps_no_light_away(ctx: Any) -> None:
    from game.render.scene.render_mesh import RenderMesh

    glass = board(PbrMaterial(base_colour=(1.0, 1.0, 1.0, 0.3), alpha_mode=AlphaMode.BLEND))
    scene = join(glass, board(None, z=-1.0))
    assert RenderMesh.from_scene(scene).pictured.casts_shadow.tolist() == [False, False, True, True]
    light = {"sun_from": 180.0, "sun_height": 30.0}
    lit = middle(taken(ctx, board(None, z=-1.0, **light)))
    through = middle(taken(ctx, join(board(None, z=-1.0, **light), glass), view=replace(VIEW, eye=(0.0, 0.0, -0.5))))
    assert np.abs(lit - through).max() <= 4


def test_the_back_is_drawn_only_of_double_sided_surfaces(ctx: Any) -> None:
    for mode in AlphaMode:
        for double_sided in (False, True):
            material = PbrMaterial(
                base_colour=(1.0, 0.0, 0.0, 1.0), unlit=True, alpha_mode=mode, double_sided=double_sided
            )
            seen = middle(taken(ctx, board(material), view=Camera((0.0, 0.0, -2.0), np.pi, 0.0, 90.0, 0.02)))
            assert bool(seen[0] > 240 and seen[2] < 20) is double_sided, mode


def mover_scene(material: PbrMaterial) -> Scene:
    plate = np.array([(-2.0, 0.0, 2.0), (2.0, 0.0, 2.0), (2.0, 0.0, -2.0), (-2.0, 0.0, -2.0)])
    floor = board(None, half=1.0)
    ground = quad(plate * 4.0)
    surfaces = (SurfaceAppearance((0.5, 0.5, 0.5)), SurfaceAppearance((0.2, 0.2, 0.2), pbr=material))
    mover = MoverAppearance(quad(plate), np.ones(2, np.int32), quad(WHOLE))
    sky = replace(floor.sky, sun_height=90.0)
    return Scene(ground, np.zeros(2, np.int32), surfaces, sky=sky, movers=(mover,))


def pose(x: float, y: float, z: float, turn: float = 0.0) -> np.ndarray:
    """Pose (1, 3, 4) at a place, turned about the vertical, degrees."""
    s, c = np.sin(np.radians(turn)), np.cos(np.radians(turn))
    return np.array([[(c, 0.0, s, x), (0.0, 1.0, 0.0, y), (-s, 0.0, c, z)]])


@pytest.mark.full
@QUALITIES
def test_a_picture_moves_and_turns_with_its_mover(ctx: Any, tmp_path: Path, quality: Any) -> None:
    picture = write(tmp_path, [[RED, GREEN]], nearest=True)
    scene = mover_scene(PbrMaterial(base_colour_map=picture, unlit=True))
    image = taken(ctx, scene, quality, OVER, movers=pose(0.0, 2.0, 0.0))
    assert image[64, 40][0] > 240 > 20 > image[64, 40][1], "red is west"
    assert image[64, 88][1] > 240 > 20 > image[64, 88][0]
    turned = taken(ctx, scene, quality, OVER, movers=pose(0.0, 2.0, 0.0, 180.0))
    assert turned[64, 40][1] > 240 > 20 > turned[64, 40][0]
    moved = taken(ctx, scene, quality, OVER, movers=pose(8.0, 2.0, 0.0))
    assert moved[64, 40][0] < 200, "it is out of the picture"


@QUALITIES
def test_a_mover_with_holes_is_lit_and_casts_their_shadow(ctx: Any, tmp_path: Path, quality: Any) -> None:
    scene = mover_scene(masked(half_clear(tmp_path), double_sided=True))
    row = taken(ctx, scene, quality, replace(OVER, eye=(0.0, 2.5, 0.0)), movers=pose(0.0, 3.0, 0.0))[64].mean(axis=1)
    assert row[80:100].min() > 1.2 * row[28:48].max()
    lit = taken(ctx, scene, quality, OVER, movers=pose(0.0, 2.0, 0.0))
    assert lit[64, 40][0] > 1.5 * lit[64, 40][1], "its picture, in the light"


def test_a_pane_above_water_is_drawn_over_it(ctx: Any, tmp_path: Path) -> None:
    """Seen from above it hides the water as far as it is opaque; from below the water dims it."""
    white = PbrMaterial(
        base_colour_map=plain_picture(tmp_path, 255, 255, 255, 250), alpha_mode=AlphaMode.BLEND, unlit=True,
        double_sided=True,
    )  # fmt: skip
    corners = [(-4.0, 0.0, 4.0), (4.0, 0.0, 4.0), (4.0, 0.0, -4.0), (-4.0, 0.0, -4.0)]
    pane = replace(board(white), triangles=quad(corners))
    water = LevelZone("water", (0.0, -2.0, 0.0), (6.0, 1.0, 6.0), colour=(0.0, 0.2, 0.6))
    below = Camera((0.0, -2.0, 0.0), 0.0, 1.5707963, 90.0, 0.02)
    over, under = (middle(taken(ctx, replace(pane, zones=(water,)), FULL, view)) for view in (OVER, below))
    assert over.min() > 235
    assert under.min() < 220
