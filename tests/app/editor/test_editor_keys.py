"""The F2 mode by its keys and the mouse, without a window."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest

from game.app.editor.views import editor_hud
from game.app.input.actions import EditorAction
from game.app.launch import other_programs
from game.app.modes.editor import PANELS
from game.app.settings.key_bindings import KeyBindings
from tests.support.editor_author import LEVEL
from tests.support.until import wait_until

TOP = ((0.5, 3, 4), (0.5, 1.0, 0.5))  # an eye, and the middle of the box's top


def rows(card):
    return {row.label: row.value for row in card.rows}


def test_looking_names_piece_line_surface_distance_and_slope(author):
    author.stand(*TOP)
    card = author.shown.hud.cards[0]
    assert card.title == "box"
    assert card.subtitle.endswith("level.yaml:14")
    message = rows(card)
    assert message["surface"] == "ice"
    assert message["slope"] == "0.0°, walkable"
    assert float(message["distance"].split()[0]) == pytest.approx(math.dist(*TOP), abs=0.01)
    assert message["at"] == "0.5  1  0.5"
    author.stand((0.5, 3, 4), (0.5, 30, 0.5))
    assert author.shown.hud.cards[0].note == "Nothing here"


def test_esc_with_nothing_selected_says_that_the_editor_is_closed(author):
    author.pick(*TOP)
    author.press("ESCAPE")
    assert author.game.mode == "editing"
    author.press("ESCAPE")
    assert author.game.mode == "playing"
    assert author.game.feedback.message.text == "Editor closed"


def test_enter_puts_the_walker_at_the_camera(author):
    author.stand((2.0, 1.5, 3.0), (2.0, 1.5, 0.0))
    author.press("RETURN")
    assert author.game.mode == "playing"
    author.wait(0.5)
    assert author.feet[0] == pytest.approx(2.0, abs=0.05)
    assert author.feet[2] == pytest.approx(3.0, abs=0.05)
    assert author.feet[1] == pytest.approx(-0.5, abs=0.03)


def test_arrows_move_along_the_view_on_the_grid_and_undo_reverts(author):
    author.pick(*TOP)
    author.press("UP")
    assert "from: [0, 0, -0.5], to: [1, 2*0.5, 0.5]" in author.text
    author.press("G", "RIGHT")
    assert "from: [0.25, 0, -0.5], to: [1.25, 2*0.5, 0.5]" in author.text
    author.press("PAGEUP")
    assert "from: [0.25, 0.25, -0.5], to: [1.25, 1.25, 0.5]" in author.text
    author.press("Z")
    assert "from: [0.25, 0, -0.5], to: [1.25, 2*0.5, 0.5]" in author.text, "a sum comes back as a sum"
    author.press("Z", "Z")
    assert author.text == LEVEL
    author.press("Y")
    assert "from: [0, 0, -0.5]" in author.text
    author.press("Z")
    author.stand((4, 3, 0.5), (0.5, 0.9, 0.5))  # looking west
    author.press("G", "UP")
    assert "from: [-0.1, 0, 0]" in author.text


def test_the_face_that_is_looked_at_is_pulled_and_pushed(author):
    author.pick(*TOP)
    author.press("EQUAL")
    assert "to: [1, 1.5, 1]" in author.text
    author.stand((0.5, 0.5, 5), (0.5, 0.5, 1.0))
    author.press("EQUAL", "EQUAL", "MINUS")
    assert "to: [1, 1.5, 1.5]" in author.text
    author.stand((0.5, 0.5, -5), (0.5, 0.5, 1.0))
    author.press("MINUS")
    assert "from: [0, 0, 0.5]" in author.text


def test_a_new_piece_from_the_palette_is_placed_at_the_aimed_point(author):
    author.stand((0, 3, 4), (-2.1, -0.5, 1.2))
    author.press("N")
    author.type("pillar")
    assert [row.label for row in author.shown.hud.cards[-1].rows if row.chosen] == ["pillar"]
    author.press("RETURN")
    new = "  - pillar: {at: [-2, -0.5, 1], radius: 0.4, height: 3, sides: 16, surface: stone}\n"
    assert author.text == LEVEL + new
    assert author.tools.selection.kind == "pillar"
    author.press("UP", "Z", "Z")
    assert author.text == LEVEL
    author.press("N", "ESCAPE")
    assert author.game.mode == "editing"
    assert author.editor.side_panel is None


def test_a_drag_moves_on_the_grid_and_is_one_undo_step(author):
    author.pick(*TOP)
    author.stand((0.5, 4, 3), (0.5, 1.0, 0.5))
    author.editor.mouse_button("LEFT", True)
    author.stand((0.5, 4, 3), (2.1, 1.0, -0.6))
    assert author.editor.mover.offset == (1.5, 0.0, -1.0)
    assert author.text == LEVEL
    author.editor.mouse_button("LEFT", False)
    assert "from: [1.5, 0, -1], to: [2.5, 2*0.5, 0]" in author.text
    author.press("Z")
    assert author.text == LEVEL
    author.stand(*TOP)
    author.click()
    assert author.text == LEVEL, "a click on what is picked moves nothing"


def test_an_edit_that_would_break_the_level_shows_the_finding(author):
    author.pick((-1.5, 1.5, 9), (-1.5, 1, 6.1))
    assert author.tools.selection.kind == "wall"
    author.choose_row("height")
    assert [row.label for row in author.shown.hud.cards[1].rows if row.chosen] == ["height"]
    author.press("MINUS")
    card = next(card for card in author.shown.hud.cards if card.urgent)
    assert "reaches 2.1 m up a wall 2 m high" in card.note
    assert author.text == LEVEL


def test_edits_run_in_a_thread_one_after_another(author):
    author.pick(*TOP)
    queue, earlier = author.tools.queue, threading.Event()
    queue.threaded = True
    queue.run(earlier.wait, lambda result: None)
    for key in ("UP", "C", "RIGHT", "R"):
        author.game.key_pressed(key)
    assert author.tools.queue.is_busy
    assert len(author.wait(1 / 60).hud.cards[1].rows) > 5, "frames go on, with the numbers as they were"
    assert author.text == LEVEL
    author.with_shift("PAGEUP")
    earlier.set()
    author.tools.queue.finish()
    assert len(author.tools.undo_history.undo_steps) == 5
    assert "from: [0, 0, -0.5], to: [1, 2*0.5, 0.5], surface: ice}   # beside it" in author.text
    assert "from: [1.5, 0.5, -0.5], to: [2.5, 1.5, 0.5], surface: ice, facing: 15}" in author.text, "of the copy"
    for _ in range(4):
        author.game.key_pressed("Z")
    author.game.key_pressed("Z")
    author.press("F2")
    assert author.text == LEVEL, "leaving waits for what is being written"


def words_of_keys(cells):
    """Key names of a column, such as {"PgUp", "Q", "click"}."""
    same = {"arrows": "Up Down Left Right", "Left mouse": "click", "mouse drag": "click"}
    text = " ".join(same.get(part, part) for cell in cells for part in cell.replace("Shift+", "").split(", "))
    return set(text.split())


def test_the_help_page_the_documentation_and_the_editor_have_the_same_keys(author):
    page = (Path(__file__).parents[3] / "docs" / "editing.md").read_text(encoding="utf-8")
    told = words_of_keys([line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line[:2] == "| "])
    told -= {"key"}  # the head of the tables
    bindings = KeyBindings()
    shown = words_of_keys([key for key, _ in bindings.context_help(EditorAction)])
    assert told == shown
    handled = {*author.editor.commands(), *PANELS}
    letters = {key for action in handled for key in action.keys if len(key) == 1}
    assert letters == {key for key in shown if len(key) == 1 and key.isalpha()} - set("WASD")
    assert {bindings.label(action) for _, action in editor_hud.TOOLS} <= shown | {"F1"}
    assert {action for _, action in editor_hud.TOOLS} <= handled


@pytest.mark.parametrize(
    ("variable", "call"),
    [
        ("code", ["code", "-g", "/l/a.yaml:7:5"]),
        ("kate", ["kate", "--line", "7", "/l/a.yaml"]),
        ("emacs", ["emacs", "+7", "/l/a.yaml"]),
        ("notepad++.exe", ["notepad++.exe", "-n7", "/l/a.yaml"]),
        ("unheard-of", ["unheard-of", "/l/a.yaml"]),
    ],
)
def test_each_external_editor_has_its_command_line(variable, call, monkeypatch):
    started = []
    monkeypatch.setattr(other_programs, "launch", started.append)
    monkeypatch.setenv("VISUAL", variable)
    monkeypatch.setenv("EDITOR", "vim")
    message, done = other_programs.open_line(Path("/l/a.yaml"), 7, 5)
    assert (done, started) == (True, [call]), message


@pytest.mark.parametrize("words", ["vim", "nano", "/usr/bin/nvim", "emacs -nw", "hx", "", "no-such-editor"])
def test_an_editor_that_cannot_be_opened_leaves_the_location(words, tmp_path, monkeypatch):
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", words)
    message, done = other_programs.open_line(tmp_path / "a.yaml", 7, 5)
    reason = {"": "set VISUAL", "no-such-editor": "does not start"}.get(words, "needs a terminal")
    assert (done, reason in message) == (False, True)
    assert f"{tmp_path / 'a.yaml'}:7 was copied" in message


@pytest.mark.full
def test_e_opens_the_line_of_the_piece(author, monkeypatch):
    program, called = author.path.with_name("code"), author.path.with_name("called.txt")
    program.write_text(f'#!/bin/sh\necho "$@" > {called}\n')
    program.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(program))
    author.stand(*TOP)
    author.press("E")
    wait_until(lambda: called.exists() and called.read_text() == f"-g {author.path}:14:5\n")
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR", raising=False)
    author.press("E")
    assert author.game.screen.clipboard.endswith("level.yaml:14")
