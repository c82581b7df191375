"""Acts on pieces by what they write: the exact lines that change, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.app.editor.pieces import palette, piece_rows, resize, transforms
from game.app.editor.pieces.resize import PulledFace
from game.level.edit import EditRefused, YamlDocument
from game.level.geometry.instance_transform import PieceInstance
from tests.support.editor_author import LEVEL, Author, write_level

HEAD = "format: 1  # begins\nspawn: {at: [0, 0, 5]}\npieces:\n  - floor: {from: [-9, -9], to: [9, 9]}   # ground\n"
HOME = PieceInstance().frame
NO_FILE = Path("no folder", "level.yaml")


def changed(piece, edit):
    """A piece's text after an act; everything around it must be as it was."""
    draft = YamlDocument(f"{HEAD}  {piece}\n  # after\n")
    line = HEAD.count("\n") + 1
    edit(draft, draft.find_piece(line, 5))
    assert draft.text.startswith(HEAD)
    assert draft.text.endswith("\n  # after\n")
    return draft.text[len(HEAD) + 2 : -len("\n  # after\n")]


def moved(by):
    return lambda draft, entry: transforms.move_piece(draft, entry, by)


def turned(by):
    return lambda draft, entry: transforms.rotate_piece(draft, entry, by)


def stepped(label, sense, grid=0.5, fine=False):
    def edit(draft, entry):
        row = next(row for row in piece_rows.piece_rows(draft, entry) if row.label == label)
        piece_rows.step_value(draft, entry, row, sense, grid, fine)

    return edit


def pulled(normal, by, outer=True, frame=HOME):
    return lambda draft, entry: resize.pull_face(draft, entry, frame, PulledFace(normal, outer), by)


UP, EAST, WEST, NORTH = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, -1.0)

