"""Undo of a restart: world, view and run come back with the same bits, and the run still counts."""

from __future__ import annotations

import pytest

from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.time_trial import RESULT_DELAY, UNDO_SECONDS
from game.level import load
from game.sim import World
from game.sim.replay import replay_file
from game.sim.replay.verifier import verify
from tests.support.player import Player, records

LEVEL = """\
format: 1
name: Lift and balls
spawn: {name: start, at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - target: {at: [0, 1, -2], name: The bell}
  - mover: {path: [[6, 0, -4], [6, 2, -4]], seconds: 3, of: [{box: {from: [-1, 0, -1], to: [1, 0.5, 1]}}]}
  - balls: {from: [-3, 3, -3], to: [-1, 4, -1], count: 3}
goal: {at: [0, 0, -8], radius: 0.5}
kill_height: -10
"""


@pytest.fixture
def level(tmp_path, monkeypatch):
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "level.yaml"
    path.write_text(LEVEL, encoding="utf-8")
    return load(path)


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


@pytest.mark.parametrize("seconds", [0.0, 1.0])
@pytest.mark.full
def test_one_key_brings_everything_back(player, seconds):
    before = present(player)
    player.game.key_pressed("R")
    assert player.tick == 0
    assert player.wait(1 / 60).hud.message == "Restarted"
    assert "Backspace" in player.shown.hud.message_detail
    assert player.shown.hud.message_detail.endswith(": undo restart")
    if seconds:
        player.hold("D", seconds)
    player.game.key_pressed("BACKSPACE")
    player.game.key_released("BACKSPACE")
    assert present(player) == before
    assert player.wait(1 / 60).hud.message == "Restart undone"


@pytest.mark.full
def test_the_walk_goes_on_with_the_same_bits(level):
    states = []
    for undone in (False, True):
        player = Player.in_level(level)
        player.hold("W", 0.5)
        if undone:
            player.game.key_pressed("R")
            player.hold("A", 0.5)
            player.game.key_pressed("BACKSPACE")
            player.wait(1 / 60)
        world = player.game.session.world
        player.game.key_pressed("W")
        while world.tick < 80:
            player.wait(1 / 60)
        states.append(world.state())
    assert states[0] == states[1]


@pytest.mark.full
def test_a_run_that_goes_on_after_an_undone_restart_still_counts(player, level):
    player.game.key_pressed("R")
    player.hold("A", 0.5)
    player.game.key_pressed("BACKSPACE")
    player.game.key_pressed("W")
    trial = player.game.runs.time_trial
    for _ in range(300):
        player.wait(1 / 60)
        if player.game.session.world.goal_tick >= 0:
            break
    player.wait(RESULT_DELAY + 0.1)
    assert trial.result.state == ""
    record = run_library.read_run(progress.runs_folder() / trial.result.file)
    assert verify(record, lambda part: level).divergence is None
    assert progress.level_record(level).best.seconds == trial.run.seconds


@pytest.mark.full
def test_after_some_seconds_the_key_rewinds_again(player):
    player.game.key_pressed("R")
    player.wait(UNDO_SECONDS + 0.1)
    player.game.key_pressed("BACKSPACE")
    assert player.game.mode == "rewinding"


@pytest.mark.full
def test_two_presses_in_a_row_are_taken_back_together(player):
    before = present(player)
    player.game.key_pressed("R")
    player.wait(0.3)
    player.game.key_pressed("R")
    player.wait(0.3)
    player.game.key_pressed("BACKSPACE")
    assert present(player) == before


def test_a_restart_where_nothing_was_done_offers_nothing(level):
    player = Player.in_level(level)
    player.wait(0.5)
    player.game.key_pressed("R")
    assert player.wait(1 / 60).hud.message == ""


def test_the_menu_restarts_with_the_same_undo(player):
    before = present(player)
    player.game.key_pressed("ESCAPE")
    menu = player.game.menu
    menu.selected = next(k for k, row in enumerate(menu.rows) if row.name == "restart")
    player.game.key_pressed("RETURN")
    assert player.tick == 0
    player.game.key_pressed("BACKSPACE")
    assert present(player) == before


@pytest.mark.full
def test_rewinding_after_the_undo_shows_the_walk_before_the_restart(player):
    feet = player.feet
    player.game.key_pressed("R")
    player.hold("D", 1.0)
    player.game.key_pressed("BACKSPACE")
    player.game.key_released("BACKSPACE")
    history = player.game.session.history
    assert tuple(history.columns(history.end - 1, history.end)["feet"][0]) == feet
    history.seek(10)
    history.seek(history.end - 1)
    assert player.feet == feet


@pytest.mark.full
def test_a_recording_with_an_undone_restart_verifies(player, data, level):
    player.game.key_pressed("F5")
    player.hold("W", 0.3)
    player.game.key_pressed("R")
    player.hold("D", 0.3)
    player.game.key_pressed("BACKSPACE")
    player.hold("W", 0.3)
    player.game.key_pressed("F5")
    (path,) = records(data / "replays")
    record = replay_file.read_replay(path)
    result = verify(record, lambda part: level)
    assert (result.ticks, result.divergence) == (record.ticks, None)
    assert player.feet[2] < -3.0


@pytest.mark.full
def test_another_level_ends_the_offer(player, level):
    player.game.key_pressed("R")
    player.game.start(World(level))
    assert not player.game.undo_restart()
