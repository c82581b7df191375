"""What is heard of balls: each bounce once and softer than the one before, and nothing of balls that rest."""

from __future__ import annotations

import itertools

import pytest

from game.app.audio.sound_events import BallSounds
from game.level import load
from game.physics import Command
from game.sim import World

LEVEL = """\
format: 1
spawn: {{at: [0, 0, 0], facing: north}}
play: {{throws: true, speed: 8}}
pieces:
  - floor: {{from: [-60, -60], to: [60, 60]}}
  - {balls}
"""
DT = 1.0 / 60.0


def world_of(*balls):
    lines = [f"ball: {{at: [{x}, {y}, {z}], radius: {r}, bounce: 0.5, roll: 0.3}}" for x, y, z, r in balls]
    return World(load(text=LEVEL.format(balls="\n  - ".join(lines))))


def heard(world, sounds, ticks, each=1, **keys):
    """[(tick, cue)], told after every `each` ticks."""
    found = []
    for some in (range(k, min(k + each, ticks)) for k in range(0, ticks, each)):
        events = [event for _ in some for event in world.step(Command(**keys))]
        found += [(some[-1], cue) for cue in sounds.update(events, len(some) * DT)]
    return found


@pytest.mark.parametrize("each", [1, 3])
@pytest.mark.sample(1)
def test_each_bounce_is_heard_once_and_softer_than_the_one_before(each):
    world = world_of((0, 3.0, -3, 0.12))
    cues = heard(world, BallSounds(world), 360, each)
    assert {cue.name for _, cue in cues} == {"ball"}
    loud = [cue.loudness for _, cue in cues]
    assert 3 <= len(loud) <= 7
    assert loud == sorted(loud, reverse=True)
    first = (2.0 * (3.0 - 0.12) / 9.81) ** 0.5 * 60
    assert cues[0][0] == pytest.approx(first, abs=1 + each)
    assert all(b - a > 3 for (a, _), (b, _) in itertools.pairwise(cues))


def test_resting_rolling_and_flying_balls_are_silent():
    world = world_of((0, 0.13, -3, 0.12), (2, 50.0, -3, 0.12))
    world.balls.rows["velocity"][0] = (0.0, 0.0, -3.0)
    assert not heard(world, BallSounds(world), 120)


def test_another_time_is_no_impact():
    """After a jump to another tick (a rewind, a new start) nothing has struck anything."""
    world = world_of((0, 5.0, -3, 0.12))
    start, sounds = world.state(), BallSounds(world)
    heard(world, sounds, 50)
    world.restore(start)
    assert not sounds.update([], DT)
    for _ in range(55):
        world.step(Command())
    assert not sounds.update([], DT)
