"""Causes that `diff` names: one known difference of two levels, with its line, and nothing that did not change."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from game.level import load
from game.physics import Walker
from game.physics.character.state import STATE_ROW
from game.reports.comparison import diff_document
from game.reports.comparison.cause import CauseKind
from game.reports.comparison.level_differences import level_differences
from game.reports.comparison.walk_diff import EVENTS, STATE_FIELDS, DifferenceKind, compare_walks, type_of_field
from game.sim import Command
from game.sim.replay.verifier import WORLD_COUNTERS
from tests.reports.test_diff import walk

YARD = """\
format: 1
name: Yard
spawn: {at: [0, 0.3, 6], facing: north}
goal: {at: [0, 0, -8], radius: 1.0}
surfaces:
  ice: {texture: ice, friction: 0.02}
  stone: {colour: "#8d8a83", texture: flagstone}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}
  - box: {name: kerb, from: [-2, 0, 1], to: [2, 0.2, 2], surface: stone}
  - box: {name: wall, from: [-4, 0, -12], to: [4, 3, -11], surface: stone}
"""
PLATE = """\
  - mover: {name: plate, at: [0, 0, 0], path: [[0, 0, 0], [0, 0.3, 0]], seconds: 9, pause: 20,
      of: [box: {from: [-3, 0, 3], to: [3, 0.3, 9], surface: stone}]}
"""
DOOR = """\
  - mover: {name: door, at: [0, 0, 0], path: [[0, 0, 0], [6, 0, 0]], seconds: 20, of: [
      box: {from: [-1, 0, -1], to: [1, 2, -0.5], surface: stone}]}
"""
ICY_KERB = YARD.replace("2], surface: stone", "2], surface: ice")
WALK = (Command(),) * 30 + (Command(forward=1.0),) * 240


@pytest.mark.full
@pytest.mark.parametrize(
    ("old", "new", "kind", "line", "text"),
    [
        (YARD, ICY_KERB + "player: {walk_speed: 3}\n", CauseKind.SETTINGS, 12, "`player` is in new.yaml:12"),
        (YARD + PLATE, YARD + PLATE.replace("stone", "ice"), CauseKind.MATERIAL, 12, 'mover "plate" (walkable), new'),
        (YARD + DOOR, YARD, CauseKind.MOVER, 12, 'only A has mover "door", old.yaml:12'),
        (YARD, YARD + DOOR, CauseKind.MOVER, 12, 'only B has mover "door", new.yaml:12'),
        (YARD, YARD + "kill_height: 5\n", CauseKind.LEVEL, 12, "kill_height, new.yaml:12, is -20 in A and 5 in B"),
    ],
)  # fmt: skip
def test_the_part_of_the_level_that_differs_is_named(old, new, kind, line, text, tmp_path):
    cause = find_difference(old, new, tmp_path).cause
    assert (cause.kind, cause.line) == (kind, line)
    assert text in cause.text


EXITS = "  - {name: near, at: [0, 0, 0], to: a.yaml}", "  - {name: far, at: [0, 0, 0.2], to: b.yaml}"
SPAWNS = "  - {name: here, at: [0, 0, 6], facing: north}", "  - {name: there, at: [2, 0, 6], facing: north}"
CARRIED = ", current: {name: belt, from: [-1, 0, -1], to: [1, 2, 1], flow: [0, 0, 3]}"
CARRIERS = """\
  - mover: {name: p, path: [[0, 0, 0], [4, 0, 0]], of: [box: {from: [9, 0, 9], to: [10, 1, 10]}FIRST]}
  - mover: {name: q, path: [[0, 0, 0], [0, 2, 0]], of: [box: {from: [9, 0, 9], to: [10, 1, 10]}SECOND]}
