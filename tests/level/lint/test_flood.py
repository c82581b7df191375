"""What the flood reaches, and what is said of an area that it does not reach: once, and only where it is all in the way."""

# ruff: noqa: E501 (one line a scene)
from __future__ import annotations

import numpy as np
import pytest

from game.level import Level, check, load
from game.level.format.findings import FindingCollector
from game.level.lint.context import Context
from game.level.lint.flood import Flood

GROUND = "floor: {name: ground, from: [-12, -12], to: [12, 12], thickness: 0.2}"
ROOM = "room: {name: cell, from: [-3, 0, -9], to: [3, 3, -4], doors: [{wall: south, width: 1.2}]}"
PILLARS = "box: {name: left, from: [-3, 0, -3.9], to: [-0.2, 3, -3.2]} | box: {name: right, from: [0.2, 0, -3.9], to: [3, 3, -3.2]}"
YARD = "wall: {from: [-12, -3], to: [GAP, -3], height: 3} | wall: {from: [0.2, -3], to: [12, -3], height: 3} | wall: {from: [-12, -12], to: [12, -12], height: 3} | wall: {from: [12, -12], to: [12, -3], height: 3} | wall: {from: [-12, -3], to: [-12, -12], height: 3}"
ISLAND = "floor: {from: [-12, -4], to: [12, 12], thickness: 0.2, intended: [fall]} | floor: {name: island, from: [-3, -12], to: [3, Z], thickness: 0.2}"
STAGE = "box: {name: stage, from: [-3, 0, -9], to: [3, RISE, -4]}"

REACH = np.array([0.4, 0.2, 0.4])  # m around a place that is judged


def level_text(pieces: str, spawn: str = "{at: [0, 0, 8], facing: north}") -> str:
    rows = "".join(f"  - {piece}\n" for piece in pieces.split(" | "))
    return f"format: 1\nspawn: {spawn}\npieces:\n{rows}"


def flood_of(text: str) -> tuple[Level, Flood]:
    level = load(text=text)
    return level, Flood(Context(level, FindingCollector("level.yaml")))


