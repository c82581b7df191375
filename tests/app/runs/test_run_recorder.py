"""The present run in memory: all of it, across rewinds, and within a limit of bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.app.runs.recording import RunRecorder
from game.level import load
from game.physics import Command
from game.sim import World, verify
from game.sim.replay import replay_file
from tests.support.player import Player


@pytest.fixture
def level(level_file):
    return load(level_file)


@pytest.fixture
def player(level, kept):
    return Player.in_level(level)


def replay_of(recorder):
    return replay_file.decode_replay(recorder.file_bytes("a test"), Path("run.replay"))


def walk(recorder, world, ticks):
    for k in range(ticks):
        command = Command(forward=1.0, heading=40 * k)
        world.step(command)
        recorder.stepped(command)


def test_the_run_so_far_is_a_replay_at_any_moment(level):
    world = World(level)
    recorder = RunRecorder(world)
    for ticks in (1, 59, 61, 200):
        walk(recorder, world, ticks)
        replay = replay_of(recorder)
        assert replay.seconds == pytest.approx(recorder.seconds)
        done = verify(replay, lambda part: level)
        assert (done.divergence, done.ticks) == (None, replay.ticks)
        assert replay.parts[-1].chunks[-1].states[-1] == world.walker_state.row()[0]


def test_the_file_is_complete_and_the_recording_goes_on(level, tmp_path):
    world = World(level)
    recorder = RunRecorder(world)
    walk(recorder, world, 130)
    files = [recorder.file_bytes("the end of the level")]
    walk(recorder, world, 40)
    files.append(recorder.file_bytes("later"))
    for data, ticks in zip(files, (130, 170), strict=True):
        replay = replay_file.decode_replay(data, tmp_path / "x.replay")
        assert replay.is_complete
        assert replay.problems == []
        assert replay.ticks == ticks
        assert verify(replay, lambda part: level).divergence is None


@pytest.mark.full
def test_above_the_limit_the_oldest_seconds_go(level):
    world = World(level)
    recorder = RunRecorder(world, max_bytes=20_000)
    walk(recorder, world, 3000)
    replay = replay_of(recorder)
    assert recorder.byte_count < 30_000
    assert 1.0 < replay.seconds < 50.0
    assert replay.parts[-1].chunks[-1].end == 3000
    done = verify(replay, lambda part: level)
    assert (done.divergence, done.ticks) == (None, replay.ticks)


@pytest.mark.full
def test_a_rewind_and_a_flight_begin_a_new_part_that_verifies(player, level):
    trial = player.game.runs.time_trial
    player.hold("W", 1.0)
    player.game.key_pressed("BACKSPACE")
    player.wait(0.4)
    player.game.key_released("BACKSPACE")
    player.game.key_pressed("RETURN")
    player.hold("D", 0.5)
    player.game.key_pressed("F")
    player.hold("W", 0.3)
    player.game.key_pressed("F")
    player.hold("A", 0.5)
    replay = replay_of(trial.recorder)
    assert len(replay.parts) == 3
    assert verify(replay, lambda part: level).divergence is None
    assert np.isfinite(replay.parts[-1].chunks[-1].states["position"]).all()
    player.game.key_pressed("R")
    player.hold("W", 0.5)
    replay = replay_of(trial.recorder)
    assert (len(replay.parts), replay.seconds) == (1, pytest.approx(0.5, abs=0.05))


@pytest.mark.full
def test_play_after_the_goal_is_recorded_too(player):
    player.hold("W", 2.5)
    assert player.game.session.world.goal_tick >= 0
    before = player.game.runs.time_trial.recorder.seconds
    player.game.key_pressed("ESCAPE")
    player.game.key_pressed("ESCAPE")
    player.hold("A", 0.5)
    assert player.game.runs.time_trial.recorder.seconds > before
