"""Replays in the layout of version 0.1.0, whose walker states do not hold the stance of the safe place."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from game.level import Level
from game.physics.character.state import FIRST_STATE_ROW
from game.sim.replay import chunk_file, fingerprint, replay_file
from game.sim.replay.verifier import make_replay_world


def as_version_0_1_0(data: bytes, level: Level, rules: str = "") -> bytes:
    """A closed replay file of one part, written anew with old states; rules: what it names, where not empty."""
    record = replay_file.decode_replay(data, Path("new.replay"))
    (part,) = record.parts
    world, size = make_replay_world(part, level, []), FIRST_STATE_ROW.itemsize

    def old(state: bytes) -> bytes:
        world.restore(state)
        return world.state(size)

    head: dict[str, Any] = {**part.head, "state": replay_file.dtype_to_json(FIRST_STATE_ROW)}
    head["made"] = head["made"] | ({"rules": rules} if rules else {})
    out = chunk_file.MAGIC + replay_file.encode_json("HEAD", head)
    ends = [chunk.start for chunk in part.chunks[1:]] + [record.final_state]
    for chunk, end in zip(part.chunks, ends, strict=True):
        commands = chunk.commands.copy()
        commands["buttons"] |= np.where(chunk.restarts, replay_file.RESTART_BIT, 0).astype(np.uint32)
        states = np.zeros(len(chunk.states), FIRST_STATE_ROW)
        for name in FIRST_STATE_ROW.names or ():
            states[name] = chunk.states[name]
        digest = fingerprint.short_hash(old(end))
        out += replay_file.encode_ticks(0, chunk.first, old(chunk.start), commands, states, digest)
    final = old(ends[-1])
    done = {
        "ticks": record.ticks,
        "reason": "stopped",
        "hash": fingerprint.short_hash(final),
        "state": base64.b64encode(final).decode(),
        "sha256": hashlib.sha256(out).hexdigest(),
    }
    return out + chunk_file.encode_chunk("DONE", json.dumps(done).encode())
