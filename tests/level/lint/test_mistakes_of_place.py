"""Pieces that stand in the wrong place: each has one finding, and its cure mends it. What is right has none."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from tests.support.level_mistakes import GROUND, Change, assert_told_and_mended, level_of, said

BANKS = "floor: {name: south bank, from: [-20, 2], to: [20, 20], thickness: 4} | floor: {name: north bank, from: [-20, -20], to: [20, -6], thickness: 4} | floor: {from: [-20, -6], to: [20, 2], y: -4}"
HALL = "room: {name: hall, from: [1.2, 0, -4], to: [8, 8, 4], doors: [{wall: south}]} | floor: {name: gallery, from: [1.2, -4], to: [8, 4], y: 4, thickness: 0.2}"
LIFT = "mover: {name: lift, at: [0, 0, 0], path: [[0, 0, 0], [0, 3.9, 0]], of: [box: {from: [-0.95, 0, -0.95], to: [0.95, 0.1, 0.95]}]}"
TOWER = "box: {name: tower, from: [10, 0, -4], to: [14, 4, 0]}"
VAULT = "room: {name: vault, from: [0, 0, -8], to: [8, 3, -2]}"
STOREY = "room: {from: [-6, 0, -10], to: [6, 3.2, -2], ceiling: false, doors: [{wall: south}]} | floor: {from: [-6.2, -10.2], to: [6.2, -1.8], y: 3.4, thickness: 0.2, intended: [fall]} | room: {from: [-6, 3.4, -10], to: [6, 6.2, -2], floor: false, windows: [{wall: south}]}"
LAMP = "define: {lamp: [pillar: {at: [0, 0, 0], radius: 0.1, height: 2.2}, light: {at: [0, 2.5, 0]}]}"
HOUSE = "room: {name: house, from: [0, 0, -8], to: [8, 3, -2], doors: [{wall: south, at: 1}], holes: [HOLE]} | stairs: {at: [3, 0, -5.6], facing: east, steps: 16, rise: 0.2, width: 1.6}"
HIDDEN = "box: {from: [-4, 0, -8], to: [4, 3, -4]} | wall: {from: [0.8, -4], to: [0.8, 0], height: 2.7} | stairs: {name: steps, at: [0, 0, -0.4], facing: north, steps: 12, rise: 0.2}"

# The scene; words of the only finding, and of its cure; the cure in the file.
MISTAKES: dict[str, tuple[str, str, str, Change]] = {
    "a room in the air": (f"{GROUND} | room: {{name: hut, from: [2, 2, -8], to: [8, 5, -2], doors: [{{wall: south}}]}} | box: {{from: [3, 2, -7], to: [4, 3, -6]}}", 'room "hut": it hangs in the air, 2 m above `floor "ground"` (line 4): nothing leads up to it', "let it begin at a height of 0, or put stairs or a lift there", ("[2, 2, -8]", "[2, 0, -8]")),
    "a room in the air with a goal": (f"goal: {{at: [5, 3, -5]}} | {GROUND} | room: {{name: hut, from: [2, 3, -8], to: [8, 6, -2], doors: [{{wall: south}}]}}", 'room "hut": it hangs in the air, 3 m above', "stairs", ("[2, 3, -8], to: [8, 6, -2], doors: [{wall: south}]}", "[2, 3, -8], to: [8, 6, -2], doors: [{wall: south}]}\n  - stairs: {at: [5, 0, 3.3], facing: north, steps: 17, rise: 3/17}")),
    "stairs beside the top of a wall": (f"{GROUND} | {HIDDEN}", 'stairs "steps": the stairs end at (0, 2.4, -4), 0.6 m below `box` (line 5)', "write `rise: 0.25`", ("rise: 0.2}", "rise: 0.25}")),
    "a lift elsewhere": (f"{GROUND} | {TOWER} | {LIFT}", 'mover "lift": the lift goes up to nothing at (0, 3.9, 0); `box "tower"` (line 5), which is as high, is elsewhere', "move it there with `at`", ("at: [0, 0, 0], path", "at: [9, 0, -2], path")),
    "a lift before a wall": (f"{GROUND} | {HALL} | {LIFT}", 'mover "lift": the lift stops at (0, 3.9, 0) before `room "hall"` (line 5): it has no doorway to `floor "gallery"` (line 6)', "make a doorway there", (HALL.split(" | ")[0], "room: {name: hall, from: [1.2, 0, -4], to: [8, 3.8, 4], doors: [{wall: south}]}\n  - room: {from: [1.2, 4, -4], to: [8, 8, 4], floor: false, doors: [{wall: west, width: 2}]}")),
    "a box in a box": (f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{name: chest, from: [1, 0, 1], to: [2, 1, 2]}}", 'box "chest": it is wholly inside `box` (line 5): nobody sees it', "move it into the open, or remove it", ("  - box: {name: chest, from: [1, 0, 1], to: [2, 1, 2]}\n", "")),
    "a box in a floor": ("floor: {from: [-9, -9], to: [9, 9], thickness: 2} | box: {name: chest, from: [0, -1, 0], to: [1, -0.1, 1]}", 'box "chest": it is wholly inside `floor` (line 4)', "into the open", ("[0, -1, 0], to: [1, -0.1, 1]", "[0, 0, 0], to: [1, 0.9, 1]")),
    "a pillar in the wall of a room": (f"{GROUND} | room: {{name: hall, from: [0, 0, -8], to: [8, 3, -2], thickness: 0.6, doors: [{{wall: south}}]}} | pillar: {{at: [-0.3, 0, -5], radius: 0.2, height: 2.5}}", 'pillar: it is wholly inside `room "hall"` (line 5)', "into the open", ("[-0.3, 0, -5]", "[1, 0, -5]")),
    "a lamp in a block": (f"{LAMP} | {GROUND} | {TOWER} | place: {{what: lamp, at: [12, 0, -2]}}", 'pillar: it is wholly inside `box "tower"` (line 6): nobody sees it (in the `place` at line 7)', "into the open", ("[12, 0, -2]", "[8, 0, -2]")),
    "stairs below the floor": (f"{GROUND} | stairs: {{name: steps, at: [0, -3, 0], facing: north, steps: 10, rise: 0.2}}", 'stairs "steps": it lies below all else, 1 m under `floor "ground"` (line 4)', "raise it by 3 m", ("at: [0, -3, 0]", "at: [0, 0, 0]")),
    "a box below the floor": (f"{GROUND} | box: {{name: chest, from: [0, -2, 0], to: [2, -1, 2]}}", 'box "chest": it lies below all else, 1 m under', "swap the last two numbers of `from` and of `to`", ("[0, -2, 0], to: [2, -1, 2]", "[0, 0, -2], to: [2, 2, -1]")),
    "a bridge that is short": (f"{BANKS} | box: {{name: bridge, from: [-1, -0.2, -4], to: [1, 0, 2]}}", 'box "bridge": the deck ends at (0, 0, -4), 2 m before `floor "north bank"` (line 5), which is as high', "make it 2 m longer that way", ("-4], to: [1", "-6], to: [1")),
    "a bridge over water that is short": (f"{BANKS} | water: {{from: [-20, -4, -6], to: [20, -0.5, 2]}} | floor: {{name: bridge, from: [-1, -6], to: [1, 0.5], thickness: 0.2}}", 'floor "bridge": the deck ends at (0, 0, 0.5), 1.5 m before `floor "south bank"` (line 4)', "1.5 m longer", ("to: [1, 0.5]", "to: [1, 2]")),
    "a bridge that is a little short": (f"{BANKS} | box: {{name: bridge, from: [-1, -0.2, -6], to: [1, 0, 1.4]}}", 'box "bridge": the deck ends at (0, 0, 1.4), 0.6 m before `floor "south bank"` (line 4)', "0.6 m longer", ("to: [1, 0, 1.4]", "to: [1, 0, 2]")),
    "a size in place of a corner": (f"{GROUND} | box: {{name: house, from: [6, 0, -8], to: [4, 3, 5]}}", "box.to: `to` is the opposite corner, not the size: the piece is 2 x 3 x 13 m large", "write `to: [10, 3, -3]`", ("to: [4, 3, 5]", "to: [10, 3, -3]")),
    "the size of a room in place of a corner": (f"{GROUND} | room: {{from: [9, 0, -8], to: [6, 3, 5], doors: [{{wall: south}}]}}", "room.to: `to` is the opposite corner, not the size: the piece is 3 x 3 x 13 m large", "write `to: [15, 3, -3]`", ("to: [6, 3, 5]", "to: [15, 3, -3]")),
    "spiral stairs in a wall": (f"{GROUND} | wall: {{from: [-4, 0], to: [4, 0], height: 6}} | spiral_stairs: {{at: [0, 0, 1], steps: 20, radius: 1.4, turn: 24}}", "spiral_stairs: its tread 2 of 20 is in `wall` (line 5), at (-0.74, 0.46, -0.02): nobody can walk there", "move it away from there", ("at: [0, 0, 1], steps", "at: [0, 0, 1.6], steps")),
    "a hole narrower than its stairs": (f"{GROUND} | {HOUSE}".replace("HOLE", "{from: [3, -6], to: [7.8, -5.4]}"), 'room "house": it closes a part of the way up `stairs` (line 6): its hole is too narrow', "add `{from: [3.9, -6.4], to: [7.8, -4.8]}` to its `holes`", ("{from: [3, -6], to: [7.8, -5.4]}", "{from: [3.9, -6.4], to: [7.8, -4.8]}")),
    "a sign far up": (f"{GROUND} | sign: {{text: Welcome, at: [0, 16, 0], facing: south}}", "sign: the sign at (0, 16, 0) is 16 m from all that one stands on: nobody can read it", "bring it nearer", ("[0, 16, 0]", "[0, 1.6, 0]")),
    "a sign below the ground": (f"{GROUND} | sign: {{text: Welcome, at: [0, -6.5, 1.6], facing: south}}", "sign: the sign at (0, -6.5, 1.6) is below all that one stands on: nobody can read it", "write `at: [0, 1.6, -6.5]`", ("[0, -6.5, 1.6]", "[0, 1.6, -6.5]")),
    "a ladder to the floor behind its wall": (f"{GROUND} | {STOREY} | ladder: {{name: up, at: [6.2, 0, -8], facing: west, height: 3.4}}", 'ladder "up": the ladder ends at a height of 3.4 m, and a wall parts it from the floor there', "write `height: 6.4`", ("height: 3.4}", "height: 6.4}")),
    "a target that is wide": (f"{GROUND} | target: {{name: bell, at: [0, 1, 0], radius: 6}}", 'target "bell": the target is reached from 6 m away', "write `radius: 0.6`", ("radius: 6}", "radius: 0.6}")),
    "a goal that is wide": (f"goal: {{at: [0, 0, 0], radius: 10}} | {GROUND}", "goal: the goal is reached from 10 m away, also through walls and floors", "write `radius: 1`", ("radius: 10}", "radius: 1}")),
    "a goal in a closed room": (f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT}", 'goal: the goal at (4, 0, -5) is in `room "vault"` (line 6), which has no doorway: nobody comes in', "add `doors: [{wall: south}]` to the room", ("[8, 3, -2]", "[8, 3, -2], doors: [{wall: south}]")),
    "a target in a closed room": (f"{GROUND} | {VAULT} | target: {{name: gem, at: [4, 1, -5]}}", 'target "gem": the target at (4, 1, -5) is in `room "vault"` (line 5)', "add `doors", ("[8, 3, -2]", "[8, 3, -2], doors: [{wall: south}]")),
    "a spawn in a closed room": (f"spawn: {{at: [4, 0, -5]}} | {GROUND} | {VAULT}", 'spawn (spawn 1): the spawn is in `room "vault"` (line 5), which has no doorway: the player cannot leave it', "add `doors", ("[8, 3, -2]", "[8, 3, -2], doors: [{wall: south}]")),
    "narrow stairs": (f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, width: 0.2}}", "stairs: the stairs are 0.2 m wide: too narrow for a player", "make them at least 0.71 m wide", ("width: 0.2", "width: 0.8")),
    "a run of a tenth": (f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, run: 0.03}}", "stairs.run: a tread of 0.03 m is no step of stairs", "write the depth of one tread in metres", ("0.03", "0.3")),
    "a kill box below the kill height": (f"kill_height: -10 | {GROUND} | kill: {{from: [-40, -30, -40], to: [40, -20, 40]}}", "kill: it is below `kill_height`, -10 m: players respawn before they come to it", "raise it, or lower `kill_height`", ("kill_height: -10", "kill_height: -40")),
    "a kill box under a floor": (f"{GROUND} | kill: {{from: [-4, -3, -4], to: [4, -1, 4]}}", 'kill: it lies under `floor "ground"` (line 4): nobody falls into it', "make a hole above it", ("to: [20, 20]", "to: [20, 20], holes: [{from: [-4, -4], to: [4, 4]}]")),
}  # fmt: skip

FINE = (
    f"{GROUND} | room: {{from: [2, 2.4, -8], to: [8, 5, -2], doors: [{{wall: south}}]}} | stairs: {{at: [5, 0, 2.6], facing: north, steps: 12, rise: 0.2, width: 2}} | floor: {{from: [3, -1.8], to: [7, -1], y: 2.4, thickness: 0.2}}",
    f"{GROUND} | room: {{from: [2, 3, -8], to: [8, 6, -2], doors: [{{wall: south}}], intended: [fall]}} | ladder: {{at: [5, 0, -1.8], facing: north, height: 3, intended: [floating]}}",
    f"{GROUND} | room: {{from: [2, 0, -8], to: [8, 2.8, -2], doors: [{{wall: south}}]}} | room: {{from: [2, 3, -8], to: [8, 6, -2], windows: [{{wall: south}}]}}",  # a storey
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, rise: 0.2}} | wall: {{from: [0.8, -3], to: [0.8, 0], height: 2.3}}",  # a view beside a wall
    f"{GROUND} | {TOWER} | {LIFT} | target: {{at: [0, 5, 0]}}",
    f"{GROUND} | {TOWER} | {LIFT} | box: {{from: [3, 0, 0], to: [4, 3.9, 1]}}",  # jumped to
    f"{GROUND} | {LIFT}",  # a view
    f"{GROUND} | {HALL} | {LIFT}".replace("to: [8, 8, 4]", "to: [8, 4, 4], ceiling: false").replace("[1.2, -4], to: [8, 4], y: 4", "[1, -4.2], to: [8.2, 4.2], y: 4.2"),
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{from: [1, 0, 1], to: [2, 2.3, 2]}}",  # it comes out at the top
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{from: [-0.01, 0, 1], to: [2, 1, 2]}}",  # at a side
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4]}} | box: {{from: [1, 0, 1], to: [2, 1, 2], intended: [buried]}}",
    f"{GROUND} | box: {{from: [0, 0, 0], to: [4, 2, 4], visible: false}} | box: {{from: [1, 0, 1], to: [2, 1, 2]}}",  # a showcase
    f"{GROUND} | room: {{from: [0, 0, -8], to: [8, 3, -2], doors: [{{wall: south}}]}} | box: {{from: [1, 0, -7], to: [2, 1, -6]}}",
    f"{GROUND} | box: {{from: [-9, -2, -9], to: [9, 0, 9]}}",  # what the floor lies on
    f"{BANKS} | box: {{from: [-1, -0.2, -6], to: [1, 0, 2]}}",
    f"{BANKS} | box: {{from: [-1, -0.2, -4], to: [1, 0, 2], intended: [step]}}",
    f"{BANKS} | box: {{from: [-1, -0.2, -3], to: [1, 0, -1]}}",  # a stone to jump on
    f"{BANKS} | box: {{from: [-1, -0.2, 0], to: [1, 0, 2]}}",  # a jetty
    f"{BANKS} | box: {{from: [-1, -0.2, -4], to: [1, 0, 2]}} | mover: {{at: [0, 0, -5], axis: [1, 0, 0], swing: 80, of: [box: {{from: [-1, -0.2, -1], to: [1, 0, 1]}}]}}",
    f"{GROUND} | box: {{from: [4, 0, 3], to: [2, 2, 5]}}",  # its corners in another order
    f"{GROUND} | box: {{from: [6, 0, -8], to: [4, 3, -3]}}",
    f"{GROUND} | wall: {{from: [-4, 0], to: [4, 0], height: 6}} | spiral_stairs: {{at: [0, 0, 1.55], steps: 20, radius: 1.4, turn: 24}}",
    f"{GROUND} | {HOUSE}".replace("HOLE", "{from: [3, -6.4], to: [7.8, -4.8]}"),
    f"{GROUND} | {HOUSE}".replace("HOLE", "{from: [3, -6.35], to: [7.8, -4.85]}"),
    f"{GROUND} | sign: {{text: Hotel, at: [0, 16, 0], facing: south, letters: 1}}",
    f"{GROUND} | {TOWER} | sign: {{text: Tower, at: [12, 5.6, 0.01], facing: south}}",
    f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT} | teleport: {{from: [-4, 0, 0], to: [-3, 2, 1], arrive: [2, 0, -5]}}",
    f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT}".replace("-2]}", "-2], windows: [{wall: south}]}"),
    f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT}".replace("-2]}", "-2], ceiling: false}"),
    f"goal: {{at: [4, 0, -5]}} | {GROUND} | {VAULT}".replace("-2]}", "-2], shared: true}") + " | room: {from: [0, 0, -1.8], to: [8, 3, 2], doors: [{wall: north}, {wall: south}]}",
    f"goal: {{at: [4, 0, -5]}} | spawn: {{at: [2, 0, -5]}} | {GROUND} | {VAULT}",  # both are in it
    "spawn: {at: [0, 0, 0]} | room: {from: [-9, 0, -9], to: [9, 4, 9]}",  # an arena
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, width: 0.4}}",
    f"{GROUND} | stairs: {{at: [0, 0, 0], steps: 10, run: 0.1}}",
    f"{GROUND} | kill: {{from: [-40, -15, -40], to: [40, -10, 40]}}",
    f"kill_height: -10 | {GROUND} | kill: {{from: [-40, -12, -40], to: [40, -8, 40]}}",
    f"{BANKS} | kill: {{from: [-20, -4, -6], to: [20, -3, 2]}}",
)  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    scene, *told = MISTAKES[name]
    assert_told_and_mended(level_of(scene), *told)


@pytest.mark.parametrize("scene", FINE)
def test_what_is_right_has_no_finding(scene: str) -> None:
    assert said(level_of(scene)) == []
