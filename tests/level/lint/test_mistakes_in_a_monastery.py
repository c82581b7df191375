"""Mistakes in a monastery that stands: each has one finding, and what the finding tells to do mends it."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from tests.support.level_mistakes import assert_told_and_mended, changed, level_of, said

MONASTERY = """format: 1
name: The monastery on the hill
about: A small monastery with a church, a cloister and a cellar.
spawn: {at: [0, 0, 48], facing: north}
goal: {at: [-1.3, 15.4, -11], radius: 0.8, after: targets}
sky: {palette: morning, sun: {height: 35, from: east}}
medals: {gold: 90, silver: 120, bronze: 180}
surfaces:
  grass: {colour: "#7c8150", texture: grass}
  stone: {colour: "#b8a98c", texture: flagstone}
  brick: {colour: "#b0765a", texture: brick}
  plaster: {colour: "#e6dfcf", texture: plaster}
  wood: {colour: "#8a6a45", texture: planks}
  rock: {colour: "#77716a", texture: concrete}
define:
  bench:
    - box: {from: [-0.8, 0.4, -0.2], to: [0.8, 0.48, 0.2], surface: wood}
    - box: {from: [-0.7, 0, -0.15], to: [-0.6, 0.4, 0.15], surface: wood}
    - box: {from: [0.6, 0, -0.15], to: [0.7, 0.4, 0.15], surface: wood}
  lantern:
    - pillar: {at: [0, 0, 0], radius: 0.08, height: 2.2, sides: 8, surface: wood}
    - light: {at: [0, 2.5, 0], brightness: 0.8, reach: 7}
