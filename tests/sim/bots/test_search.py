"""Bots in the world of a level: what they wait for, ride, climb and swim, and walks that a world repeats."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from game.app.commands.check.walk import summarise_walk
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.reports.bot_finding_messages import BotFindingWriter
from game.sim import World
from game.sim.bots import moves, standable_cells
from game.sim.bots import search as bot_search
from game.sim.bots.exploration import LevelExploration
from game.sim.bots.explored_graph import known_graph
from game.sim.bots.places import feet_positions
from game.sim.bots.walk_findings import FindingKind, OrderDetails, report_exploration
from game.sim.bots.ways import field_to
from game.testing import explorer
from game.testing.runner import run_test
from tests.support.explored_levels import explore_level

pytestmark = pytest.mark.jit
HEAD = "format: 1\nspawn: {at: [0, 0, 3], facing: north}\npieces:\n"
FLOOR = "  - floor: {from: [-2, -4], to: [2, 4], intended: [fall]}\n"
SHELF = "  - box: {from: [-2, 2.5, -8], to: [2, 3, -5.1], intended: [fall]}\n"
ON_SHELF = "goal: {at: [0, 3, -6], radius: 0.8}\n"
AHEAD = "goal: {at: [0, 0, -3], radius: 0.5}\n"
LIFT = """  - mover: {name: lift, at: [0, 0.05, -4.6], path: [[0, 0, 0], [0, 2.95, 0]], seconds: 4, pause: PAUSE,
      of: [box: {from: [-0.5, -0.1, -0.5], to: [0.5, 0, 0.5]}]}
"""
DOOR = """  - box: {from: [-8, -3, -0.1], to: [-0.6, 3, 0.1]}
  - box: {from: [0.6, -3, -0.1], to: [8, 3, 0.1]}
  - mover: {name: door, at: [0, 0, 0.2], path: [[0, 0, 0], OPEN], seconds: 1, pause: 2,
      of: [box: {from: [-0.9, 0.02, -0.05], to: [0.9, 3, 0.05]}]}
"""
POOL = """  - floor: {from: [-4, 0], to: [4, 4], intended: [fall]}
  - room: {from: [-4, -3, -4], to: [4, -0.01, 0], ceiling: false}
  - water: {from: [-4, -3, -4], to: [4, -0.9, 0]}
  - box: {from: [-4, -3, -8], to: [4, 3, -4.01], intended: [fall]}
"""
LADDER = "  - ladder: {at: [0, -2.5, -4], facing: north, height: 5.5, width: 0.8}\n"
PAD = "  - pad: {at: [0, 0, -2], to: [0, 3, -6.5], over: 1.2, size: 1}\n"
TELEPORT = "  - teleport: {from: [-2, 0, -3], to: [2, 2, -2], arrive: [0, 3, -7]}\n"
WALL = "  - box: {from: [-4, 0, -6], to: [4, 8, -4]}\n"
TURNED = "  - gravity: {from: [-4, 0, -4], to: [4, 8, -1.5], towards: north}\n"
SWEEPER = """  - mover: {name: sweeper, at: [0, 0.5, 0], path: [[0, 0, 0], [SHIFT, 0, 0]], seconds: 2, pause: 1,
      of: [box: {from: [-0.2, -0.2, -0.2], to: [0.2, 0.2, 0.2]}, kill: {from: [-5, -0.5, -0.5], to: [5, 2, 0.5]}]}
