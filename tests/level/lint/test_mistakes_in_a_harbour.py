"""Mistakes in a harbour that stands: each has one finding, and what the finding tells to do mends it. What is right has none."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from tests.support.level_mistakes import assert_told_and_mended, changed, level_of, said

HARBOUR = """format: 1
name: The harbour
about: Fetch the gem from the loft, cross by boat, ride up to the light.
spawn: {at: [0, 0, 16], facing: north}
goal: {at: [0, 4, -25], radius: 1, after: targets}
sky: {palette: evening, sun: {height: 25, from: west}, haze: 0.006}
surfaces:
  stone: {colour: "#a8a094", texture: flagstone}
  wood: {colour: "#8a6a45", texture: planks}
  brick: {colour: "#a0563e", texture: brick}
  iron: {colour: "#50565c", texture: metal}
  plaster: {colour: "#e6dfcf", texture: plaster}
define:
  lamp:
    - pillar: {at: [0, 0, 0], radius: 0.1, height: 2.8, surface: iron}
    - light: {at: [0, 3.1, 0], brightness: 1, reach: 8}
  crate:
    - box: {from: [-0.5, 0, -0.5], to: [0.5, 1, 0.5], surface: wood}
pieces:
  - floor: {name: quay, from: [-20, -30], to: [20, 20], holes: [{from: [-16, -16], to: [16, -2]}], surface: stone}
  - room: {name: basin, from: [-16, -3, -16], to: [16, -0.01, -2], ceiling: false, surface: stone}
  - water: {from: [-16, -3, -16], to: [16, -0.4, -2]}
  - ladder: {name: quay ladder, at: [-8, -3, -2], facing: south, height: 3, surface: iron}
  - ladder: {name: north ladder, at: [8, -3, -16], facing: north, height: 3, surface: iron}
  - wall: {name: west fence, from: [-19.9, -29.8], to: [-19.9, 19.8], height: 1.5, surface: brick}
  - wall: {name: east fence, from: [19.9, -29.8], to: [19.9, 19.8], height: 1.5, surface: brick}
  - wall: {name: south fence, from: [-20, 19.9], to: [20, 19.9], height: 1.5, surface: brick}
  - wall: {name: north fence, from: [-20, -29.9], to: [20, -29.9], height: 1.5, surface: brick}
  - room: {name: warehouse, from: [6, 0, 4], to: [16, 6.4, 14], floor: false, doors: [{wall: west, at: 5, width: 2, height: 2.4}], windows: [{wall: south, at: 3}, {wall: north, sill: 4.2}], surface: brick, wall_surface: plaster}
  - floor: {name: loft, from: [6, 4], to: [16, 14], y: 3.2, thickness: 0.2, holes: [{from: [8, 12], to: [13.4, 14]}], surface: wood}
  - stairs: {name: loft stairs, at: [8, 0, 13], facing: east, steps: 18, rise: 3.2/18, run: 0.30, width: 2, surface: wood}
  - target: {name: The gem, at: [9, 4.2, 6], radius: 0.6}
  - light: {at: [11, 2.6, 8], brightness: 1, reach: 9}
  - light: {at: [11, 5.8, 8], brightness: 1, reach: 9}
  - sign: {text: "Harbour office\\nGem upstairs", at: [5.77, 1.6, 7], facing: west, surface: wood}
  - sign: {text: "To the light", at: [3, 1.6, 0], facing: south, post: 1.3, surface: wood}
  - mover:
      name: ferry
      at: [0, 0, -3.6]
      path: [[0, 0, 0], [0, 0, -10.8]]
      seconds: 8
      pause: 3
      of:
        - box: {from: [-1.6, -0.6, -1.5], to: [1.6, 0, 1.5], surface: wood}
        - wall: {from: [-1.5, -1.5], to: [-1.5, 1.5], height: 0.9, thickness: 0.1, surface: wood}
        - wall: {from: [1.5, -1.5], to: [1.5, 1.5], height: 0.9, thickness: 0.1, surface: wood}
  - box: {name: lighthouse, from: [-3, 0, -28], to: [3, 4, -22], surface: plaster}
  - mover:
      name: lift
      at: [0, 0, -20.9]
      path: [[0, 0, 0], [0, 3.9, 0]]
      seconds: 4
      pause: 2
      of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1], surface: iron}]
  - pillar: {name: crane mast, at: [-12, 0, 6], radius: 0.5, height: 7, sides: 8, surface: iron}
  - box: {name: crane arm, from: [-12.4, 7, -6], to: [-11.6, 7.5, 8], surface: iron}
  - box: {name: crane rope, from: [-12.05, 2.6, -5.55], to: [-11.95, 7, -5.45], surface: iron}
  - place: {what: crate, at: [-6, 0, 6]}
  - place: {what: crate, at: [-6, 0, 7.0]}
  - place: {what: crate, at: [-6, 1, 6.5]}
  - array: {count: 3, step: [1.3, 0, 0], of: [place: {what: crate, at: [-17, 0, 12]}]}
  - place: {what: lamp, at: [-4, 0, 0]}
  - place: {what: lamp, at: [10, 0, 0]}
  - place: {what: lamp, at: [-4, 0, -20]}
  - ramp: {name: loading ramp, at: [-15, 0, 2], facing: west, length: 2, rise: 0.8, width: 2, surface: stone}
  - box: {name: loading dock, from: [-19.8, 0, 1], to: [-17, 0.8, 3], surface: stone}
  - teleport: {name: shortcut, from: [-19.5, 0.8, 1.4], to: [-18.8, 2.8, 2.6], arrive: [0, 0, 10], facing: north}
  - pad: {name: hop, at: [12, 0, -19], to: [4, 0, 0], over: 1.5}
  - checkpoint: {name: North pier, from: [-2, 0, -19.8], to: [2, 2, -16.5]}
  - kill: {name: You fell off the world, from: [-40, -12, -50], to: [40, -8, 40]}
