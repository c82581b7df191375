"""Replays and saved states of version 0.1.0, whose walker states do not hold the stance of the safe place."""

from __future__ import annotations

import base64
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from game.app.commands.replay.viewer import ReplayViewer
from game.app.modes.replay import DIVERGED_TEXT
from game.app.runs.library.replay_levels import ReplayLevels
from game.app.settings.settings_file import Settings
from game.level import load
from game.physics import Command
from game.physics.character.state import FIELDS_AT_SAFE_PLACE, FIRST_STATE_ROW, STATE_ROW
from game.sim import Recorder, World, verify
from game.sim.replay import replay_file
from game.sim.replay.replay_file import ReplayError
from game.sim.trial import read_track, verify_run
from tests.support.old_replays import as_version_0_1_0
from tests.support.player import Player, make_walks_differ

HERE = Path(__file__)
LEVEL = """\
format: 1
name: Old
spawn: {at: [0, 0, 3], facing: north}
goal: {at: [0, 0, -14], radius: 1}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - box: {from: [-2, 1.2, -4], to: [2, 2, 0]}
  - checkpoint: {from: [-2, 0, -7], to: [2, 2, -5], name: The middle}
  - teleport: {from: [-2, 0, -9], to: [2, 2, -8], arrive: [0, 0, -12], facing: north}
"""
SIZE = FIRST_STATE_ROW.itemsize


@pytest.fixture(scope="module")
def level(tmp_path_factory):
    path = tmp_path_factory.mktemp("old") / "old.yaml"
    path.write_text(LEVEL, encoding="utf-8")
    return load(path)


@pytest.fixture(scope="module")
def old(level):
    """(bytes of the run in the layout of version 0.1.0, its present states)."""
    world, data, states = World(level), bytearray(), []
    recorder = Recorder(world, data.extend)
    while world.goal_tick < 0 and world.tick < 900:
        command = Command(forward=1.0, crouch=world.walker_state.position[2] > -4.5)
        world.step(command)
        recorder.stepped(command)
        states.append(world.walker_state)
    assert world.goal_tick > 0
    recorder.close()
    return as_version_0_1_0(bytes(data), level), states


def test_an_old_replay_verifies_to_the_last_bit_of_what_it_holds(old, level):
    record = replay_file.decode_replay(old[0], HERE)
    assert (record.problems, record.is_complete) == ([], True)
    assert record.parts[0].chunks[0].states.dtype == FIRST_STATE_ROW
    result = verify(record, lambda part: level)
    assert (result.divergence, result.ticks, result.notes) == (None, record.ticks, [])
    run = verify_run(record, level)
    assert run.is_finished


@pytest.mark.parametrize("place", ["walker", "counters", "end"])
def test_a_changed_bit_of_an_old_replay_is_found(old, level, place):
    record = replay_file.decode_replay(old[0], HERE)
    chunk = record.parts[0].chunks[1]
    if place == "walker":
        chunk.states["coyote"][7] += 1
    elif place == "counters":
        object.__setattr__(chunk, "start", chunk.start[:16] + b"\1" + chunk.start[17:])
    else:
        state = bytearray(record.final_state)
        state[16] ^= 1
        record.end_fields["state"] = base64.b64encode(bytes(state)).decode()
    divergence = verify(record, lambda part: level).divergence
    assert divergence is not None
    (difference,) = divergence.differences
    assert difference.name == ("coyote" if place == "walker" else "ground_ticks")


def test_the_track_of_an_old_replay_has_the_present_layout(old):
    data, states = old
    track = read_track(replay_file.decode_replay(data, HERE))
    assert track.states.dtype == STATE_ROW
    assert len(track.states) == len(states) + 1
    assert track.path.shape == (len(states) + 1 - track.start_tick, 3)
    for name in FIRST_STATE_ROW.names:
        assert (track.states[name][1:] == np.concatenate([s.row() for s in states])[name]).all()
    record = replay_file.decode_replay(data, HERE)
    for k, chunk in enumerate(record.parts[0].chunks):
        record.parts[0].chunks[k] = dataclasses.replace(chunk, states=chunk.states[["position"]].copy())
    with pytest.raises(ReplayError, match="another version's layout"):
        read_track(record)


def test_an_old_replay_shows_its_recorded_states_where_this_version_walks_otherwise(old, level, monkeypatch):
    record = replay_file.decode_replay(old[0], HERE)
    make_walks_differ(monkeypatch)
    player = Player(ReplayViewer(record, ReplayLevels(record, str(level.path), False, Path("unused")), Settings()))
    player.wait(2.0)
    assert player.game.playback.player.is_diverged
    assert player.shown.hud.message == DIVERGED_TEXT[0]
    tick = player.game.playback.player.tick
    wanted = [row for chunk in record.parts[0].chunks for row in chunk.states[1:]][tick - 1]["position"]
    assert player.game.session.world.walker_state.position[0] == pytest.approx(wanted[0], abs=0.0011)


def test_an_old_state_of_a_world_is_restored_with_the_stance_of_then(level):
    world = World(level)
    for _ in range(250):
        world.step(Command(forward=1.0, crouch=world.walker_state.position[2] > -4.5))
        state = world.state(SIZE)
        other = World(level)
        other.restore(state)
        assert other.state(SIZE) == state
        row = other.walker_state.row()
        for name, present in FIELDS_AT_SAFE_PLACE.items():
            assert (row[name] == row[present]).all()
    assert world.triggers.place is not None
    assert world.hash(SIZE) != world.hash()
    with pytest.raises(ValueError, match="not a saved state"):
        World(level).restore(world.state(SIZE)[:-8])
    for size in (0, 8, 40, SIZE):
        with pytest.raises(ValueError, match="not a saved state"):
            World(level).restore(bytes(size))
