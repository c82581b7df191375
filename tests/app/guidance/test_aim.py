"""The aim of a level: in its own words, with the present progress."""

from __future__ import annotations

import pytest

from game.app.guidance.aim import DONE, describe_aim, describe_collection
from game.app.runs.progress import SHIPPED_HASHES
from game.level import load
from game.level.format.file_access import SHIPPED_LEVELS
from game.sim import World
from game.sim.replay.fingerprint import level_hash

HEAD = """\
format: 1
name: Bells
spawn: {at: [0, 0, 0], facing: north}
"""
FLOOR = """\
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
"""
BELLS = """\
  - target: {name: The low bell, at: [0, 1, -4], radius: 0.6}
  - target: {name: The bell of the house, at: [9, 1, -8], radius: 0.6}
"""
GOAL = "goal: {at: [0, 0, -12], radius: 0.5, after: targets}\n"


def made(head="", goal="", pieces=""):
    return load(text=HEAD + head + goal + FLOOR + pieces)


@pytest.mark.parametrize("name", sorted(SHIPPED_HASHES))
@pytest.mark.sample(3)
def test_each_shipped_level_says_its_aim_outside_of_its_hash(name):
    level = load(SHIPPED_LEVELS / name)
    assert level.aim.endswith(".")
    assert level.aim[0].isupper()
    assert describe_aim(level, World(level)) == level.aim
    assert level_hash(level) == SHIPPED_HASHES[name]


def test_progress_follows_the_targets_to_the_goal():
    level = made("aim: Ring both bells, then go back to the tower.\n", GOAL, BELLS)
    world = World(level)
    assert describe_aim(level, world) == "Ring both bells, then go back to the tower."
    world._runs.targets[0, 0] = 1
    assert describe_aim(level, world) == "Find 1 more bell, then go back to the tower."
    world._runs.targets[0, 1] = 1
    assert describe_aim(level, world) == "Go back to the tower."
    world.goal_tick = 9
    assert describe_aim(level, world) == DONE


@pytest.mark.parametrize(
    ("goal", "pieces", "aim", "collected"),
    [
        (GOAL, BELLS, "Find the 2 bells, then reach the light.", "2 bells"),
        (GOAL.replace(", after: targets", ""), "", "Reach the light.", ""),
        ("", BELLS, "Find the 2 bells.", "2 bells"),
        ("", "", "Look around.", ""),
        ("play: {throws: true}\n", "", "Look around and throw balls.", ""),
    ],
)
def test_a_level_without_words_of_its_own_has_an_aim_all_the_same(goal, pieces, aim, collected):
    level = made("", goal, pieces)
    assert (describe_aim(level), describe_collection(level)) == (aim, collected)
