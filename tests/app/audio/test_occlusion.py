"""Which sounds a wall hides from the ear, and how many rays a frame that takes."""

from __future__ import annotations

import pytest

from game.app.audio.sound_sources import Occlusion, SoundSources
from game.level import load
from game.sim import World

LEVEL = """\
format: 1
spawn: {at: [0, 0, 0]}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - wall: {from: [-5, -3], to: [5, -3], height: 4}
  - light: {at: [0, 1.6, -5]}
  - light: {at: [0, 1.6, 5]}
"""
EAR = (0.0, 1.6, 0.0)
BEHIND = (0.0, 1.6, -6.0)
AT_WALL = (0.0, 1.6, -2.9)
FREE = (3.0, 1.6, 0.0)


class CountingMesh:
    """A mesh that counts the rays."""

    def __init__(self, mesh):
        self.mesh, self.rays = mesh, 0

    def raycast_any_many(self, *ray):
        self.rays += len(ray[1])
        return self.mesh.raycast_any_many(*ray)


@pytest.fixture
def mesh():
    return CountingMesh(World(load(text=LEVEL)).mesh)


def test_a_wall_hides_what_is_behind_it(mesh):
    occlusion = Occlusion(mesh)
    assert occlusion.are_blocked(EAR, (BEHIND, AT_WALL, FREE, EAR)) == [True, False, False, False]


def test_the_sources_of_a_world_know_what_hides_them():
    heard = SoundSources(World(load(text=LEVEL)))
    for _ in range(6):
        found = heard.update(EAR, None, 0.1)
    assert {source.place[2]: source.hidden for source in found} == {-5.0: 1.0, 5.0: 0.0}
