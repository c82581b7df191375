"""Undo of a restart: world, view and run come back with the same bits."""

from __future__ import annotations

import pytest

from game.app.runs.player_runs import UNDO_SECONDS
from tests.app.runs import test_saved_places
from tests.support.player import Player

LEVEL = test_saved_places.LEVEL  # it has what a restart must bring back: a lift, balls, a target, a checkpoint


@pytest.fixture
def player(level):
    made = Player.in_level(level)
    made.wait(0.2)
    made.game.mouse_moved(3, -12)
    made.hold("W", 0.8)
    return made


def present(player):
    """What a restart changes and its undo must bring back."""
    game = player.game
    trial = game.runs.time_trial
    view = game.input.view.yaw, game.input.view.pitch
    run = trial.run.to_fields(), trial.void_reason, trial.first, game.session.history.end
    return game.session.world.state(), view, run


def test_the_menu_restarts_with_the_same_undo(player):
    before = present(player)
    player.game.key_pressed("ESCAPE")
    menu = player.game.menu
    menu.selected = next(k for k, row in enumerate(menu.rows) if row.name == "restart")
    player.game.key_pressed("RETURN")
    assert player.tick == 0
    assert player.wait(1 / 60).hud.message == "Restarted"
    assert player.shown.hud.message_detail.endswith(": undo restart")
    player.game.key_pressed("BACKSPACE")
    assert present(player) == before
    assert player.wait(1 / 60).hud.message == "Restart undone"


def test_two_presses_in_a_row_are_taken_back_together(player):
    before = present(player)
    for _ in range(2):
        player.game.key_pressed("R")
        player.wait(0.3)
    player.game.key_pressed("BACKSPACE")
    assert present(player) == before


def test_after_some_seconds_the_key_rewinds(player):
    player.game.key_pressed("R")
    player.wait(UNDO_SECONDS - 0.5, 0.1)
    assert player.game.runs.can_undo_restart(player.game.session)
    player.wait(0.7, 0.1)
    player.game.key_pressed("BACKSPACE")
    assert player.game.mode == "rewind"


def test_the_walk_goes_on_with_the_same_bits_after_an_undone_restart(level):
    states = []
    for undone in (False, True):
        player = Player.in_level(level)
        player.hold("W", 0.5)
        if undone:
            player.game.key_pressed("R")
            player.hold("A", 0.5)
            player.game.key_pressed("BACKSPACE")
        player.game.key_pressed("W")
        player.wait_for(lambda player=player: player.tick == 80, frame=1 / 60)
        states.append(player.game.session.world.state())
    assert states[0] == states[1]