"""
CRATES = "  - box: {from: [-1, 0, 9], to: [1, 1, 10]}", "  - box: {from: [4, 0, 9], to: [6, 1, 10]}"
ROW = "  - array: {count: 2, step: [0, 0, -1], of: [quad: {corners: [[5, 0, 0], [6, 0, 0], [6, 2, 0], [5, 2, 0]]}]}\n"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (YARD, YARD + "  - sign: {at: [0, -50, 7], facing: north, text: low}\n", ["kill_height, new.yaml, is -20 in"]),
        (
            "\n".join((YARD + "exits:", *EXITS)),
            "\n".join((YARD + "exits:", *EXITS[::-1])),
            ['exit "far", new.yaml:13 (old.yaml:14 in A), has another place in the order of its kind'],
        ),
        (
            "\n".join((YARD + "exits:", *EXITS)),
            "\n".join((YARD + "exits:", EXITS[0].replace("}", ", spawn: gate}"), EXITS[1])),
            ['exit "near", new.yaml:13 (old.yaml:13 in A), has other properties: spawn none / gate (A / B)'],
        ),
        (
            "\n".join(("spawns:", *SPAWNS, YARD.replace("spawn:", "#"))),
            "\n".join(("spawns:", *SPAWNS[::-1], YARD.replace("spawn:", "#"))),
            ['spawn "there", new.yaml:2 (old.yaml:3 in A), has another place in the order of its kind'],
        ),
        (
            YARD + CARRIERS.replace("FIRST", CARRIED).replace("SECOND", ""),
            YARD + CARRIERS.replace("FIRST", "").replace("SECOND", CARRIED),
            ['current "belt", new.yaml:13 (old.yaml:12 in A), has other properties: carried by p / by q (A / B)'],
        ),
        (
            "\n".join((YARD.rstrip(), *CRATES)),
            "\n".join((YARD.rstrip(), CRATES[1].replace("4,", "4.5,"), CRATES[0].replace("1, 10]", "1, 11]"))),
            ["box, new.yaml:12 (old.yaml:13 in A), has its west side 0.50 m further east in B than in A",
             "box, new.yaml:13 (old.yaml:12 in A), has its south side 1.00 m further south in B than in A"],
        ),
        (YARD + ROW, YARD + ROW.replace("-1]", "-2]"), ["quad, new.yaml:12 (old.yaml:12 in A), has another shape or"]),
    ],
    ids=["kill height", "order of exits", "spawn of an exit", "order of spawns", "carrier", "reordered", "copy"],
)  # fmt: skip
def test_every_difference_that_a_walk_can_notice_is_listed(old, new, named, tmp_path):
    levels = []
    for name, text in (("old", old), ("new", new)):
        (tmp_path / f"{name}.yaml").write_text(text)
        levels.append(load(tmp_path / f"{name}.yaml"))
    found = [one.describe() for one in level_differences(*levels)]
    assert len(found) == len(named)
    assert all(part in text for part, text in zip(named, found, strict=True)), found


def find_difference(old, new, folder, commands=WALK):
    """The first difference of a walk in two levels."""
    walks = [walk(level, folder, name, commands) for name, level in (("old", old), ("new", new))]
    difference = compare_walks(*walks).difference
    assert difference is not None
    return difference


PLAIN = """\
format: 1
name: Plain
spawn: {at: [0, 0, 6], facing: north}
goal: {at: [0, 0, -9], radius: 1.0}
surfaces:
  stone: {texture: flagstone}
  sheet: {friction: 0.5, bounce: 0.5, speed: 0.8, flow: [0, 0.5], rub: 0.2}
define:
  steps:
    - box: {name: inner, from: [-1, 0, -1], to: [1, 0.2, 0], surface: stone}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}
