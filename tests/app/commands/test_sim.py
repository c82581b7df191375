"""`sim`: the summary of a walk; another method on the same commands, with the same outputs."""

from __future__ import annotations

import numpy as np
import pytest

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


@pytest.mark.full
def test_a_published_method_walks_and_ours_by_its_name_is_ours(game, level_file, tmp_path):
    walk = tmp_path / "north.commands"
    walk.write_text("90 forward 1\n", encoding="utf-8")
    ends, hashes = {}, {}
    for name in ("guide", "walker", None):
        more = () if name is None else ("--technique", name)
        rows = tmp_path / f"{name}.npz"
        done = game("sim", level_file, "--commands", walk, "--ticks", "90", "-o", rows, *more)
        assert done.returncode == 3 or done.stdout.splitlines()[-1].startswith("goal: reached"), done.stderr
        with np.load(rows) as arrays:
            assert sorted(arrays) == ["grounded", "heading", "position", "tick", "velocity"]
            assert arrays["position"].shape == (90, 3)
            ends[name] = arrays["position"][-1]
        hashes[name] = next(line for line in done.stdout.splitlines() if line.startswith("hash: "))
    assert hashes["walker"] == hashes[None] != hashes["guide"]
    # at its full speed at once, the guide is ahead by what ours needs to start: v^2 / 2a
    assert abs(ends[None][2] - ends["guide"][2] - 4.0**2 / (2 * 60.0)) < 4.0 / 60
