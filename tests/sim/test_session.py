"""The clock cut into ticks: none lost, none played twice, nothing interpolated that never was."""

import math
import random

import pytest

from game.physics import Command
from game.sim import Respawned, Session, World


class Recorder:
    """A sampler that walks forward and remembers how often it was asked."""

    def __init__(self, **command):
        self.command = Command(**command)
        self.count = 0

    def __call__(self):
        self.count += 1
        return self.command


def test_uneven_frames_give_the_ticks_of_their_sum(level):
    session, sample = Session(World(level)), Recorder(forward=1.0)
    rng = random.Random(3)
    now = 1000.0
    session.advance(now, sample)
    while now < 1010.0:
        now += rng.uniform(0.0005, 0.05)
        session.advance(now, sample)
    due = (now - 1000.0) * 60
    assert sample.count == session.world.tick
    assert abs(sample.count + session.alpha - due) < 1e-6
    assert session.dropped_seconds == 0.0


def test_a_long_stop_is_cut_and_counted(level):
    session, sample = Session(World(level)), Recorder()
    session.advance(0.0, sample)
    session.advance(3.25, sample)
    assert sample.count == 15
    assert session.dropped_seconds == pytest.approx(3.0, abs=1e-12)
    session.advance(3.25 + 1 / 60 + 1e-9, sample)
    assert sample.count == 16


def test_a_clock_that_goes_back_or_mad(level):
    session, sample = Session(World(level)), Recorder()
    session.advance(10.0, sample)
    session.advance(5.0, sample)
    session.advance(5.0 + 1.5 / 60, sample)
    assert sample.count == 1
    with pytest.raises(ValueError, match="finite"):
        session.advance(math.nan, sample)


def test_the_pose_lies_between_the_two_ticks(level):
    session, sample = Session(World(level)), Recorder(forward=1.0)
    session.advance(0.0, sample)
    session.advance(0.25, sample)
    for part in (0.0, 0.25, 0.5, 0.75):
        session.advance(0.25 + (part + 1e-9) / 60, sample)
        before, now = session.previous.feet, session.current.feet
        assert session.pose().feet == pytest.approx(
            tuple(a + (b - a) * part for a, b in zip(before, now, strict=True)), abs=1e-8
        )


def test_the_heading_turns_the_short_way_across_the_wrap(level):
    session = Session(World(level))
    for heading in (0, 65536 - 200, 65536 - 200, 65536 - 200):
        session.tick(Command(heading=heading))
    session.previous = session.previous.replace(heading=100)
    session.current = session.current.replace(heading=65536 - 100)
    session.advance(0.0, Command)
    session.advance(0.25 / 60, Command)
    assert session.pose().heading == pytest.approx(50.0)
    session.advance(0.75 / 60, Command)
    assert session.pose().heading == pytest.approx(65536 - 50.0)


def test_nothing_is_interpolated_across_a_respawn(level_with):
    world = World(level_with(kill_height=-1.0))
    session = Session(world)
    seen = []
    for _ in range(1500):
        events = session.tick(Command(strafe=1.0, sprint=True))
        for event in events:
            seen.append(event)
            assert session.previous == session.current
            assert session.current.feet[1] > -0.1
    assert any(isinstance(event, Respawned) for event in seen)


@pytest.mark.parametrize("speed", [0.05, 0.5, 0.73, 1.0])
def test_odd_frame_times_and_slow_motion_give_the_same_ticks(level, speed):
    """The clock of the world runs slower; the same commands give the same bits."""
    commands = [Command(1.0, 0.2, 300 * k % 65536, 0, k % 50 == 7) for k in range(240)]
    plain, wanted = World(level), []
    for command in commands:
        plain.step(command)
        wanted.append(plain.hash())
    session, hashes = Session(World(level)), []
    session.speed = speed
    waiting, chance, clock = iter(commands), random.Random(8), 50.0

    def sample():
        hashes.append(session.world.hash())
        return next(waiting, None)

    while session.world.tick < len(commands):
        session.advance(clock, sample)
        session.pose()
        clock += chance.choice([1 / 144, 1 / 60, 1 / 23, 0.2, 0.0, chance.random() / 30])
    assert [*hashes[1:], session.world.hash()][: len(wanted)] == wanted
    assert clock - 50.0 == pytest.approx(len(commands) / 60 / speed, abs=0.3 / speed)


@pytest.mark.parametrize("speed", [0.0, -1.0, 1.5, float("nan"), "slow", None, True])
def test_a_speed_out_of_range_is_refused(level, speed):
    session = Session(World(level))
    with pytest.raises(ValueError, match="speed must be"):
        session.speed = speed
    assert session.speed == 1.0
