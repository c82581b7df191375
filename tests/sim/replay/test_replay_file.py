"""Replay files: what they carry, how little they lose, and how a run that goes otherwise is named."""

import base64
import hashlib
import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from game.level import Spawn, load
from game.physics import Command, WalkerSettings
from game.sim import History, ReplayError, Respawned, Session, World
from game.sim.replay import fingerprint, replay_file
from game.sim.replay.verifier import WORLD_COUNTERS, LevelNote, verify
from tests.support.level_builder import build_level, exit_at, goal_at

HERE = Path("run.replay")


def restless(ticks):
    """Commands of all kinds, the mouse moving in one span of three; they lead off the floor now and then."""
    rng = np.random.default_rng(1)
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
    session, events = Session(World(level, WalkerSettings(**settings))), []
    session.history = History(session.world)
    for tick, command in enumerate(restless(ticks)):
        if tick in restarts:
            session.restart()
        events += session.tick(command)
    return session.history.data(note="a note"), events


@pytest.fixture
def level_here(level_with):
    """A floor on which one falls off soon."""
    return level_with(spawns=(Spawn("start", (17.0, 0.0, 17.0), 99),), kill_height=-3.0)


def verdict_of(data, level, observer=None):
    """The verdict on a record; `observer` may disturb the world after a tick."""
    return verify(replay_file.decode_replay(data, HERE), lambda part: level, observer=observer)