"""

LIFTS = "".join(
    f"  - mover: {{name: lift {k}, at: [{5 + k % 40 * 3}, 0, {k // 40 * 3}], path: [[0, 0, 0], [0, 3, 0]], seconds: 2,"
    " of: [box: {from: [-1, -0.1, -1], to: [1, 0, 1]}]}\n"
    for k in range(1000)
)

REACHED = {  # level -> whether bots reach the goal
    "a lift": (FLOOR + SHELF + LIFT.replace("PAUSE", "1") + ON_SHELF, True),
    "a lift behind a gap": (
        FLOOR
        + SHELF.replace("-5.1", "-6.2")
        + LIFT.replace("-4.6", "-5.6").replace("PAUSE", "2, phase: 5")
        + ON_SHELF.replace("-6]", "-7]"),
        True,
    ),
    "no lift": (FLOOR + SHELF + ON_SHELF, False),
    "a lift that waits for 25 minutes": (FLOOR + SHELF + LIFT.replace("PAUSE", "1496") + ON_SHELF, True),
    "a lift that waits": (FLOOR + SHELF + LIFT.replace("PAUSE", "1, starts: ridden") + ON_SHELF, True),
    "a goal on a lift": (FLOOR + LIFT.replace("PAUSE", "1") + "goal: {at: [0, 3, -4.6], radius: 0.4}\n", True),
    "a door": (FLOOR + DOOR.replace("OPEN", "[2.5, 0, 0]") + AHEAD, True),
    "a door that waits": (
        FLOOR + DOOR.replace("OPEN", "[2.5, 0, 0]").replace("pause: 2", "pause: 2, phase: 2, starts: near") + AHEAD,
        True,
    ),
    "a shut door": (FLOOR + DOOR.replace("OPEN", "[0, 0, 0.01]") + AHEAD, False),
    "a ladder in a pool": (POOL + LADDER + ON_SHELF, True),
    "a pool": (POOL + ON_SHELF, False),
    "a pad": (FLOOR + SHELF + PAD + ON_SHELF, True),
    "a teleport": (FLOOR + SHELF + TELEPORT + ON_SHELF, True),
    "a wall as floor": (FLOOR + WALL + TURNED + "goal: {at: [0, 6, -4], radius: 0.6}\n", True),
    "a wall": (FLOOR + WALL + "goal: {at: [0, 6, -4], radius: 0.6}\n", False),
    "wind": (FLOOR + "  - current: {from: [-9, -3, -2], to: [9, 3, 2], flow: [0, 0, 30]}\n" + AHEAD, False),
    "a door that is open for three ticks": (
        FLOOR
        + DOOR.replace("OPEN", "[2.5, 0, 0]").replace("seconds: 1, pause: 2", "seconds: 0.5, pause: 0.05")
        + AHEAD,
        True,
    ),
    "a lift without a floor": (
        FLOOR.replace("[-2, -4]", "[-2, 2]") + LIFT.replace("PAUSE", "1") + SHELF + ON_SHELF,
        False,
    ),
    "a spawn on a lift": (
        FLOOR.replace("[2, 4]", "[2, 1]") + LIFT.replace("-4.6", "3").replace("PAUSE", "1") + AHEAD,
        True,
    ),
    "a goal in the way of a lift": (
        FLOOR + LIFT.replace("PAUSE", "1") + "goal: {at: [0, 1.5, -4.6], radius: 0.3}\n",
        True,
    ),
    "a ring of teleports": (
        FLOOR
        + "  - teleport: {from: [-2, 0, -1], to: [2, 2, 0], arrive: [0, 0, -3]}\n"
        + "  - teleport: {from: [-2, 0, -4], to: [2, 2, -2.5], arrive: [0, 0, -0.5]}\n"
        + "goal: {at: [0, 0, -1.8], radius: 0.2}\n",
        True,
    ),
    "two zones of gravity against each other": (
        FLOOR
        + "  - gravity: {from: [-4, 0, -4], to: [0, 4, 0], towards: east}\n"
        + "  - gravity: {from: [0, 0, -4], to: [4, 4, 0], towards: west}\n"
        + AHEAD,
        True,
    ),
    "a kill box that moves aside": (FLOOR + SWEEPER.replace("SHIFT", "9") + AHEAD, True),
    "a kill box that does not": (FLOOR + SWEEPER.replace("SHIFT", "0.1") + AHEAD, False),
}


@cache
def explored(text: str, threads: int = 1) -> LevelExploration:
    """The bots in a level, which nothing stops before the end of the search."""
    exploration = LevelExploration(load(text=text), ticks=1_500_000, threads=threads)
    exploration.explore()
    exploration.solve()
    return exploration


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", REACHED)
def test_bots_use_what_moves_and_acts(name):
    pieces, is_reached = REACHED[name]
    exploration = explored(HEAD + pieces)
    assert exploration.is_complete
    assert (exploration.solution is not None) is is_reached
    if exploration.solution is not None:  # as it is written down, in a world of its own
        world = World(exploration.level)
        world.run(moves.walk_command_rows(exploration.solution.walk))
        assert world.goal_tick == world.tick == exploration.solution.tick


@pytest.mark.full
def test_a_ride_that_is_too_long_to_be_seen_through_proves_nothing():
    slow = LIFT.replace("PAUSE", "1").replace("seconds: 4", "seconds: 400")
    level = load(text=HEAD + FLOOR + SHELF + slow + ON_SHELF)
    report = explore_level(level, ticks=1_000_000)
    assert report.unfinished == "a ride takes longer than 60 s"
    assert [found for found in report.findings if found.kind == FindingKind.GOAL] == []
    assert summarise_walk(level, report)[-1].startswith(f"the search was not finished: {report.unfinished}; ")


def test_what_nobody_reaches_is_not_decided_by_a_search_that_was_not_finished(monkeypatch):
    tests = "tests:\n  - {name: it, bot: explore, expect: {goal: never}}\n"
    level = load(text=HEAD + FLOOR + WALL + ON_SHELF + tests)
    (test,) = level.tests
    monkeypatch.setattr(explorer, "MAX_EXPLORE_TICKS", 3000)
    cut = run_test(level, test)
    assert (cut.status, cut.failures[0].tick) == ("failed", 0)
    assert re.fullmatch(
        r"not decided: \d+ places, \d+ tries; not finished: the bots walked \d+ ticks, all that they may",
        cut.failures[0].actual,
    )
    monkeypatch.undo()
    assert run_test(level, replace(test, ticks=3000)).failures[0].actual.endswith("; leave out the length of the test")
    assert run_test(level, test).status == "passed"


@pytest.mark.full
def test_a_door_is_waited_for_and_a_test_agrees():
    for opens, is_reached in (("[2.5, 0, 0]", True), ("[0, 0, 0.01]", False)):
        tests = "".join(f"  - {{name: {bot}, bot: {bot}, expect: {{goal: reached}}}}\n" for bot in ("explore", "goal"))
        level = load(text=HEAD + FLOOR + DOOR.replace("OPEN", opens) + AHEAD + "tests:\n" + tests)
        report = explore_level(level, ticks=400_000)
        assert [str(run_test(level, test).status) for test in level.tests] == ["passed" if is_reached else "failed"] * 2
        assert [found.kind for found in report.findings if found.kind == "goal"] == [] if is_reached else ["goal"]
        if is_reached:
            assert summarise_walk(level, report)[0].endswith("by way of door")
            standing = [step for step in report.solution.walk if step.forward == step.strafe == step.buttons == 0]
            assert sum(step.ticks for step in standing) > 60


TARGETS = """  - target: {name: left, at: [-1.5, 1, 0], radius: 0.5}
  - target: {name: up, at: [0, 4, -6], radius: 0.5}
  - target: {name: right, at: [1.5, 1, 0], radius: 0.5}
