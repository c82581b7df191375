"""Doorways and windows that a wall closes: which warnings, with which names, places and cures."""

# ruff: noqa: E501 (one line a scene)
from __future__ import annotations

import pytest

from game.level import Finding, check, load

HALL = "room: {name: hall, from: [0, 0, 0], to: [8, 3, 8], doors: [{wall: east, at: 4}]}"
SHARED = "add `shared: true` to one of the rooms"

CORNER = "room: {from: [0, 0, -8], to: [4, 3, -4], shared: true, doors: [{wall: east, at: 2}]} | room: {from: [4.2, 0, -10], to: [8, 4, -6.5], shared: true}"
PARTITION = (
    CORNER.split(" | ")[0]
    + " | room: {from: [4.2, 0, -8], to: [8, 3, -6.1], shared: true} | room: {from: [4.2, 0, -5.9], to: [8, 3, -4], shared: true}"
)


def found(pieces: str) -> list[Finding]:
    rows = "".join(f"  - {piece}\n" for piece in pieces.split(" | "))
    text = f"format: 1\nspawn: {{at: [2, 0, 2]}}\npieces:\n{rows}"
    return [finding for finding in check(text=text) if "step up" not in finding.message]


def beside(gap: float, doors: str = "", more: str = "") -> str:
    """The hall, and a room with its inner face `gap` metres east of the hall's."""
    return f"{HALL} | room: {{name: kitchen, from: [{8 + gap}, 0, 2], to: [12, 2.6, 7]{doors}{more}}}"


