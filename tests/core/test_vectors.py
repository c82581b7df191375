"""Vectors of plain floats."""

from __future__ import annotations

import numpy as np

from game.core.vectors import gravity_axes, sum_in_order, vector_lengths


def test_a_sum_rounds_after_each_number_in_every_version_of_python():
    """`sum` gives 1.0 since Python 3.12, so that levels and movers had other bits there."""
    assert sum_in_order([0.1] * 10) == 0.9999999999999999
    assert sum_in_order(()) == 0.0


def test_lengths_of_vectors_have_the_bits_of_numpy():
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(5000, 3)) * 10.0 ** rng.uniform(-160, 150, size=(5000, 1))
    assert (vector_lengths(vectors) == np.linalg.norm(vectors, axis=-1)).all()
    assert vector_lengths(np.zeros((0, 3))).shape == (0,)


def test_axes_of_a_gravity_are_east_up_and_south():
    assert (gravity_axes((0.0, 1.0, 0.0), (0.0, 0.0, -1.0)) == np.eye(3)).all()
    east, up, south = gravity_axes((1.0, 0.0, 0.0), (0.0, 0.0, -1.0))  # up is the world's east: east points down
    assert (east.tolist(), up.tolist(), south.tolist()) == ([0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
