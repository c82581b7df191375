"""The time trial in play: clock, splits, ghost, what makes it void, and that only what was walked again counts."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from game.app.game import Game
from game.app.runs import progress, run_verifier, time_trial
from game.app.runs.ghost import Ghost, Pace
from game.app.runs.run_results import ResultPage
from game.app.runs.time_trial import CHANGED, NOT_FROM_THE_START, RESULT_AFTER, TOO_LONG
from game.app.settings.settings_file import Settings
from game.core import user_folders
from game.core.time_format import clock, difference
from game.level import load
from game.render.run_summary import DONE, FRESH, KNOWN, OPEN
from game.sim import World
from game.sim.replay import replay_file
from game.sim.replay.level_migration import take_over
from game.sim.trial import track
from tests.support.player import Player

LEVEL = """\
format: 1
name: Two bells
spawn: {name: start, at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - wall: {from: [-20, -10], to: [20, -10], height: 4}
  - checkpoint: {name: Half way, from: [-3, 0, -5], to: [3, 2.2, -3]}
goal: {at: [0, 0, -8], radius: 0.5}
kill_height: -10
"""


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv(user_folders.DATA_VARIABLE, str(tmp_path / "data"))
    monkeypatch.setenv("WALKER_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "data"
    for thread in threading.enumerate():  # a judge that goes on would write into the next test's folder
        if thread.name in ("judge", "ghost"):
            thread.join(30.0)


@pytest.fixture
def level(tmp_path):
    path = tmp_path / "bells.yaml"
    path.write_text(LEVEL, encoding="utf-8")
    return load(path)


def playing(level):
    return Player(Game(level, Settings(), "low"))


def judged(player):
    trial = player.game.trial
    for _ in range(100):
        if not trial.judge.busy:
            break
        trial.judge.join(0.1)
    player.wait(0.04)
    return trial


def to_the_goal(player, key="W"):
    player.game.key_pressed(key)
    for _ in range(400):
        player.wait(1 / 60)
        if player.game.session.world.goal_tick >= 0:
            break
    player.game.key_released(key)
    return player.game.trial


def test_the_first_run_is_the_best_and_is_kept(level, data):
    player = playing(level)
    player.wait(0.5)
    trial = player.game.trial
    assert (player.shown.hud.timer, player.shown.hud.timer_below) == ("0:00.00", "")
    assert progress.last() == (level.path, "start")
    waited = player.tick
    trial = to_the_goal(player)
    assert player.shown.hud.message == "You made it"
    assert player.shown.hud.submessage == player.shown.hud.timer == clock(trial.run.seconds)
    assert trial.run.began == waited > 20
    player.wait(RESULT_AFTER + 0.1)
    judged(player)  # the page is told, though nothing is played
    page = player.game.menu.page
    assert isinstance(page, ResultPage)
    sheet = page.sheet
    assert (sheet.time, sheet.told, sheet.better) == (clock(trial.run.seconds), "the first run that counts here", True)
    assert "to the last bit" in sheet.state
    assert [line.name for line in sheet.splits] == ["Half way"]
    states = {mark.label: mark.state for mark in sheet.marks}
    assert states["Feet on the ground"] == states["Straight ahead"] == FRESH
    assert states["Keep low"] == OPEN
    assert progress.best(level) == trial.run.seconds
    best = progress.record(level).best
    record = replay_file.read(data / "runs" / best.run)
    assert record.whole
    assert track(record).seconds == trial.run.seconds


@pytest.mark.parametrize("shown", [True, False])
def test_a_checkpoint_is_told_once_by_the_clock_or_by_a_message(level, shown):
    player = Player(Game(level, Settings(trial_clock=shown), "low"))
    player.game.key_pressed("W")
    told = set()
    for _ in range(90):
        player.wait(1 / 60)
        told.add((player.shown.hud.message, player.shown.hud.timer_below.startswith("Half way")))
    assert (("Checkpoint", False) in told) == (not shown)
    assert (("", True) in told) == shown
    assert ("Checkpoint", True) not in told


def test_a_faster_run_takes_its_place_and_a_slower_one_does_not(level, data):
    player = playing(level)
    to_the_goal(player)
    judged(player)
    first = progress.record(level).best
    player.game.key_pressed("R")
    assert player.game.trial.run.began == -1
    player.wait(0.1)
    assert player.shown.hud.timer_below == f"best {clock(first.seconds)}"
    player.game.key_pressed("LSHIFT")
    trial = to_the_goal(player)
    judged(player)
    best = progress.record(level).best
    assert best.seconds == trial.run.seconds < first.seconds
    told = trial.result.sheet()
    assert told.better
    assert told.told == f"new best, {difference(best.seconds - first.seconds)} s"
    assert told.splits[0].ahead
    assert {mark.label: mark.state for mark in told.marks}["No hurry"] == KNOWN  # it was sprinted, but not before
    assert {mark.label: mark.state for mark in told.marks}["Straight ahead"] == DONE
    assert [path.name for path in (data / "runs").iterdir()] == [best.run]
    player.game.key_released("LSHIFT")
    player.game.key_pressed("R")
    trial = to_the_goal(player)
    judged(player)
    told = trial.result.sheet()
    assert not told.better
    assert told.told == f"best {clock(best.seconds)}   ({difference(trial.run.seconds - best.seconds)})"
    assert [path.name for path in (data / "runs").iterdir()] == [best.run]
    assert progress.record(level).finished == 3


def test_the_page_leads_on(level):
    player = playing(level)
    to_the_goal(player)
    player.wait(RESULT_AFTER + 0.1)
    assert player.game.mode == "paused"
    menu = player.game.menu
    ways = {"RIGHT": "resume", "DOWN": "levels", "LEFT": "resume", "UP": "restart", "A": "title"}
    for key, name in ways.items():
        player.game.key_pressed(key)
        assert menu.rows[menu.selected].name == name
    player.game.key_pressed("ESCAPE")
    assert player.game.mode == "playing"
    player.wait(3.0)
    assert player.game.mode == "playing"  # it comes once
    player.game.key_pressed("R")
    to_the_goal(player)
    player.wait(RESULT_AFTER + 0.1)
    player.game.key_pressed("RETURN")  # again
    assert (player.game.mode, player.tick) == ("playing", 0)
    assert player.game.trial.result is None


def test_the_ghost_walks_as_the_best_run_did(level):
    player = playing(level)
    to_the_goal(player)
    judged(player)
    best = progress.record(level).best
    player.game.key_pressed("R")
    for _ in range(600):
        if player.game.trial.ghost.track is not None:
            break
        player.wait(0.01)
        time.sleep(0.01)
    path = player.game.trial.ghost.track.path
    player.wait(0.3)
    assert player.shown.ellipsoids == ()  # it waits for the first step
    player.hold("A", 1.0)
    (ghost,) = player.shown.ellipsoids
    run = player.game.trial.run
    assert math.dist(ghost.centre[::2], path[round(run.seconds * 60)][::2]) < 0.1
    assert ghost.centre[1] - ghost.radii[1] == pytest.approx(0.0, abs=0.02)
    assert 0.0 < ghost.opacity < 1.0
    assert player.shown.hud.timer_below != ""  # beside its way
    player.wait(best.seconds + 4.0)
    assert player.shown.ellipsoids == ()  # it has gone
    player.game.settings = player.game.settings.changed("ghost", False).changed("trial_clock", False)
    player.game.key_pressed("R")
    player.hold("A", 1.0)
    assert (player.shown.ellipsoids, player.shown.hud.timer) == ((), "")


def test_a_ghost_is_not_drawn_around_ones_own_eye(level):
    player = playing(level)
    to_the_goal(player)
    judged(player)
    best = progress.record(level).best
    known = track(replay_file.read(progress.runs_folder() / best.run))
    ghost = Ghost(known=known)
    x, y, z = known.states["position"][90].tolist()
    at = (90 - known.began) / 60
    assert ghost.look(at, (x, y + 0.6, z)) == ()
    (shown,) = ghost.look(at, (x + 4.0, y, z))
    assert shown.centre == pytest.approx((x, y, z), abs=1e-9)
    assert shown.radii == tuple(known.states["radii"][90].tolist())


def test_a_ghost_stands_on_walls_as_its_run_did(level):
    player = playing(level)
    to_the_goal(player)
    judged(player)
    known = track(replay_file.read(progress.runs_folder() / progress.record(level).best.run))
    states = known.states.copy()
    states["up"], states["north"] = (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)
    (shown,) = Ghost(known=replace(known, states=states)).look(0.5, (9.0, 9.0, 9.0))
    assert (shown.up, shown.north) == ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0))


def test_how_far_one_is_ahead_is_told_by_place(level):
    player = playing(level)
    to_the_goal(player)
    judged(player)
    known = track(replay_file.read(progress.runs_folder() / progress.record(level).best.run))
    pace = Pace()
    places = known.states["position"]
    for k in range(known.began + 1, len(places), 3):  # the same way at half the speed, a little beside it
        took = 2.0 * (k - known.began) / 60
        behind = pace.follow(known, tuple(places[k] + np.array([0.4, 0.0, 0.0])), took)
        assert behind == pytest.approx(took / 2.0, abs=0.06)
    for _ in range(60):
        behind = pace.follow(known, (15.0, 0.9, 15.0), 9.0)
    assert behind is None  # elsewhere it tells nothing


def test_what_makes_a_run_void(level, tmp_path):
    player = playing(level)
    trial = player.game.trial
    player.hold("W", 0.3)
    trial.void("flown")
    player.wait(0.1)
    assert player.shown.hud.timer_below == "does not count: flown"
    to_the_goal(player)
    assert "does not count: flown" in player.shown.hud.submessage
    player.wait(RESULT_AFTER + 0.5)
    assert player.game.mode == "playing"
    assert progress.best(level) is None
    assert not progress.runs_folder().exists()
    player.game.key_pressed("R")
    assert trial.voided == ""
    player.hold("W", 0.3)
    level.path.write_text(LEVEL.replace("-8]", "-7]"), encoding="utf-8")
    game = player.game
    game.level = load(level.path)
    game.session.world = take_over(game.session.world, game.level).world
    player.wait(0.1)
    assert trial.voided == CHANGED
    player.game.key_pressed("R")
    assert trial.voided == ""
    trial = to_the_goal(player)
    judged(player)
    assert progress.best(game.level) == trial.run.seconds
    assert progress.best(level) is None


def test_a_world_that_is_under_way_already_gives_no_run(level):
    from game.physics import Command

    world = World(level)
    for _ in range(20):
        world.step(Command(forward=1.0))
    player = Player(Game(level, Settings(), "low"), world)
    player.wait(0.1)
    assert player.game.trial.voided == NOT_FROM_THE_START


def test_a_run_that_is_too_long_is_not_kept(level, monkeypatch):
    monkeypatch.setattr(time_trial, "MOST_SECONDS", 1.0)
    player = playing(level)
    player.wait(1.2)
    trial = to_the_goal(player)
    assert trial.voided == TOO_LONG


def test_a_run_that_comes_out_otherwise_does_not_count(level, data, monkeypatch):
    player = playing(level)
    monkeypatch.setattr(
        run_verifier, "judge", lambda *_: (_ for _ in ()).throw(replay_file.ReplayError("diverged at tick 3"))
    )
    trial = to_the_goal(player)
    judged(player)
    sheet = trial.result.sheet()
    assert sheet.refused
    assert (sheet.told, sheet.better) == ("", False)
    assert FRESH not in [mark.state for mark in sheet.marks]
    assert "diverged at tick 3" in sheet.state
    assert progress.best(level) is None
    (left,) = (data / "runs").iterdir()
    assert left.name.endswith(run_verifier.REFUSED)  # nothing that was walked is thrown away


def test_a_game_that_is_killed_before_the_run_was_judged_loses_nothing(level, data, monkeypatch):
    monkeypatch.setattr(run_verifier.Judge, "hand_in", lambda *_: None)  # killed at that moment
    player = playing(level)
    trial = to_the_goal(player)
    assert progress.best(level) is None
    assert len(list((data / "runs").iterdir())) == 1
    monkeypatch.undo()
    monkeypatch.setenv(user_folders.DATA_VARIABLE, str(data))
    again = playing(level)
    again.wait(0.1)
    judged(again)
    assert progress.best(level) == trial.run.seconds


def test_a_run_on_another_spawn_and_level_counts_there(level, tmp_path):
    two = tmp_path / "two.yaml"
    side = "north}\n  - {name: side, at: [2, 0, 0], facing: north}"
    two.write_text(LEVEL.replace("spawn: {", "spawns:\n  - {").replace("north}", side), encoding="utf-8")
    other = load(two)
    player = Player(Game(other, Settings(), "low"), World(other, spawn="side"))
    player.hold("A", 0.5)
    to_the_goal(player)
    judged(player)
    assert progress.best(other, "side") is not None
    assert progress.best(other) is None
    assert progress.last() == (two, "side")


def test_a_level_without_an_end_has_no_clock(tmp_path):
    path = tmp_path / "none.yaml"
    path.write_text(LEVEL.split("goal")[0], encoding="utf-8")
    player = playing(load(path))
    player.hold("W", 0.5)
    assert player.game.trial.run is None
    assert player.shown.hud.timer == ""
    assert progress.last() == (path, "start")
