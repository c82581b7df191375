"""Flying: through everything, the body waits; down again where there is room, clear of walls, else words."""

from __future__ import annotations

import math

import pytest

from game.level import load
from game.physics import Ellipsoid
from tests.support.player import Player


@pytest.fixture
def player(level_file):
    return Player.in_level(load(level_file))


def test_free_flight_follows_the_view_at_the_speeds_of_the_walker(player):
    player.game.key_pressed("F")
    tick, feet, start = player.tick, player.feet, player.wait(0.1).view.eye
    player.game.input.view.pitch = 8192.0
    player.hold("W", 1.0)
    player.wait(1.0)
    eye = player.shown.view.eye
    assert math.dist(start, eye) == pytest.approx(4.0, abs=0.05)
    assert eye[1] - start[1] == pytest.approx(4.0 * math.sqrt(0.5), abs=0.05)
    player.game.key_pressed("LSHIFT")
    player.hold("SPACE", 1.0)
    player.wait(0.5)
    assert player.shown.view.eye[1] - eye[1] == pytest.approx(6.5, abs=0.1)
    assert (player.tick, player.feet) == (tick, feet)
    assert player.shown.body.centre == player.game.session.pose().centre
    assert [one.visor for one in player.shown.ellipsoids if not one.is_part] == [True]
    assert "Flying" in player.shown.hud.hint


def test_landing_puts_the_walker_at_the_camera_and_the_clock_continues(player):
    player.wait(0.5)
    tick, seconds = player.tick, player.game.session.world.seconds
    player.game.key_pressed("F")
    player.hold("A", 2.0)
    player.wait(3.0)
    eye = player.shown.view.eye
    player.game.key_pressed("F")
    shot = player.wait(1 / 60)
    assert shot.view.eye == pytest.approx(eye, abs=0.03)
    assert player.game.session.world.seconds - seconds <= 2 / 60
    assert player.game.session.dropped_seconds == 0.0
    assert player.tick - tick <= 2
    assert player.game.runs.time_trial.void_reason == "flying used"
    player.wait(0.5)
    assert player.game.session.world.walker_state.grounded
    assert player.feet == pytest.approx((-8.0, 0.0, 0.0), abs=0.1)
    player.hold("W", 1.0)
    assert player.feet[2] == pytest.approx(-3.9, abs=0.15)


def test_landing_in_a_wall_pushes_the_walker_clear(player):
    player.game.key_pressed("F")
    player.game.cameras.free.position = (3.0, 1.44, -9.95)
    player.wait(0.1)
    player.game.key_pressed("F")
    assert not player.game.cameras.free.is_active
    state = player.game.session.world.walker_state
    assert not player.game.session.world.mesh.overlap(Ellipsoid(state.radii), state.position, state.yaw).size


def test_inside_a_solid_the_flight_continues_with_a_message(tmp_path):
    path = tmp_path / "block.yaml"
    path.write_text(
        "format: 1\nname: Block\nspawn: {at: [0, 0, 20]}\npieces:\n  - floor: {from: [-30, -30], to: [30, 30]}\n"
        "  - box: {from: [-9, 0, -9], to: [9, 18, 9]}\n",
        encoding="utf-8",
    )
    player = Player.in_level(load(path))
    state = player.game.session.world.walker_state
    player.game.key_pressed("F")
    player.game.cameras.free.position = (0.0, 8.0, 0.0)
    player.game.key_pressed("F")
    shot = player.wait(0.1)
    assert player.game.cameras.free.is_active
    assert player.game.session.world.walker_state == state
    assert "No room" in shot.hud.message
    player.game.cameras.free.position = (0.0, 8.0, 12.0)
    player.game.key_pressed("F")
    assert not player.game.cameras.free.is_active
