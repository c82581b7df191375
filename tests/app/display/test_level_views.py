"""Contact sheets: views along a walk, the planes in a view, the measured halo of a sign."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game.app.display import level_views, still_image
from game.level import Level, load
from game.level.format.file_access import SHIPPED_LEVELS
from game.render import QUALITIES, Renderer, Scene
from game.sim.command_script import read_script
from tests.support import gl

LEVEL = """\
format: 1
spawns: [{at: [0, 0, 0], facing: north}]
surfaces: {grey: {colour: "#808080"}, red: {colour: "#a04040"}}
pieces:
  - floor: {from: [-8, -4], to: [8, 8], surface: grey}
  - box: {from: [-8, 0, -4.4], to: [8, 6, -4], surface: red}
  - sign: {text: here, at: [0, 1.5, -3.95], facing: south, width: 1.2, height: 0.6}
"""
SIZE = (320, 192)


@pytest.fixture
def room(tmp_path: Path) -> Level:
    path = tmp_path / "room.yaml"
    path.write_text(LEVEL)
    return load(path)


def test_views_lie_along_the_walk_or_around_the_spawn(room: Level, tmp_path: Path) -> None:
    walk = tmp_path / "walk.commands"
    walk.write_text("30\n60 forward 1\n")
    poses = level_views.walk_poses(room, read_script(walk), 3)
    eyes = np.array([pose.eye for pose in poses])
    assert (np.diff(eyes[:, 2]) < -0.5).all(), "north along the walk"
    turn = [pose.yaw for pose in level_views.walk_poses(room, None, 4)]
    assert np.diff(turn) == pytest.approx([np.pi / 2] * 3)


def test_the_planes_in_a_view_are_wall_floor_and_sky(room: Level) -> None:
    pose = level_views.walk_poses(room, None, 1)[0]
    view = still_image.still_snapshot(room, pose, SIZE, 90.0).view
    planes = level_views.planes_in_view(room, view, SIZE)
    assert planes.shape == (6, 10)
    assert len(np.unique(planes[planes >= 0])) >= 2
    assert planes[-1, 5] != planes[2, 0] >= 0
    away = level_views.walk_poses(room, None, 2)[1]
    view = still_image.still_snapshot(room, away, SIZE, 90.0).view
    assert (level_views.planes_in_view(room, view, SIZE)[0] == -1).all()


def test_piers_and_courses_break_up_the_long_walls_of_the_surface_works() -> None:
    level = load(SHIPPED_LEVELS / "surfaces.yaml")
    ctx = gl.context()
    quality = replace(QUALITIES["low"], light_size=256, shadow_size=512, tile_size=128, scale=1.0)
    renderer = Renderer(ctx, Scene.from_level(level), quality, bakes=False)
    pose = replace(level_views.walk_poses(level, None, 1)[0], eye=(-4.0, 1.6, -4.5), yaw=np.radians(36))
    (_, measures), *_ = level_views.measured_views(renderer, level, [pose], (640, 384), 90.0)
    renderer.release()
    ctx.release()
    assert measures.plain < 0.2


def test_the_halo_of_a_sign_ends_at_a_pillar_before_the_wall(tmp_path: Path) -> None:
    path = tmp_path / "pillar.yaml"
    path.write_text(LEVEL + "  - pillar: {at: [1.35, 0, -3.6], radius: 0.25, height: 6, sides: 12, surface: white}\n")
    path.write_text(path.read_text().replace("surfaces: {", 'surfaces: {white: {colour: "#ffffff"}, '))
    level = load(path)
    ctx = gl.context()
    quality = replace(QUALITIES["low"], light_size=256, shadow_size=256, tile_size=64, scale=1.0)
    renderer = Renderer(ctx, Scene.from_level(level), quality)
    halos = level_views.sign_halos(renderer, level, (640, 360), 90.0)
    renderer.release()
    ctx.release()
    assert len(halos) == 1
    assert halos[0] < 0.3, "the light of the pillar is not that of the wall"


def test_sheet_table_and_halo_of_a_level(room: Level) -> None:
    ctx = gl.context()
    quality = replace(QUALITIES["low"], light_size=256, shadow_size=256, tile_size=64, scale=1.0)
    renderer = Renderer(ctx, Scene.from_level(room), quality)
    views = level_views.measured_views(renderer, room, level_views.walk_poses(room, None, 3), SIZE, 90.0)
    halos = level_views.sign_halos(renderer, room, (640, 360), 90.0)
    renderer.release()
    ctx.release()
    sheet = level_views.contact_sheet([image for image, _ in views])
    assert sheet.size == (2 * 164, 2 * 100)
    table = level_views.measures_table([one for _, one in views], halos).splitlines()
    assert [line.split()[0] for line in table[1:-1]] == ["1", "2", "3", "mean"]
    assert len(halos) == 1
    assert 0.0 <= halos[0] < 0.5
    assert table[-1] == f"halo of signs: {halos[0]:.2f} m"
