"""History: every tick is shown again bit for bit, play goes on from any of them, and ranges are replays that verify."""

import random
from itertools import islice

import numpy as np
import pytest

from game.level import Spawn, load
from game.physics import Command
from game.sim import History, Respawned, Session, World, command_script
from game.sim.events import CheckpointReached
from game.sim.replay import history as history_module
from game.sim.replay.replay_file import ReplayWriter, decode_replay
from game.sim.replay.verifier import verify

RARELY = (pytest.param(name, marks=pytest.mark.full) for name in ("demo", "waters", "ballroom"))
SHIPPED = ("lifts", "golf/one", "escher", *RARELY)
TICKS = 150
JUMPS = {20: "restart", 21: "restart", 130: "return", 180: "return", 200: "restore", 240: "restart", 241: "return"}


def replay_of(data):
    return decode_replay(bytes(data), "x.replay")


def verified(data, level):
    """(ticks, parts) of a replay file that simulates to the last bit."""
    replay = replay_of(data)
    result = verify(replay, lambda part: level)
    assert (result.divergence, result.ticks, replay.is_complete) == (None, replay.ticks, True)
    return replay.ticks, len(replay.parts)


def begin(level, max_memory=None):
    session = Session(World(level))
    session.history = History(session.world, max_memory)
    return session, session.history


def walk(level, ticks=400, jumps=(), seed=3, **options):
    """A session whose walker wanders, its history, and the hash after each tick. jumps: what comes before a tick."""
    session, history = begin(level, **options)
    chance, heading, hashes, kept = random.Random(seed), 0, [], session.world.state()
    for k in range(ticks):
        if k % 100 == 90:
            kept = session.world.state()
        match dict(jumps).get(k):
            case "restart":
                session.restart()
            case "return":
                session.return_to_checkpoint()
            case "restore":  # without a word
                session.world.restore(kept)
        if k % 20 == 0:
            heading = 49152 if k % 60 < 40 else chance.randrange(65536)
        session.tick(Command(1.0, 0.0, heading, 0, chance.random() < 0.05))
        hashes.append(session.world.hash())
    return session, history, hashes


@pytest.fixture(scope="module", params=SHIPPED)
def walked(request):
    """(session, commands, hash after each tick) of a shipped level: movers, zones, balls, golf, gravity."""
    level = load(f"levels/{request.param}.yaml")
    session, _ = begin(level)
    script = command_script.read_script(level.path.with_suffix(".commands"))
    commands = list(islice(script.commands(session.world.start.heading), TICKS))
    commands += [Command(1.0, 0.5, k * 300 % 65536, 0, k % 40 == 3, False, True, k % 30 < 12) for k in range(TICKS)]
    hashes = []
    for command in commands:
        session.tick(command)
        hashes.append(session.world.hash())
    return session, commands, hashes


def test_every_tick_is_had_again_and_gone_on_from_to_the_last_bit(walked):
    session, commands, hashes = walked
    world, history = session.world, session.history
    assert len(history) == history.end == len(commands)
    chance = random.Random(5)
    for k in [len(commands) - 1, 0, *(chance.randrange(len(commands)) for _ in range(4))]:
        before, _ = history.seek(k)
        assert world.hash() == hashes[k]
        assert world.trace is not None
        assert world.platform_turn == 0
        assert history.command(k).heading % 65536 == commands[k].heading
        assert k == 0 or before.tick == world.walker_state.tick - 1
        for on, command in enumerate(commands[k + 1 : k + 40], start=k + 1):
            world.step(command)
            assert world.hash() == hashes[on]
    history.seek(len(commands) - 1)


def test_the_walks_of_shipped_levels_are_replays_and_histories_again(walked):
    session, commands, hashes = walked
    data = session.history.data()
    assert verified(data, session.world.level) == (len(commands), 1)
    again = History.load(World(session.world.level), replay_of(data))
    assert (again.end, again.world.hash()) == (len(commands), hashes[-1])
    again.seek(77)
    assert again.world.hash() == hashes[77]
    again.cut(len(commands))
    again.step(Command(1.0))
    assert verified(again.data(), session.world.level) == (len(commands) + 1, 1)


