"""Values that are typed into the rows of the selection: by keys in the editor, and the text that they write."""

from __future__ import annotations

import pytest

from game.app.editor.pieces import piece_rows
from game.level.edit import EditRefused, YamlDocument
from game.level.format.record import KnownNames
from tests.support.editor_author import LEVEL

HEAD = "format: 1\nspawn: {at: [0, 0, 5]}\npieces:\n"
NAMES = KnownNames(("stone", "ice"), ("tower",))
TOP = ((0.5, 3, 4), (0.5, 1.0, 0.5))  # an eye, and the middle of the box's top


def typed(piece, label, text):
    document = YamlDocument(f"{HEAD}  - {piece}  # mine\n")
    entry = document.find_piece(4, 5)
    row = next(row for row in piece_rows.piece_rows(document, entry) if row.label == label)
    piece_rows.type_value(document, entry, row, text, NAMES)
    assert document.text.endswith("  # mine\n")
    return document.text[len(HEAD) + 4 : -len("  # mine\n")]


BOX = "box: {from: [0, 0, 0], to: [1, 2*0.5, 1], surface: ice}"
STAIRS = "stairs: {at: [0, 0, 0], steps: 4, rise: 0.2}"
WALL = "wall: {from: [0, 0], to: [4, 0], doors: ["
CUPS = "terrain: {from: [0, 0], to: [4, 4], formula: 0, cups: ["
WRITTEN = [
    (BOX, "to x", "1.25", "box: {from: [0, 0, 0], to: [1.25, 2*0.5, 1], surface: ice}"),
    (BOX, "to y", "3*0.18", "box: {from: [0, 0, 0], to: [1, 3*0.18, 1], surface: ice}"),
    (BOX, "to x", "4 5 6", "box: {from: [0, 0, 0], to: [4, 5, 6], surface: ice}"),
    (BOX, "from x", "-40cm", "box: {from: [-0.4, 0, 0], to: [1, 2*0.5, 1], surface: ice}"),
    (BOX, "surface", "stone", "box: {from: [0, 0, 0], to: [1, 2*0.5, 1], surface: stone}"),
    (BOX, "name", "null", 'box: {from: [0, 0, 0], to: [1, 2*0.5, 1], surface: ice, name: "null"}'),
    (BOX, "visible", "no", "box: {from: [0, 0, 0], to: [1, 2*0.5, 1], surface: ice, visible: false}"),
    (STAIRS, "rise", "18 cm", "stairs: {at: [0, 0, 0], steps: 4, rise: 0.18}"),
    (STAIRS, "rise", "", "stairs: {at: [0, 0, 0], steps: 4}"),
    (STAIRS, "facing", "North-West", "stairs: {at: [0, 0, 0], steps: 4, rise: 0.2, facing: northwest}"),
    ("light: {at: [0, 2, 0]}", "colour", "#FA0", 'light: {at: [0, 2, 0], colour: "#FA0"}'),
    ("sign: {text: Here, at: [0, 1, 0]}", "text", 'a "b" #c', 'sign: {text: "a \\"b\\" #c", at: [0, 1, 0]}'),
    # values of entries in lists, written or not
    (f"{WALL}{{at: 2}}]}}", "door 1 width", "1.5", f"{WALL}{{at: 2, width: 1.5}}]}}"),
    (f"{WALL}{{width: 2}}, {{height: 2}}]}}", "door 2 at", "1.5", f"{WALL}{{width: 2}}, {{height: 2, at: 1.5}}]}}"),
    (f"{CUPS}{{at: [1, 2]}}]}}", "cup 1 at z", "3", f"{CUPS}{{at: [1, 3]}}]}}"),
]  # fmt: skip


@pytest.mark.parametrize(("piece", "label", "text", "after"), WRITTEN, ids=[f"{w[1]}={w[2]}" for w in WRITTEN])
def test_a_typed_value_is_written_and_nothing_else(piece, label, text, after):
    assert typed(piece, label, text) == after


REFUSED = [
    (STAIRS, "steps", "4.5", "`steps` is a whole number from 1 to 1000"),
    (STAIRS, "steps", "", "`steps` needs a value"),
    (STAIRS, "rise", "high", "`high` is not a number: `rise` is a number from 0.01 to 10 m"),
    (STAIRS, "steps", "3m", "is no length"),
    ("light: {at: [0, 2, 0]}", "colour", "bleu", "`bleu` is not a colour: `colour` is a colour"),
    (BOX, "surface", "icee", "there is no surface `icee`: did you mean `ice`?"),
    (BOX, "to x", "", "`to x` needs a value"),
    (f"{CUPS}{{at: [1, 2]}}]}}", "cup 1 at x", "4 5 6", "`cup 1 at` has 2 numbers: x z"),
    ("sign: {text: Here, at: [0, 1, 0]}", "text", "x" * 500, "characters"),
]


@pytest.mark.parametrize(("piece", "label", "text", "why"), REFUSED, ids=[f"{r[1]}={r[2][:9]}" for r in REFUSED])
def test_a_refused_value_says_what_is_allowed(piece, label, text, why):
    with pytest.raises(EditRefused) as refused:
        typed(piece, label, text)
    assert why in str(refused.value)


def test_digits_type_a_value_into_the_chosen_row_and_enter_writes_it(author):
    author.pick(*TOP)
    author.choose_row("to x")
    author.strike("_1", "1")
    author.type(".25")
    row = next(row for row in author.shown.hud.cards[1].rows if row.chosen)
    assert row.value == "1.25_"
    assert author.text == LEVEL
    author.press("RETURN")
    assert author.text == LEVEL.replace("to: [1, 2*0.5, 1]", "to: [1.25, 2*0.5, 1]")
    assert author.editor.view.message == "Changed to x of box, saved   ·   Z: undo"
    assert author.game.mode == "editing", "Enter writes; it does not leave"
    author.press("Z")
    assert author.text == LEVEL


def test_an_invalid_typed_value_leaves_the_file_and_says_the_limits(author):
    author.pick((6.6, 3, 9), (6.6, 0.3, 6.2))
    author.choose_row("rise")
    author.strike("_9", "9")
    author.type("9")
    assert "from 0.01 to 10 m" in author.shown.hud.cards[1].note
    author.press("RETURN")
    card = next(card for card in author.shown.hud.cards if card.urgent)
    assert card.note == "`rise` is a number from 0.01 to 10 m"
    assert author.text == LEVEL