"""


PIT = """format: 1
spawn: {at: [0, 0, 0]}
goal: {at: [12, 0, 0], radius: 1, after: targets}
pieces:
  - floor: {from: [-3, -16], to: [3, 3], holes: [{from: [-2, -6], to: [2, -2]}]}
  - room: {from: [-2, -5, -6], to: [2, -0.01, -2], ceiling: false}
  - target: {at: [0, -4, -4], radius: 0.9, name: pit}
  - target: {at: [TARGET], name: end}
  - teleport: {from: [1, -5, -6], to: [2, -3, -5], arrive: [10, 0, 0]}
  - floor: {from: [9, -2], to: [14, 2]}
tests:
  - {name: it, bot: goal, expect: {goal: reached}}
"""


@pytest.mark.full
def test_a_target_behind_which_no_way_leads_back_is_the_last():
    level = load(text=PIT.replace("TARGET", "0, 1, -14"))
    (test,) = level.tests
    run = run_test(level, test)
    assert run.status == "passed"
    names = [event.target.name for _, event in run.walk.events if hasattr(event, "target")]
    assert names == ["end", "pit"]


@pytest.mark.full
def test_a_goal_whose_targets_no_walk_reaches_all_is_a_finding():
    hole = "holes: [{from: [-2, -6], to: [2, -2]}"
    other = "  - room: {from: [-2, -5, 0.5], to: [2, -0.01, 2.5], ceiling: false, intended: [pit]}\n"
    text = PIT.replace(hole, f"{hole}, {{from: [-2, 0.5], to: [2, 2.5]}}").replace("TARGET", "0, -4, 1.5")
    level = load(text=text.replace("tests:\n", other + "tests:\n"))
    report = explore_level(level)
    assert report.solution is None
    (found,) = [one for one in report.findings if one.kind == FindingKind.GOAL]
    assert found.details == OrderDetails(2)
    assert not any("goal" in line for line in summarise_walk(level, report)[:-1])
    finding = BotFindingWriter(level).finding(found)
    assert (finding.where, finding.severity) == ("goal", "warning")
    assert finding.message.startswith("the goal waits for 2 targets: no walk ")


def test_a_goal_that_waits_for_targets_is_reached_in_legs():
    ways = FLOOR + SHELF + LIFT.replace("PAUSE", "1") + TARGETS + AHEAD.replace("}", ", after: targets}")
    exploration = explored(HEAD + ways)
    assert exploration.solution.missing == ()
    world = World(exploration.level)
    _, events = world.run(moves.walk_command_rows(exploration.solution.walk))
    assert world.goal_tick == exploration.solution.tick
    assert [event.target.name for event in events if hasattr(event, "target")][-1] == "up"  # the nearest first
    assert all(event.tick < world.goal_tick for event in events if hasattr(event, "target"))


def test_a_fall_is_told_where_its_body_fell():
    """A body that a teleport has brought into the box of another one is not taken on until it has left that box."""
    ring = (
        "  - teleport: {from: [-2, 0, -1], to: [2, 2, 0], arrive: [0, 0, -4]}\n"
        "  - teleport: {from: [-2, 0, -5], to: [2, 2, -3.5], arrive: [4, 0, -4]}\n"
        "  - teleport: {from: [3, 0, -5], to: [5, 2, -3.5], arrive: [0, 0, -0.5]}\n"
    )
    exploration = LevelExploration(load(text=HEAD + "  - floor: {from: [-6, -6], to: [6, 6]}\n" + ring))
    exploration.explore()
    search = exploration.search
    assert len(search.falls) > 10
    for fall in search.falls[::3]:
        place, rows = fall.attempt.place, moves.walk_command_rows(search.steps_of(fall.attempt))
        walked = search.walk_states(place, rows)
        feet = feet_positions(np.concatenate([search.places.states[place : place + 1], walked.states]))
        assert np.abs(feet - fall.ground).sum(axis=1).min() < 1e-9
        assert feet[-1, 1] < search.floor or walked.death is not None


def test_a_level_of_any_size_has_an_answer_within_the_memory(monkeypatch):
    monkeypatch.setattr(bot_search, "MAX_PLACE_BYTES", 600_000)
    monkeypatch.setattr(standable_cells, "MAX_STANDABLE_CELLS", 500)
    level = load(text=HEAD + "  - floor: {from: [-10000, -10000], to: [10000, 10000]}\n" + LIFTS)
    exploration = LevelExploration(level, 100_000)
    exploration.explore()
    assert not exploration.is_complete
    assert 10 < len(exploration.search.places) < 600_000 // (3000 + 8000) + 200
    assert 100 < len(exploration.cells) < 700
    assert any(
        "not finished: the bots found" in line for line in summarise_walk(level, report_exploration(exploration))
    )


def test_a_target_that_nobody_reaches_is_missing_and_the_others_are_visited():
    exploration = explored(HEAD + FLOOR + TARGETS + AHEAD.replace("}", ", after: targets}"))
    assert exploration.solution.missing == (1,)
    world = World(exploration.level)
    world.run(moves.walk_command_rows(exploration.solution.walk))
    assert world.reached_targets.tolist() == [1, 0, 1]
    assert (world.goal_tick, world.is_at_goal) == (-1, True)


def test_each_spawn_has_its_own_answer():
    text = """format: 1
