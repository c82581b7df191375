"""Replay files that somebody edited: blocks with a right checksum and content that no game writes. Each is refused or
shown in part, with a sentence; nothing ends the game, and no thread dies."""

from __future__ import annotations

import hashlib
import json
import random
import struct
import threading
import zlib
from pathlib import Path

import numpy as np
import pytest

from game.app.launch.level_lookup import UserError
from game.app.runs.library import run_library
from game.app.runs.library.replay_player import ReplayRequest
from game.core import user_folders
from game.level import load
from game.physics import Command
from game.sim import ReplayError, World
from game.sim.replay import chunk_file, replay_file
from game.sim.replay.recorder import Recorder
from tests.support.player import Player
from tests.support.until import RUN_THREADS, wait_for_threads

LEVEL = """\
format: 1
name: Bells
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
goal: {at: [0, 0, -8], radius: 0.5}
"""
ODD_VALUES = (None, True, -1, 1e308, float("inf"), float("nan"), 10**30, "", "x", "\0", "\ud800", [], {}, [[[]]], "12")


@pytest.fixture(scope="module")
def level(tmp_path_factory):
    path = tmp_path_factory.mktemp("levels") / "bells.yaml"
    path.write_text(LEVEL, encoding="utf-8")
    return load(path)


@pytest.fixture(scope="module")
def blocks(level):
    """The blocks of a run to the goal: kind and payload."""
    world, data = World(level), bytearray()
    recorder = Recorder(world, data.extend)
    while world.goal_tick < 0:
        world.step(Command(forward=1.0))
        recorder.stepped(Command(forward=1.0))
    recorder.close()
    return [(block.kind, block.payload) for block in chunk_file.scan_chunks(bytes(data))]


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv(user_folders.DATA_VARIABLE, str(tmp_path / "data"))
    errors = []
    monkeypatch.setattr(threading, "excepthook", errors.append)
    yield tmp_path
    wait_for_threads(*RUN_THREADS)
    assert not errors


def joined(blocks):
    """The file of blocks, with the right checksum in its end."""
    data = chunk_file.MAGIC
    for kind, payload in blocks:
        if kind == "DONE":
            fields = json.loads(payload)
            fields["sha256"] = hashlib.sha256(data).hexdigest()
            payload = json.dumps(fields).encode()
        data += chunk_file.encode_chunk(kind, payload)
    return data


def with_fields(blocks, kind, change):
    """The blocks after `change` of the JSON values of one kind."""
    result = []
    for name, payload in blocks:
        fields = json.loads(payload) if name == kind else None
        if fields is not None:
            change(fields)
            payload = json.dumps(fields).encode()
        result.append((name, payload))
    return result


def with_rows(blocks, change):
    """The blocks after `change(commands, states)` of the first second."""
    index = next(k for k, (kind, _) in enumerate(blocks) if kind == "TICK")
    head = json.loads(blocks[0][1])
    kinds = [replay_file.dtype_from_json(head[name]) for name in ("command", "state")]
    raw, header = zlib.decompress(blocks[index][1]), struct.Struct("<IQII8s")
    _, _, count, size, _ = header.unpack_from(raw)
    at = header.size + size
    parts = (raw[at : at + count * kinds[0].itemsize], raw[at + count * kinds[0].itemsize :])
    rows = [
        chunk_file.decode_deltas(part, ticks, kind, replay_file.word_size(kind)).copy()
        for part, ticks, kind in zip(parts, (count, count + 1), kinds, strict=True)
    ]
    change(*rows)
    raw = raw[:at] + b"".join(chunk_file.encode_deltas(each, replay_file.word_size(each.dtype)) for each in rows)
    return [*blocks[:index], ("TICK", chunk_file.compress_bytes(raw)), *blocks[index + 1 :]]


def watched(level, data, keys=("2", "END", "LEFT", "HOME")):
    """A player after the replay mode has shown a replay for a moment."""
    player = Player.in_level(level)
    record = replay_file.decode_replay(data, Path("edited.replay"))
    player.game.push_mode("replaying", ReplayRequest(record, lambda part: level))
    player.wait(0.3)
    for key in keys:
        player.game.key_pressed(key)
        player.game.key_released(key)
        player.wait(0.1)
    return player


@pytest.mark.parametrize("kind", ["HEAD", "DONE", "LEVL", "ODD"])
@pytest.mark.parametrize("payload", [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000, b"null", b"[]", b"\xff"])
@pytest.mark.sample(8)
def test_a_block_of_nested_or_other_json_is_no_block(blocks, kind, payload):
    record = replay_file.decode_replay(joined([*blocks[:-1], (kind, b"{}")])[:-2], Path())
    data = chunk_file.MAGIC + chunk_file.encode_chunk(kind, payload)
    data += b"".join(chunk_file.encode_chunk(*block) for block in blocks)
    assert replay_file.decode_replay(data, Path()).ticks == record.ticks


