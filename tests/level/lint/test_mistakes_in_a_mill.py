"""Mistakes in a water mill of two storeys: each has one finding, and what the finding tells to do mends it."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from tests.support.level_mistakes import Change, assert_told_and_mended, changed, said

MILL = """format: 1
name: The water mill
spawn: {at: [8, 0, 12], facing: north}
goal: {at: [-8, 5.6, -6], radius: 0.8, after: targets}
surfaces:
  grass: {colour: "#5d7a45", texture: grass}
  stone: {colour: "#b5ae9f", texture: flagstone}
  wood: {colour: "#8a6a45", texture: planks}
  plaster: {colour: "#e6dfd0", texture: plaster}
define:
  lantern:
    - pillar: {at: [0, 0, 0], radius: 0.08, height: 2.2, sides: 8, surface: wood}
    - light: {at: [0, 2.4, 0], reach: 7}
pieces:
  # the meadow and the river
  - floor: {name: meadow, from: [-20, -20], to: [20, 20], thickness: 2.5, holes: [{from: [-2, -20], to: [2, 20]}], surface: grass}
  - floor: {name: river bed, from: [-2, -20], to: [2, 20], y: -2, surface: stone}
  - wall: {name: weir, from: [-2, -19.9], to: [2, -19.9], y: -2, height: 2, surface: stone}
  - wall: {name: sluice, from: [-2, 19.9], to: [2, 19.9], y: -2, height: 2, surface: stone}
  - water: {name: river, from: [-2, -2, -19.8], to: [2, -0.4, 19.8]}
  - ladder: {name: river ladder, at: [2, -2, 8], facing: east, height: 2}
  - box: {name: boat, from: [-1.4, -0.8, 12], to: [-0.2, -0.1, 14.5], intended: [low], surface: wood}
  # the bridge
  - box: {name: bridge, from: [-2.5, 0, 2], to: [2.5, 0.2, 4.4], surface: wood}
  - wall: {name: north railing, from: [-2.5, 2.1], to: [2.5, 2.1], y: 0.2, height: 0.9, thickness: 0.1, surface: wood}
  - wall: {name: south railing, from: [-2.5, 4.3], to: [2.5, 4.3], y: 0.2, height: 0.9, thickness: 0.1, surface: wood}
  - checkpoint: {name: The bridge, from: [-1, 0.2, 2.4], to: [1, 2.2, 4]}
  # the mill: two storeys and a loft
  - room: {name: grinding room, from: [-12, 0, -10], to: [-4, 2.6, -2], surface: plaster, doors: [{wall: south, at: 2, width: 1.4}, {wall: west}], windows: [{wall: east, at: 5}], holes: [{from: [-11.8, -9.8], to: [-6.9, -8.4]}]}
  - stairs: {name: mill stairs, at: [-11.4, 0, -9.1], facing: east, steps: 14, rise: 0.2, run: 0.3, width: 1.2, surface: wood}
  - room: {name: upper room, from: [-12, 2.8, -10], to: [-4, 8, -2], floor: false, surface: plaster, windows: [{wall: south, at: 3}, {wall: east, at: 3}]}
  - floor: {name: loft, from: [-12, -7], to: [-6, -2], y: 5.6, thickness: 0.2, surface: wood}
  - ladder: {name: loft ladder, at: [-6, 2.8, -3.5], facing: west, height: 2.8}
  - box: {name: flour bin, from: [-5.6, 0, -8.2], to: [-4.4, 0.7, -7], surface: wood}
  - mover:
      name: mill wheel
      at: [-1.2, 1.5, -6]
      spin: 20
      axis: [1, 0, 0]
      of: [box: {from: [-0.3, -1.8, -0.2], to: [0.3, 1.8, 0.2], surface: wood}, box: {from: [-0.3, -0.2, -1.8], to: [0.3, 0.2, 1.8], surface: wood}]
  - mover:
      name: mill door
      at: [-10, 0, -1.7]
      path: [[0, 0, 0], [1.6, 0, 0]]
      seconds: 1.5
      pause: 3
      of: [box: {from: [-0.8, 0.02, -0.05], to: [0.8, 2.15, 0.05], surface: wood}]
  - kill: {name: The wheel, from: [-1.6, -2, -8], to: [-0.8, 0.2, -4]}
  # the barn with a hay lift
  - room: {name: barn, from: [6, 0, -14], to: [14, 5, -6], surface: wood, doors: [{wall: south, width: 2}]}
  - floor: {name: hay floor, from: [6, -14], to: [14, -10], y: 2.6, thickness: 0.2, surface: wood}
  - mover:
      name: hay lift
      at: [12.8, 0, -8.9]
      path: [[0, 0, 0], [0, 2.5, 0]]
      seconds: 3
      pause: 3
      of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1], surface: wood}]
  - ladder: {name: hay ladder, at: [8, 0, -10], facing: north, height: 2.6}
  - target: {name: the key, at: [8, 3.6, -12]}
  - target: {name: the flour, at: [-8, 3.8, -4]}
  - wall: {name: fence, from: [10, 8], to: [18, 8], height: 1, thickness: 0.1, surface: wood}
  - place: {what: lantern, at: [4, 0, 5.5]}
  - place: {what: lantern, at: [-4, 0, 5.5]}
  - light: {at: [-8, 2.3, -5], reach: 7}
  - light: {at: [-8, 7, -5], reach: 8}