# Pieces, a place (3,), and whether the player comes there.
REACHED = {
    "a doorway": (f"{GROUND} | {ROOM}", (0, 0, -6), True),
    "a doorway that a wall closes": (f"{GROUND} | {ROOM} | wall: {{from: [-2, -3.8], to: [2, -3.8], height: 3, thickness: 0.1}}", (0, 0, -6), False),
    "a gap in which the body fits sideways": (f"{GROUND} | {YARD}".replace("GAP", "-0.35"), (0, 0, -8), True),
    "a gap that is too narrow": (f"{GROUND} | {YARD}".replace("GAP", "-0.25"), (0, 0, -8), False),
    "a step that one jumps up to": (f"{GROUND} | {STAGE}".replace("RISE", "1.35"), (0, 1.35, -6), True),
    "a higher one": (f"{GROUND} | {STAGE}".replace("RISE", "1.45"), (0, 1.45, -6), False),
    "a fence that one jumps over": (f"{GROUND} | wall: {{from: [-12, 0], to: [12, 0], height: 1.2, thickness: 0.1}}", (0, 0, -6), True),
    "a wall": (f"{GROUND} | wall: {{from: [-12, 0], to: [12, 0], height: 1.6, thickness: 0.1}}", (0, 0, -6), False),
    "stairs": (f"{GROUND} | {STAGE} | stairs: {{at: [0, 0, -1.2], steps: 10, rise: 0.3, run: 0.28}}".replace("RISE", "3"), (0, 3, -6), True),
    "a ladder": (f"{GROUND} | {STAGE} | ladder: {{at: [0, 0, -4], height: 5}}".replace("RISE", "5"), (0, 5, -6), True),
    "a ladder on the other side of a wall": (f"{GROUND} | {STAGE} | ladder: {{at: [0, 0, -4], height: 5}} | box: {{from: [-3, 0, -2.9], to: [3, 7, -2.7]}} | box: {{from: [3, 0, -9], to: [3.2, 7, -2.7]}} | box: {{from: [-3.2, 0, -9], to: [-3, 7, -2.7]}}".replace("RISE", "5"), (0, 5, -6), False),
    "a lift": (f"{GROUND} | {STAGE} | mover: {{at: [0, 0, -2.9], path: [[0, 0, 0], [0, 4.9, 0]], of: [box: {{from: [-1, 0, -1], to: [1, 0.1, 1]}}]}}".replace("RISE", "5"), (0, 5, -6), True),
    "a pad": (f"{GROUND} | {STAGE} | pad: {{at: [0, 0, 2], to: [0, 5, -8]}}".replace("RISE", "5"), (0, 5, -6), True),
    "a teleport": (f"{GROUND} | {STAGE} | teleport: {{from: [4, 0, 4], to: [5, 2, 5], arrive: [0, 5, -6]}}".replace("RISE", "5"), (0, 5, -6), True),
    "a leap": (ISLAND.replace("Z", "-8"), (0, 0, -10), True),
    "a gap that is too wide to leap": (ISLAND.replace("Z", "-11"), (0, 0, -11.5), False),
    "a leap against glass": (f"{ISLAND} | wall: {{from: [-12, -4.1], to: [12, -4.1], height: 4, thickness: 0.1}}".replace("Z", "-8"), (0, 0, -10), False),
    "low space": (f"{GROUND} | {ROOM} | box: {{from: [-3, 1.2, -4.1], to: [3, 3, -3.6]}}", (0, 0, -6), True),
    "lower space": (f"{GROUND} | {ROOM} | box: {{from: [-3, 1, -4.1], to: [3, 3, -3.6]}}", (0, 0, -6), False),
    "under a beam that closes the way": (f"{GROUND} | box: {{from: [-12, 1, -3.5], to: [12, 3, -2.5]}}", (0, 0, -6), False),
    "under the floor of a room": (f"{GROUND} | {ROOM} | room: {{from: [-3, 3.2, -9], to: [3, 6, -4]}}".replace("-4], doors", "-4], ceiling: false, doors"), (0, 0, -6), True),
    "a pad under a canopy": (f"{GROUND} | {STAGE} | pad: {{at: [0, 0, 2], to: [0, 5, -8]}} | box: {{from: [-2, 2.5, 0], to: [2, 2.7, 4]}}".replace("RISE", "5"), (0, 5, -6), False),
    "a slope": (f"{GROUND} | {STAGE} | ramp: {{at: [0, 0, 0.2], length: 4.2, rise: 4}}".replace("RISE", "4"), (0, 4, -6), True),
    "a steep slope": (f"{GROUND} | {STAGE} | ramp: {{at: [0, 0, -1], length: 3, rise: 4}}".replace("RISE", "4"), (0, 4, -6), False),
    "ground beyond a kill box": (f"{GROUND} | kill: {{from: [-12, -1, -3], to: [12, 3, 0]}}", (0, 0, -6), False),
    "out of water": ("floor: {from: [-12, -12], to: [12, 12], holes: [{from: [-4, -4], to: [4, 4]}]} | room: {from: [-4, -3, -4], to: [4, -0.01, 4], ceiling: false} | water: {from: [-4, -3, -4], to: [4, -0.3, 4]}", (0, 0, -6), True),
}  # fmt: skip


@pytest.mark.parametrize("name", REACHED)
def test_the_flood_reaches_what_a_player_reaches(name: str) -> None:
    pieces, place, expected = REACHED[name]
    _, flood = flood_of(level_text(pieces))
    at = np.array(place, np.float64)
    cells = flood.cells_in(at - REACH, at + REACH)
    assert len(cells)
    assert flood.reached[cells].all() == expected
    assert flood.reached[cells].any() == expected


def test_the_flood_of_a_turned_level_is_that_of_the_level() -> None:
    """The grid has no preferred direction: the same rooms, turned by quarters, are reached alike."""
    for name in ("a gap in which the body fits sideways", "a gap that is too narrow", "a doorway", "stairs"):
        pieces, (x, y, z), expected = REACHED[name]
        for facing, (u, w) in ((90, (z, -x)), (180, (-x, -z)), (270, (-z, x))):
            sine, cosine = {90: (8, 0), 180: (0, -8), 270: (-8, 0)}[facing]
            group = f"group: {{facing: {facing}, of: [{pieces.replace(' | ', ', ')}]}}"
            _, flood = flood_of(level_text(group, f"{{at: [{sine}, 0, {cosine}]}}"))
            at = np.array([u, y, w], np.float64)
            cells = flood.cells_in(at - REACH, at + REACH)
            assert len(cells)
            assert flood.reached[cells].all() == expected, (name, facing)


