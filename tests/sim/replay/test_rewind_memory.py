"""Memory of the rewind buffer: its bound holds with events in every tick and with restarts, and it is really kept."""

from __future__ import annotations

import tracemalloc

import pytest

from game.physics import Command
from game.sim import RewindBuffer, Session, World
from game.sim.events import CheckpointReached
from game.sim.replay.rewind import MAX_REWIND_SECONDS
from tests.support.level_builder import floor_with_wall

LIMIT = 600_000  # bytes
TICKS = 800


@pytest.fixture(scope="module")
def level():
    return floor_with_wall()


def record(world, events_per_tick):
    """Record ticks in a buffer of LIMIT bytes, each with so many events, and seek; the largest memory on the way."""
    buffer = RewindBuffer(world, MAX_REWIND_SECONDS, LIMIT // 2, LIMIT)
    largest = 0
    for number in range(TICKS):
        buffer.begin_tick(world, Command(1.0, heading=40 * number))
        world.step(Command(1.0, heading=40 * number))
        buffer.end_tick(tuple(CheckpointReached(number, str(number)) for _ in range(events_per_tick)))
        largest = max(largest, buffer.memory)
        if number % 400 == 399:
            state = world.state()
            for k in range(0, len(buffer), max(len(buffer) // 40, 1)):
                buffer.seek(k)
                largest = max(largest, buffer.memory)
            world.restore(state)
            buffer.mark_discontinuity()
    return buffer, largest


@pytest.mark.parametrize("events_per_tick", [0, 3])
def test_the_bound_holds_with_events_in_every_tick_and_while_seeking(level, events_per_tick):
    buffer, largest = record(World(level), events_per_tick)
    assert largest <= LIMIT + 2000  # the events of a tick and its state, before the oldest are dropped
    assert (len(buffer) < TICKS) == (events_per_tick > 0)


def test_the_bound_holds_where_every_tick_is_restarted(level):
    session = Session(World(level))
    session.rewind_buffer = buffer = RewindBuffer(session.world, MAX_REWIND_SECONDS, LIMIT, LIMIT // 2)
    for _ in range(TICKS):
        session.restart()
        session.tick(Command(1.0))
        assert buffer.memory <= LIMIT // 2
    assert 50 < len(buffer) < TICKS


@pytest.mark.full
def test_the_memory_that_is_stated_is_the_memory_that_is_taken(level):
    world = World(level)
    tracemalloc.start()
    try:
        buffer, _ = record(world, 2)
        stated, before = buffer.memory, tracemalloc.get_traced_memory()[0]
        del buffer
        taken = before - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 0.5 * stated < taken < 1.1 * stated
