"""The aim of a level: in its own words, with the present progress, and what bad words of a file give."""

from __future__ import annotations

import pytest

from game.app.guidance.aim import DONE, DONE_WITH_EXITS, describe_aim, describe_collection, target_noun
from game.app.runs.progress import SHIPPED_HASHES
from game.level import LevelError, load
from game.level.format.file_access import SHIPPED_LEVELS
from game.level.format.level_file import MAX_AIM_LENGTH
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


def test_a_hall_asks_for_a_door(tmp_path):
    doors = "exits:\n  - {at: [5, 0, 5], to: a.yaml}\n  - {at: [-5, 0, 5], to: a.yaml}\n"
    level = made("", doors)
    assert describe_aim(level, World(level)) == "Choose a door."


def test_the_end_names_the_door_where_there_is_one():
    level = made("", "goal: {at: [0, 0, -12], radius: 0.5}\nexits:\n  - {at: [5, 0, 5], to: a.yaml}\n")
    world = World(level)
    world.goal_tick = 1
    assert describe_aim(level, world) == DONE_WITH_EXITS


def test_the_noun_is_counted_in_the_aim_or_shared_by_the_names():
    names = BELLS.replace("The low bell", "The wall").replace("The bell of the house", "The stairs")
    assert target_noun(made("", GOAL, BELLS)) == "bell"
    assert target_noun(made("", GOAL, names)) == "target"
    assert target_noun(made("aim: Visit the two stations.\n", GOAL, names)) == "station"
    assert target_noun(load(SHIPPED_LEVELS / "lab.yaml")) == "station"
    assert target_noun(load(SHIPPED_LEVELS / "escher.yaml")) == "gem"


def test_golf_asks_for_the_hole_and_then_for_the_flag():
    level = load(SHIPPED_LEVELS / "golf" / "one.yaml")
    world = World(level)
    assert "hole" in describe_aim(level, world)
    world.golf.hole = 1
    world.golf.card.append(2)
    assert describe_aim(level, world) == "Walk to the flag."
    assert describe_collection(level) == "Par 3"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("5", "is no sentence"),
        ("1e9", "is no sentence"),
        ("true", "is no sentence"),
        ('"?!"', "is no sentence"),
        ("2026-01-01", "is no sentence"),
        ('""', "expected text, found nothing"),
        ('"  "', "the text is blank"),
        ("[Reach, it]", "found a list"),
        ("{reach: it}", "found a mapping"),
        ("x " * MAX_AIM_LENGTH, "the limit is 120"),
        ('"Reach\\u0007 it"', "control character"),
    ],
)
def test_a_bad_aim_is_a_finding_at_its_place(value, message):
    level = made(f"aim: {value}\n")
    (finding,) = level.findings
    assert message in finding.message
    assert (finding.line, finding.column, finding.severity, level.aim) == (4, 6, "dropped", "")
    assert describe_aim(level) == "Look around."


def test_an_aim_of_several_lines_becomes_one():
    assert made("aim: >\n  Reach\n  the light.\n").aim == "Reach the light."
    with pytest.raises(LevelError, match="a colon is not allowed here"):
        made("aim: Reach: the light.\n")
