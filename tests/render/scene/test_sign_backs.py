"""The back of a sign: planks in a frame where it can be seen, and nothing at a wall."""

from __future__ import annotations

import numpy as np
import pytest

from game.level import load
from game.render import Scene
from game.render.scene.render_mesh import RenderMesh, sign_face_mesh

LEVEL = """
format: 1
name: Signs
spawn: {at: [0, 0, 4], facing: north}
surfaces: {stone: {colour: "#8d8a83"}}
pieces:
  - floor: {from: [-12, -12], to: [12, 12], surface: stone}
"""
SIGN = '  - sign: {text: "Here", at: [0, 1.5, %s], facing: %s, letters: 0.2}\n'
WALL = "  - box: {from: [-3, 0, %s], to: [3, 3, %s], surface: stone}\n"


@pytest.mark.parametrize(
    ("pieces", "has_back"),
    [
        (SIGN % (0, "south"), True),
        (SIGN % (0, "east"), True),
        (SIGN % (0, "south") + WALL % (-0.2, -0.03), False),
        (SIGN % (0, "south") + WALL % (-4.0, -0.03), False),  # a wall that is thicker than the reach
        (SIGN % (0, "south") + WALL % (-4.0, -0.2), False),
        (SIGN % (0, "south") + WALL % (-4.0, -1.0), True),
        (SIGN % (0, "north") + WALL % (-4.0, -1.0), True),
    ],
)
def test_a_sign_has_a_back_where_nothing_stands_behind_it(pieces: str, has_back: bool) -> None:
    (sign,) = Scene.from_level(load(text=LEVEL + pieces)).signs
    assert sign.has_back == has_back


def test_the_back_faces_away_from_the_reader_behind_the_board_and_is_of_planks() -> None:
    scene = Scene.from_level(load(text=LEVEL + SIGN % (0, "south")))
    triangles, kinds = sign_face_mesh(scene.signs[0])
    assert (len(triangles), kinds.tolist()) == (20, [0, 0] + [1] * 8 + [2, 2] + [1] * 8)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    assert (normals[:10, 2] > 0.0).all()
    assert (normals[10:, 2] < 0.0).all()
    assert np.allclose(triangles[10:, :, 2], -0.034)
    assert "planks" in RenderMesh.from_scene(scene).textures
