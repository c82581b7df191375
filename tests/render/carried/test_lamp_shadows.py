"""Shadows of the lamps that movers carry, against rays from the lamp."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from game.level import load
from game.render import Camera, Hud, Renderer, Scene, Snapshot
from game.render.gl.quality import MAX_SHADOWED_LAMPS, QUALITIES
from game.render.passes.shadows import LAMP_NEAR
from game.render.scene.lamps import is_blocked, ray_products

SIZE = (240, 150)
SMALL = replace(QUALITIES["low"], scale=1.0, light_size=64, shadow_size=64, tile_size=64)
BARE = Hud(crosshair=False)
ABOVE = Camera((0.0, 6.5, 0.0), 0.0, -1.5, 100.0)
LEVEL = """
format: 1
name: Dark
sky: {palette: night}
surfaces: {stone: {colour: "#b0b0b0"}, SURFACE}
spawn: {at: [0, 0, 4], facing: north}
pieces:
  - room: {from: [-8, 0, -8], to: [8, 7, 8], surface: stone}
  - box: {from: [-3, 0, -3], to: [-2.5, 1.5, 3], surface: wood}
  - mover:
      name: carriage
      at: [0, 3, 0]
      path: [[0, 0, 0], [3, 0, 0]]
      seconds: 4
      pause: 0
      of:
        - box: {from: [-0.12, -0.12, -0.12], to: [0.12, 0.12, 0.12], surface: stone, collide: false}
        - box: {from: [0.9, -1, -0.5], to: [2, -0.9, 0.5], surface: stone}
        - light: {at: [0, 0, 0], brightness: 2, reach: 12, visible: false}
"""


def pictures(ctx: Any, level: Any, ticks: tuple[int, ...]) -> list[Any]:
    """Pictures (rows, columns) of a level from above without and with shadows, at ticks of the mover."""
    scene, drawn = Scene.from_level(level), []
    for size in (0, 256):
        renderer = Renderer(ctx, scene, replace(SMALL, lamp_shadow_size=size), eager=False)
        for tick in ticks:
            snapshot = Snapshot(ABOVE, BARE, movers=level.environment.movers.poses(tick))
            renderer.render(snapshot, SIZE)
            drawn.append(renderer.image().astype(float).mean(axis=2))
        renderer.release()
    return drawn


def floor_points() -> tuple[Any, Any]:
    """Points (n, 3) of the floor, and their pixels (n, 2: row, column)."""
    x, z = np.meshgrid(np.arange(-5.0, 5.01, 0.25), np.arange(-3.0, 3.01, 0.25))
    points = np.stack([x.ravel(), np.zeros(x.size), z.ravel()], axis=1)
    clip = np.hstack([points, np.ones((len(points), 1))]) @ ABOVE.view_projection_matrix(SIZE[0] / SIZE[1])
    column, row = (clip[:, 0] / clip[:, 3] + 1) * SIZE[0] / 2, (1 - clip[:, 1] / clip[:, 3]) * SIZE[1] / 2
    return points, np.stack([row, column], axis=1).astype(int)


def test_level_and_movers_shade_the_floor_where_they_block_rays_from_the_lamp(ctx: Any) -> None:
    ticks = (0, 240)
    level = load(text=LEVEL.replace("SURFACE", "wood: {}"))
    drawn = pictures(ctx, level, ticks)
    scene = Scene.from_level(level)
    points, pixels = floor_points()
    for number, tick in enumerate(ticks):
        pose = level.environment.movers.poses(tick)[0]
        lamp = pose[:, 3] + pose[:, :3] @ (np.asarray(scene.lamps[0].at) - scene.movers[0].at)
        parts = scene.movers[0].triangles @ pose[:, :3].T + pose[:, 3]
        far = np.abs(parts - lamp).max(axis=(1, 2)) > 2 * LAMP_NEAR  # not its housing
        casters = np.concatenate([scene.triangles[scene.triangles[..., 1].max(axis=1) > 0.01], parts[far]])
        around = [points + np.array((dx, 0.0, dz)) for dx in (-0.2, 0.0, 0.2) for dz in (-0.2, 0.0, 0.2)]
        hidden, blocked = (
            np.mean([is_blocked(one - start, ray_products(casters - start)) for one in around], axis=0)
            for start in (np.asarray(ABOVE.eye), lamp)
        )
        before, after = (drawn[number + len(ticks) * k][pixels[:, 0], pixels[:, 1]] for k in (0, 1))
        shaded, lit = ((hidden == 0.0) & (blocked == share) for share in (1.0, 0.0))
        assert min(shaded.sum(), lit.sum()) > 40
        assert (after[shaded] < 0.6 * before[shaded]).all()
        np.testing.assert_allclose(after[lit], before[lit], atol=3.0)


@pytest.mark.full
@pytest.mark.parametrize(("kind", "shades"), [("cutout: true", False), ("roughness: 1", True)])
def test_a_surface_with_holes_casts_no_shadow_of_a_carried_lamp(
    ctx: Any, tmp_path: Any, kind: str, shades: bool
) -> None:
    Image.new("RGBA", (4, 4), (120, 120, 120, 255)).save(tmp_path / "grey.png")
    (tmp_path / "dark.yaml").write_text(LEVEL.replace("SURFACE", f"wood: {{picture: grey.png, {kind}}}"))
    before, after = pictures(ctx, load(tmp_path / "dark.yaml"), (0,))
    points, pixels = floor_points()
    behind = pixels[(points[:, 0] == -4.5) & (points[:, 2] == 0.0)][0]
    assert (after[tuple(behind)] < 0.5 * before[tuple(behind)]) == shades


def test_only_the_nearest_lamps_have_shadows(ctx: Any) -> None:
    scene = Scene.from_level(load(text=LEVEL.replace("SURFACE", "wood: {}")))
    lamp = scene.lamps[0]
    many = replace(scene, lamps=tuple(replace(lamp, at=(float(k), 3.0, 0.0)) for k in range(6)))
    renderer = Renderer(ctx, many, replace(SMALL, lamp_shadow_size=32), eager=False)
    level = renderer._current_scene
    rows = level.lamps.moving_rows(None, (0.0, 3.0, 0.0))
    level.lamp_shadows.draw(rows, None, (0.0, 3.0, 0.0), lambda _: None)
    assert rows[:, 7].tolist() == [0, 1, 2, 3, -1, -1]
    assert MAX_SHADOWED_LAMPS == 4
    renderer.release()
