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
from game.app.runs.time_line import DIVERGED_TEXT, ReplayRequest
from game.level import load
from game.physics import Command
from game.physics.character.command import COMMAND_ROW
from game.physics.character.state import STATE_ROW
from game.sim import History, ReplayError, World
from game.sim.replay import replay_file
from tests.app.conftest import FLOOR
from tests.support.player import Player
from tests.support.until import wait_for_run_threads

ODD_VALUES = (None, True, -1, 1e308, float("inf"), float("nan"), 10**30, "", "x", "\0", "\ud800", [], {}, [[[]]], "12")


@pytest.fixture(scope="module")
def level(tmp_path_factory):
    path = tmp_path_factory.mktemp("levels") / "floor.yaml"
    path.write_text(FLOOR, encoding="utf-8")
    return load(path)


@pytest.fixture(scope="module")
def blocks(level):
    """The blocks of a run to the goal: kind and payload."""
    history = History(World(level))
    while history.world.goal_tick < 0:
        history.step(Command(forward=1.0))
    return [(block.kind, block.payload) for block in replay_file.read_blocks(history.data())[0]]


@pytest.fixture(autouse=True)
def no_thread_fails(monkeypatch):
    errors = []
    monkeypatch.setattr(threading, "excepthook", errors.append)
    yield
    wait_for_run_threads()
    assert not errors


def joined(blocks):
    """The file of blocks, with the right checksum in its end."""
    data = replay_file.MAGIC
    for kind, payload in blocks:
        if kind == "DONE":
            fields = json.loads(payload)
            fields["sha256"] = hashlib.sha256(data).hexdigest()
            payload = json.dumps(fields).encode()
        data += replay_file.encode_block(kind, payload)
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
    kinds, words = (COMMAND_ROW, STATE_ROW), (replay_file.COMMAND_WORD, replay_file.STATE_WORD)
    raw, header = zlib.decompress(blocks[index][1]), struct.Struct("<IQII8s")
    _, _, count, size, _ = header.unpack_from(raw)
    at = header.size + size
    parts = (raw[at : at + count * kinds[0].itemsize], raw[at + count * kinds[0].itemsize :])
    rows = [
        replay_file.decode_deltas(part, ticks, kind, word).copy()
        for part, ticks, kind, word in zip(parts, (count, count + 1), kinds, words, strict=True)
    ]
    change(*rows)
    raw = raw[:at] + b"".join(map(replay_file.encode_deltas, rows, words))
    return [*blocks[:index], ("TICK", zlib.compress(raw)), *blocks[index + 1 :]]


def watched(level, record):
    """A player after the replay mode has shown a replay for a moment."""
    player = Player.in_level(level)
    player.game.push_mode("replay", ReplayRequest(record, lambda part: level))
    player.game.jobs.finish()
    player.wait(0.3)
    return player


@pytest.mark.parametrize("kind", ["HEAD", "DONE", "LEVL", "ODD"])
@pytest.mark.parametrize("payload", [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000, b"null", b"[]", b"\xff"])
@pytest.mark.sample(8)
def test_a_block_of_nested_or_other_json_is_refused(blocks, kind, payload):
    data = replay_file.MAGIC + replay_file.encode_block(kind, payload)
    data += b"".join(replay_file.encode_block(*block) for block in blocks)
    with pytest.raises(ReplayError, match=r"^(damaged|another version of the game wrote it: it has a block ODD)"):
        replay_file.decode_replay(data, Path())


@pytest.mark.parametrize(
    ("name", "value"),
    [("ticks", "12"), ("ticks", float("inf")), ("ticks", -1), ("ticks", None), ("state", 5), ("sha256", 5)],
)
def test_an_end_of_other_types_is_refused(blocks, name, value):
    fields = json.loads(blocks[-1][1]) | {name: value}
    data = b"".join(replay_file.encode_block(*block) for block in blocks[:-1])
    data = replay_file.MAGIC + data + replay_file.encode_block("DONE", json.dumps(fields).encode())
    with pytest.raises(ReplayError, match=r"^damaged: "):
        replay_file.decode_replay(data, Path())


def set_rate(value):
    return lambda fields: fields["settings"].update(ticks_per_second=value)


def set_column(name, index, base):
    return lambda fields: fields[name][index].__setitem__(1, base)


@pytest.mark.parametrize(
    "change",
    [lambda fields: fields["level"].update(file=-1), set_rate(0), set_rate(float("nan")), set_rate(10**400),
     set_rate(-60.0), set_column("command", 0, "<i8"), set_column("command", 4, "<i4"), set_column("state", 0, "<f4"),
     lambda fields: fields["state"][0].__setitem__(0, "\ud800"), lambda fields: fields.pop("spawn"),
     lambda fields: fields["command"][1].__setitem__(0, "x"), lambda fields: fields.update(part=True)],
)  # fmt: skip
def test_a_header_without_what_playing_needs_is_refused(blocks, change):
    with pytest.raises(ReplayError, match=r"^damaged: |with other states"):
        replay_file.decode_replay(joined(with_fields(blocks, "HEAD", change)), Path())


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
@pytest.mark.parametrize("name", ["forward", "strafe"])
@pytest.mark.sample(1)
def test_a_command_that_nobody_can_give_is_refused(level, blocks, tmp_path, name, value):
    data = joined(with_rows(blocks, lambda commands, states: commands[name].__setitem__(9, value)))
    (tmp_path / "anna.replay").write_bytes(data)
    with pytest.raises(UserError, match=rf"anna\.replay: damaged: {name} of a command in it is not within"):
        run_library.named_run(tmp_path / "anna.replay")


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "value"), [("up", 5.0), ("radii", -1.0), ("heading", 1 << 40), ("safe_crouched", 5)])
def test_a_state_that_no_walk_leads_to_is_not_shown(level, blocks, name, value):
    data = joined(with_rows(blocks, lambda commands, states: states[name].__setitem__(slice(5, 20), value)))
    player = watched(level, replay_file.decode_replay(data, Path("edited.replay")))
    player.press("2", "HOME", "RIGHT")
    player.wait(0.1)
    assert player.game.mode == "playing"
    assert player.game.feedback.message.detail == DIVERGED_TEXT


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
        edited = [*blocks[:-1], ("DONE", json.dumps(fields).encode())]
    data = replay_file.MAGIC + b"".join(replay_file.encode_block(*block) for block in edited)
    try:
        record = replay_file.decode_replay(data, Path("edited.replay"))
    except ReplayError:
        return
    player = watched(level, record)
    assert player.game.mode == "replay" or player.game.feedback.message.text == "This run cannot be shown"