spawns:
  - {name: left, at: [0, 0, 1]}
  - {name: right, at: [20, 0, 1]}
  - {name: beside, at: [20, 0, 3]}
pieces:
  - floor: {from: [-2, -2], to: [2, 2], intended: [fall]}
  - floor: {from: [18, -2], to: [22, 4], intended: [fall]}
goal: {at: [20, 0, -1], radius: 0.5}
"""
    level = load(text=text)
    report = explore_level(level, ticks=400_000)
    right, beside = [line for line in summarise_walk(level, report) if line.startswith("from spawn")]
    assert [answer.is_reached for answer in report.goal_answers] == [False, True, True]
    assert right.startswith("from spawn 'right': the goal can be reached: ")
    assert beside == "from spawn 'beside': the goal can be reached"
    assert report.goal_answers[0].distance > 4.0
    assert [found.details.spawn for found in report.findings if found.kind == "goal"] == ["left"]


def test_every_place_is_where_its_walk_ends():
    """Also where the clock was set: the state has the bits of a walk that waits."""
    exploration = explored(HEAD + REACHED["a lift behind a gap"][0])
    search, world = exploration.search, World(exploration.level)
    start = world.state()
    waited = [k for k, attempt in enumerate(search.places.attempts) if attempt is not None and attempt.wait > 0]
    assert len(waited) > 3
    for place in {*waited, *range(1, len(search.places), 7)}:
        world.restore(start)
        world.run(moves.walk_command_rows(search.walk_to(place)))
        assert world.tick == search.places.clock(place)
        assert world.walker_state == search.state_at(place)


def test_the_search_is_the_same_on_any_number_of_threads_and_ends_within_its_ticks():
    text = HEAD + REACHED["a lift"][0]
    one, two = explored(text).search, explored(text, threads=3).search
    assert (one.ticks, one.attempt_count, one.entered) == (two.ticks, two.attempt_count, two.entered)
    np.testing.assert_array_equal(one.places.floats.view(np.int64), two.places.floats.view(np.int64))
    few = LevelExploration(load(text=text), 10_000)
    few.explore()
    assert not few.is_complete
    assert few.search.ticks < 10_000 + 2048


@pytest.mark.full
def test_a_body_of_any_size_has_ground():
    text = "format: 1\nplayer: {radii: [50, 90, 50], crouch_height: 100}\nspawn: {at: [0, 0, 0]}\npieces:\n"
    exploration = LevelExploration(load(text=text + "  - floor: {from: [-300, -300], to: [300, 300]}\n"), ticks=0)
    exploration.explore()
    assert len(exploration.cells) > 100


MAX_RISE_SECONDS = 3.0
MUSEUM = ("corridor", "crouch", "doorway", "fall", "jump", "same_again", "slim_gap", "stairs")
SOLVED = ("demo", "surfaces", "lifts", "waters", "escher", "lab", "ballroom", *(f"museum/{name}" for name in MUSEUM))


@pytest.mark.full
@pytest.mark.parametrize("name", SOLVED)
def test_a_shipped_level_is_solved_from_its_spawn(name):
    exploration = LevelExploration(load(SHIPPED_LEVELS / f"{name}.yaml"))
    exploration.explore()
    exploration.solve()
    assert exploration.is_complete
    world = World(exploration.level)
    if name == "ballroom":  # two of the targets are for balls
        assert [exploration.level.targets[k].name for k in exploration.solution.missing] == [
            "The west crystal",
            "The east crystal",
        ]
        return
    states, _ = world.run(moves.walk_command_rows(exploration.solution.walk))
    assert world.goal_tick == exploration.solution.tick
    if world.level.goal.after != "targets":
        check_field(world.level, states)


def check_field(level, states):
    """The time to the goal falls along the walk: it rises by no more than a step beside the ways, or a wait."""
    field = field_to(known_graph(level), level, level.goal.at, max(level.goal.radius, 1.0))
    feet = feet_positions(states[states["grounded"]])[::10]
    ways = [field.way_from(one) for one in feet]
    seconds = np.array([way.seconds for way in ways if way is not None])
    assert len(seconds) > 0.9 * len(feet)
    assert seconds[-1] < 1.5
    assert (seconds - np.minimum.accumulate(seconds)).max() < MAX_RISE_SECONDS
