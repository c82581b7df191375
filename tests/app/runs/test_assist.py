"""Assists: slow motion, no fail, auto-walk, turning by keys, and toggles for every held action."""

from __future__ import annotations

import math

import pytest

from game.app.input.actions import MOVEMENT_ACTIONS, PlayAction
from game.app.modes.hud_builder import debug_figures
from game.app.settings.key_bindings import KeyBindings
from game.app.settings.settings_table import OPTIONS, Settings
from game.level import load
from game.sim import Respawned, World
from game.sim.events import RespawnReason
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


@pytest.fixture
def traps(tmp_path, monkeypatch):
    monkeypatch.setenv("WALKER_DATA", str(tmp_path / "data"))
    path = tmp_path / "traps.yaml"
    path.write_text(LEVEL, encoding="utf-8")
    return load(path)


def playing(level, **settings):
    player = Player.in_level(level, **settings)
    player.wait(0.1)
    return player


def tap(player, key):
    player.game.key_pressed(key)
    player.game.key_released(key)
    player.wait(1 / 60)


# Slow motion


@pytest.mark.full
def test_slow_motion_by_key_makes_a_practice_run_and_says_so(floor_level):
    player = playing(floor_level)
    player.hold("W", 0.5)
    tap(player, "M")
    message = player.game.feedback.message
    assert (message.text, message.detail) == ("Game speed 50 %", "Practice run")
    before = player.tick
    shown = player.wait(1.0)
    assert 29 <= player.tick - before <= 31
    assert player.game.runs.time_trial.void_reason == "slow motion used"
    assert shown.hud.timer_caption == "Practice run (slow motion used)"
    tap(player, "M")
    before = player.tick
    player.wait(1.0)
    assert 59 <= player.tick - before <= 61
    player.game.restart()
    player.wait(0.1)
    assert not player.game.runs.time_trial.void_reason, "the next run counts"


def test_slow_motion_by_the_setting_holds_from_the_start(floor_level):
    player = playing(floor_level, game_speed=0.8)
    assert player.game.runs.time_trial.void_reason == "slow motion used"
    before = player.tick
    player.wait(1.0)
    assert 47 <= player.tick - before <= 49
    tap(player, "M")
    assert player.game.runs.assist.speed(player.game.settings) == 0.5


def test_the_view_turns_as_fast_in_slow_motion(floor_level):
    player = playing(floor_level, keys="left_hand", game_speed=0.5)
    yaw = player.game.input.view.yaw
    player.hold("A", 0.5)
    assert (player.game.input.view.yaw - yaw) % 65536 * 360 / 65536 == pytest.approx(60.0, abs=0.5)


# No fail


def fall(player):
    world = player.game.session.world
    world.walker_state = world.walker_state.replace(position=(70.0, -5.0, 0.0))
    player.wait(0.3)


def test_a_fall_puts_back_at_the_last_safe_place_and_loses_nothing(traps):
    player = playing(traps, no_fail=True)
    player.hold("W", 2.0)
    player.wait(1.0)
    place, ticks, yaw = player.feet, player.tick, player.game.input.view.yaw
    player.game.mouse_moved(100, 0)
    player.game.mouse_moved(100, 0)
    turned = player.game.input.view.yaw
    assert turned != yaw
    fall(player)
    assert math.dist(player.feet, place) < 0.01
    assert player.game.input.view.yaw == turned, "the view keeps its direction"
    assert player.tick > ticks, "time goes on"
    assert player.game.feedback.message.text == "Back to the last safe place"
    assert player.game.runs.time_trial.void_reason == "no-fail used"
    assert player.shown.hud.panel is None


@pytest.mark.full
def test_a_kill_zone_puts_back_before_it(traps):
    player = playing(traps, no_fail=True)
    seen = []
    real = player.game.current_mode.on_event
    player.game.current_mode.on_event = lambda event: (seen.append(event), real(event))
    player.game.key_pressed("W")
    player.wait(3.4)
    player.game.key_released("W")
    player.wait(0.1)
    assert any(isinstance(event, Respawned) and event.reason == RespawnReason.KILLED for event in seen)
    assert -12.0 < player.feet[2] < -6.0, "near where it walked in, not at the spawn"
    assert player.game.runs.time_trial.void_reason == "no-fail used"


@pytest.mark.full
def test_without_no_fail_the_rules_of_the_level_hold(traps):
    player = playing(traps)
    player.hold("W", 3.6)
    player.wait(0.1)
    assert player.feet[2] > -3.0
    assert player.game.feedback.message.text == "You died"
    assert not player.game.runs.time_trial.void_reason


