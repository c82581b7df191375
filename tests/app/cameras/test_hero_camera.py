"""The player's figure: from its front at the start of a level until a key, and at the goal; it changes no tick."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from game.app.cameras.camera import RIGS
from game.app.cameras.hero import REST, Hero, hero_ellipsoids
from game.app.cameras.play_cameras import SKIP_SECONDS, START_SECONDS
from game.app.game import Game
from game.app.settings.settings_file import Settings
from game.level import load
from game.render import Body, Snapshot
from tests.support.player import Player

SWING_SECONDS = RIGS["figure"].blend_seconds
FIELD = """
format: 1
name: Field
goal: {at: [0, 0, -6], radius: 1}
spawn: {at: [0, 0, 0], facing: north}
surfaces: {ground: {colour: "#7d9a58"}}
pieces:
  - floor: {from: [-12, -12], to: [12, 12], surface: ground}
"""


def walls(*boxes: tuple[float, float, float, float]) -> str:
    """Boxes of 4 m height: least x and z, greatest x and z."""
    return "".join(f"  - box: {{from: [{x}, 0, {z}], to: [{u}, 4, {w}], surface: ground}}\n" for x, z, u, w in boxes)


CORRIDOR = walls((-0.7, -12, -0.5, 12), (0.5, -12, 0.7, 12))
CLOSET = CORRIDOR + walls((-0.5, -1.6, 0.5, -1.4))
CELL = CORRIDOR + walls((-0.5, -7.4, 0.5, -7.2), (-0.5, 1.0, 0.5, 1.2))
# Levels whose goal is reached on the way north, and whether the camera finds a place
FINISHES = {
    "field": (FIELD, True),
    "wall in front": (FIELD + walls((-12, -7.2, 12, -7)), True),
    "corridor": (FIELD + CORRIDOR, True),
    "wide goal": (FIELD.replace("at: [0, 0, -6], radius: 1", "at: [0, 0, -6], radius: 2.4"), True),
    "goal at an exit": (FIELD.replace("goal:", "exits: [{at: [1.3, 0, -8], to: x.yaml, radius: 1.2}]\ngoal:"), True),
    "cell": (FIELD + CELL, False),
}


def started(text: str, **settings: bool) -> Player:
    player = Player(Game(load(text=text), Settings(**settings), "low"))
    player.game.cameras.hero_camera.show_start()
    return player


def facing(shot) -> float:
    """Cosine between the view and the direction of the body: -1 looks it in the face."""
    body = [one for one in shot.ellipsoids if one.visor]
    return float(shot.view.basis()[2] @ np.array(body[0].north)) if body else 1.0


def test_a_level_begins_with_the_face_and_ends_at_the_eye() -> None:
    player = started(FIELD)
    player.wait(3.0, frame=3.0)  # the frame in which the level was loaded
    assert facing(player.wait(0.1)) < -0.7
    shot = player.wait(START_SECONDS + SWING_SECONDS + 0.2)
    assert not shot.ellipsoids
    assert shot.view.eye == pytest.approx((0.0, 1.44, 0.0), abs=0.05)


@pytest.mark.parametrize("act", ["key", "mouse", "action"])
def test_a_key_or_the_mouse_ends_it(act: str) -> None:
    player = started(FIELD)
    player.wait(0.2)
    if act == "mouse":
        player.game.input.view.yaw += 200.0
    else:
        player.game.key_pressed("W" if act == "key" else "TAB")
    assert not player.wait(SKIP_SECONDS + 0.1).ellipsoids


def test_the_ticks_and_commands_are_those_without_it() -> None:
    states = []
    for shown in (True, False):
        player = started(FIELD)
        if not shown:
            player.game.cameras.hero_camera.stop()
        player.wait(0.3)
        player.hold("W", 0.5)
        states.append((player.tick, player.game.session.world.state()))
    assert states[0] == states[1]


@pytest.mark.parametrize(("text", "settings"), [(FIELD, {"reduce_motion": True}), (FIELD + CLOSET, {})])
def test_none_with_reduced_motion_or_without_room(text: str, settings: dict[str, bool]) -> None:
    assert not started(text, **settings).wait(0.1).ellipsoids


def part_of_picture(shot: Snapshot) -> float:
    """Part of a picture of 4:3 that the body covers."""
    wide, tall, _ = shot.body.radii
    across, up = shot.view.half_fov_tangents(4 / 3)
    return math.pi * wide * tall / (4.0 * math.dist(shot.view.eye, shot.body.centre) ** 2 * across * up)


@pytest.mark.parametrize("scene", FINISHES)
def test_at_the_goal_the_camera_stands_free_and_the_body_is_a_fifth_of_the_picture_at_most(scene: str) -> None:
    text, is_free = FINISHES[scene]
    player = Player(Game(load(text=text), Settings(), "low"))
    player.hold("W", 1.4)
    world = player.game.session.world
    assert world.goal_tick >= 0
    shots = [player.wait(1 / 30) for _ in range(50)]
    for shot in shots:
        assert world.mesh.closest(shot.view.eye).distance > 0.99 * RIGS["figure"].radius
        seen = [one for one in shot.ellipsoids if one.visor]
        away = np.subtract(shot.view.eye, shot.body.centre) / np.array(shot.body.radii)
        assert not seen or np.linalg.norm(away) > 1.1
    assert bool(shots[-1].ellipsoids) == is_free
    if is_free:
        assert part_of_picture(shots[-1]) <= 0.2
        assert shots[-1].ellipsoids[0].opacity == 1.0
        for portal in (world.level.goal, *world.level.exits):
            assert math.hypot(*np.subtract(shots[-1].view.eye, portal.at)[[0, 2]]) > portal.radius + 0.3


def test_at_the_goal_it_comes_out_and_stays_on_the_result_page() -> None:
    player = started(FIELD)
    player.hold("W", 1.4)
    assert player.game.session.world.goal_tick >= 0
    player.wait(0.8)
    assert facing(player.shown) < -0.5
    assert max(player.game.cameras.hero.pose.hop for _ in range(20) if player.wait(1 / 60)) > 0.05
    player.wait(2.0)
    assert player.game.menu is not None
    assert facing(player.shown) < -0.5
    player.game.key_pressed("ESCAPE")
    assert not player.wait(2.0).ellipsoids


# The figure itself

BODY = Body((1.0, 2.0, 3.0), (0.35, 0.9, 0.35), 0.7)
SIDEWAYS = Body((1.0, 2.0, 3.0), (0.35, 0.9, 0.35), 0.7, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def poses(hero: Hero, velocities: list[tuple[float, float, float]], grounded: bool = True, still: bool = False):
    """The pose of each frame of a body with these velocities."""
    found = []
    for velocity in velocities:
        state = SimpleNamespace(velocity=velocity, grounded=grounded, up=BODY.up)
        hero.update(state, BODY, 1 / 60, still)
        found.append(hero.pose)
    return found


@pytest.mark.parametrize("body", [BODY, SIDEWAYS])
def test_at_rest_the_figure_is_the_ellipsoid_of_the_body_and_looks_ahead(body: Body) -> None:
    whole, *parts = hero_ellipsoids(body)
    assert whole.visor
    assert (whole.centre, whole.radii) == (pytest.approx(body.centre), pytest.approx(body.radii))
    assert whole.up == pytest.approx(body.up)
    assert all(part.is_part for part in parts)
    pack, left, right = (np.subtract(part.centre, body.centre) for part in parts)
    ahead, up = np.array(whole.north), np.array(body.up)
    assert pack @ ahead < -0.2
    assert (left @ up, right @ up) == (pytest.approx(-0.825), pytest.approx(-0.825))
    assert np.cross(ahead, up) @ (right - left) > 0.2


def test_with_reduced_motion_it_only_steps() -> None:
    hero = Hero()
    poses(hero, [(0.0, -6.0, 0.0)], grounded=False, still=True)
    for pose in poses(hero, [(4.0, 0.0, 0.0), (0.0, 0.0, 4.0)] * 20, still=True):
        assert (pose.lean, pose.pitch, pose.squash, pose.hop) == (REST.lean, REST.pitch, REST.squash, REST.hop)