EXACT = [
    # moving
    ("- box: {from: [0, 0, 0], to: [1, 2, 1]}  # my box", moved((0.5, 0, 0)),
     "- box: {from: [0.5, 0, 0], to: [1.5, 2, 1]}  # my box"),
    ("- stairs: {at: [0.1, 0, 0.2], steps: 3, rise: 2*0.09}", moved((0.1, 0.1, -0.2)),
     "- stairs: {at: [0.2, 0.1, 0], steps: 3, rise: 2*0.09}"),
    ("- floor: {from: [0, 0], to: [4, 4]}", moved((0, 0.5, 0)), "- floor: {from: [0, 0], to: [4, 4], y: 0.5}"),
    ("- floor: {from: [0, 0], to: [4, 4], y: 1, holes: [{from: [1, 1], to: [2, 2*1]}]}", moved((1, -1, 0)),
     "- floor: {from: [1, 0], to: [5, 4], y: 0, holes: [{from: [2, 1], to: [3, 2*1]}]}"),
    ("- quad:\n      corners:\n        - [0, 0, 0]  # first\n"
     "        - [4, 0, 0]\n        - [4, 1, -4]\n        - [0, 1, -4]",
     moved((0.5, 0, 0)),
     "- quad:\n      corners:\n        - [0.5, 0, 0]  # first\n"
     "        - [4.5, 0, 0]\n        - [4.5, 1, -4]\n        - [0.5, 1, -4]"),
    ("- group: {of: [box: {from: [0, 0, 0], to: [1, 1, 1]}]}", moved((1, 0, 0)),
     "- group: {of: [box: {from: [0, 0, 0], to: [1, 1, 1]}], at: [1, 0, 0]}"),
    ("- array: {count: 3, step: [2, 0, 0], of: [pillar: {at: [0, 0, 0]}]}", moved((0, 0, 1)),
     "- array: {count: 3, step: [2, 0, 0], of: [pillar: {at: [0, 0, 1]}]}"),
    ("- array: {count: 3, turn: 30, of: [pillar: {at: [2, 0, 0]}]}", moved((1, 0, 0)),
     "- array: {count: 3, turn: 30, of: [pillar: {at: [3, 0, 0]}], around: [1, 0, 0]}"),
    # sums: only a value that changes becomes a number
    ("- box: {from: [3*0.5, 0, 1/4], to: [2*1.5, 2*0.18, 1]}", moved((0.5, 0, 0)),
     "- box: {from: [2, 0, 1/4], to: [3.5, 2*0.18, 1]}"),
    # turning
    ("- stairs: {at: [0, 0, 0], facing: east, steps: 3}", turned(90),
     "- stairs: {at: [0, 0, 0], facing: north, steps: 3}"),
    ("- stairs: {at: [0, 0, 0], facing: east, steps: 3}", turned(15),
     "- stairs: {at: [0, 0, 0], facing: 285, steps: 3}"),
    ("- stairs: {at: [0, 0, 0], facing: North, steps: 3}", turned(90),
     "- stairs: {at: [0, 0, 0], facing: west, steps: 3}"),
    ("- box: {from: [0, 0, 0], to: [2, 1, 1]}", turned(15), "- box: {from: [0, 0, 0], to: [2, 1, 1], facing: 15}"),
    ("- wall: {from: [0, 0], to: [4, 0]}", turned(90), "- wall: {from: [2, 2], to: [2, -2]}"),
    ("- floor: {from: [0, 0], to: [4, 2]}", turned(90), "- floor: {from: [1, 3], to: [3, -1]}"),
    ("- room: {from: [0, 0, 0], to: [6, 3, 4], doors: [{wall: north, at: 1}, {wall: west, at: 1.5}]}", turned(90),
     "- room: {from: [1, 0, 5], to: [5, 3, -1], doors: [{wall: west, at: 5}, {wall: south, at: 1.5}]}"),
    # numbers
    ("- stairs: {at: [0, 0, 0], steps: 3}", stepped("steps", 1), "- stairs: {at: [0, 0, 0], steps: 4}"),
    ("- stairs: {at: [0, 0, 0], steps: 3, rise: 2*0.09}", stepped("rise", -1, grid=0.1),
     "- stairs: {at: [0, 0, 0], steps: 3, rise: 0.17}"),
    ("- stairs: {at: [0, 0, 0], steps: 3}", stepped("width", 1), "- stairs: {at: [0, 0, 0], steps: 3, width: 1.7}"),
    ("- box: {from: [0, 0, 0], to: [1, 1, 1]}", stepped("to y", 1, grid=1.0),
     "- box: {from: [0, 0, 0], to: [1, 2, 1]}"),
    ("- wall: {from: [0, 0], to: [6, 0], doors: [{at: 2, width: 1.2}]}", stepped("door 1 at", -1),
     "- wall: {from: [0, 0], to: [6, 0], doors: [{at: 1.5, width: 1.2}]}"),
    ("- pillar: {at: [0, 0, 0], facing: North}", stepped("facing", 1), "- pillar: {at: [0, 0, 0], facing: 15}"),
    ("- pillar: {at: [0, 0, 0], visible: No}", stepped("visible", 1), "- pillar: {at: [0, 0, 0], visible: true}"),
    # faces
    ("- box: {from: [0, 0, 0], to: [1, 1, 1]}", pulled(UP, 0.5), "- box: {from: [0, 0, 0], to: [1, 1.5, 1]}"),
    ("- box: {from: [0, 0, 0], to: [1, 1, 1]}", pulled(WEST, 0.5), "- box: {from: [-0.5, 0, 0], to: [1, 1, 1]}"),
    ("- box: {from: [0, 0, 0], to: [2, 1, 1], facing: west}", pulled(NORTH, 1),
     "- box: {from: [-0.5, 0, -0.5], to: [2.5, 1, 0.5], facing: west}"),
    ("- floor: {from: [0, 0], to: [4, 4], thickness: 0.2}", pulled(UP, 0.1),
     "- floor: {from: [0, 0], to: [4, 4], thickness: 0.3, y: 0.1}"),
    ("- room: {from: [0, 0, 0], to: [4, 3, 4]}", pulled(EAST, 0.5, outer=False),
     "- room: {from: [0.5, 0, 0], to: [4, 3, 4]}"),
    ("- wall: {from: [0, 0], to: [4, 0], height: 2}", pulled(WEST, 1),
     "- wall: {from: [-1, 0], to: [4, 0], height: 2}"),
    ("- pillar: {at: [0, 0, 0]}", pulled(UP, 0.5), "- pillar: {at: [0, 0, 0], height: 3.5}"),
]  # fmt: skip
IDS = [f"{n}-{after[2:22]}" for n, (_, _, after) in enumerate(EXACT)]


