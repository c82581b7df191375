"""Assists: slow motion, no fail, auto-walk, and toggles for held actions."""

from __future__ import annotations

import math

from game.level import load
from tests.support.player import Player

LEVEL = """\
format: 1
name: Traps
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 4]}
  - kill: {from: [-20, -1, -20], to: [20, 3, -12]}
goal: {at: [0, 0, -19], radius: 0.5}
kill_height: -6
"""


def playing(level, **settings):
    player = Player.in_level(level, **settings)
    player.wait(0.1)
    return player


def test_slow_motion_by_the_setting_holds_from_the_start(floor_level):
    player = playing(floor_level, game_speed=0.8)
    assert player.game.runs.time_trial.void_reason == "slow motion used"
    before = player.tick
    player.wait(1.0)
    assert 47 <= player.tick - before <= 49
    player.press("M")
    assert player.game.runs.assist.speed(player.game.settings) == 0.5


def test_a_fall_puts_back_at_the_last_safe_place_and_loses_nothing():
    player = playing(load(text=LEVEL), no_fail=True)
    player.hold("W", 2.0)
    player.wait(1.0)
    place, ticks, yaw = player.feet, player.tick, player.game.input.view.yaw
    player.game.mouse_moved(100, 0)
    player.game.mouse_moved(100, 0)
    turned = player.game.input.view.yaw
    assert turned != yaw
    world = player.game.session.world
    world.walker_state = world.walker_state.replace(position=(70.0, -5.0, 0.0))
    player.wait(0.3)
    assert math.dist(player.feet, place) < 0.01
    assert player.game.input.view.yaw == turned, "the view keeps its direction"
    assert player.tick > ticks, "time goes on"
    assert player.game.feedback.message.text == "Back to the last safe place"
    assert player.game.runs.time_trial.void_reason == "no-fail used"
    assert player.shown.hud.panel is None


def test_auto_walk_stops_at_its_key_at_back_and_at_a_pause(floor_level):
    player = playing(floor_level)
    held = player.game.input.held
    player.press("X")
    player.wait(0.5)
    assert player.feet[2] < -1.5
    player.press("X")
    assert not held.active
    player.press("X", "S")
    assert not held.active
    player.press("X")
    player.game.pause()
    player.game.key_pressed("ESCAPE")
    assert not held.active
    player.press("X")
    held.stick = (0.0, -1.0)
    player.wait(0.1)
    assert not held.auto_walk


def test_walking_by_toggles_has_no_opposites(floor_level):
    player = playing(floor_level, walk="toggle")
    held = player.game.input.held
    player.press("W", "D")
    assert held.active == {"forward", "right"}
    player.press("S")
    assert held.active == {"back", "right"}
    player.press("S", "D")
    assert held.active == set()
    player.press("W")
    player.game.pause()
    assert held.active == set()


def test_forward_twice_sprints_until_it_ends(floor_level):
    player = playing(floor_level, keys="mouse")
    held = player.game.input.held
    player.game.key_pressed("MOUSE_RIGHT")
    player.wait(0.1)
    assert held.active == {"forward"}
    player.game.key_released("MOUSE_RIGHT")
    player.wait(0.1)
    player.game.key_pressed("MOUSE_RIGHT")
    player.wait(0.3)
    assert held.active == {"forward", "sprint"}
    player.game.key_released("MOUSE_RIGHT")
    assert held.active == set()
    player.wait(1.0)
    player.game.key_pressed("MOUSE_RIGHT")
    assert held.active == {"forward"}