@pytest.mark.parametrize(
    ("name", "value"),
    [("ticks", "12"), ("ticks", float("inf")), ("ticks", -1), ("ticks", None), ("state", 5), ("sha256", 5)],
)
def test_an_end_of_other_types_is_no_end(blocks, name, value):
    fields = json.loads(blocks[-1][1]) | {name: value}
    data = b"".join(chunk_file.encode_chunk(*block) for block in blocks[:-1])
    data = chunk_file.MAGIC + data + chunk_file.encode_chunk("DONE", json.dumps(fields).encode())
    assert replay_file.decode_replay(data, Path()).end_fields is None


def set_level_name(fields):
    fields["level"]["file"] = -1


def set_rate(value):
    return lambda fields: fields["settings"].update(ticks_per_second=value)


def set_column(name, index, base):
    return lambda fields: fields[name][index].__setitem__(1, base)


@pytest.mark.parametrize(
    "change",
    [set_level_name, set_rate(0), set_rate(float("nan")), set_rate(10**400), set_rate(-60.0),
     set_column("command", 0, "<i8"), set_column("command", 4, "<i4"), set_column("state", 0, "<f4"),
     lambda fields: fields["state"][0].__setitem__(0, "\ud800"), lambda fields: fields.pop("spawn"),
     lambda fields: fields["command"][1].__setitem__(0, "x"), lambda fields: fields.update(part=True)],
)  # fmt: skip
def test_a_header_without_what_playing_needs_is_refused(blocks, change):
    with pytest.raises(ReplayError, match="the header and its copy are damaged"):
        replay_file.decode_replay(joined(with_fields(blocks, "HEAD", change)), Path())


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
@pytest.mark.parametrize("name", ["forward", "strafe"])
@pytest.mark.sample(1)
def test_a_command_that_nobody_can_give_makes_its_second_invalid(level, blocks, tmp_path, name, value):
    data = joined(with_rows(blocks, lambda commands, states: commands[name].__setitem__(9, value)))
    (tmp_path / "anna.replay").write_bytes(data)
    with pytest.raises(UserError, match=r"anna\.replay is damaged; ask for the file again\."):
        run_library.named_run(tmp_path / "anna.replay")
    assert watched(level, data).game.mode == "replaying"


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "value"), [("up", 5.0), ("radii", -1.0), ("heading", 1 << 40), ("safe_crouched", 5)])
def test_a_state_that_no_body_has_does_not_end_the_game(level, blocks, name, value):
    data = joined(with_rows(blocks, lambda commands, states: states[name].__setitem__(slice(5, 20), value)))
    player = watched(level, data, ("2", "HOME", "RIGHT"))
    assert player.game.mode == "replaying"
    assert player.game.current_mode.player.is_diverged


@pytest.mark.full
def test_a_later_part_that_cannot_be_loaded_ends_the_replay_with_a_sentence(level, blocks):
    head = json.loads(blocks[0][1])
    head["part"], head["spawn"] = 1, "nowhere"
    second = [("HEAD", json.dumps(head).encode())]
    for kind, payload in blocks:
        if kind == "TICK":
            raw = bytearray(zlib.decompress(payload))
            first = struct.unpack_from("<Q", raw, 4)[0]
            struct.pack_into("<IQ", raw, 0, 1, first + 10_000)
            second.append((kind, chunk_file.compress_bytes(bytes(raw))))
    data = joined([*blocks[:-1], *second])
    for key in ("END", "UP"):
        player = watched(level, data, (key,))
        player.wait(4.0)
        assert player.game.mode == "playing"
        assert player.game.feedback.message.text == "This run cannot be shown"
        assert "nowhere" in player.game.feedback.message.detail


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.sample(6)
def test_random_edits_are_read_refused_or_shown_in_part(level, blocks, seed):
    rng = random.Random(seed)
    name = rng.choice(("HEAD", "DONE"))

    def change(fields):
        at = fields
        while True:
            key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
            if not isinstance(at[key], (dict, list)) or not at[key] or rng.random() < 0.2:
                break
            at = at[key]
        at[key] = rng.choice(ODD_VALUES)

    edited = with_fields(blocks, name, change) if name == "HEAD" else blocks
    if name == "DONE":
        fields = json.loads(blocks[-1][1])
        change(fields)
        edited = [*blocks[:-1], ("ODD", b""), ("DONE", json.dumps(fields).encode())]
    data = chunk_file.MAGIC + b"".join(chunk_file.encode_chunk(*block) for block in edited)
    try:
        record = replay_file.decode_replay(data, Path("edited.replay"))
    except ReplayError:
        return
    player = Player.in_level(level)
    player.game.push_mode("replaying", ReplayRequest(record, lambda part: level))
    player.wait(0.2)
    assert player.game.mode == "replaying" or player.game.feedback.message.text == "This run cannot be shown"
