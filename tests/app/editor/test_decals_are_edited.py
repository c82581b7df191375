"""A decal in the editor: it is picked by its face, moved, turned and copied like a sign."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from game.app.editor.picking import RayPicker
from game.app.editor.pieces import transforms
from game.level import load
from game.level.edit import YamlDocument

LEVEL = """\
format: 1
spawn: {at: [0, 0, 4]}
pieces:
  - floor: {from: [-9, -9], to: [9, 9]}
  - wall: {from: [-4, -4.1], to: [4, -4.1]}
  - decal: {picture: p.png, at: [0, 1.5, -4], facing: south, size: 0.8}  # a poster
"""


def test_a_decal_is_picked_moved_and_turned(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "p.png")
    path = tmp_path / "level.yaml"
    path.write_text(LEVEL)
    level = load(path)
    picked = RayPicker(level).pick((0.0, 1.5, 0.0), (0.0, 0.0, -1.0))
    assert picked is not None
    label, _, line, column = level.quad_origin(picked.quad)
    assert (label, line) == ("decal", 6)
    assert not picked.solid
    document = YamlDocument(LEVEL)
    transforms.move_piece(document, document.find_piece(line, column), (1.5, 0.25, 0.0))
    transforms.rotate_piece(document, document.find_piece(line, column), 90.0)
    assert "at: [1.5, 1.75, -4], facing: east, size: 0.8}  # a poster" in document.text
    path.write_text(document.text)
    moved = load(path)
    corners = moved.faces.corners[[k for k in range(len(moved.faces)) if moved.quad_piece(k).kind == "decal"]]
    assert np.allclose(corners.mean(axis=(0, 1)), (1.504, 1.75, -4.0)), "4 mm before its wall"
