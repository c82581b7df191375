"""Rewind buffer: every tick of the last seconds is restored bit for bit, and play can continue from any of them."""

from __future__ import annotations

import itertools
import random
from itertools import islice

import pytest

from game.level import Spawn, load
from game.physics import Command
from game.sim import Respawned, RewindBuffer, Session, World, command_script
from game.sim.replay import replay_file, rewind
from game.sim.replay.rewind import MAX_REWIND_SECONDS
from game.sim.replay.verifier import verify

RARELY = (pytest.param(name, marks=pytest.mark.full) for name in ("demo", "waters", "ballroom"))
SHIPPED = ("lifts", "golf/one", "escher", *RARELY)
TICKS = 150


@pytest.fixture(scope="module", params=SHIPPED)
def walked(request):
    """(session, commands, hash after each tick) of a shipped level: movers, zones, balls, golf, gravity."""
    level = load(f"levels/{request.param}.yaml")
    world = World(level)
    session = Session(world)
    session.rewind_buffer = RewindBuffer(world)
    script = command_script.read_script(level.path.with_suffix(".commands"))
    commands = list(islice(script.commands(world.start.heading), TICKS))
    commands += [Command(1.0, 0.5, k * 300 % 65536, 0, k % 40 == 3, False, True, k % 30 < 12) for k in range(TICKS)]
    hashes = []
    for command in commands:
        session.tick(command)
        hashes.append(world.hash())
    return session, commands, hashes


def test_every_tick_is_had_again_and_gone_on_from_to_the_last_bit(walked):
    session, commands, hashes = walked
    world, rewind_buffer = session.world, session.rewind_buffer
    assert len(rewind_buffer) == len(commands) == len(hashes)
    chance = random.Random(5)
    for k in [len(commands) - 1, 0, *(chance.randrange(len(commands)) for _ in range(4))]:
        before, _ = rewind_buffer.seek(k)
        assert world.hash() == hashes[k]
        assert world.trace is not None
        assert world.platform_turn == 0
        assert k == 0 or before.tick == world.walker_state.tick - 1
        for on, command in enumerate(commands[k + 1 : k + 40], start=k + 1):
            world.step(command)
            assert world.hash() == hashes[on]
    rewind_buffer.seek(len(commands) - 1)


def test_a_step_shows_between_which_states_it_led(walked):
    session, _, hashes = walked
    before, _ = session.rewind_buffer.seek(40)
    session.show_replayed_tick(before, 0.25)
    assert session.alpha == 0.25
    assert session.previous == before
    assert session.current == session.world.walker_state
    poses = session.movers()
    if poses is not None:
        assert (poses == session.world.environment.movers.poses(40.25)).all()
    session.rewind_buffer.seek(len(hashes) - 1)


def walk(level, create_buffer=None, seed=3, ticks=400, restarts=(), forward=1.0):
    """A session whose walker wanders, and the hash after each tick."""
    session = Session(World(level))
    session.rewind_buffer = (create_buffer or RewindBuffer)(session.world)
    chance = random.Random(seed)
    hashes, heading = [], 0
    for k in range(ticks):
        if k in restarts:
            session.restart()
        heading = chance.randrange(65536) if k % 20 == 0 else heading
        session.tick(Command(forward, 0.0, heading, 0, chance.random() < 0.05))
        hashes.append(session.world.hash())
    return session, hashes


