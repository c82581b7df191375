"""Tables of the physics benchmarks: each prints a row of numbers for a small mesh."""

from __future__ import annotations

import pytest

from benchmarks import heightfield, mesh

pytestmark = pytest.mark.jit


def numbers(row: str) -> list[float]:
    return [float(word) for word in row.split() if word not in ("scattered", "rolling")]


def test_the_table_of_meshes(monkeypatch):
    monkeypatch.setattr(mesh, "QUERIES", 50)
    row = numbers(mesh.table_row(1000))
    assert 900 <= row[0] <= 1100
    assert len(row) == 7
    assert min(row) >= 0.0


@pytest.mark.parametrize("scattered", [True, False])
def test_the_table_of_height_fields(monkeypatch, scattered):
    monkeypatch.setattr(heightfield, "QUERIES", 200)
    row = numbers(heightfield.table_row(10, scattered))
    assert row[0] == 200
    assert len(row) == 7
    assert min(row) > 0.0
