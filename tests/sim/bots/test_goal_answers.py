"""What bots say about the goal: each spawn has an answer, and doors that move are waited for."""

from __future__ import annotations

import pytest

from game.app.commands.check.walk import summarise_walk
from game.level import load
from game.sim.bots.exploration import LevelExploration
from game.sim.bots.mover_waits import wait_for_movers, wait_ticks
from game.sim.bots.moves import HeldKeys, walk_commands
from game.sim.bots.walk_findings import explore_level, report_exploration
from game.sim.world import World
from game.testing.runner import run_test

pytestmark = pytest.mark.jit
CORRIDOR = """
format: 1
spawn: {at: [0, 0, 3], facing: north}
pieces:
  - floor: {from: [-1, -4], to: [1, 4], intended: [fall]}
  - box: {from: [-1, 0, -0.1], to: [-0.6, 3, 0.1], intended: [fall, unreached]}
  - box: {from: [0.6, 0, -0.1], to: [1, 3, 0.1], intended: [fall, unreached]}
  - mover: {name: door, at: [0, 0, 0.2], path: [[0, 0, 0], %s], seconds: 1, pause: %s,
      of: [box: {from: [-0.9, 0.02, -0.05], to: [0.9, 3, 0.05]}]}
goal: {at: [0, 0, -3], radius: 0.5}
tests:
  - {name: somebody, bot: explore, expect: {goal: reached}}
  - {name: there, bot: explore, expect: {inside: {from: [-1, -0.1, -4], to: [1, 1, -1]}}}
  - {name: goal, bot: goal, expect: {goal: reached}}
"""
SLIDING = load(text=CORRIDOR % ("[2.5, 0, 0]", 2))
SHUT = load(text=CORRIDOR % ("[0, 0, 0.01]", 0))
TWO_SPAWNS = """
format: 1
spawns:
  - {name: left, at: [0, 0, 1]}
  - {name: right, at: [20, 0, 1]}
  - {name: beside, at: [20, 0, 3]}
pieces:
  - floor: {from: [-2, -2], to: [2, 2], intended: [fall]}
  - floor: {from: [18, -2], to: [22, 4], intended: [fall]}
goal: {at: [20, 0, -1], radius: 0.5}
"""
OPEN = """
format: 1
spawn: {at: [0, 0, 3], facing: north}
pieces:
  - floor: {from: [-1, -4], to: [1, 4], intended: [fall]}
goal: {at: [0, 0, -3], radius: 0.5}
"""
STILL = "  - mover: {at: [40, 0, 0], path: [[0, 0, 0], [0, 1, 0]], of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}\n"
FORWARD = (HeldKeys(180, 0, forward=1.0),)


def test_a_walk_waits_at_the_spawn_until_the_door_is_open():
    walk = wait_for_movers(SLIDING, None, FORWARD)
    assert walk is not None
    assert 0 < wait_ticks(walk) < 240
    world = World(SLIDING)
    for command in walk_commands(walk):
        world.step(command)
    assert world.goal_tick > 0


def test_a_walk_does_not_wait_for_a_door_that_stays_shut_or_is_out_of_its_way():
    assert wait_for_movers(SHUT, None, FORWARD) is None
    away = load(text=(CORRIDOR % ("[2.5, 0, 0]", 2)).replace("at: [0, 0, 0.2]", "at: [20, 0, 0.2]"))
    assert wait_for_movers(away, None, FORWARD) == FORWARD


@pytest.mark.parametrize("level", [SLIDING, SHUT], ids=["sliding", "shut"])
def test_check_and_tests_agree_about_a_goal_behind_a_door(level):
    (line, *_) = summarise_walk(level, explore_level(level, 300_000))
    runs = [run_test(level, test) for test in level.tests]
    if level is SLIDING:
        assert line.startswith("the goal can be reached: ")
        assert line.endswith(" s for the movers")
        assert [str(run.status) for run in runs] == ["passed"] * 3
    else:
        assert line.endswith("but not while the movers move: no wait at the spawn lets this walk pass")
        assert [str(run.status) for run in runs] == ["failed"] * 3
        assert all("reached, but not while the movers move" in run.results[0].actual for run in runs[:2])


def test_a_walk_that_a_zone_ends_is_no_way_to_the_goal():
    wind = "  - current: {from: [-1, -1, -2], to: [1, 3, 2], flow: [0, 0, 30]}\n"
    for pieces, words in {
        "": "the goal can be reached: ",
        wind: "the bots reach the goal only where no zone acts",
    }.items():
        text = OPEN.replace("goal:", pieces + "goal:")
        (line, *_) = summarise_walk(level := load(text=text), explore_level(level, 300_000))
        assert line.startswith(words)
        assert line.endswith("; a player may reach it: bots do not use zones (current)") == bool(pieces)


@pytest.mark.parametrize("pieces", ["", STILL], ids=["static", "with a mover"])
def test_each_spawn_has_its_own_answer(pieces):
    level = load(text=TWO_SPAWNS.replace("goal:", pieces + "goal:"))
    exploration = LevelExploration(level, 400_000)
    exploration.explore()
    report = report_exploration(exploration)
    lines = [line for line in summarise_walk(level, report) if "from spawn" in line]
    assert [answer.is_reached for answer in report.goal_answers] == [False, True, True]
    left, right, beside = lines if pieces else ["", *lines]
    assert right.startswith("from spawn 'right': the goal can be reached: ")
    assert beside == "from spawn 'beside': the goal can be reached"
    if pieces:
        assert left.startswith("from spawn 'left': the bots did not reach the goal: the nearest place reached is ")
    else:  # there the finding of the goal says it
        assert report.goal_answers[0].distance > 4.0
        assert [found.details.spawn for found in report.findings if found.kind == "goal"] == ["left"]