pieces:
  - terrain: {name: hill, from: [-40, -40], to: [40, 52], formula: "3.9 * (1 - smoothstep(16, 32, max(abs(x), abs(z)))) - 8 * (1 - smoothstep(15, 16, max(abs(x), abs(z)))) - 2 * (1 - smoothstep(1, 5, abs(z - 42)))", surface: grass, steep_surface: rock}
  - floor: {name: plateau, from: [-16, -16], to: [16, 16], y: 4, thickness: 0.2, holes: [{from: [4.2, 6], to: [5.8, 10.5]}], surface: stone}
  - box: {name: bridge, from: [-1.2, -0.3, 36], to: [1.2, 0.1, 47], surface: wood, intended: [low]}
  - sign: {text: "The monastery", at: [2, 1.5, 48], facing: south, post: 1.4, surface: wood}
  - arch: {name: gate, from: [-3, 14], to: [3, 14], y: 4, height: 4, thickness: 0.6, width: 2.4, spring: 2, surface: brick}
  - room:
      name: church
      from: [-12, 4, -14]
      to: [-4, 10, 2]
      floor: false
      doors: [{wall: south, width: 1.6, height: 2.6}]
      windows: [{wall: west, at: 12, width: 1, height: 2, sill: 2}, {wall: east, at: 10, width: 1, height: 2, sill: 2}]
      surface: brick
      wall_surface: plaster
  - place: {what: bench, at: [-9.5, 4, -4], facing: north}
  - place: {what: bench, at: [-6.5, 4, -4], facing: north}
  - place: {what: bench, at: [-9.5, 4, -2], facing: north}
  - light: {at: [-8, 8, -6], brightness: 1, reach: 12}
  - room:
      name: tower
      shared: true
      from: [-3.8, 4, -14]
      to: [1.2, 12, -9]
      floor: false
      doors: [{wall: west, at: 4.3, width: 1}]
      holes: [{from: [-3.6, -13.8], to: [-0.4, -10.6]}]
      surface: brick
  - spiral_stairs: {name: winding stair, at: [-2, 4, -12.2], facing: south, steps: 41, rise: 0.2, radius: 1.6, turn: 20, surface: stone}
  - room:
      name: bell loft
      from: [-3.8, 12.2, -14]
      to: [1.2, 15.2, -9]
      floor: false
      windows: [{wall: south, width: 1.5}, {wall: east, at: 3.5, width: 1.2}, {wall: north, width: 1.5}]
      holes: [{from: [0.2, -13.6], to: [1.2, -12.4]}]
      surface: brick
  - target: {name: The bell, at: [0.4, 13.2, -10], radius: 0.6}
  - ladder: {name: loft ladder, at: [1.2, 12.2, -13], facing: east, height: 3.2, surface: wood}
  - room:
      name: sacristy
      shared: true
      from: [-15.6, 4, -10]
      to: [-12.2, 7, -5]
      floor: false
      doors: [{wall: east, at: 2.5, width: 1.2}]
      surface: brick
  - mover:
      name: sliding door
      at: [-12.1, 4, -7.5]
      path: [[0, 0, 0], [0, 0, 1.2]]
      seconds: 2
      pause: 3
      of: [box: {from: [-0.06, 0.02, -0.62], to: [0.06, 2.08, 0.62], surface: wood}]
  - target: {name: The chalice, at: [-14.5, 5, -7.5], radius: 0.6}
  - light: {at: [-14, 6.5, -6], brightness: 0.6, reach: 6}
  - floor: {name: cloister roof, from: [4, -12], to: [14, -2], y: 7.2, thickness: 0.2, holes: [{from: [6, -10], to: [12, -4]}], surface: brick}
  - array:
      count: 4
      turn: 90
      around: [9, 0, -7]
      of:
        - array:
            count: 3
            step: [2, 0, 0]
            of: [pillar: {at: [6.2, 4, -10.2], radius: 0.2, height: 3, surface: stone}]
  - box: {name: garden, from: [6.8, 4, -9.2], to: [11.2, 4.15, -4.8], surface: grass}
  - place: {what: lantern, at: [9, 4.15, -7]}
  - place: {what: bench, at: [9, 4, -2.8], facing: north}
  - mover:
      name: goods lift
      at: [15, 4, -7]
      path: [[0, 0, 0], [0, 3.1, 0]]
      seconds: 3
      pause: 2
      of: [box: {from: [-0.95, 0, -1], to: [0.95, 0.1, 1], surface: wood}]
  - target: {name: The swallow's nest, at: [13, 8.2, -11], radius: 0.6}
  - room: {name: cellar, from: [4, 1, 4], to: [12, 3.8, 12], ceiling: false, surface: rock}
  - stairs: {name: cellar stairs, at: [5, 1, 10.5], facing: north, steps: 15, rise: 0.2, run: 0.3, width: 1.6, surface: stone}
  - wall: {from: [9, 8], to: [11.9, 8], y: 1, height: 0.5, surface: stone}
  - wall: {from: [9, 11.5], to: [11.9, 11.5], y: 1, height: 0.5, surface: stone}
  - wall: {from: [9, 8.1], to: [9, 11.4], y: 1, height: 0.5, surface: stone}
  - wall: {from: [11.9, 8.1], to: [11.9, 11.4], y: 1, height: 0.5, surface: stone}
  - water: {from: [9.1, 1, 8.1], to: [11.8, 1.4, 11.4]}
  - target: {name: The spring, at: [10.4, 2, 9.8], radius: 0.6}
  - light: {at: [8, 3, 7], brightness: 0.7, reach: 8}
  - place: {what: lantern, at: [3.5, 4, 12]}
  - place: {what: lantern, at: [-3.5, 4, 12]}
  - sign: {text: "Church", at: [-6, 5.6, 2.3], facing: south, surface: wood}
  - checkpoint: {name: The gate, from: [-1.2, 4, 12.5], to: [1.2, 6, 13.5]}
tests:
  - {name: the bridge holds, walk: ["180 forward 1"], expect: {deaths: 0}}
"""

CHURCH = MONASTERY[
    MONASTERY.index("      name: church") : MONASTERY.index("  - place: {what: bench, at: [-9.5, 4, -4]")
]

# What is right and what the author wrote instead; words of the only finding, and of its cure; the cure in the file.
MISTAKES: dict[str, tuple[tuple[str, str], str, str, tuple[str, str]]] = {
    "a tower without a hole over its spiral stairs": (("      holes: [{from: [-3.6, -13.8], to: [-0.4, -10.6]}]\n", ""), 'room "tower": it closes the way up `spiral_stairs "winding stair"` (line 50): it has no hole there', "add `holes: [{from: [-3.57569, -13.7035], to: [-0.424308, -10.6]}]` to it", ("      doors: [{wall: west, at: 4.3, width: 1}]\n", "      doors: [{wall: west, at: 4.3, width: 1}]\n      holes: [{from: [-3.57569, -13.7035], to: [-0.424308, -10.6]}]\n")),
    "a cellar forgotten": (("  - room: {name: cellar, from: [4, 1, 4], to: [12, 3.8, 12], ceiling: false, surface: rock}\n", ""), 'stairs "cellar stairs": the foot of the stairs at (5, 1, 10.5) hangs in the air, 5.1 m above `terrain "hill"` (line 24)', "put a floor below it, at a height of 1", ("  - stairs: {name: cell", "  - floor: {from: [4.2, 4], to: [5.8, 14], y: 1}\n  - stairs: {name: cell")),
    "a gem below its floor": (("[-14.5, 5, -7.5]", "[-14.5, 3, -7.5]"), 'target "The chalice": the target at (-14.5, 3, -7.5) is under `floor "plateau"` (line 25): nobody reaches it', "raise it by 1.6 m", ("[-14.5, 3, -7.5]", "[-14.5, 4.6, -7.5]")),
    "a gem below its cellar": (("[10.4, 2, 9.8]", "[10.4, 0, 9.8]"), 'target "The spring": the target at (10.4, 0, 9.8) is under `room "cellar"` (line 100)', "raise it by 1.6 m", ("[10.4, 0, 9.8]", "[10.4, 1.6, 9.8]")),
    "a checkpoint without its height": (("from: [-1.2, 4, 12.5], to: [1.2, 6, 13.5]", "from: [-1.2, 0, 12.5], to: [1.2, 2, 13.5]"), 'checkpoint "The gate": the checkpoint at (0, 1, 13) is under `floor "plateau"` (line 25): nobody reaches it', "raise it by 4 m", ("from: [-1.2, 0, 12.5], to: [1.2, 2, 13.5]", "from: [-1.2, 4, 12.5], to: [1.2, 6, 13.5]")),
    "a tower that begins too high": (("from: [-3.8, 4, -14]\n      to: [1.2, 12", "from: [-3.8, 5, -14]\n      to: [1.2, 12"), 'room "tower": it hangs in the air, 1 m above `floor "plateau"` (line 25)', "let it begin at a height of 4", ("from: [-3.8, 5, -14]", "from: [-3.8, 4, -14]")),
    "a gem with y and z swapped": (("[13, 8.2, -11]", "[13, -11, 8.2]"), "there is no ground below the target at (13, -11, 8.2)", "swap its last two numbers", ("[13, -11, 8.2]", "[13, 8.2, -11]")),
}  # fmt: skip

# The pieces; words of the only finding, and of its cure; the cure in the file.
SCENES: dict[str, tuple[str, str, str, tuple[str, str]]] = {
    "a floor over spiral stairs": ("floor: {from: [-10, -10], to: [10, 10]} | floor: {from: [-4, -4], to: [4, 4], y: 4.2, thickness: 0.2} | spiral_stairs: {at: [0, 0, 0], steps: 21, rise: 0.2, radius: 1.6, turn: 20}", "it closes the way up `spiral_stairs` (line 6)", "add `holes: [{from: [-1.57569, -1.6], to: [1.57569, 1.6]}]` to it", ("thickness: 0.2}", "thickness: 0.2, holes: [{from: [-1.57569, -1.6], to: [1.57569, 1.6]}]}")),
    "a room over spiral stairs": ("floor: {from: [-10, -10], to: [10, 10]} | room: {from: [-2.5, 0, -2.5], to: [2.5, 4, 2.5], doors: [{wall: south}]} | spiral_stairs: {at: [0, 0, 0], steps: 21, rise: 0.2, radius: 1.6, turn: 20}", "it closes the way up `spiral_stairs` (line 6)", "add `holes: [{from: [-1.57569, -1.6], to: [1.57569, 1.6]}]` to it", ("doors:", "holes: [{from: [-1.57569, -1.6], to: [1.57569, 1.6]}], doors:")),
    "stairs over nothing": ("floor: {from: [-10, -10], to: [10, 10], thickness: 0.2, holes: [{from: [-1, -4], to: [1, 0.5]}]} | stairs: {at: [0, -3, 0.5], steps: 15, rise: 0.2, run: 0.3, width: 2}", "the foot of the stairs at (0, -3, 0.5) hangs in the air: there is no ground below", "put a floor below it, at a height of -3", ("stairs: {at: [0, -3, 0.5], steps: 15, rise: 0.2, run: 0.3, width: 2}", "stairs: {at: [0, -3, 0.5], steps: 15, rise: 0.2, run: 0.3, width: 2}\n  - floor: {from: [-3, -4], to: [3, 4], y: -3}")),
    "stairs over a deeper cellar": ("floor: {from: [-10, -10], to: [10, 10], thickness: 0.2, holes: [{from: [-1, -4], to: [1, 0.5]}]} | room: {from: [-4, -4, -6], to: [4, -0.2, 4], ceiling: false} | stairs: {at: [0, -3, 0.5], steps: 15, rise: 0.2, run: 0.3, width: 2}", "the foot of the stairs at (0, -3, 0.5) hangs in the air, 1 m above `room` (line 5)", "write `at: [0, -4, 2]` and `steps: 20`, or put a floor below it, at a height of -3", ("at: [0, -3, 0.5], steps: 15", "at: [0, -4, 2], steps: 20")),
    "stairs over a deep floor": ("floor: {from: [-10, -10], to: [10, 10], thickness: 0.2, holes: [{from: [-1, -4], to: [1, 0.5]}]} | floor: {from: [-10, -10], to: [10, 10], y: -8} | stairs: {at: [0, -3, 0.5], steps: 15, rise: 0.2, run: 0.3, width: 2}", "the foot of the stairs at (0, -3, 0.5) hangs in the air, 5 m above `floor` (line 5)", "write `at: [0, -8, 8]` and `steps: 40`, or put a floor below it, at a height of -3", ("at: [0, -3, 0.5], steps: 15", "at: [0, -8, 8], steps: 40")),
    "stairs to a box": ("floor: {from: [-10, -10], to: [10, 10]} | box: {from: [-4, 0, -8], to: [4, 4, 0]} | stairs: {at: [0, 1, 4.5], steps: 15, rise: 0.2, run: 0.3, width: 2}", "the foot of the stairs at (0, 1, 4.5) hangs in the air, 1 m above `floor` (line 4)", "write `at: [0, 0, 6]` and `steps: 20`, or put a floor below it, at a height of 1", ("at: [0, 1, 4.5], steps: 15", "at: [0, 0, 6], steps: 20")),
    "a gem between two floors": ("terrain: {from: [-10, -10], to: [10, 10], formula: \"0 - 8 * (1 - smoothstep(6, 7, max(abs(x), abs(z))))\"} | floor: {from: [-7, -7], to: [7, 7], y: 0.1, thickness: 0.2} | target: {at: [3, -1.2, 3]}", "the target at (3, -1.2, 3) is under `floor` (line 5): nobody reaches it", "raise it by 1.9 m", ("-1.2", "0.7")),
    "a checkpoint between two floors": ("terrain: {from: [-10, -10], to: [10, 10], formula: \"0 - 8 * (1 - smoothstep(6, 7, max(abs(x), abs(z))))\"} | floor: {from: [-7, -7], to: [7, 7], y: 0.1, thickness: 0.2} | checkpoint: {from: [-1, -4, -1], to: [1, -2, 1]}", "the checkpoint at (0, -3, 0) is under `floor` (line 5): nobody reaches it", "raise it by 4.1 m", ("from: [-1, -4, -1], to: [1, -2, 1]", "from: [-1, 0.1, -1], to: [1, 2.1, 1]")),
    "a room too high": ("floor: {from: [-10, -10], to: [10, 10]} | room: {from: [-2, 1, -9], to: [2, 4, -6], doors: [{wall: south}]}", "it hangs in the air, 1 m above `floor` (line 4)", "let it begin at a height of 0", ("[-2, 1, -9]", "[-2, 0, -9]")),
}  # fmt: skip


@pytest.mark.parametrize("name", [*MISTAKES, *SCENES])
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    if name in MISTAKES:
        change, *told = MISTAKES[name]
        assert_told_and_mended(changed(MONASTERY, change), *told)
    else:
        scene, *told = SCENES[name]
        assert_told_and_mended(level_of(scene), *told)


HALL = 'terrain: {from: [-20, -20], to: [20, 20], formula: "0 - 6 * (1 - smoothstep(4, 7, max(abs(x), abs(z))))"}'
FINE = (
    f"{HALL} | floor: {{from: [-3, -3], to: [3, 3], thickness: 0.2, intended: [floating]}} | target: {{at: [0, -4.8, 0]}}",  # walked to
    f"{HALL} | floor: {{from: [-3, -3], to: [3, 3], thickness: 0.2, intended: [floating]}} | target: {{at: [3, -1.2, 0]}}",  # jumped to
    "floor: {from: [-10, -10], to: [10, 10], thickness: 0.2, holes: [{from: [-1, -4], to: [1, 0.5]}]} | floor: {from: [-3, -4], to: [3, 4], y: -3} | stairs: {at: [0, -3, 0.5], steps: 15, rise: 0.2, run: 0.3, width: 2} | target: {at: [0, -2, 3]}",
    "floor: {from: [-10, -10], to: [10, 10]} | floor: {from: [-4, -4], to: [4, 4], y: 4.2, thickness: 0.2, holes: [{from: [-1.57569, -1.6], to: [1.57569, 1.6]}]} | spiral_stairs: {at: [0, 0, 0], steps: 21, rise: 0.2, radius: 1.6, turn: 20}",
    "floor: {from: [-10, -10], to: [10, 10]} | room: {from: [-2, 2.5, -9], to: [2, 5, -6]} | box: {from: [-2.2, 0, -9.2], to: [2.2, 2.5, -5.8]}",
)  # fmt: skip


@pytest.mark.parametrize("text", [MONASTERY, *map(level_of, FINE)])
def test_what_is_right_has_no_finding(text: str) -> None:
    assert said(text) == []
