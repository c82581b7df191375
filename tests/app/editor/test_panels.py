"""The panels by their keys: palette and findings; what they write, and undo."""

from __future__ import annotations

import pytest

from game.app.editor.pieces.palette import NEW_PIECES
from game.level import check
from game.level.build.pieces import PIECES
from tests.support.editor_author import LEVEL, Author, write_level


def chosen(author):
    return [row.label for row in author.shown.hud.cards[-1].rows if row.chosen]


def choose(author, word, label=None):
    author.type(word)
    for _ in range(40):
        if chosen(author) == [label or word]:
            return
        author.press("DOWN")
    raise AssertionError(chosen(author))


def warnings(path):
    return [str(finding) for finding in check(path) if finding.severity != "warning"]


# New pieces


def test_the_palette_has_every_kind_of_piece(author):
    (author.path.parent / "castle.glb").write_bytes(b"")
    (author.path.parent / "textures").mkdir()
    (author.path.parent / "textures" / "poster.png").write_bytes(b"")
    author.press("N")
    texts = [row.subject.text for row in author.editor.side_panel.rows() if row.subject is not None]
    labels = [row.label for row in author.editor.side_panel.rows() if row.subject is not None]
    assert len(set(labels)) == len(labels), "each has a name of its own"
    assert {"lift platform", "lift with landing"} < set(labels)
    kinds = {text.partition(":")[0] for text in texts if text}
    assert kinds >= set(PIECES)
    author.press("ESCAPE")
    (author.path.parent / "castle.glb").unlink()
    author.press("N")
    choose(author, "model")
    author.press("RETURN")
    assert author.editor.view.message == "Put a .glb or .obj file beside the level first."
    assert author.text == LEVEL


ON_LIST = [entry for entry in NEW_PIECES if entry.label not in ("spawn", "goal")]


@pytest.mark.parametrize("entry", ON_LIST, ids=lambda entry: entry.label)
@pytest.mark.sample(3)
def test_a_new_piece_is_valid_stands_on_the_ground_and_takes_the_surface(tmp_path, entry):
    text = "format: 1\nspawn: {at: [0, 1, 5]}\nsurfaces: {oak: {}}\npieces:\n"
    text += "  - floor: {from: [-20, -20], to: [20, 20], y: 1, surface: oak}\n"
    author = Author(write_level(tmp_path, text))
    author.stand((0, 3, 5), (0, 1, 0))
    author.press("N")
    choose(author, entry.label)
    author.press("RETURN")
    new = author.text[len(text) :]
    assert new.startswith(f"  - {entry.text.partition(':')[0]}:")
    assert "@" not in new
    assert ("oak" in new) == ("surface: @" in entry.text)
    assert warnings(author.path) == []
    assert "facing: 3" not in new
    author.press("Z")
    assert author.text == text


# Findings

MISTAKES = """\
format: 1
spawn: {at: [0, 0, 5]}
surfaces: {stone: {}, brick: {}}
pieces:
  - floor: {from: [-20, -20], to: [20, 20], surface: stone}  # ground
  - box: {from: [0, 0, 0], to: [1, 1, 1], surfce: stone}
  - box: {from: [9, 0, 0], to: [10, 0.6, 1], surface: brik}
"""


def test_findings_are_walked_through_and_fixed_one_by_one_or_all(tmp_path):
    author = Author(write_level(tmp_path, MISTAKES))
    author.press("J")
    author.wait(1.0)
    assert author.shown.hud.cards[-1].title == "Findings"
    for _ in range(20):
        if "surfce" not in author.shown.hud.cards[-1].note:
            author.press("DOWN")
    card = author.shown.hud.cards[-1]
    assert "did you mean `surface`" in card.note.lower()
    assert "Enter fixes it" in card.note
    author.press("RETURN")
    once = MISTAKES.replace("surfce", "surface")
    assert author.text == once
    author.wait(0.5)
    assert all("surfce" not in row.label for row in author.shown.hud.cards[-1].rows)
    author.press("Z")
    assert author.text == MISTAKES
    author.wait(0.5)
    author.with_shift("RETURN")
    assert author.text == once.replace("brik", "brick")
    author.press("Z")
    assert author.text == MISTAKES
