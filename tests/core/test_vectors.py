"""Vectors of plain floats."""

from __future__ import annotations

from game.core.vectors import sum_in_order


def test_a_sum_rounds_after_each_number_in_every_version_of_python():
    """`sum` gives 1.0 since Python 3.12, so that levels and movers had other bits there."""
    assert sum_in_order([0.1] * 10) == 0.9999999999999999
    assert sum_in_order(()) == 0.0
