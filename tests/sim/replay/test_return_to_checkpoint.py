"""The way back to the checkpoint: where it leads, and that a recording with it repeats bit for bit."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.level import load
from game.physics import Command
from game.physics.rules import LAST_CHECKPOINT
from game.sim import History, Session, World
from game.sim.events import RespawnReason
from game.sim.replay import replay_file
from game.sim.replay.verifier import verify

LEVEL = """\
format: 1
name: Two rooms
spawn: {name: start, at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - checkpoint: {name: Half way, from: [-3, 0, -4], to: [3, 2.2, -2]}
goal: {at: [0, 0, -12], radius: 0.5}
kill_height: -10
"""
AHEAD, ASIDE = Command(forward=1.0), Command(strafe=1.0)


@pytest.fixture
def session() -> Session:
    return Session(World(load(text=LEVEL)))


def walk(session: Session, command: Command, ticks: int) -> None:
    for _ in range(ticks):
        session.tick(command)


def test_there_is_no_way_back_before_the_first_safe_place(session: Session) -> None:
    assert not session.world.can_return
    walk(session, ASIDE, 10)
    assert not session.world.can_return
    walk(session, ASIDE, 60)
    assert session.world.can_return


def test_the_checkpoint_goes_before_the_safe_place_and_the_clock_runs_on(session: Session) -> None:
    walk(session, AHEAD, 50)
    walk(session, ASIDE, 90)
    world = session.world
    place, tick = world._place(LAST_CHECKPOINT), world.tick
    event = session.return_to_checkpoint()
    assert (event.reason, event.feet, event.tick) == (RespawnReason.RETURNED, place.feet, tick)
    assert world.walker_state == place == session.previous
    assert world.tick == tick


@pytest.mark.parametrize("again", [1, 3])
def test_a_recording_with_a_return_repeats_the_return(session: Session, again: int) -> None:
    session.history = History(session.world)
    walk(session, AHEAD, 57)
    for _ in range(again):
        walk(session, ASIDE, 63)  # the second return follows a full block of a second
        session.return_to_checkpoint()
        session.history.flush()
    walk(session, AHEAD, 30)
    record = replay_file.decode_replay(session.history.data(), Path())
    returns = sum(int(block.returns.sum()) for block in record.parts[0].blocks)
    assert (returns, len(record.parts)) == (again, 1)
    level = session.world.level
    events = []
    result = verify(record, lambda part: level, lambda world, command, happened: events.extend(happened))
    assert (result.ticks, result.divergence) == (record.ticks, None)
    assert [getattr(event, "reason", None) for event in events].count(RespawnReason.RETURNED) == again
