"""Exits in play: no step back at the spawn leaves the level, and a door is announced when the player looks at it."""

from __future__ import annotations

import pytest

from game.app.modes.travel import STAY_SECONDS
from game.app.settings.mode_names import LEAVING, PLAYING
from tests.support.player import Player

LEVEL = """format: 1
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
exits: [{at: [0, 0, 1.6], radius: 0.7, to: level.yaml, name: The garden}]
"""


@pytest.fixture
def player(level):
    """In a level whose door leads to itself."""
    return Player.in_level(level)


def turn_round(player):
    player.game.input.view.yaw = 32768.0


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


def test_the_door_that_waits_says_so(player):
    player.hold("S", 0.4)
    assert label(player) == "Door to: The garden   ·   Turn to it to go through"
