"""Mistakes in a mine that stands: each has one finding, and what the finding tells to do mends it. What is right has none."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from game.level import check
from tests.support.level_mistakes import assert_told_and_mended, changed, said

MINE = """format: 1
spawn: {at: [0, 0, 12], facing: north}
goal: {at: [6, -4, -10], radius: 0.8}
define: {crate: [box: {from: [-0.4, 0, -0.4], to: [0.4, 1.9, 0.4]}]}
pieces:
  - floor: {name: yard, from: [-14, -14], to: [14, 16], holes: [{from: [4, -12], to: [8, -8]}, {from: [-8, -12], to: [-4, -8]}]}
  - room: {name: pit, from: [4, -4, -12], to: [8, -0.01, -8], ceiling: false}
  - mover: {name: lift, at: [7, -4, -11], path: [[0, 0, 0], [0, 4, 0]], of: [box: {from: [-0.95, 0, -0.95], to: [0.95, 0.1, 0.95]}]}
  - room: {name: well, from: [-8, -5, -12], to: [-4, -0.01, -8], ceiling: false}
  - water: {from: [-8, -5, -12], to: [-4, -0.4, -8]}
  - ladder: {name: way out, at: [-6, -5, -12], facing: north, height: 5}
  - wall: {name: gate, from: [-12, 4], to: [-4, 4], doors: [{width: 1.2}]}
  - place: {what: crate, at: [3, 0, -2]}
  - kill: {from: [-13, 0, 12], to: [-11, 1, 14]}
  - box: {name: tower, from: [9, 0, -4], to: [13, 6, 0]}
  - mover: {name: tower lift, at: [8, 0, -2], path: [[0, 0, 0], [0, 6, 0]], of: [box: {from: [-0.95, -0.1, -0.95], to: [0.95, 0, 0.95]}]}
  - target: {name: bell, at: [11, 7, -2]}
  - pad: {name: spring, at: [11, 0, 6], to: [0, 6, -8]}