CLOSED = YARD.replace("GAP", "-0.25")
# Pieces, and words of the finding; "" for none.
SAID = {
    "a gap to an area": (f"{GROUND} | {CLOSED}", "is 0.45 m wide: a player cannot pass"),
    "the same gap, and another way": (f"{GROUND} | {CLOSED} | stairs: {{at: [-6, 0, 0.5], steps: 10, rise: 0.3, run: 0.3}}", ""),
    "the same gap, intended": (f"{GROUND} | {CLOSED}".replace("height: 3}", "height: 3, intended: [narrow]}"), ""),
    "a gap between pieces of furniture": (f"{GROUND} | box: {{from: [-3, 0, 0], to: [-0.2, 2, 1]}} | box: {{from: [0.2, 0, 0], to: [3, 2, 1]}}", ""),
    "a low way to an area": (f"{GROUND} | {YARD} | box: {{from: [-1.2, 0.9, -3.5], to: [1.2, 3, -2.5]}}".replace("GAP", "-1"), "is 0.90 m: a player cannot pass"),
    "a low roof over a bench": (f"{GROUND} | box: {{from: [-2, 0.9, -2], to: [2, 1.2, 2]}}", ""),
    "a ledge that is too high": (f"{GROUND} | {STAGE}".replace("RISE", "1.45"), ""),
    "a ledge that is too high, to a target": (f"{GROUND} | {STAGE} | target: {{at: [0, 2.5, -6]}}".replace("RISE", "1.6"), "the step up to it is 1.60 m high: a player comes up 1.40 m with a jump"),
    "a beam in the only gate": (f"{GROUND} | {YARD} | box: {{name: beam, from: [-1, 1, -3.1], to: [0.2, 3, -2.9]}}".replace("GAP", "-1"), "the headroom above `floor \"ground\"` (line 4) is 1.00 m: a player cannot pass, and reaches the part of `floor \"ground\"` (line 4) around"),
    "a ladder in a cage": (f"{GROUND} | {STAGE} | ladder: {{at: [0, 0, -4], height: 3}} | room: {{name: cage, from: [-1, 0, -3.8], to: [1, 2.8, -2], floor: false, ceiling: false}}".replace("RISE", "3"), "nobody comes to its foot at (0, 0, -3.65): `room \"cage\"` (line 7) is in the way"),
    "a pad under a roof": (f"{GROUND} | pad: {{at: [0, 0, 2], to: [0, 0, -6], over: 3}} | box: {{name: roof, from: [-2, 2.5, 0], to: [2, 2.7, 4]}}", "against `box \"roof\"` (line 6): the player does not come to"),
    "a plain lift": (f"{GROUND} | {STAGE} | mover: {{at: [0, 0, -2.9], path: [[0, 0, 0], [0, 4.9, 0]], of: [box: {{from: [-1, 0, -1], to: [1, 0.1, 1]}}]}}".replace("RISE", "5"), ""),
    "a crack of 5 cm": ("floor: {from: [-12, 0], to: [12, 12]} | floor: {from: [-12, -12], to: [12, -0.05]}", "a crack of 50.0 mm"),
    "a gap of 5 cm between planks": (f"{GROUND} | array: {{count: 9, step: [0.3, 0, 0], of: [box: {{from: [0, 0, 0], to: [0.25, 0.1, 3]}}]}}", ""),
    "a board in the air": (f"{GROUND} | sign: {{text: Here, at: [0, 1.6, 0]}}", "hangs in the air, and touches nothing"),
    "a slope to an area": (f"{GROUND} | {STAGE} | ramp: {{at: [0, 0, -1], length: 3, rise: 4, width: 2}}".replace("RISE", "4"), "a slope of 53.1 degrees cannot be walked up"),
    "a roof that nothing leads to": (f"{GROUND} | {STAGE}".replace("RISE", "4"), ""),
    "a goal on that roof": (f"{GROUND} | {STAGE} | target: {{at: [0, 5, -6]}}".replace("RISE", "4"), "is on `box \"stage\"`"),
    "a strip of nothing": ("floor: {from: [-12, 0], to: [12, 12], thickness: 0.2, intended: [fall]} | wall: {from: [-12, -0.9], to: [12, -0.9], height: 3}", "there is nothing in a strip"),
    "the edge of the level": ("floor: {from: [-12, 0], to: [12, 12], thickness: 0.2, intended: [fall]}", ""),
    "a gap that one jumps over": ("floor: {from: [-12, 0], to: [12, 12], thickness: 0.2} | floor: {from: [-12, -12], to: [12, -1], thickness: 0.2}", ""),
    "a cupboard at the foot of stairs": (f"{GROUND} | {STAGE} | stairs: {{at: [0, 0, -1], steps: 10, rise: 0.3, run: 0.3, width: 1.2}} | wall: {{from: [-0.8, -1], to: [-0.8, -4], height: 3}} | wall: {{from: [0.8, -4], to: [0.8, -1], height: 3}} | box: {{name: cupboard, from: [-1, 0, -0.9], to: [1, 2, -0.2]}}".replace("RISE", "3"), "`box \"cupboard\"` (line 9) stands in its way"),
    "a press over ground": (f"{GROUND} | mover: {{at: [0, 2.5, 0], path: [[0, 0, 0], [0, -2, 0]], of: [box: {{from: [-1, 0, -1], to: [1, 0.5, 1]}}]}}", "it crushes a player who stands below it"),
    "a press behind a fence": (f"{GROUND} | mover: {{at: [0, 2.5, 0], path: [[0, 0, 0], [0, -2, 0]], of: [box: {{from: [-1, 0, -1], to: [1, 0.5, 1]}}]}} | room: {{from: [-2, 0, -2], to: [2, 4, 2], ceiling: false}}", ""),
    "a lamp that one array step moves off its shelf": (f"{GROUND} | {STAGE} | array: {{count: 2, step: [5, 0, 0], of: [pillar: {{at: [0, 4, -6], radius: 0.06, height: 1.6}}]}}".replace("RISE", "4"), "and touches nothing: its other copies stand"),
    "a post that is too short": (f"{GROUND} | sign: {{text: Here, at: [0, 1.6, 0], post: 1.1}}", "the post of the sign"),
    "two undersides in one plane": (f"{GROUND} | box: {{from: [11, 0, 0], to: [14, 3, 1]}} | box: {{from: [11.5, 0, 0.2], to: [15, 2.8, 0.8], surface: red}}", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_an_obstacle_is_a_finding_where_it_is_all_that_is_in_the_way(name: str) -> None:
    pieces, words = SAID[name]
    text = (
        level_text(pieces).replace("pieces:", "surfaces: {red: {colour: red}}\npieces:")
        if "red}" in pieces
        else level_text(pieces)
    )
    told = [finding.message for finding in check(text=text)]
    if words:
        assert len(told) == 1, told
        assert words in told[0]
    else:
        assert told == []


def test_one_mistake_silences_what_follows_from_it() -> None:
    vault = "room: {name: vault, from: [-3, 0, -9], to: [3, 3, -4], doors: [{wall: south}]}"
    copy = vault.replace("vault", "copy")
    told = [str(one) for one in check(text=level_text(f"{GROUND} | {vault} | {copy}"))]
    assert len(told) == 1
    assert "it stands exactly in the place of" in told[0]


def test_the_same_level_has_the_same_findings_in_any_order_of_its_pieces() -> None:
    pieces = f"{GROUND} | {CLOSED} | {STAGE}".replace("RISE", "1.45").split(" | ")
    first = {one.message.split(" (line")[0] for one in check(text=level_text(" | ".join(pieces)))}
    last = {one.message.split(" (line")[0] for one in check(text=level_text(" | ".join([pieces[0], *pieces[:0:-1]])))}
    assert len(first) == len(last) > 0


def test_a_level_that_is_too_large_says_what_is_not_checked() -> None:
    for side in (400, 10_000):
        large = f"floor: {{from: [-{side}, -{side}], to: [{side}, {side}]}}"
        assert not flood_of(level_text(large))[1].is_known
        (finding,) = check(text=level_text(large))
        assert finding.message.startswith(f"its ground is as large as a square of {2 * side} m")
        assert "Not checked: passages" in finding.message


def test_gardens_that_are_far_from_each_other_are_flooded() -> None:
    """The size of a level is its ground, and not the distance between its parts."""
    far = "floor: {from: [9988, -12], to: [10012, 12]} | teleport: {from: [4, 0, 4], to: [5, 2, 5], arrive: [10000, 0, 0]}"
    level, flood = flood_of(level_text(f"{GROUND} | {far}"))
    assert flood.is_known
    assert flood.reached[flood.cells_in(np.array([9990.0, -1.0, -9.0]), np.array([10010.0, 1.0, 9.0]))].all()
    assert [str(one) for one in check(text=level.source_text)] == []
