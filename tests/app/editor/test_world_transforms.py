"""Pieces inside turned and scaled groups, arrays, prefabs and includes move the right way in the world."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.editor import selection
from game.app.editor.pieces import transforms
from game.app.editor.undo_history import UndoHistory
from game.level import load
from tests.support.editor_author import write_level

WAY = (0.5, 0.25, -1.0)
NEAR = 2e-4 * 2  # m: numbers are written to a tenth of a millimetre, in a group of scale 2


@pytest.fixture
def path(tmp_path):
    return write_level(tmp_path)


def copies(level):
    """Every piece and everything around one, once for each way that a copy of it stands in the world."""
    found = {}
    pairs = np.unique(np.stack((level.faces.origin, level.faces.instance)), axis=1).T
    for origin, instance in pairs.tolist():
        picked = selection.select_origin(level, origin, instance)
        while picked is not None:
            place = picked.source_place
            found[(place.file, place.line, place.column, tuple(np.round(picked.local_to_world, 6)))] = picked
            picked = picked.parent()
    return list(found.values())


def corners_of(level, picked):
    selected, _ = selection.selected_faces(level, picked)
    return level.faces.corners[selected].reshape(-1, 3)


def apply_and_undo(path, picked, edit):
    """The corners of what is picked, before an edit and after it."""
    level = load(path)
    history = UndoHistory(level)
    before = corners_of(level, picked)
    place = picked.source_place

    def edit_document(document):
        edit(document, document.find_piece(place.line, place.column))
        return picked

    after = history.apply_edits([(picked.file(level), edit_document)], "act", picked, level)
    assert history.level is not None, "nothing was written"
    again = selection.find_selection(history.level, after)
    result = corners_of(history.level, again)
    assert history.undo() is not None
    return before, result


@pytest.mark.full
def test_every_piece_moves_by_the_world_displacement(path):
    level = load(path)
    texts = [file.read_bytes() for file in sorted(path.parent.glob("*.yaml"))]
    for picked in copies(level):
        offset = transforms.to_local_offset(picked.local_to_world, WAY)
        before, after = apply_and_undo(
            path, picked, lambda document, entry, offset=offset: transforms.move_piece(document, entry, offset)
        )
        assert before.shape == after.shape, picked
        assert np.abs(after - before - WAY).max() < NEAR, picked
    assert [file.read_bytes() for file in sorted(path.parent.glob("*.yaml"))] == texts


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.full)])
def test_pieces_rotate_about_their_own_axis_at_the_same_height(path, step):
    level = load(path)
    turned = 0
    for picked in copies(level)[::step]:
        if picked.kind == "array":
            continue
        degrees = 90.0 if picked.kind in ("room", "floor") else 30.0
        before, after = apply_and_undo(
            path, picked, lambda document, entry, by=degrees: transforms.rotate_piece(document, entry, by)
        )
        assert np.abs(after - before).max() > 0.01, picked
        faces = [shape.reshape(-1, 4, 3) for shape in (before, after)]
        rims = [np.linalg.norm(np.roll(face, -1, axis=1) - face, axis=2).ravel() for face in faces]
        assert np.sort(rims[0]) == pytest.approx(np.sort(rims[1]), abs=2e-3), picked
        assert np.sort(before[:, 1]) == pytest.approx(np.sort(after[:, 1]), abs=1e-3), picked
        turned += 1
    assert turned > 20 // step


def test_a_piece_of_an_included_file_is_written_there(path):
    level = load(path)
    part = path.parent / "part.yaml"
    main, before = path.read_text(), part.read_text()
    (box,) = [picked for picked in copies(level) if picked.kind == "box" and picked.source_place.file]
    history = UndoHistory(level)
    offset = transforms.to_local_offset(box.local_to_world, (0.0, 0.5, 0.0))
    file = box.file(level)
    line, column = box.source_place.line, box.source_place.column

    def move(document):
        transforms.move_piece(document, document.find_piece(line, column), offset)

    history.apply_edits([(file, move)], "moved", box, level)
    assert path.read_text() == main
    lifted = before.replace("[-0.5, 0, -0.5], to: [0.5, 1, 0.5]", "[-0.5, 0.5, -0.5], to: [0.5, 1.5, 0.5]")
    assert part.read_text() == lifted != before
    assert history.undo().label == "moved"
    assert part.read_text() == before
