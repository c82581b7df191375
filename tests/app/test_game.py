"""The game without a window: keys, pauses, respawns and messages, by a clock that the test turns."""

from __future__ import annotations

import pytest

from game.app.audio.sound_events import SoundEvents
from game.app.game import Game
from game.app.modes import event_messages
from game.app.settings.settings_file import Settings
from game.sim import Respawned
from game.sim.events import RespawnReason
from tests.support.player import ASPECT

ASKED_FOR = {RespawnReason.RESTARTED, RespawnReason.RETURNED, RespawnReason.TELEPORTED}


def test_before_the_world_there_is_a_progress_bar(floor_level):
    game = Game(floor_level, Settings(), "low")
    game.screen.progress, game.screen.progress_label = 0.25, "Preparing"
    shown = game.advance_frame(0.0, ASPECT)
    assert shown.hud.progress == 0.25
    assert shown.hud.progress_label == "Preparing"
    assert not game.wants_mouse
    game.key_pressed("W")
    game.mouse_moved(100, 100)
    game.pause()
    game.advance_frame(1.0, ASPECT)
    assert game.mode == "preparing"
    game.key_pressed("ESCAPE")
    assert game.screen.requests == ["quit"]


def test_the_mouse_turns_and_the_walk_follows_the_view(player):
    player.game.mouse_moved(5000, 0)
    player.game.mouse_moved(90 / 0.12, 0)
    player.hold("W", 1.0)
    assert player.feet[0] == pytest.approx(3.9, abs=0.15)
    assert abs(player.feet[2]) < 0.05
    assert player.shown.view.yaw == pytest.approx(-1.5708 + 6.28319, abs=1e-3)


def test_pausing_stops_the_clock_lets_go_of_keys_and_of_the_mouse(player):
    player.game.mouse_moved(700, 7)
    player.game.key_pressed("W")
    player.wait(0.5)
    tick = player.tick
    assert player.game.wants_mouse
    player.game.key_pressed("ESCAPE")
    assert not player.game.wants_mouse
    shown = player.wait(5.0)
    assert player.tick == tick
    assert shown.hud.panel is not None
    assert not shown.hud.crosshair
    player.game.mouse_moved(500, 0)
    assert player.game.input.view.yaw == 0.0
    player.game.key_pressed("ESCAPE")
    assert player.game.wants_mouse
    player.game.mouse_moved(500, 0)
    assert player.game.input.view.yaw == 0.0
    player.wait(1.0)
    assert player.game.session.dropped_seconds == 0.0
    place = player.feet
    player.wait(1.0)
    assert player.feet == place


def test_help_pauses_and_names_every_key(player):
    player.game.key_pressed("F1")
    shown = player.wait(1.0)
    tick = player.tick
    named = " ".join(key for key, _ in shown.hud.panel.keys)
    for key in ("W A S D", "Space", "Ctrl", "Shift", "R", "Esc", "F1", "F3", "F11", "F12"):
        assert key in named
    player.game.key_pressed("F1")
    player.wait(0.5)
    assert 28 <= player.tick - tick <= 30


def test_the_goal_shows_the_time_of_the_walk(player):
    player.game.key_pressed("W")
    player.wait(2.6)
    hud = player.shown.hud
    seconds = player.game.session.world.goal_tick / 60
    assert 1.8 < seconds < 2.2
    assert hud.message == "Goal reached"
    assert hud.message_detail.startswith(f"0:0{seconds:.2f}")
    assert player.shown.goal_reached
    player.wait(1.0)
    assert player.game.menu.page.name == "result"
    player.game.key_pressed("ESCAPE")
    assert player.wait(0.1).hud.message == ""


def test_r_starts_again_with_the_clock_at_zero(player):
    player.game.mouse_moved(1000, 1)
    player.game.mouse_moved(300, 100)
    player.hold("W", 1.0)
    player.game.key_pressed("R")
    player.wait(1 / 60)
    assert player.tick <= 2
    assert player.feet == pytest.approx((0.0, 0.0, 0.0), abs=0.03)
    assert player.game.input.view.yaw == 0.0
    assert player.shown.view.eye == pytest.approx((0.0, 1.44, 0.0), abs=0.03)


@pytest.mark.parametrize("reason", sorted(set(RespawnReason) - ASKED_FOR))
@pytest.mark.sample(3)
def test_a_respawn_that_the_player_did_not_ask_for_has_a_message_and_a_sound(player, reason):
    event = Respawned(player.tick, reason, (0.0, 0.0, 0.0), None)
    text, detail, _ = event_messages.message_for_event(event, player.game)
    assert text.startswith("You ")
    assert detail.startswith("Back to ")
    assert "fell" in [cue.name for cue in SoundEvents(player.game.world).update([event], 1 / 60)]