@pytest.mark.parametrize(("before", "edit", "after"), EXACT, ids=IDS)
@pytest.mark.sample(18)
def test_an_act_changes_these_characters_and_no_others(before, edit, after):
    assert changed(before, edit) == after


REFUSED = [
    ("- box: {from: [0, 0, 0], to: [1, 1, 1]}", pulled(UP, -1), "would have no size left"),
    ("- box: {from: [0, 0, 0], to: [1, 1, 1]}", pulled((0.6, 0.0, 0.8), 1), "not along an axis"),
    ("- stairs: {at: [0, 0, 0], steps: 3}", pulled(UP, 1), "choose a number"),
    ("- stairs: {at: [0, 0, 0], steps: 1}", stepped("steps", -1), "`steps` is at its minimum, 1"),
    ("- floor: {from: [0, 0], to: [4, 2]}", turned(15), "by 90"),
    ("- box: {from: &a [0, 0, 0], to: [1, 1, 1]}\n  - box: {from: *a, to: [-1, 1, 1]}",
     moved((1, 0, 0)), "used elsewhere"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "edit", "why"), REFUSED, ids=range(len(REFUSED)))
def test_a_refused_edit_shows_the_reason_and_changes_nothing(before, edit, why):
    draft = YamlDocument(f"{HEAD}  {before}\n")
    text = draft.text
    with pytest.raises(EditRefused, match=why), draft.edit_group():
        edit(draft, draft.find_piece(HEAD.count("\n") + 1, 5))
    assert draft.text == text


PLACEABLE = [
    entry
    for entry in palette.palette_entries(None, NO_FILE)
    if entry.text and not entry.is_place  # those are no pieces: test_entities.py
]


@pytest.mark.parametrize("new_piece", PLACEABLE, ids=lambda entry: entry.label)
@pytest.mark.sample(10)
def test_every_palette_piece_is_placed_with_its_base_at_the_point(new_piece):
    draft = YamlDocument(HEAD)
    entry = palette.insert_piece(draft, new_piece, (3.0, 0.5, -2.0), 90.0)
    assert draft.text.startswith(HEAD)
    assert draft.text.count("\n") == HEAD.count("\n") + 1
    foot = palette.piece_foot(draft, entry)
    assert (foot[0], foot[2]) == pytest.approx((3.0, -2.0), abs=1e-3)
    if entry.kind not in ("sign", "light", "target", "ball", "balls"):  # those hang above the point
        assert foot[1] == pytest.approx(0.5, abs=1e-3)


# Doors and windows


ROOM = "doors: [{wall: west, at: 1}], windows: [{wall: north, at: 1.2}]"


@pytest.mark.parametrize(("eye", "aim", "row", "line"), [
    ((18, 1.5, 11.6), (14.2, 1.4, 11.6), "add door",
     "doors: [{wall: west, at: 1}, {wall: east, at: 1.5, width: 1, height: 2.1}], windows: [{wall: north, at: 1.2}]"),
    ((12.4, 1.5, 11), (12.4, 1.5, 13), "add window",
     "doors: [{wall: west, at: 1}], windows: [{wall: north, at: 1.2}, "
     "{wall: south, at: 2.5, width: 1.2, height: 1.2, sill: 0.9}]"),
    ((18, 1.5, 12.95), (14.2, 1.4, 12.95), "add door",
     "doors: [{wall: west, at: 1}, {wall: east, at: 2.5, width: 1, height: 2.1}], windows: [{wall: north, at: 1.2}]"),
])  # fmt: skip
@pytest.mark.sample(1)
def test_a_room_gets_a_door_or_window_in_the_wall_in_view(tmp_path, eye, aim, row, line):
    author = Author(write_level(tmp_path))
    author.pick(eye, aim)
    assert author.tools.selection.kind == "room"
    author.choose_row(row)
    author.press("RETURN")
    assert author.text == LEVEL.replace(ROOM, line)
    assert author.editor.rows.chosen.label == row, "the rows of the new one stand before it"
    author.press("Z")
    assert author.text == LEVEL