# Pieces, and for each finding its line (4 is the first piece), words of it and words of its cure.
SCENES = {
    "one and a half": (beside(0.3), [(4, "is closed by", SHARED)]),
    "two thicknesses": (beside(0.4), [(4, "is closed by", SHARED)]),
    "no gap": (beside(0.0), [(4, "is closed by", "the inner faces of the rooms are 0 m apart: make it 0.2 m")]),
    "larger": (beside(0.55), [(4, "is closed by", "are 0.55 m apart: make it 0.2 m")]),
    "far": (beside(3.0), []),
    "shared": (beside(0.2, more=", shared: true"), []),
    "intended by the one": (beside(0.2, more=", intended: [closed]"), []),
    "intended by the other": (beside(0.2).replace("at: 4}]", "at: 4}], intended: [closed]"), []),
    "two doorways that line up": (beside(0.2, ", doors: [{wall: west, at: 2}]"), []),
    "a wider one behind it": (beside(0.2, ", doors: [{wall: west, at: 2, width: 1.6}]"), []),
    "a narrower one behind it": (beside(0.2, ", doors: [{wall: west, at: 2.1, width: 0.75}]"), []),
    "a lower one behind it": (beside(0.2, ", doors: [{wall: west, at: 2, height: 1.9}]"), []),
    "aside": (beside(0.2, ", doors: [{wall: west, at: 2.4}]"), [(4, 'doorway 1 in the east wall at (8.1, 0, 4) and doorway 1 in the west wall of `room "kitchen"` (line 5) do not line up: 0.6 m of 1 m stay open', "move one of them by 0.4 m along the wall")]),
    "aside and shared": (beside(0.2, ", doors: [{wall: west, at: 2.4}]", ", shared: true"), []),
    "a corner in the way": (f"{HALL} | room: {{name: kitchen, from: [8.2, 0, 4.4], to: [12, 3, 8]}}", [(4, "is partly closed by `room \"kitchen\"` (line 5): 0.7 m of 1 m stay open", SHARED)]),
    "a window": (beside(0.2).replace("doors: [{wall: east, at: 4}]", "windows: [{wall: east, at: 4}, {wall: east, at: 7.3, width: 0.5}]"), [(4, "window 1 in the east wall at (8.1, 0.9, 4) is closed by", SHARED)]),
    "a window half behind a wall": (beside(0.2).replace("doors: [{wall: east, at: 4}]", "windows: [{wall: east, at: 2}]"), []),
    "the second doorway of three": (beside(0.2).replace("[{wall: east, at: 4}]", "[{wall: north}, {wall: east, at: 1}, {wall: east, at: 4}]"), [(4, "doorway 2 in the east wall at (8.1, 0, 4)", SHARED)]),
    "a wall before a room": ("wall: {from: [0, 0], to: [6, 0], doors: [{at: 3}]} | room: {from: [0, 0, 0.4], to: [6, 3, 4], doors: [{wall: east}]}", [(4, "doorway 1 at (3, 0, 0) is closed by `room` (line 5)", "make an opening in both")]),
    "a wall in a room's doorway": (f"{HALL} | wall: {{from: [8.3, 0], to: [8.3, 8]}}", [(4, "is closed by `wall` (line 5)", "make an opening in both")]),
    "a low wall before a doorway": (f"{HALL} | wall: {{from: [8.3, 0], to: [8.3, 8], height: 0.15}}", []),
    "a wall to step over": (f"{HALL} | wall: {{from: [8.3, 0], to: [8.3, 8], height: 0.4}}", []),
    "a wall too high to step over": (f"{HALL} | wall: {{from: [8.3, 0], to: [8.3, 8], height: 0.42}}", [(4, "is closed by `wall` (line 5)", "make an opening in both")]),
    "a low wall in a doorway to crawl through": (f"{HALL} | wall: {{from: [8.3, 0], to: [8.3, 8], height: 0.4}}".replace("at: 4", "at: 4, height: 1.2"), [(4, "is closed by `wall` (line 5)", "make an opening in both")]),
    "a wall across, not along": (f"{HALL} | wall: {{from: [8.3, 3.4], to: [14, 3.4]}}", []),
    "a closet half a metre deep": ("room: {from: [0, 0, 0], to: [0.45, 2, 3], doors: [{wall: east}]}", []),
    "a box in the doorway": (f"{HALL} | box: {{from: [8, 0, 3], to: [8.2, 3, 5]}}", [(4, "doorway 1 in the east wall at (8.1, 0, 4) is closed by `box` (line 5)", "move one of them")]),
    "a box in front of it": (f"{HALL} | box: {{from: [8.2, 0, 3], to: [9, 2.5, 5]}}", [(4, "is closed by `box` (line 5)", "move one of them")]),
    "a box around it": (f"{HALL} | box: {{from: [6, 0, 3], to: [11, 3, 5]}}", [(4, "is closed by `box` (line 5)", "move one of them")]),
    "stairs in front of it": (f"{HALL} | box: {{from: [8.2, -1, 3], to: [12, 0, 5]}} | stairs: {{at: [9.8, 0, 4], facing: east, steps: 8}}", []),
    "a box that leaves a gap": (f"{HALL} | box: {{from: [8, 0, 3.9], to: [8.2, 3, 5]}}", []),
    "a counter in it": (f"{HALL} | box: {{from: [8, 0, 3], to: [8.2, 0.9, 5]}}", []),
    "a high counter": (f"{HALL} | box: {{from: [8, 0, 3], to: [8.2, 1.5, 5]}}", [(4, "is closed by `box` (line 5)", "move one of them")]),
    "a lintel in it": (f"{HALL} | box: {{from: [8, 1.9, 3], to: [8.2, 3, 5]}}", []),
    "a box as a shut door": (f"{HALL} | box: {{from: [8, 0, 3], to: [8.2, 3, 5], intended: [closed]}}", []),
    "a box that does not collide": (f"{HALL} | box: {{from: [8, 0, 3], to: [8.2, 3, 5], collide: false}}", []),
    "a box that slides": (f"{HALL} | mover: {{path: [[0, 0, 0], [0, 0, 2]], of: [box: {{from: [8.05, 0.02, 3.4], to: [8.15, 2, 4.6]}}]}}", []),
    "a box in a row of rooms": (f"array: {{count: 3, step: [0, 0, 20], of: [{HALL}, box: {{from: [8, 0, 3], to: [8.2, 3, 5]}}]}}", [(4, "is closed by `box` (line 4)", "move one of them")]),
    "shared, half a metre higher": (beside(0.2, more=", shared: true").replace("[8.2, 0, 2]", "[8.2, 0.5, 2]"), [(4, 'doorway 1 in the east wall at (8.1, 0, 4) has a step of 0.5 m: the floor of `room "kitchen"` (line 5) is at another height; a player climbs 0.40 m', "stairs or a ramp")]),
    "shared, with two doorways in one place": (beside(0.2, ", doors: [{wall: west, at: 2}]", ", shared: true").replace("[8.2, 0, 2]", "[8.2, 0.5, 2]"), [(4, "has a step of 0.5 m", "stairs or a ramp")]),
    "shared, half a metre lower": (beside(0.2, more=", shared: true").replace("[8.2, 0, 2]", "[8.2, -0.5, 2]"), [(4, "has a step of 0.5 m", "stairs or a ramp")]),
    "shared, with a step before the doorway": (beside(0.2, more=", shared: true").replace("[8.2, 0, 2]", "[8.2, 0.5, 2]") + " | box: {from: [7, 0, 3], to: [8, 0.25, 5]}", []),
    "shared, one step higher": (beside(0.2, more=", shared: true").replace("[8.2, 0, 2]", "[8.2, 0.3, 2]"), []),
    "shared, a balcony": (beside(0.2, more=", shared: true").replace("[8.2, 0, 2]", "[8.2, -2, 2]"), []),
    "shared, a step that is intended": (beside(0.2, more=", shared: true, intended: [step]").replace("[8.2, 0, 2]", "[8.2, 0.5, 2]"), []),
    "in a turned group": (f"group: {{at: [-1, 0, 0], facing: 37, of: [{beside(0.2).replace(' | ', ', ')}]}}", [(4, 'doorway 1 in the east wall at (7.88, 0, -1.68) is closed by `room "kitchen"` (line 4)', SHARED)]),
    "in a row": ("array: {count: 3, step: [4.2, 0, 0], of: [room: {from: [0, 0, 0], to: [4, 3, 4], doors: [{wall: east}]}]}", [(4, "doorway 1 in the east wall at (4.1, 0, 2) is closed by `room` (line 4)", SHARED)]),
    "a scaled copy": ("room: {from: [0, 0, 0], to: [4, 3, 4], doors: [{wall: east}]} | group: {at: [4.1, 0, 0], scale: 0.5, of: [room: {from: [0.2, 0, 0], to: [8, 6, 8]}]}", [(4, "is closed by `room` (line 5)", SHARED)]),
    "shared, and a corner in the way": (CORNER, [(4, "is partly closed by `room` (line 5): 0.8 m of 1 m stay open", "move the doorway to `at: 1`, where no wall is beyond it")]),
    "shared, and a partition in the way": (PARTITION, [(4, "is partly closed by `room` (line 5): 0.4 m of 1 m stay open", "move the doorway to `at: 1.4`")]),
    "shared, with another doorway beside it": (PARTITION.replace("at: 2}", "at: 2}, {wall: east, at: 0.6}"), [(4, "is partly closed", "move the doorway to `at: 2.6`")]),
    "shared, with no part that is wide enough": (CORNER.replace("at: 2}", "at: 2, width: 1.8}"), [(4, "is partly closed", "make the doorway narrower")]),
    "shared and scaled, and a corner in the way": (f"group: {{at: [0, 0, 0], scale: 2, facing: 90, of: [{CORNER.replace(' | ', ', ')}]}}", [(4, "is partly closed", "move the doorway to `at: 1`")]),
    "on a lift": (f"{HALL} | mover: {{path: [[0, 0, 0], [0, 4, 0]], of: [{beside(0.2).split(' | ')[1]}]}}", []),
    "of a lift": (f"mover: {{path: [[0, 0, 0], [0, 4, 0]], of: [{HALL}]}} | floor: {{from: [-1, -1], to: [4, 4]}} | {beside(0.2).split(' | ')[1]}", []),
}  # fmt: skip