"""
STOP_AND_JUMP = (
    (Command(forward=1.0),) * 70 + (Command(),) * 20 + (Command(forward=1.0, jump=True),) * 100 + WALK[30:]
)  # with a stop and jumps on the surface
JUMPED = ("sheet", "gravity", "player")
PIECES = {  # line 13
    "box": "  - box: {name: crate, from: [-1, 0, 2], to: [1, 0.2, 3]}\n",
    "ramp": "  - ramp: {name: slope, at: [0, 0, 4], facing: north, rise: 1, length: 4, width: 4}\n",
    "stairs": "  - stairs: {name: flight, at: [0, 0, 4], facing: north, steps: 5, rise: 0.18, run: 0.3, width: 3}\n",
    "sheet": "  - box: {name: mat, from: [-2, -0.5, -4], to: [2, 0.05, 4], surface: sheet}\n",
    "side": "  - group: {facing: 30, of: [box: {name: side, from: [-8, 0, -4], to: [8, 2, 1], surface: sheet}]}\n",
    "mover": "  - mover: {name: raft, path: [[0, 0, 0], [0, 0, -6]], seconds: 4, pause: 1, phase: 0, at: [0, 0, 0],"
    " of: [box: {from: [-2, 0, -1], to: [2, 0.2, 2]}]}\n",
    "two movers": "  - mover: {name: far, path: [[0, 0, 0], [0, 0, -6]], seconds: 4, at: [15, 0, 0],"
    " of: [box: {from: [-2, 0, -1], to: [2, 0.2, 2]}]}\n",
    "place": "  - place: {what: steps, at: [0, 0, 3]}\n  - place: {what: steps, at: [0, 0, 0]}\n",
    "water": "  - water: {name: zone, from: [-3, 0, -4], to: [3, 1.5, 2]}\n",
    "current": "  - current: {name: zone, from: [-3, 0, -4], to: [3, 2, 2], flow: [1, 0, 0]}\n",
    "gravity": "  - gravity: {name: zone, from: [-3, 0, -4], to: [3, 3, 2], down: [0, -1, 0], strength: 0.5}\n",
    "pad": "  - pad: {name: zone, at: [0, 0, 0], to: [0, 0, -10], over: 1}\n",
    "teleport": "  - teleport: {name: zone, from: [-3, 0, -4], to: [3, 2, 2], arrive: [10, 0, 10]}\n",
    "kill": "  - kill: {name: zone, from: [-3, 0, -4], to: [3, 2, 2]}\n",
    "checkpoint": "  - checkpoint: {name: zone, from: [-3, 0, -4], to: [3, 2, 2]}\n",
    "ladder": "  - ladder: {name: zone, at: [0, 0, 0], facing: north, height: 3, width: 1}\n",
    "target": "  - target: {name: bell, at: [0, 1, 0], radius: 0.5}\n",
    "exit": "exits: [{at: [0, 0, -5], radius: 1, to: new.yaml}]\n",
    "player": "player: {walk_speed: 4, jump_height: 1.2}\n",
    "rooms": "  - room: {name: own, shared: true, from: [-3, 0, -6], to: [3, 3, 3],"
    " doors: [{wall: south, at: 3, width: 2}]}\n"
    "  - room: {name: next, shared: true, from: [-3, 0, -12.2], to: [3, 3, -6.2],"
    " doors: [{wall: south, at: 3, width: 1.2}]}\n",
}


@pytest.mark.full
@pytest.mark.sample(10)
@pytest.mark.parametrize(
    ("piece", "old", "new", "kind", "line", "name"),
    [
        ("box", "0.2, 3]", "0.2, 3.01]", CauseKind.SURFACE, 13, 'box "crate"'),
        ("ramp", "facing: north, rise", "facing: 5, rise", CauseKind.SURFACE, 13, 'ramp "slope"'),
        ("stairs", "rise: 0.18", "rise: 0.17", CauseKind.SURFACE, 13, 'stairs "flight"'),
        ("sheet", "friction: 0.5", "friction: 0.6", CauseKind.MATERIAL, 13, 'box "mat"'),
        ("sheet", "bounce: 0.5", "bounce: 0.6", CauseKind.MATERIAL, 13, 'box "mat"'),
        ("sheet", "flow: [0,", "flow: [0.1,", CauseKind.MATERIAL, 13, 'box "mat"'),
        ("sheet", "speed: 0.8", "speed: 0.7", CauseKind.MATERIAL, 13, 'box "mat"'),
        ("side", "rub: 0.2", "rub: 0.4", CauseKind.MATERIAL, 13, 'box "side"'),
        ("mover", "[0, 0, -6]", "[0, 1, -6]", CauseKind.SURFACE, 13, 'mover "raft"'),
        ("mover", "seconds: 4", "seconds: 5", CauseKind.SURFACE, 13, 'mover "raft"'),
        ("mover", "phase: 0", "phase: 0.3", CauseKind.SURFACE, 13, 'mover "raft"'),
        ("mover", "pause: 1", "pause: 2", CauseKind.SURFACE, 13, 'mover "raft"'),
        ("mover", PIECES["mover"], PIECES["two movers"] + PIECES["mover"], CauseKind.MOVER, 13, 'mover "far"'),
        ("place", "to: [1, 0.2, 0]", "to: [1, 0.21, 0]", CauseKind.SURFACE, 10, 'box "inner"'),
        ("place", "[0, 0, 0]}", "[0, 0, -0.01]}", CauseKind.SURFACE, 10, "new.yaml:10, inside `place`, new.yaml:14,"),
        ("water", "1.5, 2]", "1.5, 2.1]", CauseKind.ZONE, 13, 'water "zone"'),
        ("current", "flow: [1,", "flow: [1.1,", CauseKind.ZONE, 13, 'current "zone"'),
        ("gravity", "strength: 0.5", "strength: 0.4", CauseKind.ZONE, 13, 'gravity "zone"'),
        ("pad", "over: 1", "over: 1.5", CauseKind.ZONE, 13, 'pad "zone"'),
        ("teleport", "arrive: [10,", "arrive: [11,", CauseKind.ZONE, 13, 'teleport "zone"'),
        ("kill", "2, 2]", "2, 2.4]", CauseKind.ZONE, 13, 'kill "zone"'),
        ("checkpoint", "2, 2]", "2, 2.4]", CauseKind.ZONE, 13, 'checkpoint "zone"'),
        ("ladder", "[0, 0, 0], facing", "[0, 0, 0.2], facing", CauseKind.ZONE, 13, 'ladder "zone"'),
        ("target", "radius: 0.5", "radius: 0.8", CauseKind.LEVEL, 13, 'target "bell"'),
        ("target", PIECES["target"], PIECES["target"] * 2, CauseKind.LEVEL, 14, 'only B has target "bell"'),
        ("exit", "radius: 1, to", "radius: 1.5, to", CauseKind.LEVEL, 13, 'exit "new"'),
        ("box", "0, -9], ra", "0, -8.5], ra", CauseKind.LEVEL, 4, "the goal"),
        ("player", "jump_height: 1.2", "jump_height: 1.3", CauseKind.SETTINGS, 13, "jump_height 1.2 / 1.3"),
        ("box", "spawn: {at: [0, 0, 6]", "spawn: {at: [0, 0, 6.01]", CauseKind.LEVEL, 3, "the spawn moved by 0.01 m"),
        ("rooms", "at: 3, width: 1.2", "at: 3.5, width: 1.2", CauseKind.SURFACE, 14, 'room "next"'),
    ],
)  # fmt: skip
def test_one_difference_of_two_levels_is_named_with_its_line(piece, old, new, kind, line, name, tmp_path):
    text = PLAIN + PIECES[piece]
    assert text.count(old) == 1
    difference = find_difference(text, text.replace(old, new), tmp_path, STOP_AND_JUMP if piece in JUMPED else WALK)
    cause = difference.cause
    assert (cause.kind, cause.line) == (kind, line)
    assert name in cause.text
    assert "may differ" not in cause.text


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("texture: flagstone", "texture: planks"),
        ("name: crate", "name: chest"),
        ("brightness: 1", "brightness: 2"),
        ("to: [15, 2, 15]", "to: [15, 3, 15]"),
    ],
)
def test_what_no_walk_notices_is_no_difference(old, new, tmp_path):
    more = "  - light: {at: [0, 3, 0], brightness: 1}\n  - box: {from: [14, 0, 14], to: [15, 2, 15]}\n"
    text = PLAIN + PIECES["box"] + more
    walks = [walk(level, tmp_path, name, WALK) for name, level in (("old", text), ("new", text.replace(old, new)))]
    assert compare_walks(*walks).difference is None


def test_what_differs_far_from_the_body_is_listed_and_not_the_cause(tmp_path):
    """As with another version of the rules: the body of B starts with another speed."""
    text = PLAIN + PIECES["box"]
    walks = [walk(text, tmp_path, "old", WALK), walk(text + "kill_height: -9\n", tmp_path, "new", WALK)]
    world = walks[1].world
    world.walker = Walker(dataclasses.replace(world.settings, walk_speed=3.0))
    cause = compare_walks(*walks).difference.cause
    assert (cause.kind, cause.side, cause.file) == (CauseKind.UNKNOWN, "", "")
    assert cause.text.endswith("the levels differ: kill_height, new.yaml:14, is -20 in A and -9 in B")


def test_a_zone_around_the_body_is_no_cause_of_an_early_goal(tmp_path):
    """Another strength of gravity does not act on a body that stands; both bodies are in it when B reaches its goal."""
    text = PLAIN + PIECES["gravity"].replace("-4], to", "-12], to")
    new = text.replace("strength: 0.5", "strength: 0.4").replace("radius: 1.0", "radius: 2.0")
    difference = find_difference(text, new, tmp_path)
    assert (difference.kind, difference.cause.line) == (DifferenceKind.WORLD, 4)


BASE = """\
format: 1
name: T
player: {jump_height: 0}
spawn: {at: [0, 0, 3], facing: north}
surfaces: {belt: {flow: [0, 0]}}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
"""
BELT = """\
  - ladder: {at: [0.6, 0, -1], facing: east, height: 3}
  - box: {from: [-2, 0, -1], to: [2, 0.05, -4], surface: belt}
