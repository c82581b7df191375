"""A run against the clock: where it begins and ends, its splits, challenges, and that its recording repeats it."""

from pathlib import Path

import numpy as np
import pytest

from game.level import load
from game.physics import Command
from game.sim import BallLost, BallStruck, History, World
from game.sim.replay import replay_file
from game.sim.replay.verifier import verify
from game.sim.trial import (
    Challenge,
    TrialRun,
    level_end,
    offered_challenges,
    ranks_by_strokes,
    read_track,
)

LEVELS = Path(__file__).resolve().parents[2] / "levels"
FLOOR = """\
format: 1
name: Floor
spawn: {name: start, at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - checkpoint: {name: Half way, from: [-3, 0, -6], to: [3, 2.2, -4]}
  - target: {at: [0, 1, -2], radius: 0.3, name: The bell}
goal: {at: [0, 0, -8], radius: 0.5}
kill_height: -10
"""
AHEAD_ONLY = Command(forward=1.0)
STAND = Command()


@pytest.fixture(scope="module")
def floor():
    return load(text=FLOOR)


def walk(level, commands):
    """The run of these commands, and its record."""
    world = World(level)
    run, history = TrialRun(world), History(world)
    for command in commands:
        run.stepped(command, history.step(command))
        if run.is_finished:
            break
    return run, history.data()


def to_the_goal(**how):
    return [*[STAND] * 30, *[Command(heading=500)] * 5, *[Command(forward=1.0, **how)] * 300]


def test_the_clock_runs_from_the_first_movement_to_the_goal(floor):
    run, _ = walk(floor, to_the_goal())
    assert (run.began, run.is_finished) == (35, True)
    assert run.ticks == run.ended == run.world.goal_tick == run.world.tick
    assert run.seconds == (run.ended - 35) / 60
    assert run.stepped(AHEAD_ONLY, ()) == []
    assert run.ticks == run.ended  # after the end nothing changes any more


def test_a_run_counts_strokes_and_one_more_for_a_lost_ball():
    run = TrialRun(World(load(LEVELS / "golf" / "one.yaml")))
    assert Challenge.NO_LOSS in run.kept_challenges
    run.stepped(Command(use=True), [BallStruck(1, 0, 1, 0.5)])
    assert (run.strokes, Challenge.NO_LOSS in run.kept_challenges) == (1, True)
    run.stepped(STAND, [BallLost(2, 0, "water", 2)])
    assert (run.strokes, Challenge.NO_LOSS in run.kept_challenges) == (2, False)


def test_a_jump_that_cancels_a_swing_at_golf_is_no_jump():
    world = World(load(LEVELS / "golf" / "one.yaml"))
    world.return_to_checkpoint()  # behind the ball
    run = TrialRun(world)
    swing, jump = Command(use=True), Command(jump=True)
    for command, is_kept in ((swing, True), (jump, True), (STAND, True), (jump, False)):
        run.stepped(command, world.step(command))
        assert (Challenge.NO_JUMP in run.kept_challenges) == is_kept


@pytest.mark.parametrize(
    "first", [Command(strafe=-0.2), Command(jump=True), Command(crouch=True), Command(use=True), Command(forward=-1.0)]
)
def test_any_movement_begins_a_run_and_a_look_does_not(floor, first):
    run, _ = walk(floor, [Command(heading=9000, pitch=300, sprint=True)] * 3)
    assert (run.began, run.seconds) == (-1, 0.0)
    run, _ = walk(floor, [STAND, first, STAND])
    assert (run.began, run.seconds) == (1, 2 / 60)


def test_splits_come_in_their_order_and_once(floor):
    run, _ = walk(floor, to_the_goal())
    assert [split.name for split in run.splits] == ["The bell", "Half way"]
    assert 0.0 < run.splits[0].seconds < run.splits[1].seconds < run.seconds


@pytest.mark.parametrize(
    ("how", "lost"),
    [
        ({}, [Challenge.ALWAYS_CROUCHED]),
        ({"sprint": True}, [Challenge.ALWAYS_CROUCHED, Challenge.NO_SPRINT]),
        ({"crouch": True}, []),
        ({"crouch": True, "strafe": 0.01}, [Challenge.ONLY_FORWARD]),
        ({"jump": True}, [Challenge.ALWAYS_CROUCHED, Challenge.NO_JUMP]),
    ],
)
def test_challenges_are_lost_by_their_conditions(floor, how, lost):
    run, _ = walk(floor, to_the_goal(**how))
    assert run.is_finished
    assert set(run.kept_challenges) == set(offered_challenges(floor)) - set(lost)


def test_targets_that_the_goal_does_not_ask_for_are_a_challenge(floor):
    assert Challenge.ALL_TARGETS in offered_challenges(floor)
    around = [*[Command(strafe=1.0)] * 40, *[Command(forward=1.0)] * 120, *[Command(strafe=-1.0, forward=0.1)] * 60]
    run, _ = walk(floor, around)
    assert run.is_finished
    assert run.world.targets_left == 1
    assert Challenge.ALL_TARGETS not in run.kept_challenges


def test_a_fall_is_a_fall_and_a_teleport_is_none():
    pit = FLOOR.replace("[-20, -20], to: [20, 20]", "[-20, -3], to: [20, 20]").replace("goal", "#")
    run, _ = walk(load(text=pit.replace("#", "#goal")), [AHEAD_ONLY] * 300)
    assert level_end(run.world.level) == "targets"
    assert run.is_finished  # its only target
    pit = pit.replace("  - target", "  # target").replace("#:", "goal:")
    world = World(load(text=pit))
    run = TrialRun(world)
    for _ in range(300):
        run.stepped(AHEAD_ONLY, world.step(AHEAD_ONLY))
    assert Challenge.NO_FALL not in run.kept_challenges
    way = "  - teleport: {from: [-3, 0, -2], to: [3, 2, -1], arrive: [0, 0, -6]}\n"
    teleported = FLOOR.replace("goal:", way + "goal:").replace("pieces:\n", "pieces:\n")
    run, _ = walk(load(text=teleported), to_the_goal())
    assert run.seconds < 1.0  # it took the short way
    assert Challenge.NO_FALL in run.kept_challenges


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("name", "end", "strokes"),
    [("demo", "goal", False), ("ballroom", "goal", False), ("golf/one", "goal", True), ("museum/flat", "", False)],
)
def test_what_shipped_levels_end_with(name, end, strokes):
    level = load(LEVELS / f"{name}.yaml")
    assert (level_end(level), ranks_by_strokes(level)) == (end, strokes)
    names = set(offered_challenges(level))
    assert ("par" in names) == strokes
    assert bool(names) == bool(end)
    assert Challenge.ALL_TARGETS not in names  # where there are targets, their goals ask for them


# ---- recorded


def test_a_record_gives_the_same_run_and_its_track(floor):
    run, data = walk(floor, to_the_goal(sprint=True))
    record = replay_file.decode_replay(data, Path("run"))
    again = TrialRun(World(floor))

    def observe(world, command, events):
        again.world = world
        again.stepped(command, events)

    assert verify(record, lambda part: floor, observer=observe).divergence is None
    assert again.to_fields() == run.to_fields()
    assert again.kept_challenges == run.kept_challenges
    way = read_track(record)
    assert (way.start_tick, way.seconds) == (run.began, run.seconds)
    assert len(way.states) == run.ticks + 1
    assert np.allclose(way.path[-1], run.world.walker_state.feet, atol=1e-12)
    assert way.row_at(-1.0) == 35.0
    assert way.row_at(1e9) == run.ticks
