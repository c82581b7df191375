"""`sim`: the summary of a walk; another method on the same commands, with the same outputs."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.commands.sim import walk_lines
from game.level import Target
from game.sim import World, command_script, headless_run
from game.sim.command_script import parse_script
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
    lines = walk_lines(run)
    assert lines[-3:-2] == [f"targets: 1 of 2 reached, the last at tick {run.events[0].tick}"]
    assert lines[-1] == "goal: missed"
    assert "targets: 0 of 2 reached" in summary_of(World(level), parse_script("60"))
    summary = summary_of(World(floor_with_wall()), parse_script("60"))
    assert not any(line.startswith("targets") for line in summary)


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


@pytest.mark.full
def test_options_that_exclude_each_other_are_reported(game, level_file, tmp_path):
    walk = tmp_path / "north.commands"
    walk.write_text("5 forward 1\n", encoding="utf-8")
    common = ("sim", level_file, "--commands", walk)
    for more, words in (
        (("--technique", "quake"), "no technique is called 'quake'"),
        (("--technique", "guide", "--mended", "wings"), "'wings' is not a defect"),
        (("--mended", "turn"), "--mended needs --technique guide"),
    ):
        done = game(*common, *more)
        assert done.returncode == 2, (more, done.stderr)
        assert words in done.stderr
    assert game(*common, "--technique", "guide", "--mended", "turn,margin").returncode == 3
