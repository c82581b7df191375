"""The museum files: no findings, reachable from the hall by walking, with a way back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.level import Exit, Level, check, severity_exit_code
from game.level.format.file_access import is_tests_file
from game.physics import Walker, WalkerSettings, WalkerState
from tests.support.museum_levels import MUSEUM, level, mesh
from tests.support.scenes import heading

STEMS = sorted(path.stem for path in MUSEUM.glob("*.yaml") if not is_tests_file(path))
ROOMS = [stem for stem in STEMS if stem != "hall"]


def leaving(state: WalkerState, way: Exit) -> bool:
    return math.dist(state.feet, way.at) <= way.radius


def walk_into(made: Level, place: str, way: Exit, view: float) -> bool:
    """True if a walk from a place with a fixed view enters the exit within five seconds."""
    walker = Walker(WalkerSettings())
    spawn = next(spawn for spawn in made.spawns if spawn.name == place)
    start = walker.spawn(made.mesh, spawn.feet, spawn.heading)
    assert not leaving(start, way)
    states = walker.run(start, walker.commands(forward=np.ones(300), heading=heading(view)), made.mesh)
    return any(leaving(walker.state(row), way) for row in states)


def view_to(made: Level, place: str, at: tuple[float, float, float]) -> float:
    """View in degrees from a spawn to a point."""
    x, _, z = next(spawn.feet for spawn in made.spawns if spawn.name == place)
    return math.degrees(math.atan2(-(at[0] - x), -(at[2] - z)))


@pytest.mark.sample(4)
@pytest.mark.parametrize("stem", STEMS)
def test_each_level_has_no_findings(stem: str) -> None:
    findings = check(MUSEUM / f"{stem}.yaml")
    assert severity_exit_code(findings, strict=True) == 0, [finding.render() for finding in findings]
    made = level(stem)
    assert made.signs
    for spawn in made.spawns:
        state = Walker(WalkerSettings()).spawn(made.mesh, spawn.feet, spawn.heading)
        assert state.grounded
        assert math.dist(state.feet, spawn.feet) < 0.02


@pytest.mark.parametrize("stem", ROOMS)
def test_each_room_has_a_sign_about_the_fault_and_the_correct_behaviour(stem: str) -> None:
    boards = [sign.text for sign in level(stem).signs if "IN OTHER GAMES" in sign.text]
    assert boards
    assert all("\nIN THIS ONE" in text for text in boards)


def test_signs_name_the_issues_of_other_projects() -> None:
    words = " ".join((MUSEUM / f"{stem}.yaml").read_text(encoding="utf-8") for stem in ROOMS)
    for issue in ("Godot #76811", "Jolt #211", "Rapier !627", "ursina #834", "godot #83673", "rapier.js #274",
                  "godot-proposals #2751", "godot-docs #5202"):  # fmt: skip
        assert issue in words


def test_the_hall_leads_to_every_room() -> None:
    """By walking: from the place before each gate into it, and from the entrance back to the demo level."""
    hall = level("hall")
    assert sorted(way.path.stem for way in hall.exits) == sorted([*ROOMS, "demo"])
    for way in hall.exits:
        stem = "entrance" if way.path.stem == "demo" else way.path.stem
        assert walk_into(hall, stem, way, view_to(hall, stem, way.at)), stem


@pytest.mark.full
def test_every_gate_is_reachable_from_the_entrance() -> None:
    """On a grid of 0.5 m over the court: walks between neighbouring places connect all of them."""
    hall, world = level("hall"), mesh("hall")
    walker = Walker(WalkerSettings(acceleration=math.inf, deceleration=math.inf))
    start = hall.spawns[0].feet
    states = {(0, 0): walker.spawn(world, start, 0)}
    edge = [(0, 0)]
    while edge:
        i, j = edge.pop()
        for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            key = (i + di, j + dj)
            x, z = start[0] + key[0] * 0.5, start[2] + key[1] * 0.5
            if key in states or abs(x) > 13.6 or abs(z) > 12.0:
                continue
            here = states[i, j]
            far = math.hypot(x - here.position[0], z - here.position[2])
            view = math.degrees(math.atan2(-(x - here.position[0]), -(z - here.position[2])))
            rows = walker.commands(forward=np.full(10, far / 4.0 * 6.0), heading=heading(view))
            after = walker.state(walker.run(here, rows, world)[-1])
            if math.hypot(after.position[0] - x, after.position[2] - z) < 0.05 and after.grounded:
                states[key] = after
                edge.append(key)
    for spawn in hall.spawns:
        near = min(math.dist(state.feet, spawn.feet) for state in states.values())
        assert near <= 0.5, spawn.name


@pytest.mark.parametrize("stem", ROOMS)
def test_each_room_leads_back_to_its_gate(stem: str) -> None:
    """An exit to the hall that can be reached from the door; its spawn exists."""
    made, hall = level(stem), level("hall")
    back = [way for way in made.exits if way.path == (MUSEUM / "hall.yaml").resolve()]
    assert back
    assert walk_into(made, made.spawns[0].name, back[0], view_to(made, made.spawns[0].name, back[0].at))
    for way in made.exits:
        assert way.path.is_file()
        names = [spawn.name for spawn in level(way.path.stem).spawns]
        assert way.spawn in names
    assert {way.spawn for way in back} == {stem}
    arrival = next(spawn for spawn in hall.spawns if spawn.name == stem)
    assert all(math.dist(arrival.feet, way.at) > way.radius + 0.5 for way in hall.exits)