def test_a_record_with_falls_and_restarts_comes_out_the_same(level_here):
    data, events = recorded(level_here, 900, restarts=(0, 1, 60, 119, 120, 500))
    assert sum(isinstance(event, Respawned) and event.reason == "fell" for event in events) >= 2
    read = replay_file.decode_replay(data, HERE)
    assert (read.ticks, read.is_complete) == (900, True)
    assert read.seconds == 15.0
    assert [k for block in read.parts[0].blocks for k in np.flatnonzero(block.restarts) + block.first] == [
        1, 60, 119, 120, 500,  # it begins at the spawn anyhow
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


def test_a_replay_has_the_text_that_its_level_was_loaded_from(tmp_path):
    text = "format: 1\nspawn: {at: [0, 0, 0]}\npieces: [floor: {from: [-9, -9], to: [9, 9]}]  # ä\n"
    path = tmp_path / "level.yaml"
    path.write_text(text, encoding="utf-8")
    level = load(path)
    path.write_text("saved while it was played", encoding="utf-8")
    data, _ = recorded(level, 10)
    assert replay_file.decode_replay(data, HERE).parts[0].level_text == text.encode()


FINE = pytest.mark.parametrize("stride", [17, pytest.param(1, marks=pytest.mark.full)])


@FINE
def test_a_replay_cut_off_at_any_length_is_marked_and_keeps_every_whole_second(level, stride):
    data, _ = recorded(level, 150)
    places = [b.offset + len(b.payload) + 16 for b in replay_file.read_blocks(data)[0] if b.kind == "TICK"]
    assert len(places) == 3
    done_at = next(b.offset for b in replay_file.read_blocks(data)[0] if b.kind == "DONE")
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
        if expected not in verified or length == done_at:
            verified.add(expected)
            assert verify(read, lambda part: level).ticks == expected


def test_a_cut_that_zeros_follow_is_a_cut(level):
    data, _ = recorded(level, 60)
    done_at = data.rindex(replay_file.BLOCK_MARK)
    for length in (done_at, done_at + 5, done_at + 20, len(data) - 1):
        read = replay_file.decode_replay(data[:length] + bytes(100), HERE)
        assert (read.ticks, read.is_complete) == (60, False)


@pytest.mark.parametrize("name", ["a\0b.yaml", "\ud800.yaml"])
def test_a_level_name_that_no_file_has_is_refused(level, name):
    data = rewritten(recorded(level, 30)[0], lambda head: head["level"].update(file=name))
    with pytest.raises(ReplayError):
        replay_file.decode_replay(data, HERE)


@FINE
def test_every_changed_byte_is_refused(level, stride):
    """But for the size of the last block: with a larger one the block looks cut off."""
    data, _ = recorded(level, 130)
    good = replay_file.decode_replay(data, HERE).parts[0].blocks
    done_at = next(block.offset for block in replay_file.read_blocks(data)[0] if block.kind == "DONE")
    ticks = next(block.offset for block in replay_file.read_blocks(data)[0] if block.kind == "TICK")
    for place in (*range(0, ticks, 7 * stride), *range(ticks, len(data), 2 * stride)):
        changed = bytearray(data)
        changed[place] ^= 1 << place % 8
        if place not in range(done_at + 8, done_at + 12):
            with pytest.raises(ReplayError, match=r"damaged at byte|first bytes are wrong"):
                replay_file.decode_replay(bytes(changed), HERE)
            continue
        try:
            read = replay_file.decode_replay(bytes(changed), HERE)
        except ReplayError:
            continue
        assert not read.is_complete, place
        assert [block.payload for block in read.parts[0].blocks] == [block.payload for block in good]


def rewritten(data, change, kind="HEAD"):
    """The same file with the fields of its JSON blocks changed, as another version would have written it."""
    out = replay_file.MAGIC
    for block in replay_file.read_blocks(data)[0]:
        payload = block.payload
        if block.kind in (kind, "DONE"):
            fields = json.loads(payload) | {"sha256": hashlib.sha256(out).hexdigest()}
            if block.kind == kind:
                change(fields)
            payload = json.dumps(fields).encode()
        out += replay_file.encode_block(block.kind, payload)
    return out


def with_ticks(data, change):
    """The same file with its blocks of ticks changed."""
    blocks = [(b.kind, replay_file.encode_block(b.kind, b.payload)) for b in replay_file.read_blocks(data)[0]]
    before = [block for kind, block in blocks if kind not in ("TICK", "DONE")]
    ticks = change([block for kind, block in blocks if kind == "TICK"])
    return b"".join((replay_file.MAGIC, *before, *ticks, blocks[-1][1]))


def begins_at(first):
    """Change for `with_ticks`: the second block begins at another tick."""

    def change(ticks):
        block = replay_file.read_blocks(replay_file.MAGIC + ticks[1])[0][0]
        raw = bytearray(replay_file.decompress_bytes(block.payload, 1 << 24))
        raw[4:12] = struct.pack("<Q", first)
        return [ticks[0], replay_file.encode_block("TICK", zlib.compress(bytes(raw))), *ticks[2:]]

    return change


REFUSED = (
    {  # what is done to a file of 240 ticks in four blocks, and what is said
        "nothing in it": (lambda data: b"", "empty"),
        "another file": (lambda data: b"hello", "not a replay file"),
        "its first bytes": (lambda data: data[:2], "cut off"),
        "its mark alone": (lambda data: replay_file.MAGIC, "cut off after 8 bytes"),
        "a second left out": (lambda data: with_ticks(data, lambda t: [t[0], *t[2:]]), "ticks from 60 on are missing"),
        "two changed": (
            lambda data: with_ticks(data, lambda t: [t[0], t[2], t[1], t[3]]),
            "ticks from 60 on are missing",
        ),
        "a second twice": (lambda data: with_ticks(data, lambda t: [*t[:2], *t[1:]]), "ticks from 120 on are missing"),
        "the last left out": (lambda data: with_ticks(data, lambda t: t[:3]), "it has 180 of 240 ticks"),
        "bytes after the end": (lambda data: data + b"and more", "8 bytes follow its end"),
        "a byte of its last block": (lambda data: data[:-9] + b"?" + data[-8:], "damaged at byte"),
        "another byte than of a block": (
            lambda data: data[: data.rindex(replay_file.BLOCK_MARK)] + b"?",
            "damaged at byte",
        ),
        "blocks after the end": (lambda data: data + data[8:], "follow its end"),
        "a wrong checksum": (
            lambda data: rewritten(data, lambda end: end.update(sha256="0" * 64), "DONE"),
            "checksum of the whole file is wrong",
        ),
        "an unknown block": (
            lambda data: data[: data.rindex(replay_file.BLOCK_MARK)] + replay_file.encode_block("NEWS", b""),
            "another version of the game wrote it: it has a block NEWS",
        ),
        "another format": (
            lambda data: rewritten(data, lambda head: head.update(format=2, made={"game": "9.9"})),
            r"format 2 by version 9\.9 .*reads format 1",
        ),
    }
    | {
        f"a block from tick {n} on": (lambda data, n=n: with_ticks(data, begins_at(n)), "ticks from 60 on are missing")
        for n in (2**32, 2**62, 2**63, 2**64 - 1)
    }
)


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_was_changed_is_refused_in_words(level, name):
    change, words = REFUSED[name]
    with pytest.raises(ReplayError, match=words):
        replay_file.decode_replay(change(recorded(level, 240)[0]), HERE)


def test_noise_never_raises_anything_else():
    rng = np.random.default_rng(7)
    for size in (3, 100, 3000):
        with pytest.raises(ReplayError):
            replay_file.decode_replay(rng.bytes(size), HERE)
        with pytest.raises(ReplayError):
            replay_file.decode_replay(replay_file.MAGIC + replay_file.encode_block("HEAD", rng.bytes(size)), HERE)


def test_other_rules_are_named_and_tried_all_the_same(level):
    data, _ = recorded(level, 70)
    other = rewritten(data, lambda head: head["made"].update(rules="0123", numpy="1.0"))
    done = verdict_of(other, level)
    assert done.divergence is None
    (note,) = done.notes
    changes = {change.name: change.recorded for change in note.changes}
    assert (changes, note.same_rules) == ({"rules": "0123", "numpy": "1.0"}, False)


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


@pytest.mark.sample(3)
@pytest.mark.parametrize("ticks", [130, 120, 100])
@pytest.mark.parametrize("closed", [True, False])
def test_what_the_world_keeps_beside_the_walker_is_compared_too(level, ticks, closed):
    data, _ = recorded(level, ticks)
    if not closed:
        data = data[: [b.offset for b in replay_file.read_blocks(data)[0] if b.kind == "DONE"][-1]]

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


def test_the_level_hash_is_of_what_a_walk_can_notice(level, level_with):
    mine = fingerprint.level_hash(level)
    assert fingerprint.level_hash(level_with()) == mine
    assert fingerprint.level_hash(level_with(kill_height=-9.0)) != mine
    assert fingerprint.level_hash(level_with(goal=goal_at(0, 0, 0, 1.0))) != mine
    level_with_exit = level_with(exits=(exit_at((1.0, 0.0, 0.0), 1.0),))
    assert fingerprint.level_hash(level_with_exit) != mine
