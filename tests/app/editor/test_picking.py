"""What the cross-hair is on, against a search through every triangle; and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from game.app.editor.picking import HANDLE_DEPTH, RayPicker, source_location
from game.level import load
from tests.support.editor_author import write_level

LOOSE = """\
format: 1
spawn: {at: [0, 0, 4]}
pieces:
  - floor: {from: [-9, -9], to: [9, 9]}
  - box: {from: [-1, 0, -4], to: [1, 2, -3], collide: false}
  - box: {from: [-1, 0, -7], to: [1, 2, -6]}
  - box: {from: [3, 0, -4], to: [5, 2, -3], visible: false}
"""


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    return load(write_level(tmp_path_factory.mktemp("level")))


def nearest(triangles, eye, direction):
    """Index and distance by the plane of each triangle and the sides of its edges."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normal = np.cross(b - a, c - a)
    towards = normal @ direction
    with np.errstate(all="ignore"):
        distance = np.einsum("ij,ij->i", normal, a - eye) / towards
        at = eye + distance[:, None] * direction
        inside = [np.einsum("ij,ij->i", np.cross(q - p, at - p), normal) >= 0 for p, q in ((a, b), (b, c), (c, a))]
        met = (np.abs(towards) > 1e-14) & np.all(inside, axis=0) & (distance > 0)
    if not met.any():
        return -1, np.inf
    index = int(np.argmin(np.where(met, distance, np.inf)))
    return index, distance[index]


@pytest.mark.full
def test_picking_equals_a_search_through_all_faces(everything):
    picker = RayPicker(everything)
    generator = np.random.default_rng(2)
    triangles = np.concatenate((everything.triangles, everything.drawn))
    quads = np.concatenate((everything.quad_index, everything.drawn_quad))
    low, high = np.array((-22.0, 0.2, -22.0)), np.array((22.0, 6.0, 22.0))
    hits = 0
    for _ in range(400):
        eye = generator.uniform(low, high)
        direction = generator.choice(triangles).T @ generator.dirichlet((1, 1, 1)) - eye
        direction = generator.normal(size=3) if generator.random() < 0.2 else direction
        direction /= np.linalg.norm(direction)
        index, distance = nearest(triangles, eye, direction)
        picked = picker.pick(tuple(eye), tuple(direction))
        if picked is not None and picked.handle is not None:  # of the sign or the spawn
            assert picked.distance < distance + HANDLE_DEPTH
            continue
        assert (picked is None) == (index < 0)
        if picked is None:
            continue
        hits += 1
        assert picked.distance == pytest.approx(distance, abs=1e-6)
        assert np.dot(picked.normal, direction) <= 0.0
        if picked.quad != quads[index]:  # two faces at one place: an edge
            again = nearest(triangles[quads == picked.quad], eye, direction)[1]
            assert again == pytest.approx(distance, abs=1e-6)
    assert hits > 300


def test_faces_without_collision_are_picked():
    level = load(text=LOOSE)
    picker = RayPicker(level)
    hit = picker.pick((0.0, 1.0, 4.0), (0.0, 0.0, -1.0))
    assert source_location(level, hit)[2] == 5
    assert (hit.solid, hit.drawn, hit.distance) == (False, True, pytest.approx(7.0))
    assert hit.point == pytest.approx((0.0, 1.0, -3.0))
    hidden = picker.pick((4.0, 1.0, 4.0), (0.0, 0.0, -1.0))
    assert source_location(level, hidden)[2] == 7
    assert (hidden.solid, hidden.drawn) == (True, False)
    assert picker.pick((0.0, 1.0, 4.0), (0.0, 1.0, 0.0)) is None
    assert picker.pick((0.0, 1.0, -3.5), (0.0, 0.0, -1.0)).distance == pytest.approx(0.5), "from inside too"


def test_a_ray_along_the_diagonal_of_a_quad_slips_through_nothing():
    picker = RayPicker(load(text=LOOSE))
    for part in np.linspace(-0.99, 0.99, 41):
        for height in (1.0 + part, 1.0 - part):
            assert picker.pick((part, height, 4.0), (0.0, 0.0, -1.0)).distance == pytest.approx(7.0)
