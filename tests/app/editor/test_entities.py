"""Entities in the editor by sent events: handles are picked, moved, turned and deleted.

Each test looks at the text of the file, and undoes everything to the same bytes.
"""

from __future__ import annotations

import pytest

from game.app.editor.selection import level_handles
from tests.support.editor_author import Author

LEVEL = """\
format: 1  # head
name: Entities
spawn: {at: [0, 0, 12], facing: north}   # where one begins
spawns:
  # a second one
  - {name: side, at: [4, 0, 12]}   # beside it
goal: {at: [-4, 0, 12], radius: 1}   # the end
exits: [{at: [-8, 0, 12], to: other.yaml}]
define:
  corner:
    - light: {at: [0, 2, 0]}   # of both copies
    - box: {from: [-0.2, 0, -0.2], to: [0.2, 0.2, 0.2]}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - light: {at: [0, 2, 4], colour: "#ffaa44"}   # lamp
  - target: {at: [4, 1, 4], radius: 0.5}
  - water: {from: [-8, 0, 2], to: [-4, 2, 6]}   # pool
  - kill: {from: [8, 0, 2], to: [9, 1, 3], name: Pit}
  - teleport: {from: [8, 0, 6], to: [9, 2, 7], arrive: [12, 0, 6]}
  - ball: {at: [12, 1, 12], radius: 0.2}
  - mover:
      name: lift   # the lift
      at: [0, 0, -4]
      facing: 90
      path: [[0, 0, 0], [0, 3, 0]]   # up
      of:
        - box: {from: [-1, 0, -1], to: [1, 0.2, 1]}
        - light: {at: [0, 2, 0]}
        - checkpoint: {from: [-1, 0.2, -1], to: [1, 2, 1]}   # in the car
  - group:
      at: [10, 0, -10]
      facing: west
      of:
        - sign: {at: [0, 1, 0], text: Hello, width: 1}
  - place: {what: corner, at: [-12, 0, -12]}
  - place: {what: corner, at: [-12, 0, -8], facing: 180}
  - pad: {at: [12, 0, 0], to: [0, 1, -4]}
  - terrain: {from: [-18, 13], to: [-14, 17], formula: "0.5", thickness: 0.5, cups: [{at: [-16, 15]}]}
"""


@pytest.fixture
def author(tmp_path):
    path = tmp_path / "level.yaml"
    path.write_text(LEVEL, newline="")
    (tmp_path / "other.yaml").write_text(
        "format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [0, 0], to: [1, 1]}]\n"
    )
    return Author(path)


def handle(author, kind, number=0):
    return [one for one in level_handles(author.editor.edit_tools.level) if one.kind == kind][number]


def pick_handle(author, kind, number=0, away=(0.6, 1.2, 2.5)):
    """Look at a handle from near by and click it."""
    at = handle(author, kind, number).at
    author.pick(tuple(a + b for a, b in zip(at, away, strict=True)), at)
    return author.tools.selection


def undo_all(author):
    while author.tools.undo_history.undo_steps:
        author.press("Z")
    assert author.text == LEVEL


EDITS = [
    ("spawn", 0, ("UP",), "spawn: {at: [0, 0, 12], facing: north}", "spawn: {at: [0, 0, 11.5], facing: north}"),
    ("spawn", 1, ("RIGHT",), "{name: side, at: [4, 0, 12]}", "{name: side, at: [4.5, 0, 12]}"),
    ("spawn", 1, ("R",), "{name: side, at: [4, 0, 12]}", "{name: side, at: [4, 0, 12], facing: 15}"),
    ("goal", 0, ("PAGEUP",), "goal: {at: [-4, 0, 12], radius: 1}", "goal: {at: [-4, 0.5, 12], radius: 1}"),
    ("exit", 0, ("LEFT",), "{at: [-8, 0, 12], to: other.yaml}", "{at: [-8.5, 0, 12], to: other.yaml}"),
    ("light", 0, ("UP",), '- light: {at: [0, 2, 4], colour', '- light: {at: [0, 2, 3.5], colour'),
    ("target", 0, ("PAGEUP",), "{at: [4, 1, 4], radius: 0.5}", "{at: [4, 1.5, 4], radius: 0.5}"),
    ("zone", 0, ("UP",), "[-8, 0, 2], to: [-4, 2, 6]}   # pool", "[-8, 0, 1.5], to: [-4, 2, 5.5]}   # pool"),
    ("ball", 0, ("RIGHT",), "- ball: {at: [12, 1, 12]", "- ball: {at: [12.5, 1, 12]"),
    ("mover", 0, ("UP",), "at: [0, 0, -4]", "at: [0, 0, -4.5]"),
    ("stop", 1, ("PAGEUP",), "path: [[0, 0, 0], [0, 3, 0]]   # up", "path: [[0, 0, 0], [0, 3.5, 0]]   # up"),
    ("stop", 1, ("UP",), "path: [[0, 0, 0], [0, 3, 0]]   # up", "path: [[0, 0, 0], [0.5, 3, 0]]   # up"),
    ("arrive", 0, ("UP",), "arrive: [12, 0, 6]", "arrive: [12, 0, 5.5]"),
    ("landing", 0, ("UP",), "- pad: {at: [12, 0, 0], to: [0, 1, -4]}", "- pad: {at: [12, 0, 0], to: [0, 1, -4.5]}"),
    ("cup", 0, ("RIGHT",), "cups: [{at: [-16, 15]}]", "cups: [{at: [-15.5, 15]}]"),
    ("sign", 0, ("UP",), "- sign: {at: [0, 1, 0]", "- sign: {at: [0.5, 1, 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "number", "keys", "old", "new"), EDITS)
@pytest.mark.sample(2)
def test_a_picked_handle_changes_its_own_numbers(author, kind, number, keys, old, new):
    assert pick_handle(author, kind, number) is not None
    look_north(author)
    author.press(*keys)
    assert author.text == LEVEL.replace(old, new)
    assert author.tools.selection is not None
    undo_all(author)


def look_north(author):
    """Arrow keys move along the view."""
    x, y, z = author.editor.view.eye
    author.stand((x, y, z), (x, y, z - 1.0))


@pytest.mark.full
def test_deleting_an_entity_removes_its_text_and_nothing_else(author):
    for kind, number, old in (
        ("spawn", 1, "spawns:\n  # a second one\n  - {name: side, at: [4, 0, 12]}   # beside it\n"),
        ("goal", 0, "goal: {at: [-4, 0, 12], radius: 1}   # the end\n"),
        ("exit", 0, "exits: [{at: [-8, 0, 12], to: other.yaml}]\n"),
        ("zone", 1, "  - kill: {from: [8, 0, 2], to: [9, 1, 3], name: Pit}\n"),
    ):
        pick_handle(author, kind, number)
        author.press("X")
        assert author.text == LEVEL.replace(old, "")
        assert author.tools.selection is None
        undo_all(author)


def test_a_mover_is_picked_by_its_faces_where_the_file_has_it(author):
    author.wait(2.0)
    picked = author.pick((4, 0.05, -3.5), (1, 0.05, -3.5))
    assert picked is not None
    assert [kind for kind, _ in picked.links] == ["mover", "box"]
    assert author.wait(1 / 60).movers[0][:, 3].tolist() == [0.0, 0.0, -4.0]
