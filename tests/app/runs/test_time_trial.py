"""The time trial in play: clock, best run, ghost, and what makes a run void."""

from __future__ import annotations

import math
import time

import pytest

from game.app.menus.pages import ResultPage
from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.time_trial import LEVEL_CHANGED_REASON, RESULT_DELAY
from game.core.time_format import format_time, format_time_difference
from game.level import load
from game.render.snapshot import DONE_AGAIN, DONE_BEFORE, DONE_FIRST, NOT_DONE
from game.sim.replay import replay_file
from game.sim.replay.level_migration import migrate_world
from game.sim.replay.verifier import verify
from game.sim.trial import read_track
from tests.support.player import Player
from tests.support.until import repeat_until

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


def to_the_goal(player, key="W"):
    player.game.key_pressed(key)
    for _ in range(400):
        player.wait(1 / 60)
        if player.game.session.world.goal_tick >= 0:
            break
    player.game.key_released(key)
    return player.game.runs.time_trial


def test_the_first_run_is_the_best_and_is_kept(level, data):
    player = Player.in_level(level)
    player.wait(0.5)
    trial = player.game.runs.time_trial
    assert (player.shown.hud.timer, player.shown.hud.timer_caption) == ("0:00.00", "")
    assert progress.last_played() == (level.path, "start")
    waited = player.tick
    trial = to_the_goal(player)
    assert player.shown.hud.message == "Goal reached"
    assert player.shown.hud.message_detail == player.shown.hud.timer == format_time(trial.run.seconds)
    assert trial.run.began == waited > 20
    player.wait(RESULT_DELAY + 0.1)
    page = player.game.menu.page
    assert isinstance(page, ResultPage)
    sheet = page.run_summary
    assert (sheet.time, sheet.description, sheet.is_new_best) == (format_time(trial.run.seconds), "First finish!", True)
    assert (sheet.state, sheet.refused) == ("", False)
    assert [line.name for line in sheet.splits] == ["Half way"]
    states = {mark.label: mark.state for mark in sheet.challenges}
    assert states["Feet on the ground"] == states["Straight ahead"] == DONE_FIRST
    assert states["Keep low"] == NOT_DONE
    assert progress.level_record(level).best.seconds == trial.run.seconds
    best = progress.level_record(level).best
    record = replay_file.read_replay(data / "runs" / best.run)
    assert record.is_complete
    assert verify(record, lambda part: level).divergence is None
    assert read_track(record).seconds == trial.run.seconds
    player.game.key_pressed("R")  # as in play
    assert (player.game.mode, player.tick) == ("playing", 0)


def test_the_results_take_no_key_that_was_down_when_they_opened(level):
    """A system without detectable repeats sends a press again and again."""
    player = Player.in_level(level)
    game = player.game
    game.key_pressed("W")
    player.wait_for(lambda: game.mode == "paused")
    chosen = game.menu.selected
    game.key_pressed("W")
    assert game.menu.selected == chosen
    game.push_mode("help")  # a page over them
    player.press("F1")
    assert game.mode == "paused"
    game.key_pressed("W")
    assert game.menu.selected == chosen
    game.key_released("W")
    game.key_pressed("W")
    assert game.menu.selected != chosen


def test_the_results_count_what_was_found(tmp_path):
    path = tmp_path / "gems.yaml"
    gems = "  - target: {name: The gem, at: [0, 1, -3]}\n" * 2 + "  - target: {name: The gem, at: [9, 1, 9]}\n"
    path.write_text(LEVEL.replace("goal:", f"{gems}goal:"), encoding="utf-8")
    player = Player.in_level(load(path))
    assert player.wait(0.1).hud.counter == "Gems 0 of 3"
    assert player.shown.hud.title_card.collected == "3 gems"
    to_the_goal(player)
    player.press("TAB")
    assert player.shown.hud.title_card.collected.startswith("Gems 2 of 3")
    player.wait(RESULT_DELAY + 0.1)
    assert player.game.menu.page.run_summary.score == "Gems 2 of 3"


@pytest.mark.full
def test_a_faster_run_takes_its_place_and_a_slower_one_does_not(level, data):
    player = Player.in_level(level)
    to_the_goal(player)
    first = progress.level_record(level).best
    player.game.key_pressed("R")
    assert player.game.runs.time_trial.run.began == -1
    player.wait(0.1)
    assert player.shown.hud.timer_caption == f"Best {format_time(first.seconds)}"
    player.game.key_pressed("LSHIFT")
    trial = to_the_goal(player)
    best = progress.level_record(level).best
    assert best.seconds == trial.run.seconds < first.seconds
    summary = trial.result.summary()
    assert summary.is_new_best
    assert summary.description == f"New best, {format_time_difference(best.seconds - first.seconds)} s"
    assert summary.splits[0].is_ahead
    states = {challenge.label: challenge.state for challenge in summary.challenges}
    assert states["No hurry"] == DONE_BEFORE  # it was sprinted, but not before
    assert states["Straight ahead"] == DONE_AGAIN
    assert {path.name for path in (data / "runs").iterdir()} == {first.run, best.run}
    player.game.key_released("LSHIFT")
    player.game.key_pressed("R")
    trial = to_the_goal(player)
    summary = trial.result.summary()
    assert not summary.is_new_best
    difference = format_time_difference(trial.run.seconds - best.seconds)
    assert summary.description == f"Best {format_time(best.seconds)}   ({difference})"
    kept = {path.name for path in (data / "runs").iterdir()}
    assert len(kept) == 3
    assert kept > {first.run, best.run}
    assert {(entry.file, entry.reason) for entry in run_library.read_library().values()} == {
        (name, "") for name in kept
    }
    assert progress.level_record(level).finished == 3


