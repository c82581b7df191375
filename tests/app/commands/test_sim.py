"""`sim`: the summary of a walk; another method on the same commands, with the same outputs."""

from __future__ import annotations

from game.app.commands.sim import walk_lines
from game.sim import World, command_script, headless_run
from tests.support.level_builder import floor_with_wall, goal_at


def summary_of(world, script, ticks=None):
    return walk_lines(headless_run.run_walk(world, script, ticks))


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
