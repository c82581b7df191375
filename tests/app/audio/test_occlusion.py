"""Which sounds a wall hides from the ear, and how many rays a frame that takes."""

from __future__ import annotations

import pytest

from game.app.audio.sound_cue import SoundCue
from game.app.audio.sound_sources import HIDE_RATE, MAX_CUE_RAYS, Occlusion, SoundSources
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


def sources(*places):
    return {("lamp", number): place for number, place in enumerate(places)}


def test_a_wall_hides_what_is_behind_it(mesh):
    occlusion = Occlusion(mesh)
    assert occlusion.are_blocked(EAR, (BEHIND, AT_WALL, FREE, EAR)) == [True, False, False, False]


def test_each_frame_casts_one_ray_for_the_sources_and_all_get_their_turn(mesh):
    occlusion = Occlusion(mesh)
    wanted = sources(FREE, BEHIND, FREE, BEHIND)
    for _ in range(4):  # new ones do not wait
        occlusion.of_sources(EAR, wanted, 0.001)
    occlusion.of_sources(EAR, wanted, 0.001)
    assert mesh.rays == 4
    for frame in range(4, 12):
        found = occlusion.of_sources(EAR, wanted, 0.1)
        assert mesh.rays == frame + 1
    assert list(found.values()) == [0.0, 1.0, 0.0, 1.0]
    around = sources(BEHIND, FREE, BEHIND, FREE)
    before = list(found.values())
    for _ in range(25):
        found = occlusion.of_sources(EAR, around, 0.01)
        now = list(found.values())
        assert max(abs(a - b) for a, b in zip(now, before, strict=True)) <= HIDE_RATE * 0.01 + 1e-9, "it fades"
        before = now
    for _ in range(10):
        found = occlusion.of_sources(EAR, around, 0.1)
    assert list(found.values()) == [1.0, 0.0, 1.0, 0.0]


def test_sounds_that_begin_get_a_few_rays(mesh):
    cues = [SoundCue("ball", place=BEHIND)] * (MAX_CUE_RAYS + 2)
    found = Occlusion(mesh).of_cues(EAR, [SoundCue("jump"), *cues])
    assert [cue.hidden for cue in found] == [0.0] + [1.0] * MAX_CUE_RAYS + [0.0] * 2
    assert mesh.rays == MAX_CUE_RAYS, "of one call"


def test_the_sources_of_a_world_know_what_hides_them():
    heard = SoundSources(World(load(text=LEVEL)))
    for _ in range(6):
        found = heard.update(EAR, None, 0.1)
    assert {source.place[2]: source.hidden for source in found} == {-5.0: 1.0, 5.0: 0.0}
