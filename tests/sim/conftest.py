"""Small levels made of arrays, so that a failure here is the simulation's and not the level reader's."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from game.physics import TriangleMesh


def quad(a, b, c, d):
    return [[a, b, c], [a, c, d]]


def make_level(goal=None, kill_height=-10.0, spawns=None):
    """A floor of 40 x 40 m at height 0, a wall across it at z = -10, nothing beyond the floor's rim."""
    triangles = quad((-20, 0, 20), (20, 0, 20), (20, 0, -20), (-20, 0, -20))
    triangles += quad((-20, 0, -10), (20, 0, -10), (20, 4, -10), (-20, 4, -10))
    spawns = spawns or [SimpleNamespace(name="start", feet=(0.0, 0.0, 0.0), heading=0)]
    return SimpleNamespace(
        name="floor",
        mesh=TriangleMesh(triangles),
        spawns=tuple(spawns),
        goal=goal,
        kill_height=kill_height,
    )


@pytest.fixture
def level():
    return make_level()


@pytest.fixture
def level_with():
    return make_level
