"""Runs without a window: arrays of the stated shapes, reproducible files, a summary in words."""

import csv
import io
import json
import zipfile

import numpy as np
import pytest

from game.sim import World, command_script, headless_run
from tests.support.level_builder import goal_at

WALK = "30\n60 forward 1\n30 forward 1 turn 90\n10 jump\n40 crouch strafe -1"


@pytest.fixture
def result(level):
    return headless_run.run_walk(World(level), command_script.parse_script(WALK))


def test_rows_are_the_states_after_each_tick(level, result):
    world = World(level)
    for i, command in zip(range(170), command_script.parse_script(WALK).commands(0), strict=False):
        world.step(command)
        assert tuple(result.position[i]) == world.walker_state.position
        assert result.heading[i] == world.walker_state.heading
        assert result.grounded[i] == world.walker_state.grounded


@pytest.mark.parametrize("suffix", headless_run.OUTPUT_SUFFIXES)
def test_the_same_run_gives_the_same_bytes_at_any_time(level, result, suffix):
    first = headless_run.encode_walk(result, suffix)
    if suffix == ".npz":  # a zip file holds times
        entries = zipfile.ZipFile(io.BytesIO(first)).infolist()
        assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    again = headless_run.run_walk(World(level), command_script.parse_script(WALK))
    assert headless_run.encode_walk(again, suffix) == first
    assert again.hash == result.hash


def test_npz_csv_and_jsonl_say_the_same_to_the_last_bit(result):
    arrays = np.load(io.BytesIO(headless_run.encode_walk(result, ".npz")))
    assert sorted(arrays) == ["grounded", "heading", "position", "tick", "velocity"]
    table = list(csv.DictReader(io.StringIO(headless_run.encode_walk(result, ".csv").decode())))
    lines = [json.loads(line) for line in headless_run.encode_walk(result, ".jsonl").decode().splitlines()]
    assert lines == [{name: arrays[name][i].tolist() for name in lines[0]} for i in range(len(arrays["tick"]))]
    assert len(table) == len(lines)
    for i, row in enumerate(table):
        position, velocity = arrays["position"][i].tolist(), arrays["velocity"][i].tolist()
        assert [float(row[key]) for key in ("x", "y", "z")] == position
        assert [float(row[key]) for key in ("vx", "vy", "vz")] == velocity
        assert int(row["heading"]) == arrays["heading"][i]
        assert bool(int(row["grounded"])) == bool(arrays["grounded"][i])
        assert int(row["tick"]) == arrays["tick"][i]


def test_the_goal_is_reached_missed_or_none(level_with):
    script = command_script.parse_script("60 forward 1")
    goal = goal_at(0.0, 0.0, -4.0, 0.5)
    reached = headless_run.run_walk(World(level_with(goal=goal)), script)
    assert (reached.goal, reached.goal_tick > 0) == (headless_run.GoalOutcome.REACHED, True)
    assert headless_run.run_walk(World(level_with(goal=goal)), script, ticks=3).goal == headless_run.GoalOutcome.MISSED
    assert headless_run.run_walk(World(level_with()), script).goal == headless_run.GoalOutcome.NONE


def test_a_fall_is_counted_and_is_no_way(level):
    result = headless_run.run_walk(World(level), command_script.parse_script("600 strafe 1 sprint"))
    assert result.falls >= 1
    assert np.hypot(*result.displacements[:, [0, 2]].T).max() * 60 <= 6.51
