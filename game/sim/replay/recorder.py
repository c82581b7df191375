"""Replay recorder: writes the commands and states of a world in chunks of a second."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.arguments import as_bytes, as_callable, as_instance, as_instances, as_text
from ...level.format.file_access import SHIPPED_LEVELS
from ...physics import Command
from ...physics.character.command import COMMAND_ROW
from ...physics.character.state import STATE_ROW, States
from ..exclusive_access import ExclusiveAccess, exclusive
from ..world import World
from . import chunk_file, fingerprint, replay_file

if TYPE_CHECKING:
    from ...level import Level
    from ..events import Event
    from .replay_file import Replay

MAX_LEVEL_TEXT_BYTES = 8 << 20


class Recorder:
    """Passes the bytes of a replay file to `write`, in whole blocks.

    Call `stepped` after each tick, `restarted` after `world.restart()`, `returned` after
    `world.return_to_checkpoint()`, `state_replaced` after the world's state was
    set from outside or another world took its place, and `close` at the end. Exceptions of `write` are passed on; the
    recorder cannot be used afterwards. For one thread at a time, as its world. note: a remark of the caller, such as
    the date.
    """

    def __init__(self, world: World, write: Callable[[bytes], object], note: str = "") -> None:
        as_callable(write, "write")
        self._access = ExclusiveAccess()
        self._note = as_text(note, "note")
        self._write = write
        self._digest = hashlib.sha256()
        self._heads: list[bytes] = []
        self._ticks = 0
        self._commands: list[Command] = []
        self._restarts: list[bool] = []
        self._returns: list[bool] = []
        self._restarted = self._returned = False
        self._states: list[bytes] = []  # of the walker, before the first tick of the chunk and after each
        self._start = self._after = b""  # state of the world before and after the chunk
        self.closed = False
        _as_recordable(world)
        self._put(chunk_file.MAGIC)
        self._begin(world)

    @property
    def ticks(self) -> int:
        """Number of recorded ticks."""
        return self._ticks + len(self._commands)

    @exclusive
    def stepped(self, command: Command) -> None:
        """A tick with this command is done."""
        as_instance(command, Command, "command")
        self._commands.append(command)
        self._restarts.append(self._restarted)
        self._returns.append(self._returned)
        self._restarted = self._returned = False
        self._states.append(self.world.walker_state.to_bytes())
        self._after = self.world.state()
        if len(self._commands) >= self._every:
            self._flush()

    @exclusive
    def run(self, commands: Iterable[Command]) -> tuple[States, list[Event]]:
        """Run the world with these commands, and record the ticks; the result of `World.run`."""
        given = as_instances(commands, Command, "commands")
        states: list[States] = [np.empty(0, STATE_ROW)]
        events: list[Event] = []
        first = 0
        while first < len(given):
            block = given[first : first + self._every - len(self._commands)]
            walked, happened = self.world.run(block)
            states.append(walked)
            events += happened
            first += len(block)
            self._commands += block
            self._restarts += [self._restarted, *[False] * (len(block) - 1)]
            self._returns += [self._returned, *[False] * (len(block) - 1)]
            self._restarted = self._returned = False
            self._states.append(walked.tobytes())
            self._after = self.world.state()
            if len(self._commands) >= self._every:
                self._flush()
        return np.concatenate(states), events

    @exclusive
    def restarted(self) -> None:
        """The world was restarted at its spawn."""
        self._restarted = True
        self._returned = False

    @exclusive
    def returned(self) -> None:
        """The walker was put back to its checkpoint (`World.return_to_checkpoint`)."""
        self._returned = True

    @exclusive
    def state_replaced(self, world: World | None = None) -> None:
        """Continue in another world, or in another state of this one."""
        following = self.world if world is None else _as_recordable(world)
        self._flush()
        self._begin(following)

    @classmethod
    def resume(cls, world: World, write: Callable[[bytes], object], data: bytes, record: Replay) -> Recorder:
        """A recorder that continues a recording without an end, `data` with the content `record`. The world is in the
        state after its last tick; `write` gets only what follows."""
        self = cls.__new__(cls)
        self._access = ExclusiveAccess()
        as_callable(write, "write")
        as_bytes(data, "data")
        as_instance(record, replay_file.Replay, "record")
        self._write = write
        self._note = ""
        self._digest = hashlib.sha256(data)
        self._heads = [replay_file.encode_json("HEAD", part.head) for part in record.parts]
        self._ticks = record.ticks
        self._restarted = self._returned = self.closed = False
        self.world = _as_recordable(world)
        self._every = _ticks_a_chunk(world)
        self._begin_chunk()
        return self

    @exclusive
    def flush(self) -> None:
        """Write the ticks that wait for the end of their second; none right after a restart or return, which stands
        in the row of the tick after it."""
        if not (self._restarted or self._returned):
            self._flush()

    @exclusive
    def close(self, reason: str = "stopped") -> None:
        """Write the last chunk and the end; reason: a remark in the file."""
        as_text(reason, "reason")
        if self.closed:
            return
        self._put(self.end_blocks(reason))
        self.closed = True

    @exclusive
    def end_blocks(self, reason: str) -> bytes:
        """The blocks that end the file after the ticks so far, which it writes; the recording can go on."""
        as_text(reason, "reason")
        self._flush()
        digest = self._digest.copy()
        for head in self._heads:
            digest.update(head)
        state = self._after
        end = {
            "ticks": self._ticks,
            "reason": reason,
            "hash": fingerprint.short_hash(state),
            "state": base64.b64encode(state).decode(),
            "sha256": digest.hexdigest(),
        }
        return b"".join(self._heads) + replay_file.encode_json("DONE", end)

    def _begin(self, world: World) -> None:
        self.world = world
        self._every = _ticks_a_chunk(world)
        part = len(self._heads)
        text = read_level_text(world.level)
        head = replay_file.encode_json("HEAD", describe_part(world, part, text, self._note))
        self._heads.append(head)
        self._put(head if text is None else head + replay_file.encode_text(part, text))
        self._restarted = self._returned = False
        self._begin_chunk()

    def _begin_chunk(self) -> None:
        self._start = self._after = self.world.state()
        self._commands = []
        self._restarts = []
        self._returns = []
        self._states = [self.world.walker_state.to_bytes()]

    def _flush(self) -> None:
        if not self._commands:
            return
        rows = self.world.walker.commands(self._commands)
        rows["buttons"] |= np.where(self._restarts, replay_file.RESTART_BIT, 0).astype(np.uint32)
        rows["buttons"] |= np.where(self._returns, replay_file.RETURN_BIT, 0).astype(np.uint32)
        states = np.frombuffer(b"".join(self._states), STATE_ROW)
        part = len(self._heads) - 1
        digest = fingerprint.short_hash(self._after)
        self._put(replay_file.encode_ticks(part, self._ticks, self._start, rows, states, digest))
        self._ticks += len(rows)
        self._begin_chunk()

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        self._write(data)


def _ticks_a_chunk(world: World) -> int:
    """Number of ticks in a second, within the limits of the format."""
    return max(1, min(round(world.settings.ticks_per_second), replay_file.MAX_TICKS_A_BLOCK))


def _as_recordable(world: World) -> World:
    """`world`, a World of a level file. ValueError for others: a replay names the level that it needs."""
    if not as_instance(world, World, "world").has_level_file:
        raise ValueError(
            "world: a recording needs a level file, and World(mesh) has none; load one, or keep "
            "world.state() and the commands"
        )
    return world


def describe_part(world: World, part: int, text: bytes | None, note: str) -> dict[str, Any]:
    """Header of a part: everything that its ticks depend on."""
    values = fingerprint.settings_values(world.settings)
    return {
        "format": replay_file.REPLAY_FORMAT,
        "part": part,
        "made": fingerprint.component_versions(),
        "note": note,
        "level": {
            "name": world.level.name,
            **level_file_name(world.level),
            "hash": fingerprint.level_hash(world.level),
            "text": None if text is None else fingerprint.short_hash(text),
        },
        "spawn": world.start.name,
        "settings": values,
        "settings_hash": fingerprint.settings_hash(values),
        "command": replay_file.dtype_to_json(COMMAND_ROW),
        "state": replay_file.dtype_to_json(STATE_ROW),
    }


def level_file_name(level: Level) -> dict[str, Any]:
    """Path of a level's file: relative to the shipped levels, or absolute."""
    path = level.path.resolve()
    if path.is_relative_to(SHIPPED_LEVELS):
        return {"file": path.relative_to(SHIPPED_LEVELS).as_posix(), "shipped": True}
    return {"file": str(path), "shipped": False}


def read_level_text(level: Level) -> bytes | None:
    """Present content of the level's file; None where there is none or it is too large."""
    try:
        data = level.path.read_bytes()
    except OSError:
        return None
    return data if len(data) <= MAX_LEVEL_TEXT_BYTES else None
