"""Looped sounds with a place: what sounds, from where, how loud, behind what, and that only a few sound at once."""

from __future__ import annotations

import math

import pytest

from game.app.audio.sound_sources import MAX_SOURCES, Occlusion, SoundSources
from game.level import load
from game.sim import World

LEVEL = "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-50, -50], to: [50, 50]}\n"
LIFT = "mover: {{name: lift, of: [box: {{from: [-1, 0, -1], to: [1, 0.2, 1]}}], path: [[0, 0, 0], [0, 4, 0]], {more}}}"
EAR = (0.0, 1.6, 0.0)
DT = 1.0 / 60.0


def world_of(*pieces):
    return World(load(text=LEVEL + "".join(f"  - {piece}\n" for piece in pieces)))


def poses(world, tick):
    movers = None if world.environment is None else world.environment.movers
    return None if movers is None else movers.poses(tick)


def heard(world, ear=EAR):
    sources = SoundSources(world)
    sources.update(ear, poses(world, 0), DT)
    return sources.update(ear, poses(world, 1), DT)


def test_an_empty_level_has_no_sources():
    assert heard(world_of()) == ()


@pytest.mark.parametrize(("colour", "name"), [("#ffe2b0", "lamp"), ("#ffffff", "lamp"), ("#ff6a3c", "torch")])
def test_a_lamp_hums_and_a_fire_crackles_where_it_is(colour, name):
    lit = f'light: {{at: [3, 2, -4], colour: "{colour}"}}'
    (source,) = heard(world_of(lit, "light: {at: [1, 2, 0], visible: false}"))
    assert (source.name, source.key, source.place) == (name, (name, 0), (3.0, 2.0, -4.0))
    assert 0.0 < source.loudness < 0.5


def test_flowing_water_sounds_from_its_nearest_point_and_still_water_does_not():
    river = "water: {from: [10, -1, -30], to: [14, 1, 30], flow: [0, 0, 3]}"
    (source,) = heard(world_of(river, "water: {from: [-14, -1, -30], to: [-10, 1, 30]}"))
    assert (source.name, source.place) == ("flow", pytest.approx((10.0, 1.0, 0.0)))
    assert heard(world_of(river), (20.0, 1.0, 7.0))[0].place == pytest.approx((14.0, 1.0, 7.0))
    assert heard(world_of(river), (12.0, 0.5, 7.0))[0].place == pytest.approx((12.0, 0.5, 7.0)), "within it"
    fall = "water: {from: [10, -1, -30], to: [14, 1, 30], flow: [0, -6, 0]}"
    assert heard(world_of(fall))[0].loudness > source.loudness, "faster water is louder"


def test_a_lift_is_heard_while_it_moves_louder_when_faster_and_not_at_rest():
    def loudness(seconds, pause=0):
        world = world_of(LIFT.format(more=f"seconds: {seconds}, ease: false, pause: {pause}"))
        return [source.loudness for source in heard(world) if source.name == "mover"]

    (slow,), (fast,) = loudness(8.0), loudness(2.0)
    assert 0.0 < slow < fast <= 1.0
    assert loudness(2.0, pause=5) == [], "it waits"


def test_only_the_loudest_few_are_heard_and_equal_ones_do_not_alternate():
    world = world_of("array: {count: 30, step: [1.5, 0, 0], of: [light: {at: [-21, 2, -3]}]}")
    sources = SoundSources(world)
    first = sources.update((0.0, 1.6, 0.0), None, DT)
    assert len(first) == MAX_SOURCES
    assert max(math.dist(source.place, EAR) for source in first) < 6.0  # two are as far as the sixth
    keys = {source.key for source in first}
    for k in range(20):
        nudge = 0.05 * (-1) ** k
        assert {source.key for source in sources.update((nudge, 1.6, 0.0), None, DT)} == keys
    assert not keys & {source.key for source in sources.update((20.0, 1.6, 0.0), None, DT)}


def test_a_wall_hides_what_is_behind_it():
    wall = "wall: {from: [-5, -3], to: [5, -3], height: 4}"
    world = world_of(wall, "light: {at: [0, 1.6, -5]}", "light: {at: [0, 1.6, 5]}")
    places = ((0.0, 1.6, -6.0), (0.0, 1.6, -2.9), (3.0, 1.6, 0.0), EAR)
    assert Occlusion(world.mesh).are_blocked(EAR, places) == [True, False, False, False]
    sources = SoundSources(world)
    for _ in range(6):
        found = sources.update(EAR, None, 0.1)
    assert {source.place[2]: source.hidden for source in found} == {-5.0: 1.0, 5.0: 0.0}
