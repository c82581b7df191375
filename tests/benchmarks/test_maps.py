"""Walks over maps of other games, on a map made here. No peer is run."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import maps
from tests.support.scenes import box, floor


@pytest.fixture
def plateau(tmp_path, monkeypatch):
    """A map `plateau`: a floor of 60 m above nothing, with a step and two spawns, one of them inside a block."""
    triangles = np.array(
        [
            *floor(-30, -30, 30, 30, tiles=4),
            *box(2, 0, -1, 5, 0.2, 1),
            *box(10.4, 0, 10.4, 10.6, 3, 10.6),
            *box(10.0, 0, 10.0, 10.2, 3, 11.0),
            *box(10.8, 0, 10.0, 11.0, 3, 11.0),
        ]
    )
    spawns = np.array([[0.0, maps.SPAWN_HEIGHT, 0.0], [10.5, 1.0, 10.5]])
    (tmp_path / "maps").mkdir()
    np.savez(tmp_path / "maps" / "plateau_brushes.npz", tris=triangles.astype(np.float32), spawns=spawns)
    monkeypatch.setenv("WALKER_REAL_LEVELS", str(tmp_path))
    maps.map_course.cache_clear()
    yield triangles
    maps.map_course.cache_clear()


def test_a_map_gives_legs_from_its_free_spawns(plateau):
    assert maps.map_names() == ["map plateau"]
    course = maps.course_of("map plateau", ticks=300)
    assert course.triangles == pytest.approx(maps.SCALE * plateau, rel=1e-6)
    assert course.ticks == 300
    assert {leg.start for leg in course.legs} == {(0.0, 0.0, 0.0)}
    headings = [leg.heading for leg in course.legs]
    assert all(len(set(part)) == 1 for heading in headings for part in np.split(heading, maps.BATCHES))
    assert len({heading[0] for heading in headings}) == len(headings)


def test_other_courses_keep_their_names():
    assert maps.course_of("5000", ticks=500).name == "terrain 5000"
    with pytest.raises(ValueError, match="no map 'moon' in"):
        maps.map_course("moon")


def test_without_maps_nothing_is_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("WALKER_REAL_LEVELS", str(tmp_path))
    assert maps.main([]) == 0
    assert "no maps in" in capsys.readouterr().out
