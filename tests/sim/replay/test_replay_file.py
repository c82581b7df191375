"""Replay files: what they carry, how little they lose, and how a run that goes otherwise is named."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from game.app.runs.replay_messages import divergence_lines
from game.level import Spawn, load
from game.physics import Command, WalkerSettings, WalkerState
from game.physics.character.state import STATE_ROW
from game.sim import Recorder, ReplayError, Respawned, Session, World
from game.sim.replay import chunk_file, fingerprint, replay_file, verifier
from game.sim.replay.replay_file import DefectKind, ReplayDefect
from game.sim.replay.verifier import WORLD_COUNTERS, LevelNote, verify
from tests.support.level_builder import build_level, exit_at, goal_at

LEVELS = Path(__file__).resolve().parents[3] / "levels"

CUT_OFF = (DefectKind.CUT_IN_BLOCK, DefectKind.CUT_AFTER_BLOCK)
DAMAGED = (DefectKind.DAMAGED_MAGIC, DefectKind.DAMAGED_BYTES, DefectKind.CUT_IN_BLOCK)
HERE = Path("run.replay")


def restless(ticks, seed=1):
    """Commands of all kinds, the mouse moving in one span of three; they lead off the floor now and then."""
    rng = np.random.default_rng(seed)
    heading = 0
    for tick in range(ticks):
        if tick % 40 == 0:
            turn = float(rng.choice([0.0, 0.0, 300.0]))
            forward, strafe = (float(v) for v in rng.choice([-1.0, 0.0, 0.3, 1.0], 2))
            buttons = rng.random(4) < (0.3, 0.2, 0.7, 0.4)
        heading += int(rng.normal(1.0, 0.3) * turn)
        jump, crouch, sprint, use = map(bool, buttons)
        yield Command(forward, strafe, heading, round(turn * np.sin(tick)), jump, crouch, sprint, use)


def recorded(level, ticks=200, restarts=(), **settings):
    """(bytes of a closed record, the events on the way)."""
    world = World(level, WalkerSettings(**settings))
    out, events = bytearray(), []
    recorder = Recorder(world, out.extend, "a note")
    session = Session(world)
    session.recorder = recorder
    for tick, command in enumerate(restless(ticks)):
        if tick in restarts:
            session.restart()
        events += session.tick(command)
    assert recorder.ticks == ticks
    recorder.close()
    return bytes(out), events


@pytest.fixture
def level_here(level_with):
    """A floor on which one falls off soon."""
    return level_with(spawns=(Spawn("start", (17.0, 0.0, 17.0), 99),), kill_height=-3.0)


def verdict_of(data, level, observer=None):
    """The verdict on a record; `observer` may disturb the world after a tick."""
    return verify(replay_file.decode_replay(data, HERE), lambda part: level, observer=observer)


def test_rows_are_packed_and_unpacked_to_the_bit(level):
    walker = World(level).walker
    commands = walker.commands(list(restless(77)))
    states = walker.run(World(level).walker_state, commands, level.mesh)
    for rows, word in ((commands, 4), (states, 8), (states[:1], 8)):
        data = chunk_file.encode_deltas(rows, word)
        again = chunk_file.decode_deltas(data, len(rows), rows.dtype, word)
        assert again.tobytes() == rows.tobytes()
        assert chunk_file.decompress_bytes(chunk_file.compress_bytes(data), 1 << 20) == data
        with pytest.raises(ValueError, match="rows have"):
            chunk_file.decode_deltas(data[:-1], len(rows), rows.dtype, word)
    with pytest.raises(ValueError, match="more of it than there can be"):
        chunk_file.decompress_bytes(chunk_file.compress_bytes(bytes(1000)), 999)
    with pytest.raises(ValueError, match="not zlib"):
        chunk_file.decompress_bytes(b"hello", 10)


def test_a_record_with_falls_and_restarts_comes_out_the_same(level_here):
    data, events = recorded(level_here, 900, restarts=(0, 1, 60, 119, 120, 500))
    assert sum(isinstance(event, Respawned) and event.reason == "fell" for event in events) >= 2
    read = replay_file.decode_replay(data, HERE)
    assert (read.problems, read.ticks, read.missing_ticks, read.is_complete) == ([], 900, [], True)
    assert read.seconds == 15.0
    assert [k for chunk in read.parts[0].chunks for k in np.flatnonzero(chunk.restarts) + chunk.first] == [
        0, 1, 60, 119, 120, 500,
    ]  # fmt: skip
    done = verdict_of(data, level_here)
    assert (done.ticks, done.divergence, done.notes) == (900, None, [])
    assert data == recorded(level_here, 900, restarts=(0, 1, 60, 119, 120, 500))[0]


def test_the_head_of_a_replay_names_versions_level_and_settings(level):
    data, _ = recorded(level, 10, walk_speed=3.0, acceleration=float("inf"))
    head = replay_file.decode_replay(data, HERE).parts[0].head
    assert head["made"] == fingerprint.component_versions()
    assert head["level"]["hash"] == fingerprint.level_hash(level)
    assert head["note"] == "a note"
    assert fingerprint.settings_from_values(head["settings"]) == WalkerSettings(
        walk_speed=3.0, acceleration=float("inf")
    )
    assert head["settings_hash"] == fingerprint.settings_hash(head["settings"])
    assert verdict_of(data, level).divergence is None


@pytest.mark.full
def test_a_minute_is_small(level):
    data, _ = recorded(level, 3600)
    assert len(data) < 115_000  # of a player that never rests; 3600 states alone are 604 800 bytes


def test_a_restart_just_before_the_end_is_no_divergence(level):
    world, out = World(level), bytearray()
    session = Session(world)
    session.recorder = recorder = Recorder(world, out.extend)
    for ticks in (61, 59):
        for command in restless(ticks):
            session.tick(command)
        session.restart()
    recorder.close()
    assert verdict_of(bytes(out), level).ticks == 120
    assert verdict_of(bytes(out), level).divergence is None


FINE = pytest.mark.parametrize("stride", [17, pytest.param(1, marks=pytest.mark.full)])


@FINE
def test_a_replay_cut_off_at_any_length_is_marked_and_keeps_every_whole_second(level, stride):
    data, _ = recorded(level, 150)
    places = [b.offset + len(b.payload) + 16 for b in chunk_file.scan_chunks(data) if b.kind == "TICK"]
    assert len(places) == 3
    done_at = next(b.offset for b in chunk_file.scan_chunks(data) if b.kind == "DONE")
    verified = set()
    near = range(places[0] - 200, places[0] + 200)
    borders = {border + off for border in (*places, done_at) for off in (-1, 0, 1)}
    away = *range(0, near.start, 9 * stride), *range(near.stop, len(data), 3 * stride)
    for length in sorted({*near[::stride], *away, *borders}):
        try:
            read = replay_file.decode_replay(data[:length], HERE)
        except ReplayError as error:
            words = str(error)
            assert length < places[0]
            assert "cut off" in words or "empty" in words
            continue
        expected = (60, 120, 150)[sum(place <= length for place in places) - 1] if length >= places[0] else 0
        assert read.ticks == expected
        assert not read.is_complete
        assert read.problems[-1].kind in CUT_OFF
        if expected not in verified or length == done_at:
            verified.add(expected)
            assert verify(read, lambda part: level).ticks == expected


@FINE
def test_every_changed_byte_is_found_and_costs_one_block(level, stride):
    data, _ = recorded(level, 130)
    good = {chunk.first: chunk for chunk in replay_file.decode_replay(data, HERE).parts[0].chunks}
    ticks = next(b.offset for b in chunk_file.scan_chunks(data) if b.kind == "TICK")
    for place in (*range(0, ticks, 7 * stride), *range(ticks, len(data), 2 * stride)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        read = replay_file.decode_replay(bytes(changed), HERE)
        assert read.problems, place
        assert read.problems[0].kind in DAMAGED
        assert len(read.parts[0].chunks) >= len(good) - 1
        for ours in read.parts[0].chunks:
            assert ours.states.tobytes() == good[ours.first].states.tobytes()
            assert ours.commands.tobytes() == good[ours.first].commands.tobytes()


def test_a_second_that_is_lost_leaves_the_others_verifiable(level_here):
    data, _ = recorded(level_here, 300)
    middle = [b for b in chunk_file.scan_chunks(data) if b.kind == "TICK"][2]
    broken = data[: middle.offset + 40] + bytes(40) + data[middle.offset + 80 :]
    read = replay_file.decode_replay(broken, HERE)
    assert read.missing_ticks == [(120, 180)]
    assert ReplayDefect(DefectKind.LOST_TICKS, 120, 60) in read.problems
    done = verify(read, lambda part: level_here)
    assert (done.ticks, done.divergence) == (240, None)
    assert not read.is_complete
    head = data[: 20 + len(chunk_file.MAGIC)] + bytes(40) + data[60 + len(chunk_file.MAGIC) :]
    assert verdict_of(head, level_here).ticks == 300  # there is a copy at the end


def test_a_block_taken_out_or_moved_is_noticed(level):
    data, _ = recorded(level, 240)
    parts = [(b.offset, b.offset + 16 + len(b.payload)) for b in chunk_file.scan_chunks(data) if b.kind == "TICK"]
    (a, b), (c, d) = parts[1], parts[2]
    without = replay_file.decode_replay(data[:a] + data[b:], HERE)
    assert without.missing_ticks == [(60, 120)]
    swapped = replay_file.decode_replay(data[:a] + data[c:d] + data[a:b] + data[d:], HERE)
    assert swapped.ticks == 240
    assert ReplayDefect(DefectKind.WRONG_CHECKSUM) in swapped.problems
    longer = replay_file.decode_replay(data + b"and more", HERE)
    assert longer.is_complete
    assert ReplayDefect(DefectKind.BYTES_AFTER_END, len(data), len(b"and more")) in longer.problems


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "empty"),
        (b"hello", "not a replay file"),
        (chunk_file.MAGIC, "cut off after 8 bytes"),
        (b"\x89W", "cut off"),
    ],
)
def test_a_file_that_is_no_replay_is_refused_in_words(data, part):
    with pytest.raises(ReplayError, match=part):
        replay_file.decode_replay(data, HERE)


def test_noise_never_raises_anything_else():
    rng = np.random.default_rng(7)
    for size in (3, 100, 3000):
        with pytest.raises(ReplayError):
            replay_file.decode_replay(rng.bytes(size), HERE)
        with pytest.raises(ReplayError):
            replay_file.decode_replay(chunk_file.MAGIC + chunk_file.encode_chunk("HEAD", rng.bytes(size)), HERE)


def rewritten(data, change, kind="HEAD"):
    """The same file with the fields of its JSON blocks changed, as another version would have written it."""
    out = chunk_file.MAGIC
    for block in chunk_file.scan_chunks(data):
        payload = block.payload
        if block.kind == kind:
            fields = json.loads(payload)
            change(fields)
            payload = json.dumps(fields).encode()
        out += chunk_file.encode_chunk(block.kind, payload)
    return out


def test_another_format_is_refused_by_name(level):
    data, _ = recorded(level, 10)
    with pytest.raises(ReplayError, match=r"format 2 by version 9\.9 .*reads format 1"):
        replay_file.decode_replay(rewritten(data, lambda head: head.update(format=2, made={"game": "9.9"})), HERE)


def test_other_rules_are_named_and_tried_all_the_same(level):
    data, _ = recorded(level, 70)
    other = rewritten(data, lambda head: head["made"].update(rules="0123", numpy="1.0"))
    done = verdict_of(other, level)
    assert done.divergence is None
    (note,) = done.notes
    changes = {change.name: change.recorded for change in note.changes}
    assert (changes, note.same_rules) == ({"rules": "0123", "numpy": "1.0"}, False)


@pytest.mark.parametrize("first", [2**32, 2**62, 2**63, 2**64 - 1])
def test_a_block_whose_ticks_nobody_can_have_played_is_left_out(level, first):
    data, _ = recorded(level, 130)
    out, ticks = chunk_file.MAGIC, 0
    for block in chunk_file.scan_chunks(data):
        payload = block.payload
        ticks += block.kind == "TICK"
        if block.kind == "TICK" and ticks == 2:
            raw = bytearray(chunk_file.decompress_bytes(payload, 1 << 24))
            raw[4:12] = struct.pack("<Q", first)
            payload = chunk_file.compress_bytes(bytes(raw))
        out += chunk_file.encode_chunk(block.kind, payload)
    read = replay_file.decode_replay(out, HERE)
    assert DefectKind.INVALID_BLOCK in {defect.kind for defect in read.problems}
    assert read.ticks == 70
    assert all(chunk.table for part in read.parts for chunk in part.chunks)


def test_the_state_at_the_end_is_compared(level):
    """The last second is of rows alone; only the state at the end has what the world keeps beside the walker."""
    data, _ = recorded(level, 70)
    other = World(level)
    for command in restless(69):
        other.step(command)
    wrong = base64.b64encode(other.state()).decode()
    assert verdict_of(data, level).divergence is None
    done = verdict_of(rewritten(data, lambda end: end.update(state=wrong), "DONE"), level)
    assert done.divergence is not None
    assert done.divergence.tick == 70


def test_settings_that_are_none_are_refused(level):
    data, _ = recorded(level, 10)
    for change, part in (
        (lambda head: head["settings"].update(walk_speed=5.0), "settings were changed"),
        (lambda head: head.update(spawn="nowhere"), "no spawn is called"),
    ):
        with pytest.raises(ReplayError, match=part):
            verdict_of(rewritten(data, change), level)

    def unknown(head):
        head["settings"]["wings"] = 2.0
        head["settings_hash"] = fingerprint.settings_hash(head["settings"])

    with pytest.raises(ReplayError, match="there is no setting 'wings'"):
        verdict_of(rewritten(data, unknown), level)


def test_the_first_tick_that_goes_otherwise_is_named_with_its_fields(level):
    data, _ = recorded(level, 200)

    def nudge(world, command, events):
        if world.tick == 137:
            x, y, z = world.walker_state.velocity
            world.walker_state = world.walker_state.replace(velocity=(np.nextafter(x, 9.0), y, z))

    done = verdict_of(data, level, nudge)
    assert done.ticks == 136
    assert done.divergence is not None
    assert done.divergence.tick == 137
    assert done.divergence.seconds == pytest.approx(137 / 60)
    (difference,) = done.divergence.differences
    assert difference.name == "velocity"
    assert difference.recorded != difference.now
    assert done.divergence.command == list(restless(200))[136]


@pytest.mark.full
def test_the_position_is_named_first_and_what_nobody_sees_last():
    """Of two rows that differ in every field, and of two worlds."""
    here = np.zeros(1, STATE_ROW)
    there = np.frombuffer(b"\1" * STATE_ROW.itemsize, STATE_ROW)
    names = [difference.name for difference in verifier.compare_rows(here[0], there[0])]
    assert names[:5] == ["position", "velocity", "up", "heading", "grounded"]
    assert sorted(names) == sorted(STATE_ROW.names)
    hidden = {"safe", "falling", "north", "carried", "coyote", "buffer", "jump_held"}
    assert min(map(names.index, hidden)) > max(map(names.index, set(names) & set(verifier.FIRST_FIELDS)))
    worlds = [World(load(LEVELS / name)) for name in ("golf/one.yaml", "ballroom.yaml")]
    fields = {*STATE_ROW.names, "targets", "triggers"}.union(*(world.fields() for world in worlds))
    assert set(verifier.FIRST_FIELDS) <= fields


def test_where_only_a_hidden_field_differs_the_position_is_told_all_the_same(level):
    data, _ = recorded(level, 90)

    def move_safe_place(world, command, events):
        if world.tick == 80:
            row = world.walker_state.row()
            row["safe"] += 1.0
            world.walker_state = WalkerState(row)

    divergence = verdict_of(data, level, move_safe_place).divergence
    assert [difference.name for difference in divergence.differences] == ["safe"]
    assert divergence.tick == 80
    lines = divergence_lines(divergence)
    assert lines[1].startswith("  position: the same, (")
    assert lines[2].startswith("  safe place (centre): recorded (")


@pytest.mark.sample(3)
@pytest.mark.parametrize("ticks", [130, 120, 100])
@pytest.mark.parametrize("closed", [True, False])
def test_what_the_world_keeps_beside_the_walker_is_compared_too(level, ticks, closed):
    data, _ = recorded(level, ticks)
    if not closed:
        data = data[: [b.offset for b in chunk_file.scan_chunks(data) if b.kind == "HEAD"][-1]]

    def change_last_fall(world, command, events):
        if world.tick == 90:
            world.restore(world.state()[:24] + (77).to_bytes(8, "little") + world.state()[32:])
            assert world.fields()["fall_tick"] == 77

    done = verdict_of(data, level, change_last_fall)
    assert done.divergence is not None
    assert 90 <= done.divergence.tick <= min(ticks, 120)
    (difference,) = done.divergence.differences
    assert difference.name == WORLD_COUNTERS or (difference.name, difference.now) == ("fall_tick", "77")


def test_another_level_is_noted_and_walked_until_it_matters(level, level_with):
    data, _ = recorded(level, 300)
    deeper = level_with(kill_height=-11.0)
    done = verdict_of(data, deeper)
    assert done.notes == [LevelNote("floor", fingerprint.level_hash(level), fingerprint.level_hash(deeper))]
    raised = level.triangles + np.array((0.0, 0.25, 0.0))
    moved = build_level(raised, name="floor", spawns=(Spawn("start", (0.0, 0.0, 1.0), 0),))
    done = verdict_of(data, moved)
    assert done.divergence is not None
    assert done.divergence.tick == 1


def test_going_on_elsewhere_is_another_part(level, level_with):
    other = level_with(kill_height=-5.0)
    first, second = World(level), World(other)
    out = bytearray()
    recorder = Recorder(first, out.extend)
    for world, ticks in ((first, 75), (second, 33)):
        if world is second:
            recorder.state_replaced(second)
        for command in restless(ticks, seed=ticks):
            world.step(command)
            recorder.stepped(command)
    second.restore(World(other).state())
    recorder.state_replaced()
    second.step(Command(forward=1.0))
    recorder.stepped(Command(forward=1.0))
    recorder.close()
    recorder.close()
    read = replay_file.decode_replay(bytes(out), HERE)
    assert [sum(len(c.commands) for c in part.chunks) for part in read.parts] == [75, 33, 1]
    done = verify(read, lambda part: level if part.number == 0 else other)
    assert (done.ticks, done.divergence, done.notes) == (109, None, [])


def test_an_empty_record_is_a_record(level):
    out = bytearray()
    Recorder(World(level), out.extend).close()
    read = replay_file.decode_replay(bytes(out), HERE)
    assert (read.ticks, read.is_complete, read.problems) == (0, True, [])
    assert verify(read, lambda part: level).divergence is None


def test_the_level_hash_is_of_what_a_walk_can_notice(level, level_with):
    mine = fingerprint.level_hash(level)
    assert fingerprint.level_hash(level_with()) == mine
    assert fingerprint.level_hash(level_with(kill_height=-9.0)) != mine
    assert fingerprint.level_hash(level_with(goal=goal_at(0, 0, 0, 1.0))) != mine
    level_with_exit = level_with(exits=(exit_at((1.0, 0.0, 0.0), 1.0),))
    assert fingerprint.level_hash(level_with_exit) != mine


def test_the_version_is_that_of_the_package():
    import tomllib

    import game

    root = Path(__file__).resolve().parents[3]
    assert tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"] == game.__version__
