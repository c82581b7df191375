"""The prefabs of the game: valid levels with a picture, and their copies in an author's level."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.editor.panels.palette_panel import PICTURES
from game.app.editor.pieces import palette
from game.level import check, load
from game.level.edit import YamlDocument
from tests.support.editor_author import Author, write_level

FILES = sorted(palette.PREFAB_FOLDER.glob("*.yaml"))
ENTRIES = palette.shipped_prefabs(PICTURES)
HEAD = 'format: 1\nspawn: {at: [0, 0, 15]}\nsurfaces:\n  stone: {colour: "#ff0000"}  # the author\'s own\npieces:\n'
GROUND = "  - floor: {from: [-20, -20], to: [20, 20], surface: stone}\n"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.sample(1)
def test_a_prefab_file_is_a_level_without_findings_and_has_a_picture(file):
    assert [str(finding) for finding in check(file)] == []
    assert (PICTURES / f"prefabs-{file.stem}.jpg").is_file()
    document = YamlDocument(file.read_text(encoding="utf-8"))
    assert all("\n" not in entry.text for entry in document.top_pieces()), "one line each, in flow style"


@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.label)
@pytest.mark.sample(2)
def test_a_copy_stands_where_it_is_put_with_its_surfaces_and_no_other_file(entry, facing, tmp_path):
    document = YamlDocument(HEAD + GROUND)
    palette.insert_piece(document, entry, (3.0, 0.0, -2.0), facing)
    assert document.text.startswith(HEAD[: HEAD.index("pieces:")])
    assert "include" not in document.text
    path = tmp_path / "level.yaml"
    path.write_text(document.text, encoding="utf-8")
    assert [str(finding) for finding in check(path)] == []
    level = load(path)
    assert len(level.files) == 1
    corners = level.faces.corners[level.faces.origin > 0].reshape(-1, 3)
    assert corners[:, 1].min() == pytest.approx(0.0, abs=0.03)
    assert np.abs(corners[:, [0, 2]] - (3.0, -2.0)).max() < 8.0
    assert next(surface for surface in level.surfaces if surface.name == "stone").colour == (1.0, 0.0, 0.0)


def place(folder, more, eye, at, word):
    """The new pieces after a piece of the palette is placed where somebody looks at."""
    author = Author(write_level(folder, HEAD + GROUND + more))
    author.stand(eye, at)
    author.press("N")
    author.type(word)
    author.press("RETURN")
    return author.text[len(HEAD + GROUND + more) :]


WALL = "  - wall: {from: [-5, 0], to: [5, 0], height: 3, surface: stone}\n"
STAIRS = "  - stairs: {at: [0, 0, 0], steps: 8, rise: 0.18, run: 0.3, width: 3}\n"
PLACED = [  # what stands there, eye, point, word, text of the new piece
    (WALL, (0, 2, 6), (1.2, 2.97, 0.1), "box", "from: [0.5, 0, 0.15], to: [1.5, 1, 1.15]"),
    (WALL, (0, 2, 6), (4.97, 1.5, 0.1), "box", "from: [4.5, 0, 0.15], to: [5.5, 1, 1.15]"),
    (WALL, (0, 1, 6), (0.3, 1.2, 0.1), "water", "from: [-1.5, 0, 0.15], to: [2.5, 1.2, 4.15]"),
    (WALL, (6, 1, -0.02), (5, 1.2, -0.02), "water", "from: [5.05, 0, -2], to: [9.05, 1.2, 2]"),
    ("", (0, 3, -6), (0.1, 0, -2), "water", "from: [-2, 0, -4], to: [2, 1.2, 0]"),
    (STAIRS, (0.2, 2, 3), (0.2, 0.36, -0.45), "sign", "at: [0.2, 1.96, -0.45]"),
    (STAIRS, (0.2, 2, 3), (0.2, 0.36, -0.56), "sign", "at: [0, 1.96, -0.45]"),
    ("  - room: {from: [-4, 0, -4], to: [4, 6, 4]}\n", (0, 2, 3), (0, 0, 0), "lift", "path: [[0, 0, 0], [0, 3, 0]]"),
    ("  - room: {from: [-4, 0, -4], to: [4, 3, 4]}\n", (0, 1, 1), (0, 3, 0), "pillar", "at: [0, 0, 0]"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "eye", "at", "word", "text"), PLACED, ids=[f"{p[3]} {p[4][:20]}" for p in PLACED])
@pytest.mark.sample(2)
def test_a_new_piece_is_placed_clear_of_walls_and_risers(tmp_path, more, eye, at, word, text):
    assert text in place(tmp_path, more, eye, at, word)