@pytest.mark.full
def test_repeated_falls_go_back_to_earlier_safe_places(traps):
    player = playing(traps, no_fail=True)
    for _ in range(3):
        player.hold("W", 0.6)
        player.wait(1.1)
    places = [state.feet for state in player.game.runs.assist._safe_places]
    assert len(places) >= 3
    seen = []
    for _ in range(len(places) + 3):
        fall(player)
        seen.append(player.feet)
    assert math.dist(seen[0], places[-1]) < 0.01
    assert math.dist(seen[1], places[-2]) < 0.01
    assert math.dist(seen[-1], places[0]) < 0.01, "the first one in the end"
    player.game.restart()
    player.wait(0.1)
    assert len(player.game.runs.assist._safe_places) == 1


@pytest.mark.full
def test_a_caught_fall_can_be_rewound_to_the_same_bits(traps):
    player = playing(traps, no_fail=True)
    player.hold("W", 1.5)
    player.wait(1.0)
    fall(player)
    player.hold("D", 0.5)
    history, world = player.game.session.history, player.game.session.world
    last = world.hash()
    history.seek(30)
    history.seek(history.end - 1)
    assert world.hash() == last


def test_the_settings_page_tells_of_the_practice_run_before():
    sentences = {option.name: option.sentence for option in OPTIONS}
    for name in ("game_speed", "no_fail", "rewind_key"):
        assert "practice run" in sentences[name], name


# Auto-walk and toggles


def test_auto_walk_stops_at_its_key_at_back_and_at_a_pause(floor_level):
    player = playing(floor_level)
    held = player.game.input.held
    tap(player, "X")
    player.wait(0.5)
    assert player.feet[2] < -1.5
    tap(player, "X")
    assert not held.active
    tap(player, "X")
    tap(player, "S")
    assert not held.active
    tap(player, "X")
    player.game.pause()
    player.game.key_pressed("ESCAPE")
    assert not held.active
    tap(player, "X")
    held.stick = (0.0, -1.0)
    player.wait(0.1)
    assert not held.auto_walk


def test_walking_by_toggles_has_no_opposites(floor_level):
    player = playing(floor_level, walk="toggle")
    held = player.game.input.held
    tap(player, "W")
    tap(player, "D")
    assert held.active == {"forward", "right"}
    tap(player, "S")
    assert held.active == {"back", "right"}
    tap(player, "S")
    tap(player, "D")
    assert held.active == set()
    tap(player, "W")
    player.game.pause()
    assert held.active == set()


@pytest.mark.full
def test_the_wheel_toggles_where_it_is_bound(floor_level):
    player = playing(floor_level, keys="mouse")
    player.game.scrolled(-1.0)
    player.wait(0.3)
    assert player.game.session.world.walker_state.crouched
    player.game.scrolled(-1.0)
    player.wait(0.5)
    assert not player.game.session.world.walker_state.crouched
    other = playing(floor_level)
    other.game.scrolled(-1.0)
    assert other.game.input.held.active == set()


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


def test_the_help_says_which_keys_toggle():
    settings = Settings(sprint="toggle", walk="toggle")
    rows = {meaning for _, meaning in KeyBindings().help_rows(settings.toggled_actions)}
    assert {"Sprint (on/off)", "Walk (on/off)", "Crouch", "Auto-walk on/off"} <= rows
    assert settings.toggled_actions == {"sprint", *MOVEMENT_ACTIONS}
    assert not Settings().toggled_actions


def test_every_held_action_can_toggle_or_turns_the_view():
    everything = Settings(walk="toggle", jump="toggle", use="toggle", crouch="toggle", sprint="toggle").toggled_actions
    left = {action for action in PlayAction if action.is_held} - everything
    assert left == {"turn_left", "turn_right", "look_up", "look_down"}


@pytest.mark.full
def test_the_debug_info_tells_the_memory_of_the_rewind(floor_level):
    player = playing(floor_level)
    player.wait(2.0)
    line = next(line for line in debug_figures(player.game) if line.startswith("rewind "))
    assert line.endswith(" MB")
    assert line.split()[1].startswith("0:02")


def test_a_second_key_for_the_menu_opens_and_closes_it(floor_level):
    player = playing(floor_level, keys="right_hand")
    tap(player, "HOME")
    assert player.game.mode == "paused"
    tap(player, "HOME")
    assert player.game.mode == "playing"
    world = player.game.session.world
    assert isinstance(world, World)
