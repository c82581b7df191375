"""Texture coordinates, colours and normals of faces through join, select, placement and division into triangles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from game.level.geometry.drawn_triangles import split_for_drawing
from game.level.geometry.faces import FaceArrays, FaceBuilder, join_faces
from game.level.geometry.quads import split_into_triangles

SQUARE = np.array([[[0.0, 0, 0], [2, 0, 0], [2, 0, -2], [0, 0, -2]]])
SQUARE_UV = np.array([[[0.0, 1], [1, 1], [1, 0], [0, 0]]])


def faces_with(corners: np.ndarray = SQUARE, **vertices: np.ndarray) -> FaceArrays:
    builder = FaceBuilder(0)
    count = len(corners)
    builder.add_quads(corners, np.zeros(count, np.int32), np.zeros(count, np.bool_), vertices=vertices or None)
    return builder.build_faces()


def test_faces_without_coordinates_cost_nothing() -> None:
    joined = join_faces([faces_with(), faces_with()]).repeat(3, (1, 0, 0), 0.0, (0, 0, 0))
    assert joined.uv is None
    assert joined.vertex_colours is None
    drawn = split_for_drawing(joined, np.arange(len(joined)))
    assert drawn.uv is None
    assert drawn.normals is None


def test_joined_faces_keep_theirs_and_others_have_none() -> None:
    colours = np.full((1, 4, 4), 7, np.uint8)
    joined = join_faces([faces_with(), faces_with(uv=SQUARE_UV), faces_with(vertex_colours=colours)])
    assert joined.uv is not None
    assert joined.vertex_colours is not None
    assert np.array_equal(joined.uv[1], SQUARE_UV[0])
    assert np.isnan(joined.uv[[0, 2]]).all()
    assert joined.vertex_colours[:, 0, 0].tolist() == [255, 255, 7]
    back = joined.select(np.array([False, True, False]))
    assert np.array_equal(back.uv, SQUARE_UV)


def test_copies_repeat_coordinates_and_turn_normals() -> None:
    normals = np.broadcast_to(np.array([1.0, 0.0, 0.0]), (1, 4, 3)).copy()
    faces = faces_with(uv=SQUARE_UV, vertex_normals=normals)
    copies = faces.repeat(4, (0, 0, 0), 90.0, (0, 0, 0))
    assert np.array_equal(copies.uv, np.tile(SQUARE_UV, (4, 1, 1)))
    assert copies.vertex_normals is not None
    assert copies.vertex_normals[:, 0] == pytest.approx(np.array([[1, 0, 0], [0, 0, -1], [-1, 0, 0], [0, 0, 1.0]]))
    placed = faces.place_piece(90.0, (5, 0, 0)).place_in_group(180.0, (0, 0, 0))
    assert placed.vertex_normals is not None
    assert placed.vertex_normals[0, 0] == pytest.approx([0, 0, 1])


def test_normals_stay_square_to_a_scaled_face() -> None:
    slope = np.array([[[0.0, 0, 0], [1, 0, 0], [1, 1, -1], [0, 1, -1]]])
    normals = np.broadcast_to(np.array([0.0, 1.0, 1.0]) / np.sqrt(2), (1, 4, 3)).copy()
    placed = faces_with(slope, vertex_normals=normals).place_in_group(0.0, (0, 0, 0), (1, 3, 1))
    assert placed.vertex_normals is not None
    edge = placed.corners[0, 2] - placed.corners[0, 1]
    assert placed.vertex_normals[0, 0] @ edge == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(placed.vertex_normals[0, 0]) == pytest.approx(1.0)


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(20))
def test_triangles_carry_the_coordinates_of_their_corners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = np.concatenate([SQUARE * rng.uniform(0.5, 3, (1, 1, 3)) for _ in range(10)])
    corners[::3, 3] = corners[::3, 2]  # triangles
    faces = faces_with(corners, uv=corners[..., [0, 2]] * 0.25)
    chosen = np.sort(rng.choice(10, 6, replace=False))
    drawn = split_for_drawing(faces, chosen)
    plain, face = split_into_triangles(corners[chosen], faces.is_triangle[chosen])
    assert np.array_equal(drawn.triangles, plain), "the same triangles as those that collide"
    assert np.array_equal(drawn.face, chosen[face])
    assert drawn.uv is not None
    assert np.array_equal(drawn.uv, drawn.triangles[..., [0, 2]] * 0.25)


def test_a_seam_has_two_values_at_its_ends() -> None:
    seam_uv = np.array([[[0.5, 0.5], [0.75, 0.75]]])  # of corners 1 and 3 in the triangle 1-2-3
    seam_colours = np.array([[[9] * 4, [8] * 4]], np.uint8)
    colours = np.full((1, 4, 4), 7, np.uint8)
    made = faces_with(
        SQUARE * (1, 1, 1.5),
        uv=SQUARE_UV,
        vertex_colours=colours,
        seam=np.array([True]),
        seam_uv=seam_uv,
        seam_colours=seam_colours,
    )
    faces = join_faces([faces_with(), made])
    drawn = split_for_drawing(faces, np.array([1]))
    corners = faces.corners[1]
    assert np.array_equal(drawn.triangles, corners[[[0, 1, 3], [1, 2, 3]]])
    assert drawn.uv is not None
    assert drawn.colours is not None
    assert drawn.uv[0].tolist() == SQUARE_UV[0][[0, 1, 3]].tolist()
    assert drawn.uv[1].tolist() == [[0.5, 0.5], SQUARE_UV[0][2].tolist(), [0.75, 0.75]]
    assert drawn.colours[:, :, 0].tolist() == [[7, 7, 7], [9, 7, 8]]
    solid, _ = split_into_triangles(faces.corners, faces.is_triangle)
    whole, _ = split_into_triangles(replace(faces, seam=None).corners, faces.is_triangle)
    assert np.array_equal(solid, whole), "a seam changes nothing that collides"