"""

# What is right and what the author wrote instead; words of the only finding, and of its cure; the cure in the file.
MISTAKES: dict[str, tuple[tuple[str, str], str, str, tuple[str, str]]] = {
    "a ferry that stops in the middle": (("-10.8]]", "-6]]"), 'mover "ferry": the ferry stops 4.4 m before `floor "quay"` (line 20), at (0, 0, -9.6)', "make its `path` 4.4 m longer that way", ("-6]]", "-10.4]]")),
    "a ferry below both quays": (("at: [0, 0, -3.6]", "at: [0, -1.2, -3.6]"), 'mover "ferry": the ferry stops 1.2 m below `floor "quay"` (line 20), at (0, -1.2, -3.6)', "raise `at` by 1.2 m", ("at: [0, -1.2, -3.6]", "at: [0, 0, -3.6]")),
    "a ferry above both quays": (("at: [0, 0, -3.6]", "at: [0, 1.8, -3.6]"), 'mover "ferry": the ferry stops 1.8 m above `floor "quay"` (line 20), at (0, 1.8, -3.6)', "lower `at` by 1.8 m", ("at: [0, 1.8, -3.6]", "at: [0, 0, -3.6]")),
    "a lift with y and z swapped": (("[0, 3.9, 0]]", "[0, 0, 3.9]]"), 'mover "lift": it stays at one height, on `floor "quay"` (line 20)', "swap the last two numbers", ("[0, 0, 3.9]]", "[0, 3.9, 0]]")),
    "a lift that misses both floors": (("at: [0, 0, -20.9]\n      path: [[0, 0, 0], [0, 3.9, 0]]", "at: [0, 0.7, -20.9]\n      path: [[0, 0, 0], [0, 2.6, 0]]"), 'mover "lift": the lift stops 0.8 m above `floor "quay"` (line 20), at (0, 0.7, -20.9)', "lower `at` by 0.7 m, and raise its other stop in `path` by 1.4 m", ("at: [0, 0.7, -20.9]\n      path: [[0, 0, 0], [0, 2.6, 0]]", "at: [0, 0, -20.9]\n      path: [[0, 0, 0], [0, 4, 0]]")),
    "a lift with one stop": (("path: [[0, 0, 0], [0, 3.9, 0]]", "path: [[0, 3.9, 0]]"), 'mover "lift": the mover never moves', "give it a `path` of two stops", ("path: [[0, 3.9, 0]]", "path: [[0, 0, 0], [0, 3.9, 0]]")),
    "a rise without its zero": (("rise: 3.2/18", "rise: 1.8"), "stairs.rise: a rise of 1.8 m is higher than a player can step (0.40 m)", "make it lower", ("rise: 1.8", "rise: 0.18")),
    "a basin's hole forgotten": ((", holes: [{from: [-16, -16], to: [16, -2]}]", ""), 'floor "quay": it covers the `water` (line 22): it has no hole there', "add `holes: [{from: [-16, -16], to: [16, -2]}]` to it", ("to: [20, 20], surface", "to: [20, 20], holes: [{from: [-16, -16], to: [16, -2]}], surface")),
    "a sign of the quay": (("to: [20, 20], holes", "to: [20, -20], holes"), "the hole extends beyond its floor or ceiling", "", ("to: [20, -20], holes", "to: [20, 20], holes")),
    "a basin forgotten": (("  - room: {name: basin, from: [-16, -3, -16], to: [16, -0.01, -2], ceiling: false, surface: stone}\n", ""), "the water around (0, -1.7, -9) has no bottom: nothing lies below it", "add a basin: `room: {from: [-16, -3, -16], to: [16, -0.01, -2], ceiling: false}`", ("  - water:", "  - room: {from: [-16, -3, -16], to: [16, -0.01, -2], ceiling: false}\n  - water:")),
    "a basin that is too shallow": (("from: [-16, -3, -16], to: [16, -0.01, -2]", "from: [-16, -1, -16], to: [16, -0.01, -2]"), 'room "basin": its floor lies 2 m above the foot of `ladder "quay ladder"` (line 23), and nothing lies below it', "lower its floor to a height of -3", ("from: [-16, -1, -16]", "from: [-16, -3, -16]")),
    "a ladder on an edge": (("at: [8, -3, -16]", "at: [8, 0, -16]"), 'ladder "north ladder": the ladder at (8, 0, -16) begins where it was to end, on an edge', "lower it by 3 m", ("at: [8, 0, -16]", "at: [8, -3, -16]")),
    "a lighthouse with y and z swapped": (("from: [-3, 0, -28], to: [3, 4, -22]", "from: [-3, -28, 0], to: [3, -22, 4]"), 'box "lighthouse": it lies below all else, 22 m under `floor "quay"` (line 20): nobody sees it', "swap the last two numbers of `from` and of `to`", ("from: [-3, -28, 0], to: [3, -22, 4]", "from: [-3, 0, -28], to: [3, 4, -22]")),
    "a loft that is too high": (("y: 3.2, ", "y: 3.9, "), 'stairs "loft stairs": the stairs end at (13.4, 3.2, 13), 0.7 m below `floor "loft"` (line 30)', "write `rise: 0.2167`, or add", ("rise: 3.2/18", "rise: 0.2167")),
    "a loft ten times too high": (("y: 3.2, ", "y: 32, "), 'floor "loft": it lies 28.7 m above the top of `stairs "loft stairs"` (line 31): nothing leads to it', "write `y: 3.2`", ("y: 32, ", "y: 3.2, ")),
    "a dock above its ramp": (("to: [-17, 0.8, 3]", "to: [-17, 1.6, 3]"), 'ramp "loading ramp": the ramp ends at (-17, 0.8, 2), 0.8 m below `box "loading dock"` (line 66)', "write `rise: 1.6`", ("rise: 0.8", "rise: 1.6")),
    "a dock far above its ramp": (("to: [-17, 0.8, 3]", "to: [-17, 2, 3]"), '1.2 m below `box "loading dock"` (line 66)', "write `rise: 2`, `length: 2.15` and `at: [-14.85, 0, 2]`", ("at: [-15, 0, 2], facing: west, length: 2, rise: 0.8", "at: [-14.85, 0, 2], facing: west, length: 2.15, rise: 2")),
    "a pad to a place in the level": (("to: [4, 0, 0]", "to: [16, 0, -19]"), 'pad "hop": the player lands at (28, 0.05, -38), where there is no ground below', "write `to: [4, 0, 0]`", ("to: [16, 0, -19]", "to: [4, 0, 0]")),
    "an array without its step": ((" step: [1.3, 0, 0],", ""), "array: its 3 copies stand in one place", "write `step: [1.2, 0, 0]`", ("array: {count: 3,", "array: {count: 3, step: [1.2, 0, 0],")),
    "a light inside its lamp": (("[0, 3.1, 0], brightness", "[0, 2.6, 0], brightness"), "light: the light of the `place` at line 62 at (-4, 2.6, 0) is inside `pillar` (line 15)", "move it into the open", ("[0, 2.6, 0], brightness", "[0, 3.1, 0], brightness")),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    change, words, cure, mend = MISTAKES[name]
    assert_told_and_mended(changed(HARBOUR, change), words, cure, mend)


GROUND = "floor: {from: [-10, -10], to: [10, 10], intended: [fall]}"
QUAYS = "floor: {from: [-10, 0], to: [10, 10], thickness: 1, intended: [fall]} | floor: {from: [-10, -20], to: [10, -10], thickness: 1, intended: [fall]}"
FINE = (
    f"{GROUND} | box: {{from: [0, 0, 0], to: [1, 1, 1]}} | box: {{from: [0, 0, 1.1], to: [1, 1, 2.1]}} | box: {{from: [0, 1, 0.5], to: [1, 2, 1.5]}}",  # a slit
    f"{QUAYS} | mover: {{at: [0, 0, -1.1], path: [[0, 0, 0], [0, 0, -7.8]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}}",
    f"{GROUND} | mover: {{at: [0, 1.5, 4], path: [[0, 0, 0], [0, 0, -8]], of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}], intended: [low]}}",  # over one floor
    f"{GROUND} | ramp: {{at: [0, 0, 2], length: 2, rise: 0.8, width: 2}}",  # to jump from
    f"{GROUND} | stairs: {{at: [0, 0, 4], steps: 10, rise: 0.2}}",  # a view
    f"{GROUND} | array: {{count: 3, turn: 90, of: [box: {{from: [3, 0, 3], to: [4, 1, 4]}}]}}",
    f"{GROUND} | box: {{from: [-30, -20, -30], to: [30, -15, 30]}}",  # a sea bed that one sees beside the floor
    f"{GROUND} | room: {{from: [-3, -8, -3], to: [3, -5, 3]}} | teleport: {{from: [4, 0, 4], to: [5, 2, 5], arrive: [0, -8, 0]}}",
    f"{GROUND} | water: {{from: [30, -8, 0], to: [36, -2, 6]}}",  # in the void
)  # fmt: skip


@pytest.mark.parametrize("text", [HARBOUR, *map(level_of, FINE)])
def test_what_is_right_has_no_finding(text: str) -> None:
    assert said(text) == []