@pytest.mark.full
def test_the_ghost_walks_as_the_best_run_did(level):
    player = Player.in_level(level)
    to_the_goal(player)
    best = progress.level_record(level).best
    player.game.key_pressed("R")
    repeat_until(
        lambda: player.game.runs.time_trial.ghost.track is not None, lambda: (time.sleep(0.01), player.wait(1 / 60))
    )
    path = player.game.runs.time_trial.ghost.track.path
    player.wait(0.3)
    assert player.shown.ellipsoids == ()  # it waits for the first step
    player.hold("A", 1.0)
    ghost, *parts = player.shown.ellipsoids
    assert len(parts) == 3, "a pack and two feet"
    run = player.game.runs.time_trial.run
    assert math.dist(ghost.centre[::2], path[round(run.seconds * 60)][::2]) < 0.1
    assert ghost.centre[1] - ghost.radii[1] == pytest.approx(0.0, abs=0.02)
    assert 0.0 < ghost.opacity < 1.0
    assert player.shown.hud.timer_caption != ""  # beside its way
    player.wait(best.seconds + 4.0)
    assert player.shown.ellipsoids == ()  # it has gone
    player.game.settings = player.game.settings.with_value("ghost", False).with_value("trial_clock", False)
    player.game.key_pressed("R")
    player.hold("A", 1.0)
    assert (player.shown.ellipsoids, player.shown.hud.timer) == ((), "")


def rewind(player):
    player.press("BACKSPACE", *["LEFT"] * 5, "RETURN")


def fly(player):
    player.press("F", "F")


WORTH = {  # what is done on the way, what the results say, and how often the level is finished then
    "nothing": (lambda player: None, "", 1),
    "a rewind": (rewind, "Finished. No time, no medal: rewind used", 1),
    "slow motion": (lambda player: player.press("M", "M"), "Finished. No time, no medal: slow motion used", 1),
    "a flight": (fly, "Practice run (flying used)", 0),
    "a rewind, then a flight": (lambda player: (rewind(player), fly(player)), "Practice run (flying used)", 0),
    "a flight, then a rewind": (lambda player: (fly(player), rewind(player)), "Practice run (flying used)", 0),
}


@pytest.mark.parametrize("name", WORTH)
@pytest.mark.sample(2)
def test_a_run_that_was_walked_to_the_end_finishes_its_level(level, name):
    act, state, finished = WORTH[name]
    player = Player.in_level(level)
    player.hold("W", 0.5)
    act(player)
    to_the_goal(player)
    player.wait(RESULT_DELAY + 0.5)
    summary, record = player.game.menu.page.run_summary, progress.level_record(level)
    assert (summary.state, record.finished, record.best is None) == (state, finished, bool(state))
    assert (bool(summary.time), [row.name for row in summary.splits]) == (True, ["Half way"])
    assert progress.is_won(level.path) == (finished > 0)
    replay = run_library.read_run(progress.runs_folder() / player.game.runs.time_trial.result.file)
    assert verify(replay, lambda part: level).divergence is None
    assert "flight" in name or len(replay.parts) == 1, "a rewind leaves no seam"


def test_what_makes_a_run_void(level, tmp_path):
    player = Player.in_level(level)
    trial = player.game.runs.time_trial
    player.hold("W", 0.3)
    trial.void("flying used")
    player.wait(0.1)
    assert player.shown.hud.timer_caption == "Practice run (flying used)"
    to_the_goal(player)
    assert "Practice run (flying used)" in player.shown.hud.message_detail
    player.wait(RESULT_DELAY + 0.5)
    assert player.game.mode == "paused"
    summary = player.game.menu.page.run_summary
    assert (summary.state, summary.refused, summary.medal) == ("Practice run (flying used)", True, "")
    player.game.resume()
    assert progress.level_record(level).best is None
    (practice,) = run_library.read_library().values()
    assert practice.reason == "flying used"
    assert replay_file.read_replay(practice.path).is_complete
    player.game.key_pressed("R")
    assert trial.void_reason == ""
    player.hold("W", 0.3)
    level.path.write_text(LEVEL.replace("-8]", "-7]"), encoding="utf-8")
    game = player.game
    game.level = load(level.path)
    game.session.world = migrate_world(game.session.world, game.level).world
    player.wait(0.1)
    assert trial.void_reason == LEVEL_CHANGED_REASON
    player.game.key_pressed("R")
    assert trial.void_reason == ""
    trial = to_the_goal(player)
    assert progress.level_record(game.level).best.seconds == trial.run.seconds
    assert progress.level_record(level).best is None


def test_a_level_without_an_end_has_no_clock(tmp_path):
    path = tmp_path / "none.yaml"
    path.write_text(LEVEL.split("goal")[0], encoding="utf-8")
    player = Player.in_level(load(path))
    player.hold("W", 0.5)
    assert player.game.runs.time_trial.run is None
    assert player.shown.hud.timer == ""
    assert progress.last_played() == (path, "start")