@pytest.mark.sample(15)
@pytest.mark.parametrize("name", SCENES)
def test_a_blocked_doorway_or_window_is_reported_with_its_cure(name: str) -> None:
    pieces, expected = SCENES[name]
    findings = [one for one in found(pieces) if "doorway" in one.message or "window" in one.message]
    told = [finding.render() for finding in findings]
    assert len(findings) == len(expected), told
    for finding, (line, words, cure) in zip(findings, expected, strict=True):
        assert (finding.severity, finding.line) == ("warning", line), told
        assert words in finding.message
        assert cure in finding.cure
        assert ("`intended: [step]`" if "step" in words else "`intended: [closed]`") in finding.cure


def test_the_finding_marks_the_doorway_and_names_its_room() -> None:
    (finding,) = found(beside(0.2))
    assert finding.where == 'room "hall"'
    assert finding.excerpt[finding.caret : finding.caret + finding.length] == "{wall: east, at: 4}"


def test_walls_in_one_place_are_sent_to_the_field() -> None:
    (finding,) = found(
        HALL.replace(", doors: [{wall: east, at: 4}]", "") + " | room: {from: [8.2, 0, 0], to: [12, 3, 8]}"
    )
    assert 'a face coincides with `room "hall"` (line 4)' in finding.message
    assert "`shared: true`" in finding.cure


@pytest.mark.parametrize("gap", [0.2, 0.3, 0.4])
def test_a_shared_wall_cures_a_blocked_doorway(gap: float) -> None:
    assert found(beside(gap)) != []
    assert found(beside(gap, more=", shared: true")) == []


@pytest.mark.parametrize(("pieces", "at"), [(CORNER, 1), (PARTITION, 1.4)])
def test_the_cure_of_a_shared_wall_works(pieces: str, at: float) -> None:
    assert [one.message for one in found(pieces.replace("at: 2", f"at: {at}"))] == ["there is no ground below"]


@pytest.mark.full
def test_each_doorway_is_reported_once() -> None:
    both = f"{HALL} | room: {{from: [8.2, 0, 2], to: [12, 3, 7], doors: [{{wall: west, at: 2.4}}]}}"
    assert len([one for one in found(both) if "doorway" in one.message]) == 1, "two that do not line up are one mistake"
    row = "array: {count: 40, step: [4.2, 0, 0], of: [room: {from: [0, 0, 0], to: [4, 3, 4], doors: [{wall: east}, {wall: east, at: 0.7, height: 1.9}]}]}"
    assert len([one for one in found(row) if "is closed" in one.message]) == 2
    assert load(text=f"format: 1\nspawn: {{at: [2, 0, 2]}}\npieces:\n  - {row}\n").findings == ()