"""

# What is right and what the author wrote instead; words of the only finding, and of its cure; the cure in the file.
MISTAKES: dict[str, tuple[tuple[str, str], str, str, tuple[str, str]]] = {
    "a path of places in the level": (("at: [7, -4, -11], path: [[0, 0, 0], [0, 4, 0]]", "at: [7, -4, -11], path: [[7, -4, -11], [7, 0, -11]]"), 'mover "lift": its `path` is relative to `at`, and begins 13.6 m away from there', "write `path: [[0, 0, 0], [0, 4, 0]]`", ("[[7, -4, -11], [7, 0, -11]]", "[[0, 0, 0], [0, 4, 0]]")),
    "pieces at places in the level": (("from: [-0.95, 0, -0.95], to: [0.95, 0.1, 0.95]", "from: [6.05, -4, -11.95], to: [7.95, -3.9, -10.05]"), 'mover "lift": its pieces are placed around its `at`, and stand 13.6 m away from there', "remove `at`", ("at: [7, -4, -11], ", "")),
    "a ladder that is too short": (("height: 5", "height: 3"), 'ladder "way out": the ladder ends 2 m below `floor "yard"` (line 6): nobody can step up there', "write `height: 5`", ("height: 3", "height: 5")),
    "a spawn in a kill box": (("at: [0, 0, 12]", "at: [-12, 0, 13]"), "the spawn is in the `kill` box (line 14), which sends players back to it", "move one of them", ("at: [-12, 0, 13]", "at: [-9, 0, 13]")),
    "a crate in a doorway": (("at: [3, 0, -2]", "at: [-8, 0, 4]"), "wall \"gate\": doorway 1 at (-8, 0, 4) is closed by `box` (line 4) of the `place` at line 13", "move one of them", ("at: [-8, 0, 4]", "at: [-8, 0, 8]")),
    "a tower without its lift": (("mover: {name: tower lift, at: [8, 0, -2]", "mover: {name: tower lift, at: [-8, 0, -2]"), 'mover "tower lift": the lift goes up to nothing at (-8, 6, -2); `box "tower"` (line 15), which is as high, is elsewhere', "move it there with `at`", ("at: [-8, 0, -2]", "at: [8, 0, -2]")),
    "a pad into a tower": (("to: [0, 6, -8]", "to: [0, 1, -8]"), 'pad "spring": the player lands at (11, 1.05, -2) in `box "tower"` (line 15)', "move `to` into the open", ("to: [0, 1, -8]", "to: [0, 6, -8]")),
}  # fmt: skip
# The tower and the pad: without one of the lift and the pad the other still leads up.
ALONE = {"a tower without its lift": ("  - pad: {name: spring, at: [11, 0, 6], to: [0, 6, -8]}\n", "")}


@pytest.mark.parametrize("name", ["", *MISTAKES])
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    mine = MINE.replace(*ALONE.get(name, ("", "")))
    assert said(mine) == []
    if name:
        change, words, cure, mend = MISTAKES[name]
        assert_told_and_mended(changed(mine, change), words, cure, mend)


HIGH = "box: {from: [-3, 0, -3], to: [3, 6, 3]} | target: {at: [0, 7, 0]}"
POOL = "room: {from: [-4, -2, -4], to: [4, -0.01, 4], ceiling: false}"
FINE = (
    f"{HIGH} | ladder: {{at: [0, 0, 3], facing: north, height: 6}}",
    f"{HIGH} | pad: {{at: [0, 0, 8], to: [0, 6, -8]}}",
    f"{HIGH} | stairs: {{at: [0, 0, 12], facing: north, steps: 30, rise: 0.2}}",
    f"{HIGH} | array: {{count: 6, step: [0, 1, 2.5], of: [box: {{from: [5, 0, -9], to: [7, 0.9, -7], intended: [low]}}]}}",  # jumps
    f"{HIGH} | teleport: {{from: [8, 0, 8], to: [9, 2, 9], arrive: [0, 6, 0]}}",
    f"{HIGH} | spawns: [{{name: up, at: [0, 6, 0]}}]",
    f"{HIGH} | play: {{throws: true, reach_targets: true}}",
    f"{HIGH} | player: {{jump_height: 8}}",
    f"{HIGH} | gravity: {{from: [4, 0, -3], to: [8, 6, 3], towards: west}}",
    f"{HIGH} | surfaces: {{rubber: {{bounce: 0.9}}}} | floor: {{from: [4, 4], to: [8, 8], y: 0.1, surface: rubber}}",
    "room: {from: [-6, 0, -6], to: [6, 6, 6], doors: [{wall: south}]} | room: {from: [-2, 0, -2], to: [2, 3, 2], doors: [{wall: south}]}",
    "room: {from: [-6, 0, -6], to: [0, 3, 6]} | room: {from: [-3, 3.2, -6], to: [3, 6, 6], floor: false, ceiling: false}",
    f"{POOL} | water: {{from: [-4, -2, -4], to: [4, -0.2, 4]}}",
    f"{POOL} | water: {{from: [-4, -2, -4], to: [4, 0.05, 4]}}",
    "box: {from: [-4, 0, -4], to: [4, 1, -3.8]} | box: {from: [-4, 0, -4], to: [-3.8, 1, 4]} | box: {from: [3.8, 0, -4], to: [4, 1, 4]} | water: {from: [-3.8, 0, -3.8], to: [3.8, 0.9, 4], flow: [0, 0, 1]}",  # a river
    "water: {from: [-4, 0, -4], to: [0, 1, 4]} | water: {from: [0, 0, -4], to: [4, 1, 4]} | wall: {from: [4.1, -4], to: [4.1, 4], height: 1}",
    "spiral_stairs: {at: [0, 0, 0], facing: 162, steps: 20, turn: 24, intended: [low]} | floor: {from: [1.55, -4], to: [4, 4], y: 3.6, thickness: 0.2}",
    "spiral_stairs: {at: [0, 0, 0], steps: 20, turn: 24, intended: [low]}",  # a view
    "wall: {from: [-4, 0], to: [4, 0], doors: [{width: 1.2}], intended: [narrow]} | mover: {at: [-0.3, 0, 0.2], path: [[0, 0, 0], [-0.6, 0, 0]], of: [box: {from: [-0.3, 0.01, -0.05], to: [0.3, 2, 0.05]}]}",  # one leaf of two
    "wall: {from: [-4, 0], to: [4, 0], doors: [{width: 1.2}]} | mover: {at: [0, 0, 0.2], path: [[0, 0, 0], [0, 2.05, 0]], of: [box: {from: [-0.6, 0.01, -0.05], to: [0.6, 2, 0.05]}]}",  # a portcullis
    "mover: {at: [6, 0, -5], path: [[0, 0, 0], [6, 0, -5]], of: [box: {from: [-1, 0.01, -1], to: [1, 0.2, 1]}]}",
    "mover: {path: [[6, 0, -5], [6, 3, -5]], of: [box: {from: [-1, 0.01, -1], to: [1, 0.2, 1]}]}",
    "box: {from: [-2, 0, -6], to: [2, 4, -2]} | box: {from: [0.6, 0, -2], to: [2, 2.6, 0]} | ladder: {at: [0, 0, -2], height: 2.5}",  # to a ledge
    "teleport: {from: [8, 0, 8], to: [9, 2, 9], arrive: [0, 3, 0]}",
    "box: {from: [-3, 1.5, -3], to: [3, 1.7, 3], intended: [low]}",  # a canopy
)  # fmt: skip
TOP_FIELDS = ("spawns", "play", "player", "surfaces")


@pytest.mark.parametrize("scene", FINE)
def test_what_is_right_has_no_finding(scene: str) -> None:
    parts = scene.split(" | ")
    top = "".join(part + "\n" for part in parts if part.split(":")[0] in TOP_FIELDS)
    pieces = "".join(f"  - {part}\n" for part in parts if part.split(":")[0] not in TOP_FIELDS)
    hole = ", holes: [{from: [-4, -4], to: [4, 4]}]" if POOL in scene else ""
    ground = f"  - floor: {{from: [-20, -20], to: [20, 20]{hole}}}\n"
    text = f"format: 1\nspawn: {{at: [18, 0, 18]}}\n{top}pieces:\n{ground}{pieces}"
    assert [str(one) for one in check(text=text)] == []