@pytest.fixture
def ledge(level_with):
    """A floor off which one falls."""
    return level_with(spawns=(Spawn("start", (19.7, 0.0, 19.7), 99),), kill_height=-1.0)


def test_falls_restarts_returns_and_jumps_from_outside_are_gone_over(ledge):
    session, history, hashes = walk(ledge, 300, JUMPS.items())
    assert any(isinstance(event, Respawned) for events in history.events.values() for event in events)
    for k in (*range(0, 300, 7), *(at + off for at in JUMPS for off in (-1, 0, 1))):
        _, events = history.seek(k)
        assert session.world.hash() == hashes[k], k
        assert events == history.events.get(k, ())
    assert verified(history.data(), ledge) == (300, 2)  # the state that was set from outside begins a part
    replay = replay_of(history.data())
    at = {"restarts": [20, 21, 240], "returns": [130, 180, 241]}
    for name, ticks in at.items():
        found = [c.first + int(k) for p in replay.parts for c in p.blocks for k in np.flatnonzero(getattr(c, name))]
        assert found == ticks


RANGES = {  # first and end: the file's first tick and end
    "all": ((None, None), (0, 300)), "from a restart": ((240, None), (240, 300)), "a block": ((0, 20), (0, 20)),
    "within blocks": ((60, 137), (21, 137)), "over the parts": ((150, 250), (141, 250)),
    "the newest": ((299, None), (241, 300)),
}  # fmt: skip


@pytest.mark.parametrize("name", RANGES)
def test_a_range_is_a_replay_from_the_begin_of_its_block_on(ledge, name):
    (first, end), (begins, ends) = RANGES[name]
    _, history, hashes = walk(ledge, 300, JUMPS.items())
    data = history.data(first, end, "a note", "a reason")
    replay = replay_of(data)
    block = replay.parts[-1].blocks[-1]
    assert begins <= (first or 0)
    assert replay.ticks == ends - begins or replay.ticks <= ends - (first or 0) + 60
    assert block.hash == hashes[ends - 1]
    assert verified(data, ledge)[0] == replay.ticks
    assert not replay.parts[0].blocks[0].restarts.any()  # it begins at the spawn
    assert (replay.parts[0].head["note"], replay.end_fields["reason"]) == ("a note", "a reason")


@pytest.mark.parametrize("cut", [0, 1, 20, 21, 70, 130, 200, 240, 241, 299, 300])
def test_after_a_cut_the_history_goes_on_as_if_it_had_never_been_otherwise(ledge, cut):
    session, history, hashes = walk(ledge, 300, JUMPS.items())
    history.seek(5)
    history.cut(cut)
    session.reset_interpolation()
    assert history.end == cut
    assert session.world.hash() == (hashes[cut - 1] if cut else World(ledge).hash())
    assert not any(k >= cut for k in history.events)
    new = []
    for _ in range(70):
        session.tick(Command(-1.0))
        new.append(session.world.hash())
    for k in (cut - 1, cut, cut + 69, 3):
        if 0 <= k < history.end:
            history.seek(k)
            assert session.world.hash() == (new[k - cut] if k >= cut else hashes[k]), k
    history.cut(history.end)
    assert verified(history.data(), ledge) == (cut + 70, 2 if cut > 200 else 1)
    with pytest.raises(IndexError):
        history.cut(cut + 71)


def test_a_writer_gets_what_was_played_and_goes_on_over_cuts_and_worlds(level, ledge):
    session, history = begin(level)
    data = bytearray()
    history.writers.append(writer := ReplayWriter(data.extend, "all of it"))
    for _ in range(90):
        session.tick(Command(1.0))
    history.cut(70)
    session.reset_interpolation()
    for _ in range(30):
        session.tick(Command(0.0, 1.0))
    session.world = World(ledge)
    for _ in range(10):
        session.tick(Command(1.0))
    session.history.flush()
    writer.close("the end", session.world.state())
    replay = replay_of(data)
    assert [sum(len(block.commands) for block in part.blocks) for part in replay.parts] == [90, 30, 10]
    result = verify(replay, lambda part: ledge if part.number == 2 else level)
    assert (result.divergence, result.ticks) == (None, 130)
    assert session.history.end == 10
    assert (len(history.writers), len(session.history.writers)) == (0, 1)


