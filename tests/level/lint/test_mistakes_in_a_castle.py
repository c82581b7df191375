"""Mistakes in a castle that stands: each has one finding, and what the finding tells to do mends it."""

# ruff: noqa: E501 (one line a mistake)
from __future__ import annotations

from pathlib import Path

import pytest

from game.level import check, load
from game.level.geometry.instance_transform import PlacedMarker
from tests.support.level_mistakes import assert_told_and_mended, changed

CASTLE = (Path(__file__).parents[1] / "data" / "castle.yaml").read_text("utf-8")
NORTH_SIDE = "  - wall: {name: moat north side, from: [-20, 7.9], to: [20, 7.9], y: -2, height: 1.99, thickness: 0.2, surface: stone}\n"

# What is right and what the author wrote instead; words of the only finding, and of its cure; the cure in the file.
MISTAKES: dict[str, tuple[tuple[str, str], str, str, tuple[str, str]]] = {
    "a turn in radians": (("turn: 24", "turn: 0.42"), "spiral_stairs.turn: a turn of 0.42 degrees per tread is too small", "use 1 to 90 degrees", ("0.42", "24")),
    "rooms that overlap": (("[0.2, 0, -12]", "[-1, 0, -12]"), 'room "kitchen": it overlaps `room "hall"` (line 51) by 1 m: `shared` has no effect', "move one of them 1.2 m away from the other", ("[-1, 0, -12]", "[0.2, 0, -12]")),
    "a door that opens too little": (("[1.25, 0, 0]", "[0.4, 0, 0]"), 'mover "hall door": the door opens 0.4 m of 1.2 m: a player cannot pass', "make its `path` 1.25 m long instead of 0.4 m", ("[0.4, 0, 0]", "[1.25, 0, 0]")),
    "a target on a roof": (("[11, 4.6, -6]", "[-3, 7.2, -8]"), 'target "tower bell": nobody comes to the target at (-3, 7.2, -8): no stairs, ladder, lift or pad lead up to `room "solar"`', "put stairs, a ladder or a lift there, move it to where players come", ("[-3, 7.2, -8]", "[-3, 4.2, -8]")),
    "a target that is meant on a roof": (("[11, 4.6, -6]", "[-3, 7.2, -8]"), "nobody comes to the target", "add `intended: [void]`", ("[-3, 7.2, -8]", "[-3, 7.2, -8], intended: [void]")),
    "water above its bank": (("[20, -0.8, 12]", "[20, 1.2, 12]"), "water: the water around (0, -0.4, 10) stands 1.2 m above its bank on its north side", "lower its surface to -0.05", ("1.2, 12]", "-0.05, 12]")),
    "a moat without a side": ((NORTH_SIDE, ""), "water: the water around (0, -1.4, 10) runs out: nothing holds it on its north side", "add a wall there: `wall: {from: [-20, 7.9], to: [20, 7.9], y: -2, height: 1.99}`", ("  - water:", "  - wall: {from: [-20, 7.9], to: [20, 7.9], y: -2, height: 1.99}\n  - water:")),
    "spiral stairs the other way round": (("turn: 24", "turn: -24"), 'spiral_stairs "tower stair": it ends in the air: its top, (8.15, 3.6, -0.83), does not meet `floor "east walk"`', "write `turn: 24`", ("-24", "24")),
    "spiral stairs that begin at the wrong side": (("facing: 162", "facing: 100"), "it ends in the air", "write `facing: 115`", ("facing: 100", "facing: 115")),
    "a pad that leads to a place in the level": (("to: [-3, 3.6, 0]", "to: [-11, 3.6, 3]"), 'pad "trebuchet": the player lands at (-19, 3.65, 6), 3.65 m above the ground', "`to` is relative to the pad, not a place in the level: write `to: [-3, 3.6, 0]`", ("[-11, 3.6, 3]", "[-3, 3.6, 0]")),
    "a bridge that is too high": (("-0.15, 7.9], to: [1.5, 0.05, 12.1]", "1.3, 7.9], to: [1.5, 1.5, 12.1]"), 'box "bridge": the deck around (0, 1.5, 10) is 1.5 m above `floor "ground"` (line 19), and as high at its other end: nobody can step up there', "lower it by 1.45 m", ("1.3, 7.9], to: [1.5, 1.5, 12.1]", "-0.15, 7.9], to: [1.5, 0.05, 12.1]")),
    "a low arch": (("spring: 2.2", "spring: 0.5"), "arch.spring: the top of the opening is at 1.7 m: too low to stand", "write `spring: 1.82`", ("spring: 0.5", "spring: 1.82")),
    "a torch in a doorway": (("at: [2, 0, 4]}", "at: [-3, 0, -3.4]}"), 'room "hall": `pillar` (line 15) of the `place` at line 49 stands 0.29 m before doorway 1 in the south wall', "move it to the side", ("at: [-3, 0, -3.4]}", "at: [-3, 0, -2.9]}")),
    "a teleport with numbers relative to its box": (("arrive: [3, 3.2, -6]", "arrive: [-2.4, 3.2, 5.4]"), "the player arrives at (-2.4, 3.2, 5.4)", "`arrive` is not relative to the box: write `arrive: [3, 3.2, -6]`", ("[-2.4, 3.2, 5.4]", "[3, 3.2, -6]")),
}  # fmt: skip


def test_many_markers_are_left_out_without_a_comparison_of_each_with_each(monkeypatch: pytest.MonkeyPatch) -> None:
    def compared(self: PlacedMarker, other: object) -> bool:
        raise AssertionError

    monkeypatch.setattr(PlacedMarker, "__eq__", compared)
    ramps = "array: {count: 50, step: [100000, 0, 0], of: [ramp: {at: [0, 0, 0], length: 2, rise: 1}]}"
    level = load(
        text=f"format: 1\nspawn: {{at: [0, 0, 0]}}\npieces: [floor: {{from: [-9, -9], to: [9, 9]}}, {ramps}]\n"
    )
    assert 0 < len(level.faces.marks) < 50
    assert ["further than" in str(one) for one in level.findings] == [True]


def test_the_castle_has_no_mistake() -> None:
    assert check(text=CASTLE) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_one_finding_and_its_cure_mends_it(name: str) -> None:
    change, words, cure, mend = MISTAKES[name]
    assert_told_and_mended(changed(CASTLE, change), words, cure, mend)
