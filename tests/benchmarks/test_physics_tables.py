"""Physics benchmarks: each prints a row of numbers for a small mesh; the ballroom gets its number of balls."""

from __future__ import annotations

import pytest

from benchmarks import balls, mesh

pytestmark = pytest.mark.jit


def numbers(row: str) -> list[float]:
    return [float(word) for word in row.split() if word not in ("scattered", "rolling")]


def test_a_row_of_the_mesh_table_has_seven_numbers_of_the_asked_size():
    row = numbers(mesh.table_row(1000, queries=50))
    assert 900 <= row[0] <= 1100
    assert len(row) == 7
    assert min(row) >= 0.0


def test_the_ballroom_with_another_number_of_balls():
    assert len(balls.Ballroom(60).world.balls.rows) == 60
