"""Signs, lamps and zones that movers carry, and lamp light on movers, in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from game.level import load
from game.render import Camera, Hud, Renderer, Scene, Snapshot
from game.render.gl.quality import QUALITIES
from game.render.scene.lamps import MAX_MOVERS_PER_FRAME, MAX_MOVING_LAMPS, LampsOnMovers, SceneLamps
from game.render.scene.scene_data import build_scene_data

SIZE = (320, 200)
QUALITY = replace(QUALITIES["low"], light_size=128, shadow_size=512, tile_size=64)
LEVEL = """
format: 1
name: Dark
sky: {palette: night}
surfaces: {stone: {colour: "#b0b0b0"}}
spawn: {at: [0, 0, 4], facing: north}
pieces:
  - room: {from: [-8, 0, -8], to: [8, 7, 6], surface: stone}
LAMP
  - mover:
      name: lift
      at: [3, 0, -7]
      path: [[0, 0, 0], [0, 4, 0]]
      seconds: 4
      pause: 0
      of:
        - box: {from: [-1, 0, -0.5], to: [1, 0.2, 0.5], surface: stone}
INSIDE
  - mover:
      name: shuttle
      at: [-5, 2, -3]
      path: [[0, 0, 0], [9, 0, 0]]
      seconds: 8
      pause: 0
      of:
        - box: {from: [-1, 0, -1], to: [1, 1, 1], surface: stone}