@pytest.mark.parametrize("room", [1 << 30, 20_000, 3_000], ids=["every state", "some states", "few states"])
def test_the_buffer_is_bounded_in_ticks_and_in_bytes(level, room):
    session, hashes = walk(level, lambda world: RewindBuffer(world, 2.0, room))
    rewind_buffer, size = session.rewind_buffer, len(session.world.state())
    assert rewind_buffer.capacity == 120
    assert (
        rewind_buffer.bytes
        == sum(len(moment.state) for moment in rewind_buffer if moment.state is not None)
        <= max(room, 2 * size)
    )
    assert 120 <= len(rewind_buffer) < 120 + max(1, 120 // max(1, room // size - 2)) + 1
    assert rewind_buffer[0].state is not None
    first = len(hashes) - len(rewind_buffer)
    for k in range(0, len(rewind_buffer), 7):
        rewind_buffer.seek(k)
        assert session.world.hash() == hashes[first + k]


def test_growing_states_push_out_the_oldest_ticks(level):
    world = World(level)
    rewind_buffer = RewindBuffer(world, 1.0, 10_000)
    sizes = iter([700] * 20 + [4000] * 20)

    class GrowingWorld(World):
        def state(self, walker_bytes=None):
            return random.Random(self.tick).randbytes(next(sizes))

    fat = GrowingWorld(level)
    for tick in range(40):
        fat.tick = tick * 2  # nothing follows from what was before: a state each
        rewind_buffer.begin_tick(fat, Command())
        rewind_buffer.end_tick(())
        assert rewind_buffer.bytes <= 10_000
    assert len(rewind_buffer) == 2


@pytest.mark.full
def test_falls_restarts_and_jumps_from_outside_are_walked_over(level_with):
    level = level_with(spawns=(Spawn("start", (19.0, 0.0, 19.0), 99),), kill_height=-3.0)
    session = Session(World(level))
    session.rewind_buffer = rewind_buffer = RewindBuffer(session.world, 60.0, 4_000)
    hashes, fell = [], 0
    for k in range(500):
        if k in (100, 101, 333):
            session.restart()
        if k == 200:
            session.world.restore(session.rewind_buffer[20].state or session.rewind_buffer[0].state)
            session.reset_interpolation()
        events = session.tick(Command(1.0, 0.3, 49152 if k % 50 < 30 else 0))
        fell += any(isinstance(event, Respawned) for event in events)
        hashes.append(session.world.hash())
    assert fell
    assert sum(moment.state is None for moment in rewind_buffer) > 300
    first = len(hashes) - len(rewind_buffer)
    for k in (k for k in range(len(rewind_buffer)) if k % 4 == 0 or rewind_buffer[k].events):
        _, events = rewind_buffer.seek(k)
        assert session.world.hash() == hashes[first + k]
        assert events == rewind_buffer[k].events


def test_a_state_set_without_a_word_is_noticed(level):
    session, _ = walk(level, lambda world: RewindBuffer(world, 60.0, 4_000), ticks=60)
    session.world.restart()
    session.tick(Command(1.0))
    assert session.rewind_buffer[-1].state is not None
    hashed = session.world.hash()
    session.rewind_buffer.seek(60)
    assert session.world.hash() == hashed


def test_going_on_from_a_tick_forgets_what_came_after_it(level):
    session, hashes = walk(level, lambda world: RewindBuffer(world, 60.0, 4_000), ticks=120)
    rewind_buffer, world = session.rewind_buffer, session.world
    rewind_buffer.seek(70)
    rewind_buffer.truncate_after(70)
    assert len(rewind_buffer) == 71
    assert rewind_buffer.bytes == sum(len(moment.state) for moment in rewind_buffer if moment.state is not None)
    states = sum(moment.state is not None for moment in rewind_buffer)
    new = []
    for _ in range(3):
        session.tick(Command(-1.0))
        new.append(world.hash())
    assert sum(moment.state is not None for moment in rewind_buffer) - states <= 1  # it follows: no state of its own
    for k, wanted in [(70, hashes[70]), (72, new[1]), (73, new[2]), (3, hashes[3])]:
        rewind_buffer.seek(k)
        assert world.hash() == wanted


def test_marks_tell_what_happened(level):
    session = Session(World(level))
    session.rewind_buffer = RewindBuffer(session.world)
    for k in range(200):
        session.tick(Command(1.0, jump=k == 5))
    words = [
        {"jumped": m.event_bits & 1 << 8, "landed": m.event_bits & 1 << 7, "held": m.blocked}
        for m in session.rewind_buffer
    ]
    assert [k for k, m in enumerate(words) if m["jumped"]] == [5]
    assert len([k for k, m in enumerate(words) if m["landed"]]) == 1
    assert not words[20]["held"]
    assert words[199]["held"]
    assert session.rewind_buffer[100].speed == pytest.approx(4.0)
    assert session.rewind_buffer[-1].feet == session.world.walker_state.feet


def test_another_world_empties_the_rewind_buffer(level):
    session, _ = walk(level, ticks=50)
    session.world = World(level)
    session.reset_interpolation()
    session.tick(Command())
    assert len(session.rewind_buffer) == 1
    assert session.rewind_buffer.world is session.world


def test_the_buffer_can_be_written_as_a_replay(level):
    session, hashes = walk(level, lambda world: RewindBuffer(world, 2.0, 9_000), ticks=300, restarts=(250,))
    out = bytearray()
    ticks = session.rewind_buffer.write_replay(World(level), out.extend, "the last seconds")
    assert ticks == len(session.rewind_buffer) > 110
    assert session.world.hash() == hashes[-1]  # which was not touched
    record = replay_file.decode_replay(bytes(out), "last.replay")
    assert record.is_complete
    assert record.ticks == ticks
    assert len(record.parts) == 2
    verdict = verify(record, lambda part: level)
    assert verdict.divergence is None
    assert verdict.ticks == ticks


def test_a_tick_that_broke_off_is_left_out_of_the_replay(level):
    session, _ = walk(level, ticks=30)
    session.rewind_buffer.begin_tick(session.world, Command(jump=True))
    out = bytearray()
    assert session.rewind_buffer.write_replay(World(level), out.extend) == 30
    assert replay_file.decode_replay(bytes(out), "last.replay").is_complete


def test_what_cannot_be_is_refused(level):
    world = World(level)
    for seconds, room in ((0.0, 1000), (float("inf"), 1000), (float("nan"), 1000), (30.0, 0)):
        with pytest.raises(ValueError, match=r"would hold nothing|must be finite"):
            RewindBuffer(world, seconds, room)
    rewind_buffer = RewindBuffer(world)
    for k in (-1, 0):
        with pytest.raises(IndexError):
            rewind_buffer.seek(k)


def test_a_view_does_not_turn_once_more_with_the_ground():
    text = (
        "format: 1\nname: Disc\nspawn: {at: [0, 0.1, 0]}\npieces:\n"
        "  - mover: {at: [0, 0, 0], spin: 40, seconds: 4, of: [box: {from: [-2, 0, -2], to: [2, 0.1, 2]}]}\n"
    )
    session = Session(World(load(text=text)))
    session.rewind_buffer = RewindBuffer(session.world)
    turned = []
    for _ in range(20):
        session.tick(Command())
        turned.append(session.world.platform_turn)
    assert turned[-1]
    session.rewind_buffer.seek(12)
    assert session.world.platform_turn == 0


# The whole session, with keyframes that thin out with age


LONG = ("lifts", *(pytest.param(name, marks=pytest.mark.full) for name in ("waters", "golf/one", "escher", "ballroom")))


@pytest.fixture(scope="module", params=LONG)
def long_session(request):
    """(session, hash after each tick, restarts) of two minutes with falls, teleports, restarts and jumps from outside.

    The states have room for 60 keyframes.
    """
    level = load(f"levels/{request.param}.yaml")
    world = World(level)
    session = Session(world)
    session.rewind_buffer = RewindBuffer(world, MAX_REWIND_SECONDS, 60 * len(world.state()))
    chance = random.Random(11)
    hashes, heading, kept = [], 0, world.state()
    for k in range(7200 if request.param != "ballroom" else 2600):
        if k % 997 == 500:
            session.restart()
        if k % 1501 == 900:
            world.restore(kept)
            session.reset_interpolation()
        if k == 400:
            kept = world.state()
        heading = chance.randrange(65536) if k % 45 == 0 else heading
        session.tick(Command(1.0, 0.0, heading, 0, chance.random() < 0.03, False, k % 200 < 100, k % 30 < 12))
        hashes.append(world.hash())
    return session, hashes


@pytest.mark.full
def test_a_long_session_is_kept_from_its_first_tick_within_its_limit(long_session):
    session, hashes = long_session
    rewind_buffer = session.rewind_buffer
    assert len(rewind_buffer) == len(hashes)
    assert rewind_buffer.bytes <= rewind_buffer.max_bytes
    assert rewind_buffer[0].state is not None
    numbers = [k for k, row in enumerate(rewind_buffer) if row.state is not None]
    gaps = [after - before for before, after in itertools.pairwise(numbers)]
    recent = len(hashes) - 1800
    assert len(numbers) <= 70  # restarts share a state
    assert max(gaps[-5:]) <= 60, "dense near the present"
    assert max(gap for number, gap in zip(numbers, gaps, strict=False) if number < recent) < 1200


@pytest.mark.full
def test_any_tick_of_a_long_session_has_the_same_bits_again(long_session):
    session, hashes = long_session
    world, rewind_buffer = session.world, session.rewind_buffer
    chance = random.Random(2)
    events = dict(rewind_buffer.event_ticks())
    picks = [0, len(hashes) - 1, *(chance.randrange(len(hashes)) for _ in range(14)), *list(events)[:6]]
    for k in picks:
        calls = 0
        while not rewind_buffer.prepare(k, lambda: False):
            calls += 1
        assert calls <= 2000
        assert rewind_buffer.is_quick(k)
        _, seen = rewind_buffer.seek(k)
        assert world.hash() == hashes[k], k
        assert seen == events.get(k, ()) == rewind_buffer[k].events
    for k in picks[:6]:  # without preparing
        rewind_buffer.seek(k)
        assert world.hash() == hashes[k], k


@pytest.mark.full
def test_states_that_were_simulated_again_are_bounded(level, monkeypatch):
    session, hashes = walk(level, lambda world: RewindBuffer(world, MAX_REWIND_SECONDS, 6_000), ticks=5000)
    size, kept = len(session.world.state()), session.rewind_buffer.memory
    monkeypatch.setattr(rewind, "MAX_CACHE_BYTES", 4 * size)
    most = 0
    for k in range(3000, 0, -300):
        session.rewind_buffer.seek(k)
        assert session.world.hash() == hashes[k]
        most = max(most, session.rewind_buffer.memory - kept)
    assert 3 * size <= most <= 4 * size


@pytest.mark.full
def test_a_day_of_ticks_is_bounded_too(level, monkeypatch):
    monkeypatch.setattr(rewind, "MAX_TICK_BYTES", 60 * 6000)
    session, hashes = walk(level, lambda world: RewindBuffer(world, MAX_REWIND_SECONDS, 1 << 20), ticks=5000)
    rewind_buffer = session.rewind_buffer
    first = len(hashes) - len(rewind_buffer)
    assert 1000 < len(rewind_buffer) < 5000
    assert rewind_buffer.memory < 2_500_000
    for k in (0, 5, len(rewind_buffer) // 2, len(rewind_buffer) - 1):
        rewind_buffer.seek(k)
        assert session.world.hash() == hashes[first + k]


def test_restarts_share_one_state(level):
    session = Session(World(level))
    session.rewind_buffer = RewindBuffer(session.world)
    for _ in range(300):
        session.restart()
        session.tick(Command(1.0))
    assert session.rewind_buffer.bytes == len(session.world.state())
    session.rewind_buffer.seek(150)
    assert session.world.tick == 1


@pytest.mark.full
def test_rows_hold_what_the_ticks_were(level):
    session, _ = walk(level, ticks=4250, create_buffer=lambda world: RewindBuffer(world, 600.0))
    rewind_buffer = session.rewind_buffer
    rows = rewind_buffer.rows(4000, 4200)  # over the border of two chunks
    for k, row in zip(range(4000, 4200), rows, strict=True):
        assert tuple(row["feet"].tolist()) == rewind_buffer[k].feet
        assert (row["forward"], row["heading"]) == (rewind_buffer[k].command.forward, rewind_buffer[k].command.heading)
    rewind_buffer.seek(100)
    rewind_buffer.truncate_after(100)
    assert len(rewind_buffer) == len(rewind_buffer.rows(0, 99999)) == 101


@pytest.mark.parametrize(
    "command",
    [Command(0.25, -0.5, 65535, -16384, True, False, True, False), Command(-1.0, 1.0, -5, 16384, use=True)],
)
def test_a_command_comes_back_from_its_row_unchanged(level, command):
    session = Session(World(level))
    session.rewind_buffer = RewindBuffer(session.world)
    session.tick(command)
    assert session.rewind_buffer[0].command == command


@pytest.mark.full
def test_only_the_last_seconds_can_be_written(level):
    session, _ = walk(level, ticks=1200)
    out = bytearray()
    assert 300 <= session.rewind_buffer.write_replay(World(level), out.extend, seconds=5.0) <= 330
    assert verify(replay_file.decode_replay(bytes(out), "last.replay"), lambda part: level).divergence is None
