"""Mistakes in a ship at its quay: each has one finding, and what the finding tells to do mends it. What is right has none."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

import pytest

from game.level import check
from tests.support.level_mistakes import assert_told_and_mended, changed

SHIP = """format: 1
spawns:
  - {name: quay, at: [0, 0, 17], facing: north}
  - {name: deck, at: [0, 3.2, 10], facing: north}
goal: {at: [0, 3.2, -12]}
kill_height: -12
surfaces:
  hull: {colour: grey}
define:
  bench:
    - box: {from: [-0.9, 0.4, -0.2], to: [0.9, 0.48, 0.2], surface: hull}
    - box: {from: [-0.8, 0, -0.15], to: [-0.7, 0.4, 0.15], surface: hull}
    - box: {from: [0.7, 0, -0.15], to: [0.8, 0.4, 0.15], surface: hull}
pieces:
  - floor: {name: quay, from: [-16, -22], to: [16, 20], holes: [{from: [-5, -14], to: [-1, -8]}]}
  - room:
      name: hold
      from: [-6, 0, -16]
      to: [6, 3, 12]
      thickness: 0.3
      floor: false
      ceiling: false
      doors: [{wall: south, at: 6, width: 1.6, height: 2.2}]
      windows: [{wall: east, at: 8, width: 1}, {wall: west, at: 8, width: 1}]
      surface: hull
  - wall: {name: bulkhead, from: [-6, -6.15], to: [6, -6.15], thickness: 0.3, height: 3, doors: [{at: 9, width: 1.4}]}
  - room: {name: bilge, from: [-5, -2, -14], to: [-1, -0.01, -8], ceiling: false}
  - water: {name: bilge water, from: [-5, -2, -14], to: [-1, -0.3, -8]}
  - ladder: {name: bilge ladder, at: [-3, -2, -8], facing: south, height: 2, surface: hull}
  - array:
      count: 4
      step: [0, 0, 5]
      of:
        - pillar: {name: frame, at: [2, 0, -5], radius: 0.15, height: 3, surface: hull}
  - stairs: {name: companionway, at: [4.5, 0, 8], facing: north, steps: 16, rise: 0.2, run: 0.3, width: 1.4}
  - room: {name: shaft, from: [-5.05, 0, 4.95], to: [-2.95, 3, 7.05], thickness: 0.2, floor: false, ceiling: false, doors: [{wall: east, width: 1.2}]}
  - mover:
      name: lift
      at: [-4, 0, 6]
      path: [[0, 0, 0], [0, 3.1, 0]]
      pause: 3
      of:
        - box: {from: [-0.95, 0, -0.95], to: [0.95, 0.1, 0.95]}
  - mover:
      name: lift door
      at: [-2.58, 0, 6]
      path: [[0, 0, 0], [0, 0, 1.3]]
      of:
        - box: {from: [-0.05, 0.02, -0.65], to: [0.05, 2.15, 0.65]}
  - floor:
      name: deck
      from: [-6.3, -16.3]
      to: [6.3, 12.3]
      y: 3.2
      thickness: 0.2
      holes:
        - {from: [3.7, 3.2], to: [5.3, 8]}
        - {from: [-5.05, 4.95], to: [-2.95, 7.05]}
  - room: {name: bridge, from: [-3, 3.2, -14], to: [3, 6, -9], floor: false, doors: [{wall: south, at: 3, width: 1.2}], windows: [{wall: east}, {wall: west}]}
  - place: {what: bench, at: [0, 3.2, 9], facing: north}
  - place: {what: bench, at: [10, 0, 10], facing: west}
  - box: {name: chest, from: [4, 3.2, -14], to: [5.2, 4, -13]}