"""
EYE = Camera((0.0, 2.5, 5.0))


def level(inside: str = "", lamp: str = "") -> Any:
    return load(text=LEVEL.replace("INSIDE", inside).replace("LAMP", lamp))


class Stage:
    """Pictures of a level at ticks of its movers."""

    def __init__(self, ctx: Any, loaded: Any) -> None:
        self.level, self.scene = loaded, Scene.from_level(loaded)
        self.renderer = Renderer(ctx, self.scene, QUALITY, eager=False)
        self.movers = loaded.environment.movers

    def picture(self, tick: int, view: Camera = EYE) -> np.ndarray:
        poses = self.movers.poses(tick)
        self.renderer.render(Snapshot(view=view, hud=Hud(crosshair=False), movers=poses), SIZE)
        return np.asarray(self.renderer.image(), dtype=np.float64)[..., :3]

    def brightness(self, picture: np.ndarray, place: tuple[float, float, float], view: Camera = EYE) -> float:
        """Mean grey of 9 x 9 pixels around a point of the world."""
        x, y, _, w = np.array((*place, 1.0)) @ view.view_projection_matrix(SIZE[0] / SIZE[1])
        column, row = round((x / w * 0.5 + 0.5) * SIZE[0]), round((0.5 - y / w * 0.5) * SIZE[1])
        return float(picture[row - 4 : row + 5, column - 4 : column + 5].mean())


@pytest.fixture
def stage(ctx: Any) -> Iterator[Any]:
    stages: list[Stage] = []

    def make(inside: str = "", lamp: str = "") -> Stage:
        stages.append(Stage(ctx, level(inside, lamp)))
        return stages[-1]

    yield make
    for one in stages:
        one.renderer.release()


def test_a_lamp_on_a_lift_lights_the_wall_that_it_passes(stage: Any) -> None:
    lift = stage("        - light: {at: [0, 1.5, 0], brightness: 0.3, reach: 3.5, visible: false}")
    low, high = lift.picture(0), lift.picture(240)
    below, above = (3.0, 1.5, -8.0), (3.0, 5.5, -8.0)
    assert lift.brightness(low, below) > lift.brightness(low, above) + 40
    assert lift.brightness(high, above) > lift.brightness(high, below) + 40
    assert lift.brightness(high, above) == pytest.approx(lift.brightness(low, below), abs=15)
    far = (-6.0, 5.5, -8.0)
    assert lift.brightness(low, far) == pytest.approx(lift.brightness(high, far), abs=0.5)


def test_a_mover_in_reach_of_a_lamp_is_brightened_as_a_whole(stage: Any) -> None:
    """What walls reflect is brightened where it is dark. That also has a part, and it ends at no edge on a mover."""
    bar = "        - box: {from: [-9, 0.5, -0.2], to: [1, 1.5, 0.2], surface: stone}\n"
    lit = stage(bar + "        - light: {at: [0.5, 1, 0.6], brightness: 0.3, reach: 1.2, visible: false}")
    difference = lit.picture(0) - stage(bar).picture(0)
    ends = [lit.brightness(difference, (x, 1.0, -6.8)) for x in (-5.0, -3.0)]
    assert min(ends) > 5
    assert max(ends) - min(ends) < 2


def test_a_wall_between_keeps_the_light_of_a_lamp_from_a_mover() -> None:
    lamp = "  - light: {at: [-5, 2.5, 0.5], brightness: 0.5, reach: 9, visible: false}"
    wall = "  - box: {from: [-7.9, 0, -1.5], to: [-2, 6.9, -1.4], surface: stone}"
    loaded = level(lamp=f"{lamp}\n{wall}")
    scene, movers = Scene.from_level(loaded), loaded.environment.movers
    lamps = SceneLamps(scene)
    rows = lamps.rows_at(None)
    behind, beyond = (lamps.rows_on_mover(1, movers.poses(tick)[1], rows)[0, 4:7] for tick in (0, 480))
    assert not behind.any()
    assert (beyond > 0.5 * rows[0, 4:7]).all()


@pytest.mark.full
def test_a_sign_on_a_lift_is_drawn_where_the_lift_is(stage: Any) -> None:
    sign = "- sign: {at: PLACE, text: MMMMMM, width: 1.6, height: 0.6, facing: south}"
    lamp = "  - light: {at: [3, 5.2, -4], brightness: 0.5, reach: 9, visible: false}\n"
    moving = stage("        " + sign.replace("PLACE", "[0, 1.2, 0.5]"), lamp)
    still = stage(lamp=lamp + "  " + sign.replace("PLACE", "[3, 5.2, -6.5]"))
    view = Camera((3.0, 5.2, -5.0))
    board = (slice(70, 130), slice(110, 210))  # pixels
    there, same, gone = (
        one.picture(tick, view)[board].mean(axis=2) for one, tick in ((moving, 240), (still, 240), (moving, 0))
    )
    assert same.max() - same.min() > 60  # ink on a pale board
    assert np.corrcoef(there.ravel(), same.ravel())[0, 1] > 0.9
    assert gone.max() - gone.min() < 40


@pytest.mark.full
def test_water_and_the_glow_of_a_lamp_move_with_the_lift(stage: Any) -> None:
    inside = """        - water: {from: [-1, 0.2, -0.5], to: [1, 1.5, 0.5]}
        - light: {at: [0, 2.5, 0.2], brightness: 0.05, reach: 0.5}"""
    lift, plain = stage(inside), stage()
    for tick, height in ((0, 0.0), (240, 4.0)):
        difference = lift.picture(tick) - plain.picture(tick)
        water, glow = (3.0, height + 0.8, -6.5), (3.0, height + 2.5, -6.8)
        assert abs(lift.brightness(difference, water)) > 1
        assert lift.brightness(difference, glow) > 5
        other = 4.0 - height
        assert abs(lift.brightness(difference, (3.0, other + 2.5, -6.8))) < 4


def test_the_baked_light_leaves_out_carried_lamps() -> None:
    scene = Scene.from_level(level("        - light: {at: [0, 1.5, 0]}"))
    without = replace(scene, lamps=())
    first, second = (build_scene_data(one, QUALITY, bakes=False).lightmap for one in (scene, without))
    assert first.cache_key == second.cache_key
    np.testing.assert_array_equal(first.pixels, second.pixels)


def test_only_the_nearest_carried_lamps_light_a_frame() -> None:
    scene = Scene.from_level(level("        - light: {at: [0, 1.5, 0]}"))
    lamp = scene.lamps[0]
    many = replace(scene, lamps=tuple(replace(lamp, at=(float(k), 0.0, 0.0)) for k in range(20)))
    rows = SceneLamps(many).moving_rows(None, (12.0, 0.0, 0.0))
    assert len(rows) == MAX_MOVING_LAMPS
    assert sorted(rows[:, 0]) == list(range(8, 16)) or sorted(rows[:, 0]) == list(range(9, 17))


def test_the_lamps_on_many_movers_are_found_in_turn_until_all_have_theirs() -> None:
    one = Scene.from_level(level(lamp="  - light: {at: [-5, 3, 0.5], reach: 12}"))
    count = MAX_MOVERS_PER_FRAME + 3
    lamps = SceneLamps(replace(one, movers=one.movers[:1] * count))
    poses = np.zeros((count, 3, 4))
    poses[:, :, :3] = np.eye(3)
    poses[:, 1, 3] = 2.0
    found = LampsOnMovers(lamps)

    def update(x: float) -> np.ndarray:
        """Which movers have their lamps anew."""
        before = found.rows.copy()
        poses[:, 0, 3] = x
        lamps._rows[:, 4] = x  # of the radiance, as a mark
        found.update(poses)
        return np.asarray((found.rows != before).any(axis=(1, 2)))

    assert update(1.0).all()
    assert found.is_current
    first, second = update(2.0), update(2.0)
    assert first.sum() == MAX_MOVERS_PER_FRAME
    assert (second == ~first).all()
    assert found.is_current
    assert not update(2.0).any()


@pytest.mark.sample(2)
@pytest.mark.parametrize("surface", ["{texture: plain}", "{picture: board.png}", "{picture: board.png, cutout: true}"])
@pytest.mark.parametrize("quality", ["low", "high"])
def test_a_turned_mover_is_drawn_as_one_that_was_built_turned(
    ctx: Any, tmp_path: Path, surface: str, quality: str
) -> None:
    pixels = np.random.default_rng(5).integers(0, 256, (8, 8, 4), dtype=np.uint8)
    Image.fromarray(pixels).resize((64, 64), Image.Resampling.NEAREST).save(tmp_path / "board.png")
    lamp = "  - light: {at: [-6, 5, 3], brightness: 0.6, reach: 14}"
    text = LEVEL.replace("LAMP", lamp).replace("INSIDE", "").replace("sky: {palette: night}", "sky: {sun_height: 60}")
    text = text.replace("room: {", "floor: {").replace("to: [8, 7, 6]", "to: [8, 6]").replace("[-8, 0, -8]", "[-8, -8]")
    (tmp_path / "turned.yaml").write_text(text.replace('{stone: {colour: "#b0b0b0"}}', f"{{stone: {surface}}}"))
    scene = Scene.from_level(load(tmp_path / "turned.yaml"))
    turn = np.array(((0.6, 0.0, 0.8), (0.0, 1.0, 0.0), (-0.8, 0.0, 0.6))) @ np.array(
        ((1.0, 0.0, 0.0), (0.0, 0.8, -0.6), (0.0, 0.6, 0.8))
    )
    poses = np.zeros((2, 3, 4))
    poses[:, :, :3], poses[:, :, 3] = turn, ((2.0, 2.0, 0.0), (-2.0, 2.5, -2.0))
    at_rest = np.tile(np.eye(3, 4), (2, 1, 1))
    built = replace(
        scene,
        movers=tuple(replace(mover, triangles=mover.triangles @ pose[:, :3].T + pose[:, 3])
                     for mover, pose in zip(scene.movers, poses, strict=True)),
    )  # fmt: skip
    drawn = []
    for one, at in ((scene, poses), (built, at_rest)):
        renderer = Renderer(
            ctx, one, replace(QUALITIES[quality], shadow_size=512, tile_size=64, tufts=False), eager=False
        )
        renderer.load_pictures()
        renderer.render(Snapshot(view=EYE, hud=Hud(crosshair=False), movers=at), SIZE)
        drawn.append(renderer.image().astype(int))
        renderer.release()
    assert np.abs(drawn[0] - drawn[1]).mean() < (0.02 if "picture" in surface else 0.25)  # its texture lies otherwise
