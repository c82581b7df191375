"""Exits in play: no step back at the spawn leaves the level, and a door is announced when the player looks at it."""

from __future__ import annotations

import pytest

from game.app.modes.travel import STAY_SECONDS
from game.app.settings.mode_names import LEAVING, PLAYING
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from tests.support.player import Player

LEVEL = """format: 1
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
exits: [{at: [0, 0, 1.6], radius: 0.7, to: level.yaml, name: The garden}]
"""


@pytest.fixture
def player(tmp_path):
    """In a file, since its door leads to itself."""
    path = tmp_path / "level.yaml"
    path.write_text(LEVEL)
    return Player.in_level(load(path))


def turn_round(player):
    player.game.input.view.yaw = 32768.0


@pytest.mark.parametrize("name", ["lab", "surfaces", "waters", "escher"])
@pytest.mark.full
def test_walking_back_and_standing_keeps_the_shipped_level(name):
    level = load(SHIPPED_LEVELS / f"{name}.yaml")
    player = Player.in_level(level)
    player.hold("S", 0.8)
    player.wait(4.0)
    assert (player.game.mode, player.game.level.name) == (PLAYING, level.name)


@pytest.mark.full
def test_looking_through_the_door_from_inside_leaves_the_level(player):
    player.hold("S", 0.4)
    player.wait(5.0)
    assert player.game.mode == PLAYING
    turn_round(player)
    player.wait(STAY_SECONDS - 0.1)
    assert player.game.mode == PLAYING
    player.wait(0.2)
    assert player.game.mode == LEAVING


def test_a_glance_through_the_door_keeps_the_level(player):
    player.hold("S", 0.4)
    for _ in range(5):
        turn_round(player)
        player.wait(STAY_SECONDS - 0.1)
        player.game.input.view.yaw = 0.0
        player.wait(0.1)
    assert player.game.mode == PLAYING


def test_walking_into_a_door_in_view_leaves_the_level_at_once(player):
    turn_round(player)
    player.hold("W", 0.4)
    assert player.game.mode == LEAVING


@pytest.mark.full
def test_after_a_walk_the_door_works_at_once_backwards_too(player):
    player.hold("W", 1.0)
    player.game.key_pressed("S")
    player.wait_for(lambda: player.game.mode == LEAVING, 2.0)


@pytest.mark.full
def test_a_restart_begins_anew(player):
    player.hold("W", 1.0)
    player.game.key_pressed("R")
    player.hold("S", 0.5)
    player.wait(0.3)
    assert player.game.mode == PLAYING


def label(player):
    return player.game.modes[PLAYING].exit_doors.label(player.game.world, player.game.input.view.yaw)


def test_a_door_is_announced_near_it_and_in_view_and_never_at_the_spawn(player):
    turn_round(player)
    assert label(player) == ""
    player.hold("A", 0.6)
    assert player.feet[0] > 1.5
    player.game.input.view.yaw = 8192.0 + 16384.0 + 4096.0
    player.wait(0.1)
    assert label(player) == "" or "garden" in label(player)
    player.game.input.view.yaw = 16384.0 + 10000.0
    assert label(player) == "Door to: The garden"
    player.game.input.view.yaw = 0.0
    assert label(player) == ""


@pytest.mark.full
def test_a_door_far_away_is_not_announced(player):
    player.hold("W", 1.2)
    turn_round(player)
    assert label(player) == ""


@pytest.mark.full
def test_a_door_behind_a_wall_is_not_announced():
    text = LEVEL.replace("at: [0, 0, 1.6]", "at: [0, 0, -2.9]").replace(
        "spawn: {at: [0, 0, 0]", "spawn: {at: [0, 0, 1]"
    )
    wall = "  - box: {from: [-3, 0, -1.6], to: [3, 2.5, -1.2]}\nexits"
    for level, seen in ((text, "Door to: The garden"), (text.replace("exits", wall), "")):
        player = Player.in_level(load(text=level))
        player.hold("W", 0.35)
        assert label(player) == seen


def test_the_door_that_waits_says_so(player):
    player.hold("S", 0.4)
    assert label(player) == "Door to: The garden   ·   Turn to it to go through"