"""
LIFT = """\
  - mover: {at: [0, 0, 1], path: [[0, 0, 0], [6, 0, 0]], seconds: 3, pause: 0.5,
      of: [box: {from: [-1, -0.2, -1], to: [1, 0.1, 1]}, box: {from: [3, 0, -1], to: [4, 1, 1]}]}
  - gravity: {from: [2, 0, 0], to: [9, 9, 9], strength: 1}
"""
JUMP = (Command(),) * 30 + (Command(jump=True),) * 20 + (Command(),) * 60
RIDE = (Command(forward=0.5),) * 60 + (Command(),) * 400


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "cause", "other", "commands", "kind", "line"),
    [
        (BASE, ("jump_height: 0", "jump_height: 1"), ("to: [20, 20]", "to: [20, 21]"), JUMP, CauseKind.SETTINGS, 3),
        (BASE + BELT, ("flow: [0", "flow: [0.5"), ("height: 3", "height: 4"), WALK, CauseKind.MATERIAL, 9),
        (BASE + LIFT, ("strength: 1", "towards: up"), ("to: [4, 1, 1]", "to: [4, 1.1, 1]"), RIDE, CauseKind.ZONE, 10),
    ],
)
def test_what_cannot_act_in_the_tick_is_no_cause(text, cause, other, commands, kind, line, tmp_path):
    """The other change alone makes no difference, although the body touches that part, or is in it."""
    changed = text.replace(*other)
    walks = [walk(level, tmp_path, name, commands) for name, level in (("same", text), ("other", changed))]
    assert compare_walks(*walks).difference is None
    found = find_difference(text, changed.replace(*cause), tmp_path, commands).cause
    assert (found.kind, found.line) == (kind, line)
    assert "the levels differ" not in found.text


POOL = "  - water: {name: pool, from: [-9, 0, -9], to: [9, 1.5, 5]}\n"
PLATE_BOX = "  - box: {name: plate, from: [-2, 0, 1], to: [2, 0.2, 2]}\n"
WALL = "  - box: {name: wall, from: [-4, 0, -3], to: [4, 3, -2]}\n"
SLOPE = "  - ramp: {name: slope, at: [0, 0, 4], facing: north, rise: 1, length: 4, width: 4}\n"


@pytest.mark.full
@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (POOL, POOL.replace("1.5", "0.7"), "has its top 0.80 m lower in B than in A (old.yaml:13)"),
        (POOL.replace("1.5", "0.7"), POOL, "has its top 0.80 m higher in B than in A (old.yaml:13)"),
        (POOL, POOL.replace("[9, 1.5", "[8, 0.7"),
            "has its east side 1.00 m further west and its top 0.80 m lower in B than in A (old.yaml:13)"),
        (PLATE_BOX, PLATE_BOX.replace("0.2, 2]", "0.21, 2]"), "has its top 0.01 m higher in B than in A (old.yaml:13)"),
        (PLATE_BOX, PLATE_BOX.replace("0.2, 2]", "0.205, 2]"), "has its top 5 mm higher in B than in A (old.yaml:13)"),
        (PLATE_BOX, PLATE_BOX.replace("0.2, 2]", "0.205, 2.1]"),
            "where it has its top 5 mm lower and its south side 0.10 m further north (old.yaml:13)"),
        (WALL, WALL.replace("-3]", "-3.5]").replace("-2]", "-2.5]"),
            "where it lies 0.50 m further north (new.yaml:13)"),
        (WALL, WALL.replace("-2]", "-2.125]"), "where it has its south side 0.125 m further north (new.yaml:13)"),
        (SLOPE, SLOPE.replace("rise: 1,", "rise: 1.2,"), "has its top 0.20 m higher in B than in A (old.yaml:13)"),
        (SLOPE, SLOPE.replace("0, 4],", "0, 5],"), "where it lies 1.00 m further north (old.yaml:13)"),
        (SLOPE, SLOPE.replace("facing: north", "facing: 5"), "has another shape or place in B than in A (old.yaml:13)"),
    ],
)  # fmt: skip
def test_a_simple_change_of_place_or_size_is_told(old, new, text, tmp_path):
    assert find_difference(PLAIN + old, PLAIN + new, tmp_path).cause.text.endswith(text)


def test_a_change_that_the_box_does_not_show_is_not_told(tmp_path):
    """Stairs with other steps of the same length: only the top of their box moves, but each step is higher."""
    levels = []
    for rise in ("0.18", "0.2"):
        path = tmp_path / "flight.yaml"
        path.write_text(PLAIN + PIECES["stairs"].replace("0.18", rise))
        levels.append(load(path))
    (found,) = level_differences(*levels)
    assert found.describe().endswith("has another shape or place")


def test_the_spawn_that_is_used_is_named(tmp_path):
    """Both spawns moved."""
    text = PLAIN + "spawns: [{name: other, at: [5, 0, 5]}]\n"
    moved = text.replace("[0, 0, 6]", "[0, 0, 7]").replace("[5, 0, 5]", "[5, 0, 6]")
    cause = find_difference(text, moved, tmp_path).cause
    assert (cause.kind, cause.line) == (CauseKind.LEVEL, 3)


def test_a_start_on_other_ground_is_no_moved_spawn(tmp_path):
    hole = PLAIN.replace("to: [20, 20]", "to: [20, 4]")
    cause = find_difference(PLAIN, hole, tmp_path).cause
    assert (cause.kind, cause.line) == (CauseKind.SURFACE, 12)
    assert "the start moved by" in cause.text
    assert "spawn" not in cause.text


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("piece", "old", "new", "lines"),
    [
        ("ramp", "rise: 1,", "rise: 1.5,", (14, 13)),
        ("gravity", "strength: 0.5", "strength: 0.4", (14, 13)),
        ("water", "1.5, 2]", "1.5, 2.1]", (14, 13)),
        ("box", "spawn: {at: [0, 0, 6]", "spawn: {at: [0, 0, 6.01]", (4, 3)),
        ("player", "jump_height: 1.2", "jump_height: 1.3", (14, 13)),
        ("sheet", "friction: 0.5", "friction: 0.6", (14, 13)),
        ("box", PIECES["box"], "", (14, 0)),
    ],
)  # fmt: skip
def test_a_part_of_both_levels_has_its_place_in_both(piece, old, new, lines, tmp_path):
    text = PLAIN + PIECES[piece]
    commands = STOP_AND_JUMP if piece in JUMPED else WALK
    cause = find_difference("# the first line\n" + text, text.replace(old, new), tmp_path, commands).cause
    assert tuple(line for _, line in cause.places) == lines
    names = tuple(Path(file).name for file, _ in cause.places)
    assert names == ("old.yaml", "new.yaml" if lines[1] else "")
    assert (f"old.yaml:{lines[0]}" in cause.text) == (piece not in ("gravity", "sheet"))


def test_the_schema_has_the_kinds_of_causes_and_the_fields_of_walks():
    schema = json.loads((Path(diff_document.__file__).parent.parent / "schemas" / "diff.json").read_text())
    difference = schema["properties"]["difference"]["properties"]
    names = [*(STATE_ROW.names or ()), EVENTS, WORLD_COUNTERS]
    assert difference["fields"]["items"]["properties"]["field"]["enum"] == list(STATE_FIELDS) == names
    assert {name: type_of_field(name) for name in ("position", "mover", "grounded")} == {
        "position": "3 numbers",
        "mover": "integer",
        "grounded": "boolean",
    }
    assert difference["cause"]["properties"]["kind"]["enum"] == list(CauseKind)