"""
ROOM = "room: {name: barn, from: [6, 0, -14], to: [14, 5, -6], surface: wood, doors: [{wall: south, width: 2}]}"
RIVER, RIVER_HOLE = "from: [-2, -2, -19.8], to: [2, -0.4, 19.8]", "holes: [{from: [-2, -20], to: [2, 20]}]"

# What is right and what the author wrote instead; words of the only finding, and of its cure; the cure in the file.
MISTAKES: dict[str, tuple[Change, str, str, Change]] = {
    "a room copied": ((ROOM, f"{ROOM}\n  - {ROOM.replace('barn', 'shed')}"), 'room "shed": it stands exactly in the place of `room "barn"` (line 50)', "move or remove one of them", (f"  - {ROOM.replace('barn', 'shed')}\n", "")),
    "an upper room with a floor": ((" floor: false,", ""), 'room "upper room": it closes the way up `stairs "mill stairs"` (line 30)', 'write `floor: false`: `room "grinding room"` (line 29) is below it', ("to: [-4, 8, -2],", "to: [-4, 8, -2], floor: false,")),
    "an upper room in the air": (("from: [-12, 2.8, -10]", "from: [-12, 4.8, -10]"), 'room "upper room": it hangs in the air, 2 m above `room "grinding room"` (line 29)', "let it begin at a height of 2.8", ("[-12, 4.8, -10]", "[-12, 2.8, -10]")),
    "a hole shorter than the river": ((RIVER_HOLE, "holes: [{from: [-2, -20], to: [2, 7]}]"), 'floor "meadow": it covers a part of the `water` (line 20): its hole is too short', "add `{from: [-2, -20], to: [2, 20]}` to its `holes`", ("to: [2, 7]}]", "to: [2, 7]}, {from: [-2, -20], to: [2, 20]}]")),
    "a river under its bed": ((RIVER, RIVER.replace("-0.4", "-4")), 'water "river": the water around (0, -3, 0) lies under `floor "river bed"` (line 17), its bed', "raise its surface to -0.1", ("[2, -4, 19.8]", "[2, -0.1, 19.8]")),
    "a river bed too deep": (("y: -2, surface", "y: -5, surface"), 'water "river": the water around (0, -1.2, 0) hangs in the air: its bottom is 3 m above `floor "river bed"` (line 17)', "raise `floor \"river bed\"` (line 17) to a height of -2", ("y: -5", "y: -2")),
    "a doorway moved": (("south, at: 2, width", "south, at: 5, width"), 'mover "mill door": the door closes no doorway: doorway 1 in the south wall at (-7, 0, -1.9) is 3 m from it', "write `at: [-7, 0, -1.7]`", ("at: [-10, 0, -1.7]", "at: [-7, 0, -1.7]")),
    "a key too high": (("[8, 3.6, -12]", "[8, 3.8, 3]"), 'target "the key": the target at (8, 3.8, 3) hangs in the air, 3.8 m above', "lower it to a height of 0", ("[8, 3.8, 3]", "[8, 0, 3]")),
    "a deadly wheel across the bridge": (("to: [-0.8, 0.2, -4]", "to: [-0.8, 2, 4]"), 'kill "The wheel": players die on `box "bridge"` (line 24): 0.4 m of 2.4 m stay open', "let it end at a height of 0.1", ("to: [-0.8, 2, 4]", "to: [-0.8, 0.1, 4]")),
    "a checkpoint at the deadly wheel": (("to: [-0.8, 0.2, -4]", "to: [0.5, 2, 3.3]"), 'kill "The wheel": players die in the checkpoint at (0, 1.2, 3.2): the box ends 1.8 m above its floor', "let it end at a height of 0.1", ("to: [0.5, 2, 3.3]", "to: [0.5, 0.1, 3.3]")),
    "a railing askew": (("from: [-2.5, 2.1], to: [2.5, 2.1]", "from: [-2.5, 2.1], to: [2.5, 4.1]"), 'wall "north railing": it stands across `box "bridge"` (line 24)', "turn it along the deck", ("to: [2.5, 4.1]", "to: [2.5, 2.1]")),
    "half a bridge": (("to: [2.5, 0.2, 4.4]", "to: [2.5, 0.2, 3.2]"), 'wall "south railing": it hangs in the air, 2.2 m above `floor "river bed"` (line 17), and touches nothing', "make that wider", ("to: [2.5, 0.2, 3.2]", "to: [2.5, 0.2, 4.4]")),
    "a fence through the barn": (("from: [10, 8], to: [18, 8]", "from: [8, -8], to: [8, 8]"), 'wall "fence": it goes through `room "barn"` (line 50): 2.1 m of it stand inside', "let it end outside, at [8, -5.737]", ("from: [8, -8]", "from: [8, -5.737]")),
    "a spawn with y and z swapped": (("at: [8, 0, 12]", "at: [1, 3, 0.2]"), 'spawn (spawn 1): the spawn is 5 m above the ground: with y and z swapped it stands on `box "bridge"` (line 24)', "write `at: [1, 0.2, 3]`", ("at: [1, 3, 0.2]", "at: [1, 0.2, 3]")),
    "a lift for an hour": (("seconds: 3\n", "seconds: 3000\n"), 'mover "hay lift": it takes 3000 s for the 2.5 m of its path: it hardly moves', "write `seconds: 3`", ("seconds: 3000", "seconds: 3")),
}  # fmt: skip

# What looks like one of the mistakes, and is right.
FINE: dict[str, Change] = {
    "nothing changed": ("name: The water mill", "name: The mill"),
    "a room beside its copy": (ROOM, f"{ROOM}\n  - {ROOM.replace('[6,', '[16,').replace('[14,', '[19,')}"),
    "a hole wider than the river": (RIVER_HOLE, "holes: [{from: [-2.1, -20], to: [2, 20]}]"),
    "a wide door": ("from: [-0.8, 0.02, -0.05], to: [0.8, 2.15, 0.05]", "from: [-1, 0.02, -0.05], to: [1, 2.15, 0.05]"),
    "a gate elsewhere": ("at: [-10, 0, -1.7]", "at: [-10, 0, 14]"),
    "a key that one jumps to": ("[8, 3.6, -12]", "[8, 3.3, 3]"),
    "a deadly wheel beside the bridge": ("to: [-0.8, 0.2, -4]", "to: [-0.8, 2, 1.9]"),
    "a short railing": ("from: [-2.5, 2.1], to: [2.5, 2.1]", "from: [0, 2.1], to: [2.5, 2.1]"),
    "a fence up to the barn": ("from: [10, 8], to: [18, 8]", "from: [7, -5.8], to: [7, 8]"),
    "a fence in the barn": ("from: [10, 8], to: [18, 8]", "from: [10, -12], to: [10, -8]"),
    "a dive": ("at: [8, 0, 12]", "at: [1, 3, 1.2]"),
    "a shelter on posts": (ROOM, f"{ROOM}\n  - room: {{from: [-12, 2.4, 6], to: [-8, 4.8, 10], floor: false}}\n  - array: {{count: 2, step: [4.2, 0, 0], of: [pillar: {{at: [-12.1, 0, 5.9], radius: 0.1, height: 2.4}}, pillar: {{at: [-12.1, 0, 10.1], radius: 0.1, height: 2.4}}]}}"),
    "a slow lift": ("seconds: 3\n", "seconds: 60\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    change, words, cure, mend = MISTAKES[name]
    assert_told_and_mended(changed(MILL, change), words, cure, mend)


@pytest.mark.parametrize("name", FINE)
def test_what_is_right_has_no_finding(name: str) -> None:
    assert said(changed(MILL, FINE[name])) == []