"""
BENCH = "  - place: {what: bench, at: [0, 3.2, 9], facing: north}\n"
QUAY_HOLE = ", holes: [{from: [-5, -14], to: [-1, -8]}]"
LIFT_OF = "      pause: 3\n      of:\n"

# What is right and what the author wrote instead; line and column, words of the only finding, and of its cure; the cure
# in the file.
MISTAKES: dict[str, tuple[tuple[str, str], tuple[int, int], str, str, tuple[str, str]]] = {
    "a goal on a roof": (("[0, 3.2, -12]", "[0, 6.2, -12], radius: 1"), (5, 1), 'goal: nobody comes to the goal at (0, 6.2, -12): no stairs, ladder, lift or pad lead up to `room "bridge"` (line 59); it is on the roof, and the floor is at 3.2', "lower it by 3 m", ("[0, 6.2,", "[0, 3.2,")),
    "a bench on its copy": ((BENCH, BENCH * 2), (61, 5), "place: it stands exactly on the copy of line 60", "move or remove one of them", (BENCH * 2, BENCH)),
    "a chest in a doorway": (("from: [4, 3.2, -14], to: [5.2, 4, -13]", "from: [-0.6, 3.2, -9.2], to: [0.6, 4, -8.2]"), (59, 86), 'room "bridge": `box "chest"` (line 62) stands in doorway 1 in the south wall at (0, 3.2, -8.9): 0 m of 1.2 m stay open', "move it", ("from: [-0.6, 3.2, -9.2], to: [0.6, 4, -8.2]", "from: [-0.6, 3.2, -7.2], to: [0.6, 4, -6.2]")),
    "pillars that split a doorway": (("at: [2, 0, -5]", "at: [0, 0, -3]"), (23, 15), '`pillar "frame"` (line 34) stands in doorway 1 in the south wall at (0, 0, 12.15): 0.65 m of 1.6 m stay open', "move it", ("at: [0, 0, -3]", "at: [-1, 0, -3]")),
    "a door that slides out of its wall": (("[0, 0, 1.3]", "[1.3, 0, 0]"), (44, 5), 'mover "lift door": the door moves 1.3 m out of its wall, not along it', "swap the first and the last number of each point of `path`", ("[1.3, 0, 0]", "[0, 0, 1.3]")),
    "a door that slides into the shaft": (("[0, 0, 1.3]", "[-1.3, 0, 0]"), (44, 5), "the door moves 1.3 m out of its wall", "swap the first and the last number", ("[-1.3, 0, 0]", "[0, 0, -1.3]")),
    "a lift ten times as high": (("[0, 3.1, 0]", "[0, 31, 0]"), (37, 5), 'mover "lift": the lift stops at (-4, 31, 6), level with no floor, and passes `floor "deck"` (line 50) without a stop', "write 3.1 instead of 31 in its `path`", ("[0, 31, 0]", "[0, 3.1, 0]")),
    "a quay over water with a ladder": ((QUAY_HOLE, ""), (15, 5), 'floor "quay": it covers the `water` (line 28): it has no hole there', "add `holes: [{from: [-5, -14], to: [-1, -8]}]` to it", ("to: [16, 20]", f"to: [16, 20]{QUAY_HOLE}")),
}  # fmt: skip

# What is right in another way.
FINE = {
    "a thin wall": (("thickness: 0.2, floor: false, ceiling: false, doors: [{wall: east, width: 1.2}]", "thickness: 0.1, floor: false, ceiling: false, doors: [{wall: east, width: 1.2}]"), ("[-2.58, 0, 6]", "[-2.75, 0, 6]")),
    "a chest beside the doorway": (("from: [4, 3.2, -14], to: [5.2, 4, -13]", "from: [0.7, 3.2, -8.8], to: [1.9, 4, -7.8]"),),
    "a doorstep": (("from: [4, 3.2, -14], to: [5.2, 4, -13]", "from: [-0.6, 3.2, -9.2], to: [0.6, 3.45, -8.5]"),),
    "a slender post in a wide doorway": (("at: [2, 0, -5], radius: 0.15", "at: [0.7, 0, -3], radius: 0.05"),),
    "a chest that is meant to close it": (("from: [4, 3.2, -14], to: [5.2, 4, -13]", "intended: [closed], from: [-0.6, 3.2, -9.2], to: [0.6, 4, -8.2]"),),
    "a lift to a view": (("[0, 3.1, 0]", "[0, 31, 0]"), ("  - water", "  - target: {at: [-4, 32, 6]}\n  - water")),
    "a lift that also stops at the deck": (("[0, 3.1, 0]]", "[0, 3.1, 0], [0, 31, 0]]"),),
    "a goal on the roof, and a crate to climb it": (("goal: {at: [0, 3.2, -12]}", "goal: {at: [0, 6.2, -12]}"), ("[4, 3.2, -14], to: [5.2, 4, -13]", "[3.4, 3.2, -14], to: [5.2, 5.1, -13]"), ("  - water", "  - stairs: {at: [4.3, 3.2, -10], facing: north, steps: 10, rise: 0.19}\n  - water")),
    "a goal over a table, that one touches from beside it": (("goal: {at: [0, 3.2, -12]}", "goal: {at: [0, 5, 2], radius: 1}"), ("  - water", "  - box: {from: [-0.5, 3.2, 1.5], to: [0.5, 5, 2.5]}\n  - water")),
    "two benches back to back": ((BENCH, BENCH + BENCH.replace("9]", "9.4]")),),
}  # fmt: skip


def test_the_ship_has_no_mistake() -> None:
    assert [str(one) for one in check(text=SHIP)] == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    change, place, words, cure, mend = MISTAKES[name]
    told = assert_told_and_mended(changed(SHIP, change), words, cure, mend)
    assert (told.line, told.column) == place


@pytest.mark.parametrize("name", FINE)
def test_what_is_right_has_no_finding(name: str) -> None:
    assert [str(one) for one in check(text=changed(SHIP, *FINE[name]))] == []


def test_a_lift_beside_a_room_that_is_too_low_has_no_finding_of_its_own() -> None:
    bridge = (
        "to: [3, 6, -9], floor: false, doors: [{wall: south, at: 3, width: 1.2}], windows: [{wall: east}, {wall: west}]}",
        "to: [3, 4.2, -9]}",
    )
    lift = "  - mover: {at: [-4.3, 3.2, -11], path: [[0, 0, 0], [0, 9, 0]], of: [box: {from: [-1, 0, -1], to: [1, 0.1, 1]}]}\n"
    (told,) = check(text=changed(SHIP, bridge) + lift)
    assert "the room is 1 m high" in told.message
