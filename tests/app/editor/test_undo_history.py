"""The files on the desk: acts, undo, redo, other programs, and levels that would break."""

from __future__ import annotations

import random

import numpy as np
import pytest

from game.app.editor.undo_history import ExternalChange, UndoHistory
from game.level import load
from game.level.edit import EditRefused
from tests.app.editor.test_world_transforms import copies
from tests.support.editor_author import Author, write_level

MOST_FACES = 700  # then something is deleted: the test is of acts, not of a large level
KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "PAGEUP", "PAGEDOWN", "R", "T", "C", "X", "TAB", "EQUAL", "MINUS", "Q", "N", "G")


def files(path):
    return {file.name: file.read_bytes() for file in sorted(path.parent.glob("*.yaml"))}


def set_field(field, value):
    return lambda draft: draft.set_field(draft.top_pieces()[1], field, value)


@pytest.mark.parametrize(("seed", "acts"), [(1, 6), pytest.param(1, 300, marks=pytest.mark.full)])
def test_many_edits_undone_and_redone_leave_the_same_bytes(tmp_path, seed, acts):
    author = Author(write_level(tmp_path))
    author.stand((0, 3, 12), (1, 0, 4))
    chance, tools, editor = random.Random(seed), author.tools, author.editor
    states = [files(author.path)]
    refused = 0
    while len(states) <= acts:
        tools.select(chance.choice(copies(tools.level)))
        author.game.input.view.yaw = chance.uniform(0, 65536)
        done = len(tools.undo_history.undo_steps) if tools.undo_history is not None else 0
        for _ in range(chance.randint(0, 3)):
            editor.rows.choose(1)
        key = "X" if len(tools.level.faces) > MOST_FACES else chance.choice(KEYS)
        if key == "N":
            author.game.key_pressed("N")
            editor.side_panel.choose(chance.randrange(30))
            author.game.key_pressed("RETURN")
            if editor.side_panel is not None:
                editor.side_panel.close()
        else:
            author.game.key_pressed(key)
        if tools.undo_history is None or len(tools.undo_history.undo_steps) == done:
            refused += 1
            assert files(author.path) == states[-1], "what was refused has changed nothing"
            continue
        level = load(author.path) if len(states) % 3 == 0 else tools.level  # which was read from the same bytes
        assert [finding for finding in level.findings if finding.severity != "warning"] == [], (len(states), key)
        states.append(files(author.path))
    assert refused < 10 * acts
    for state in reversed(states[:-1]):
        tools.undo_history.undo()
        assert files(author.path) == state
    assert np.array_equal(load(author.path).faces.corners, tools.level.faces.corners)
    tools.undo_or_redo(True)
    assert editor.view.message == "Nothing to undo"
    for state in states[1:]:
        tools.undo_history.redo()
        assert files(author.path) == state
    tools.undo_or_redo(False)
    assert editor.view.message == "Nothing to redo"


def test_a_change_between_looking_and_saving_is_not_written_over(tmp_path, monkeypatch):
    path = write_level(tmp_path)
    level = load(path)
    history = UndoHistory(level)
    before = path.read_text()

    def edit(draft):
        draft.set_field(draft.top_pieces()[1], "to", "[2, 1, 1]")
        path.write_text(before + "# theirs\n", newline="")

    with pytest.raises(ExternalChange, match="another program"):
        history.apply_edits([(path, edit)], "act", None, level)
    assert path.read_text() == before + "# theirs\n"
    assert history.undo_steps == []


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (set_field("surface", "glass"), "there is no surface `glass`"),
        (set_field("to", "[0, 0, 0]"), "the size along x is zero"),
        (lambda draft: draft.remove_field(draft.top_pieces()[1], "to"), "`to` is missing"),
        (lambda draft: draft.remove_piece(draft.top_entry("spawn")), "the level has no spawn"),
    ],
)
@pytest.mark.sample(1)
def test_an_edit_that_would_break_the_level_is_refused_with_the_finding(tmp_path, edit, why):
    path = write_level(tmp_path)
    level = load(path)
    history = UndoHistory(level)
    before = files(path)
    with pytest.raises(EditRefused, match=why):
        history.apply_edits([(path, edit)], "act", None, level)
    assert files(path) == before
    assert history.undo_steps == []
    assert history.level is None
    history.apply_edits([(path, set_field("name", "Block"))], "act", None, level)
    assert "name: Block" in path.read_text()


def test_windows_line_ends_and_a_byte_order_mark_stay(tmp_path):
    path = write_level(tmp_path)
    data = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(data)
    author = Author(path)
    author.pick((0.5, 3, 4), (0.5, 0.9, 0.5))
    author.press("UP")
    north = b"from: [0, 0, -0.5], to: [1, 2*0.5, 0.5]"
    assert path.read_bytes() == data.replace(b"from: [0, 0, 0], to: [1, 2*0.5, 1]", north)
    author.press("C", "Z", "Z")
    assert path.read_bytes() == data


def test_a_missing_file_is_reported(author):
    author.pick((0.5, 3, 4), (0.5, 0.9, 0.5))
    author.path.unlink()
    author.press("UP")
    assert "no longer exists" in author.editor.view.message
