"""The summary of a headless walk: length, end, falls, targets, and the goal in the last line."""

from __future__ import annotations

from game.app.commands.walk_summary import summarise_headless_walk
from game.level import Target
from game.sim import World, command_script, headless_run
from game.sim.command_script import parse_script
from tests.support.level_builder import floor_with_wall, goal_at


def summary_of(world, script, ticks=None):
    return summarise_headless_walk(headless_run.run_walk(world, script, ticks))


def test_the_summary_tells_ticks_end_and_goal_of_a_walk():
    goal = goal_at(0.0, 0.0, -4.0, 0.5)
    script = command_script.parse_script("60 forward 1")
    lines = summary_of(World(floor_with_wall(goal=goal)), script)
    assert lines[0] == "ticks: 60 (1.00 s)"
    assert lines[-1].startswith("goal: reached at tick ")
    assert summary_of(World(floor_with_wall(goal=goal)), script, ticks=3)[-1] == "goal: missed"
    assert summary_of(World(floor_with_wall()), script)[-1] == "goal: none"
    empty = summary_of(World(floor_with_wall()), script, ticks=0)
    assert empty[0] == "ticks: 0 (0.00 s)"
    assert any(line.startswith("end: feet at (0.000") for line in empty)


def test_a_fall_is_listed_and_adds_no_distance():
    script = command_script.parse_script("600 strafe 1 sprint")
    summary = summary_of(World(floor_with_wall()), script)
    assert any(line.startswith("falls below the level: ") for line in summary)
    fastest = float(summary[1].rpartition("fastest ")[2].split()[0])
    assert fastest <= 6.51


def test_targets_are_listed_and_the_goal_is_the_last_line():
    goal = goal_at(0, 0, -7, 0.5, "targets")
    level = floor_with_wall(targets=(Target((0, 1, -2), 0.5), Target((0, 1, -6), 0.5)), goal=goal)
    run = headless_run.run_walk(World(level), parse_script("60 forward 1"))
    lines = summarise_headless_walk(run)
    assert lines[-3:-2] == [f"targets: 1 of 2 reached, the last at tick {run.events[0].tick}"]
    assert lines[-1] == "goal: missed"
    assert "targets: 0 of 2 reached" in summary_of(World(level), parse_script("60"))
    summary = summary_of(World(floor_with_wall()), parse_script("60"))
    assert not any(line.startswith("targets") for line in summary)
