"""Flying: through everything, the body waits; down again where there is room, clear of walls, else words."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.physics import Command, Ellipsoid
from game.sim import World, verify
from game.sim.bots.free_space import place_walker_near
from game.sim.level_rules import up_and_north_at
from game.sim.replay.replay_file import read_replay
from tests.support.player import Player, records


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


@pytest.mark.full
def test_the_free_camera_goes_through_walls(player):
    player.game.key_pressed("F")
    player.hold("W", 4.0)
    assert player.shown.view.eye[2] < -12.0
    assert player.shown.view.near > 0.0


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


@pytest.mark.full
def test_a_body_landed_from_flight_is_clear_and_in_no_solid():
    """Random places in the demo, within walls too: landed near by, gap kept; it stands there a second later."""
    level = load(SHIPPED_LEVELS / "demo.yaml")
    world, rng = World(level), random.Random(6)
    for _ in range(5):
        world.step(Command())
    refused = 0
    for _ in range(150):
        eye = (rng.uniform(-20, 20), rng.uniform(0.3, 9.0), rng.uniform(-20, 12))
        state = place_walker_near(world, eye, rng.randrange(65536))
        if state is None:
            refused += 1
            continue
        assert math.dist(state.position, eye) < 3.5
        shape = Ellipsoid(tuple(radius * 1.004 for radius in state.radii))
        assert not world.mesh.overlap(shape, state.position, state.yaw).size
        assert state.tick == world.walker_state.tick
    assert refused < 20


@pytest.mark.full
def test_landing_uses_the_gravity_of_the_place():
    """On every ground of the level of many gravities the body that lands has that place's up."""
    level = load(SHIPPED_LEVELS / "escher.yaml")
    world = World(level)
    ups = set()
    rng = np.random.default_rng(3)
    low, high = level.mesh.nodes[0][:3], level.mesh.nodes[0][3:]
    for eye in rng.uniform(low, high, (60, 3)).tolist():
        state = place_walker_near(world, tuple(eye), 0)
        if state is not None:
            ups.add(state.up)
            assert (state.up, state.north) == up_and_north_at(world.environment.zones, state.position, 0.0)
    assert len(ups) > 1


def test_keys_tapped_in_flight_do_nothing_on_the_ground(player):
    player.game.key_pressed("F")
    player.game.key_pressed("SPACE")
    player.game.key_released("SPACE")
    player.wait(0.2)
    player.game.cameras.free.position = (0.0, 1.45, 0.0)
    player.game.key_pressed("F")
    player.wait(0.2)
    assert player.game.session.world.walker_state.grounded


@pytest.mark.full
def test_starting_again_ends_the_flight(player):
    player.game.key_pressed("F")
    player.hold("W", 1.0)
    player.game.key_pressed("R")
    assert not player.game.cameras.free.is_active
    assert player.wait(0.1).view.eye[2] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.full
def test_a_pause_in_flight_keeps_the_flight(player):
    player.game.key_pressed("F")
    player.hold("W", 0.5)
    player.game.key_pressed("ESCAPE")
    place = player.wait(1.0).view.eye
    player.game.key_pressed("ESCAPE")
    assert player.game.cameras.free.is_active
    assert player.wait(1.0).view.eye == pytest.approx(place, abs=0.3)  # it coasts to a halt
    assert player.game.session.dropped_seconds == 0.0


@pytest.mark.full
def test_the_editor_opens_in_flight_and_leaves_to_play_at_its_place(level_file):
    player = Player.in_level(load(level_file))
    player.game.key_pressed("F")
    player.hold("D", 1.0)
    player.game.key_pressed("F2")
    assert player.game.modes["editing"].view.camera.position == pytest.approx(player.game.cameras.free.position)
    player.game.key_pressed("RETURN")
    assert not player.game.cameras.free.is_active
    assert player.game.mode == "playing"
    assert player.wait(0.5).view.eye[0] > 3.0


@pytest.mark.full
def test_a_record_goes_on_behind_a_flight_and_is_verified(kept, level_file):
    player = Player.in_level(load(level_file))
    player.game.key_pressed("F5")
    player.hold("W", 0.5)
    player.game.key_pressed("F")
    player.hold("D", 1.0)
    player.game.key_pressed("F")
    player.hold("W", 0.5)
    player.game.key_pressed("F5")
    (record,) = records(kept)
    found = verify(read_replay(record), lambda part: player.game.level)
    assert found.divergence is None
    assert found.ticks > 50
