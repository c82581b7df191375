"""The prefabs of the game: valid levels with a picture, and their copies in an author's level."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.editor.panels.palette_panel import PICTURES
from game.app.editor.pieces import piece_palette, prefabs
from game.level import check, load
from game.level.edit import YamlDocument
from tests.support.editor_author import Author, write_level

FILES = sorted(prefabs.PREFAB_FOLDER.glob("*.yaml"))
ENTRIES = prefabs.shipped_prefabs(PICTURES)
HEAD = 'format: 1\nspawn: {at: [0, 0, 15]}\nsurfaces:\n  stone: {colour: "#ff0000"}  # the author\'s own\npieces:\n'
GROUND = "  - floor: {from: [-20, -20], to: [20, 20], surface: stone}\n"


def test_there_are_prefabs_for_the_usual_needs():
    names = {entry.label for entry in ENTRIES}
    assert len(ENTRIES) == len(FILES) >= 12
    assert {"door frame", "stairs with railing", "lift", "table", "lamp post", "arch gate", "water pool",
            "ladder with platform", "sliding door"} <= names  # fmt: skip


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_prefab_file_is_a_level_without_findings_and_has_a_picture(file):
    assert [str(finding) for finding in check(file)] == []
    assert (PICTURES / f"prefabs-{file.stem}.jpg").is_file()
    document = YamlDocument(file.read_text(encoding="utf-8"))
    assert all("\n" not in entry.text for entry in document.top_pieces()), "one line each, in flow style"


@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, 270.0])
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.label)
def test_a_copy_stands_where_it_is_put_with_its_surfaces_and_no_other_file(entry, facing, tmp_path):
    document = YamlDocument(HEAD + GROUND)
    piece_palette.insert_piece(document, entry, (3.0, 0.0, -2.0), facing)
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


def test_a_new_piece_beside_a_wall_keeps_clear_of_it(tmp_path):
    text = HEAD + GROUND + "  - wall: {from: [-20, 0], to: [20, 0], height: 3, surface: stone}\n"
    author = Author(write_level(tmp_path, text))
    author.stand((0, 4, 6), (0.1, 0, 0.4))  # at the floor before the wall
    author.press("N")
    author.type("stairs")
    author.press("RETURN")
    level = load(author.path)
    stairs = next(number for number, origin in enumerate(level.origins) if origin.kind == "stairs")
    corners = level.faces.corners[level.faces.origin == stairs].reshape(-1, 3)
    assert 0.1 <= corners[:, 2].min() < 0.7, "they end before the wall"
    assert corners[:, 1].min() == 0.0
