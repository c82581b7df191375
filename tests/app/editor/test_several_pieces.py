"""Several pieces picked at once: every edit is one undo step, in one file or more."""

from __future__ import annotations

import pytest

from tests.support.editor_author import LEVEL, PART, Author, write_level

BOX = ((0.5, 3, 4), (0.5, 1.0, 0.5))
STAIRS = ((6.6, 3, 9), (6.6, 0.3, 6.2))


def add(author, eye, at):
    author.stand(eye, at)
    author.game.key_pressed("LSHIFT")
    author.click()
    author.game.key_released("LSHIFT")


def kinds(author):
    return [picked.kind for picked in author.tools.selected]


def part(author):
    return (author.path.parent / "part.yaml").read_text()


def test_shift_and_a_click_add_a_piece_and_take_it_away(author):
    author.pick(*BOX)
    add(author, *STAIRS)
    assert kinds(author) == ["box", "stairs"]
    card = author.shown.hud.cards[1]
    assert card.title == "Selected: 2 pieces"
    assert card.subtitle == "gap x y z: 5  0  4.25 m"
    assert "surface" in [row.label for row in card.rows]
    add(author, *BOX)
    assert kinds(author) == ["stairs"]


def test_several_pieces_are_moved_copied_and_deleted_as_one_step_each(author):
    author.pick(*BOX)
    add(author, *STAIRS)
    author.stand((0.5, 3, 4), (0.5, 3, 0))
    author.press("UP")
    moved = LEVEL.replace("from: [0, 0, 0], to: [1, 2*0.5, 1]", "from: [0, 0, -0.5], to: [1, 2*0.5, 0.5]")
    moved = moved.replace("stairs: {at: [6, 0, 6]", "stairs: {at: [6, 0, 5.5]")
    assert author.text == moved
    author.press("C")
    assert author.text.count("- stairs:") == author.text.count("surface: ice}") == 2
    assert [picked.source_place.line for picked in author.tools.selected] == [15, 19]
    author.press("X")
    assert author.text == moved
    author.press("Z")
    assert kinds(author) == ["box", "stairs"]
    author.press("Z", "Z")
    assert author.text == LEVEL
    author.press("Y", "Z")
    assert author.text == LEVEL


def test_a_step_whose_second_file_cannot_be_written_changes_neither(author, monkeypatch):
    from game.app.editor import undo_history
    from game.level.edit import SaveError

    real = undo_history.save_text

    def save(path, text, *more):
        if path.name == "part.yaml":
            raise SaveError("the disk is full")
        real(path, text, *more)

    monkeypatch.setattr(undo_history, "save_text", save)
    author.pick(*BOX)
    add(author, (-14, 4, 6), (-14, 1.0, 2))
    author.press("PAGEUP")
    assert "disk is full" in author.editor.view.message
    assert (author.text, part(author)) == (LEVEL, PART)
    author.press("Z")
    assert author.editor.view.message == "Nothing to undo"


def test_a_click_of_the_free_pointer_selects_and_escape_hides_it_again(author):
    author.stand((0.5, 14, 3), (0.5, 0, 2.9))
    author.press("I")
    assert not author.game.wants_mouse
    navigation = author.game.menus.mouse_navigation
    navigation.size = (1280, 720)
    navigation.pointer = (640.0, 250.0)
    author.wait(1 / 60)
    author.click()
    assert kinds(author) == ["box"]
    author.press("ESCAPE", "ESCAPE")
    assert kinds(author) == []
    assert author.game.mode == "editing"
    assert author.game.wants_mouse


REPEATED = """\
format: 1
spawn: {at: [0, 0, 5]}
define: {post: [pillar: {at: [0, 0, 0], radius: 0.3, height: 1}]}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - array: {count: 10, step: [2, 0, 0], of: [box: {from: [-9, 0, -4], to: [-8, 1, -3]}]}
  - place: {what: post, at: [0, 0, 0]}
  - place: {what: post, at: [3, 0, 0]}
"""


@pytest.mark.parametrize(
    ("eye", "aim", "count", "container", "written"),
    [
        ((0, 2, 3), (0, 0.5, 0.3), 2, "place", "pillar: {at: [0, 0, -0.5]"),
        ((1.5, 2, 0), (1.5, 0.5, -3), 10, "array", "box: {from: [-9, 0, -4.5], to: [-8, 1, -3.5]}"),
    ],
)
def test_a_repeated_piece_is_moved_and_its_author_is_told(tmp_path, eye, aim, count, container, written):
    author = Author(write_level(tmp_path, REPEATED))
    author.pick(eye, aim)
    author.press("UP")
    assert written in author.text
    kind = author.tools.selection.kind
    assert f"This {kind} is repeated {count} times: Q selects the {container}" in author.editor.view.message
    assert f"all {count} copies change" in author.shown.hud.cards[1].subtitle
    author.press("Q")
    assert author.tools.selection.kind == container
    author.press("UP")
    assert "repeated" not in author.editor.view.message
    author.press("Z", "Z")
    assert author.text == REPEATED
