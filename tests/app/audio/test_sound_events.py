"""What is heard of a walk: steps by the way gone and what lies below, landings, leaps, what happened."""

from __future__ import annotations

import pytest

from game.app.audio.sound_bank import DRY, HALL, ROOM, WATER
from game.app.audio.sound_events import STEP_LENGTH, STEP_LENGTH_PER_SPEED, SoundEvents
from game.level import load
from game.physics import Command
from game.sim import World

LEVEL = """\
format: 1
spawn: {at: [0, 0, 20], facing: north}
goal: {at: [0, 0, -18], radius: 1}
surfaces:
  meadow: {texture: grass}
  deck: {texture: planks}
  rug: {texture: plain, footstep: none}
  polish: {texture: ice, friction: 0.1}
pieces:
  - floor: {from: [-5, 0], to: [5, 30], surface: meadow}
  - floor: {from: [-5, -30], to: [5, 0], surface: deck}
  - floor: {from: [10, -30], to: [20, 30], surface: rug}
  - ramp: {at: [30, 0, 0], facing: north, length: 20, rise: 8, width: 6, surface: polish}
  - floor: {from: [-5, -30], to: [5, -5], y: 4, surface: deck, thickness: 0.2}
"""
PIECES = "format: 1\nspawn: {at: [0, 0, 0]}\npieces:\n  - floor: {from: [-5, -9], to: [5, 5], thickness: 0.2}\n"
DT = 1.0 / 60.0


@pytest.fixture
def world():
    return World(load(text=LEVEL))


def heard(world, hearing, seconds, **keys):
    cues = []
    for _ in range(round(seconds * 60)):
        events = world.step(Command(**keys))
        hearing.after_tick()
        cues += hearing.update(events, DT)
    return cues


def put(world, feet, velocity=(0.0, 0.0, 0.0)):
    x, y, z = feet
    high = world.settings.radii[1]
    world.walker_state = world.walker_state.replace(position=(x, y + high, z), velocity=velocity)


def steps(cues):
    return [cue.name for cue in cues if cue.name.startswith("step_")]


def test_footsteps_follow_the_distance_and_the_surface(world):
    hearing = SoundEvents(world)
    cues = heard(world, hearing, 9.0, forward=1.0)
    stride = STEP_LENGTH + STEP_LENGTH_PER_SPEED * world.settings.walk_speed
    assert len(steps(cues)) == pytest.approx((20 - world.walker_state.feet[2]) / stride, abs=1)
    kinds = [name.split("_")[1] for name in steps(cues)]
    assert set(kinds) == {"grass", "wood"}
    assert kinds == sorted(kinds), "grass first, then wood"
    assert all(a != b for a, b in zip(steps(cues), steps(cues)[1:], strict=False)), "no take twice in a row"


def test_no_footsteps_when_standing_or_on_a_silent_surface(world):
    assert not steps(heard(world, SoundEvents(world), 2.0))
    put(world, (15.0, 0.0, 20.0))
    assert not steps(heard(world, SoundEvents(world), 3.0, forward=1.0))


def test_a_jump_and_its_landing_are_heard_once_each(world):
    hearing = SoundEvents(world)
    heard(world, hearing, 0.2)
    names = [cue.name for cue in heard(world, hearing, 0.1, jump=True) + heard(world, hearing, 1.5)]
    assert names.count("jump") == 1
    assert names.count("land") == 1
    assert names.index("jump") < names.index("land")


def test_the_goal_is_heard(world):
    put(world, (0.0, 0.0, -15.0))
    assert [cue.name for cue in heard(world, SoundEvents(world), 2.0, forward=1.0) if cue.name == "goal"] == ["goal"]


def test_a_roof_takes_the_wind_away(world):
    hearing = SoundEvents(world)
    heard(world, hearing, 3.0)
    assert (hearing.loops["outdoors"], hearing.loops["indoors"]) == (1.0, 0.0)
    put(world, (0.0, 0.0, -12.0))
    heard(world, hearing, 3.0)
    assert (hearing.loops["outdoors"], hearing.loops["indoors"]) == (0.25, 1.0)


def test_a_run_into_a_wall_is_heard_once_and_louder_when_faster():
    """Not a stop before it."""
    level = load(text=f"{PIECES}  - box: {{from: [-5, 0, -6], to: [5, 3, -5]}}\n")

    def bumps(seconds=2.0, **keys):
        world = World(level)
        return [cue.loudness for cue in heard(world, SoundEvents(world), seconds, **keys) if cue.name == "bump"]

    (walked,), (ran,) = bumps(forward=1.0), bumps(forward=1.0, sprint=True)
    assert 0.0 < walked < ran <= 1.0
    assert bumps(0.8, forward=1.0) == []


def surroundings(pieces, at=(0.0, 0.0, 0.0), seconds=0.5):
    world = World(load(text=PIECES + "".join(f"  - {piece}\n" for piece in pieces)))
    put(world, at)
    hearing = SoundEvents(world)
    heard(world, hearing, seconds)
    return hearing.surroundings


def room(width, height):
    """A closed room around the spawn, of four walls and a ceiling."""
    far, wide = width / 2, width / 2 + 0.2
    return [
        f"box: {{from: [{-wide}, 0, {-wide}], to: [{wide}, {height}, {-far}]}}",
        f"box: {{from: [{-wide}, 0, {far}], to: [{wide}, {height}, {wide}]}}",
        f"box: {{from: [{-wide}, 0, {-far}], to: [{-far}, {height}, {far}]}}",
        f"box: {{from: [{far}, 0, {-far}], to: [{wide}, {height}, {far}]}}",
        f"box: {{from: [{-wide}, {height}, {-wide}], to: [{wide}, {height + 0.2}, {wide}]}}",
    ]


def test_the_echo_follows_the_size_of_the_room():
    assert surroundings([]) == DRY
    assert surroundings(room(4, 3)) == ROOM
    assert surroundings([*room(20, 8), "floor: {from: [-12, -12], to: [12, 12]}"]) == HALL
    assert surroundings(room(20, 8)[:4]) == DRY, "under the sky"
    assert surroundings(room(20, 8)[-1:]) == DRY, "a roof without walls"


def test_under_water_all_is_dull():
    pool = ["water: {from: [-5, 0, -9], to: [5, 4, 5]}"]
    assert surroundings(pool, at=(0.0, 1.0, 0.0)) == WATER