def test_what_cannot_be_is_refused(level):
    history = History(World(level))
    for call in (history.seek, history.state, history.command, history.is_quick):
        for k in (-1, 0):
            with pytest.raises(IndexError):
                call(k)
    assert verified(history.data(), level) == (0, 1)
    mesh = History(World(level.mesh, spawn=(0.0, 0.0, 0.0)))
    mesh.step(Command())
    with pytest.raises(ValueError, match="needs a level file"):
        mesh.data()


def test_a_tick_that_breaks_off_is_not_recorded(level, monkeypatch):
    session, history, _ = walk(level, 30)

    def broken(self, command):
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr(World, "step", broken)
        with pytest.raises(RuntimeError):
            session.tick(Command(jump=True))
    assert verified(history.data(), level) == (30, 1)


# Speed and memory


@pytest.mark.parametrize("room", [1 << 30, 20_000, 3_000], ids=["every state", "some states", "few states"])
def test_far_ticks_are_reached_in_parts(level, monkeypatch, room):
    monkeypatch.setattr(history_module, "MAX_QUICK_BYTES", room)
    session, history, hashes = walk(level, 4000)
    assert history._quick_bytes <= max(room, 2 * len(session.world.state()))
    chance = random.Random(2)
    for k in [0, 3999, *(chance.randrange(4000) for _ in range(10))]:
        calls = 0
        while not history.prepare(k, lambda: False):
            calls += 1
        assert calls <= 60
        assert history.is_quick(k)
        assert 0 <= k - history.keyframe_before(k) < 60
        history.seek(k)
        assert session.world.hash() == hashes[k], k
        assert history._quick_bytes <= max(room, 2 * len(session.world.state()))


LIMIT = 60_000  # bytes


def record(level, events_per_tick):
    """A history of LIMIT bytes, with so many events in every tick; the largest memory on the way."""
    history, largest = History(World(level), LIMIT), 0
    for number in range(1500):
        history.step(Command(1.0, heading=40 * number))
        history._add_events(
            history.end - 1, tuple(CheckpointReached(number, str(number)) for _ in range(events_per_tick))
        )
        largest = max(largest, history.memory)
    return history, largest


@pytest.mark.parametrize("events_per_tick", [0, 3])
def test_the_oldest_ticks_go_where_the_memory_is_full(level, events_per_tick):
    history, largest = record(level, events_per_tick)
    assert largest <= LIMIT + 100_000  # of a second with its events, before the oldest are dropped
    assert 0 < history.first < history.end == 1500
    assert min(history.events, default=history.first) >= history.first
    history.seek(history.first)
    with pytest.raises(IndexError):
        history.seek(history.first - 1)
    history.cut(1500)
    assert verified(history.data(), level) == (len(history), 1)


def test_to_seek_tick_after_tick_simulates_each_once_and_a_state_from_outside_is_noticed(level, monkeypatch):
    _, played, hashes = walk(level, 200, {150: "restart"})
    world = World(level)
    history = History.load(world, replay_of(played.data()))
    step, done = World.step, []
    monkeypatch.setattr(World, "step", lambda world, command: done.append(command) or step(world, command))
    history.seek(0)
    done.clear()
    for tick in range(1, 200):
        if tick == 100:
            world.walker_state = world.walker_state.replace(position=(3.0, 1.0, 3.0))
        history.seek(tick)
        assert world.hash() == hashes[tick]
    assert 199 <= len(done) <= 199 + 60
    assert not history.is_diverged
    monkeypatch.setattr(World, "step", lambda world, command: step(world, Command()))
    history.seek(60)
    assert history.is_diverged
