"""docs/levels.md: each step has no findings, the mistake has the finding of the page, and the goal can be reached."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from game.level import check, load
from game.physics import Command
from game.sim import World
from tools.docs import levels_page
from tools.docs.levels_page import PAGE, steps

TEXT = PAGE.read_text(encoding="utf-8")
STEPS = steps()
WAY = [(0, 3), (0, 0.5), (2.9, 0), (2.9, -6), (-1, -5)]  # up both stairs, on the plan


@pytest.fixture
def tower(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text):
        (tmp_path / "tower.yaml").write_text(text, encoding="utf-8")
        return "tower.yaml"

    return write


def test_there_are_seven_steps_with_a_picture_each():
    assert len(STEPS) == 7 == len(re.findall(r"^## \d\.", TEXT, re.M))
    assert len(re.findall("```yaml", TEXT)) == 7
    assert len({step.picture for step in STEPS}) == 7
    assert all(step.picture.is_file() for step in STEPS)


@pytest.mark.parametrize("number", range(1, 8))
def test_each_step_is_a_level_without_a_finding(tower, number):
    findings = check(tower(STEPS[number - 1].text))
    unused = [finding for finding in findings if "is never used" in finding.message]
    assert [finding for finding in findings if finding not in unused] == []
    assert not unused or number < 4, "the page speaks of surfaces that are for later only at first"


def test_the_lift_the_lamp_and_the_water_are_pieces_without_a_finding(tower):
    added = re.search(r"## A lift, a lamp and water.*?```text\n(.*?)```", TEXT, re.S)
    assert added is not None
    path = tower(STEPS[-1].text.replace("goal:", f"{added[1]}goal:"))
    assert check(path) == []
    level = load(path)
    assert (len(level.movers), len(level.lights), [zone.kind for zone in level.all_zones]) == (1, 1, ["water"])


def test_the_mistake_is_told_as_the_page_tells_it(tower):
    told = re.search(r"```text\n(.*?)```", TEXT, re.S)
    assert told is not None
    wrong = STEPS[-1].text.replace("run: 0.30, width: 1.4", "run: 0.30, widht: 1.4")
    assert wrong != STEPS[-1].text
    assert "\n".join(finding.render() for finding in check(tower(wrong))) == told[1].rstrip("\n")


def reaches_goal(world: World, way: list[tuple[float, float]]) -> bool:
    """Whether a walk along points of the plan comes to the goal."""
    left = list(way)
    for _ in range(900):
        x, _, z = world.walker_state.feet
        if left and math.hypot(left[0][0] - x, left[0][1] - z) < 0.15:
            left.pop(0)
        if world.goal_tick >= 0 or not left:
            break
        east, south = left[0][0] - x, left[0][1] - z
        world.step(Command(forward=1.0, heading=round(math.atan2(-east, -south) / math.tau * 65536) % 65536))
    return world.goal_tick > 0


def test_the_goal_is_reached_by_the_stairs(tower):
    assert reaches_goal(World(load(tower(STEPS[-1].text))), WAY)


def test_the_rooms_that_share_a_wall_have_no_finding_and_the_doorway_is_open():
    assert check(text=levels_page.rooms()) == []
    walker = World(load(text=levels_page.rooms()))
    for _ in range(120):
        walker.step(Command(forward=1.0, heading=49152))
    assert walker.walker_state.feet[0] > 10


def test_the_two_storeys_have_no_finding_and_one_walks_up():
    text = levels_page.storeys()
    assert check(text=text) == []
    assert reaches_goal(World(load(text=text)), [(6, -1), (1, -0.6), (1, -7), (6, -7), (6, -2)])
    whole = "\n".join(line for line in text.splitlines() if "floor_holes" not in line)
    (finding,) = check(text=whole)
    assert str(finding).endswith('room "loft": it closes the way up `stairs` (line 13): it has no hole there')


def test_no_slit_is_left_between_the_storeys():
    """From each side, every ray towards the house from below the ceiling to above the floor hits its outside."""
    middle, half = np.array([4.0, 0.0, -4.0]), 4.2  # m: the walls stand outside of a room of 8 x 8 m
    heights, along = np.meshgrid(np.linspace(2.7, 3.1, 41), np.linspace(-half + 0.01, half - 0.01, 60))
    mesh = load(text=levels_page.storeys()).mesh
    for toward in np.array([[1.0, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]):
        across = np.array([toward[2], 0.0, toward[0]])
        start = middle - (half + 1.0) * toward + along.reshape(-1, 1) * across
        start[:, 1] = heights.ravel()
        hits = mesh.raycast_many(start, np.tile(toward, (len(start), 1)), 10.0)
        np.testing.assert_allclose(hits.distance, 1.0, atol=1e-9)


def test_a_deleted_piece_brings_the_warnings_that_the_page_of_checks_names():
    def without(text: str, line: str) -> list[tuple[str, str]]:
        rows = [row for row in text.splitlines() if not row.startswith(f"  - {line}")]
        return [(found.where, found.severity) for found in check(text="\n".join(rows))]

    warned = [("spawn (spawn 1)", "warning"), ("surfaces", "warning"), ("goal", "warning")]
    assert without(STEPS[-1].text, "floor:") == warned
    assert without(levels_page.storeys(), "stairs:") == [("goal", "warning")]
    assert without(levels_page.storeys(), "wall: {name: rail") == []


def test_without_shared_the_finding_is_that_of_the_page():
    (finding,) = check(text=levels_page.without_shared(), base="rooms.yaml")
    first, _, _, cure = finding.render().splitlines()
    shown = TEXT[TEXT.index("rooms.yaml:5:") :].splitlines()[:2]
    assert shown == [first, cure]
