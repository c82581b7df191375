"""Replay file: the commands of a world, tick by tick, and its states (docs/replays.md).

HEAD  JSON: versions, level, settings, and how rows are laid out; again before the end, in case it is damaged
LEVL  the level's own text, zlib
TICK  a second of ticks: the world's state before them, a command and a walker state a tick, the hash after them
DONE  JSON: how many ticks, the state at the end, a checksum over all that stands before it
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import math
import os
import struct
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import describe_value
from ...core.errors import WalkerError
from ...core.file_reading import read_at_most
from ...physics.character.state import STATE_ROW
from . import chunk_file
from .chunk_file import DamagedRange, FileChunk
from .walk_table import WalkTable

REPLAY_FORMAT = 1
RESTART_BIT = 1 << 31  # bit of a row's buttons: the world began again at its spawn ahead of this tick
RETURN_BIT = 1 << 30  # the same, later: the walker was put back to its checkpoint ahead of this tick
MAX_TICKS_A_BLOCK = 4096
MAX_TICK = 2**31  # a year at 60 ticks a second
MAX_REPLAY_BYTES = 1 << 30
FAILURE_NOTE = "failure: "  # begin of the note of a replay that starts with a failing tick, before its kind
FAILURE_MEASURE = "; "  # in that note, between the kind and what was measured
_TICK_HEADER = struct.Struct("<IQII8s")  # part, first tick, ticks, size of a world state, hash after
_MAX_STATE_BYTES = 1 << 22

_JSON_ERRORS = (
    ValueError,
    KeyError,
    TypeError,
    OverflowError,
    RecursionError,
)  # of values that anyone may have written
# Columns that every version has: what makes a command, and what is shown of a state.
_COMMAND_COLUMNS = tuple(
    (name, np.dtype(kind))
    for name, kind in (("forward", "<f8"), ("strafe", "<f8"), ("heading", "<i4"), ("pitch", "<i4"), ("buttons", "<u4"))
)
_STATE_COLUMNS = (("position", np.dtype(("<f8", 3))), ("velocity", np.dtype(("<f8", 3))), ("grounded", np.dtype("?")))
_MAX_INPUT = 1e6  # of `forward` and `strafe`: the limit of `Command`
_MAX_COORDINATE = 1e9  # m, and m/s: a world is a thousand times smaller

Rows = NDArray[np.void]


class ReplayError(WalkerError, ValueError):
    """A replay that cannot be used at all."""


@dataclass(frozen=True, slots=True)
class TickRows:
    """Ticks without a gap: the number of the first, `commands` (n,), and `states` (n + 1,) of the walker, before the
    first tick and after each."""

    first: int
    commands: Rows
    states: Rows

    @property
    def end(self) -> int:
        """Number of the tick after the last one."""
        return self.first + len(self.commands)

    @property
    def table(self) -> WalkTable:
        """The states after each tick; `tick` counts from 1. Where states have no heading, it is that of the view."""
        table = WalkTable.of_states(self.states[1:], np.arange(self.first, self.end, dtype=np.int64) + 1)
        if "heading" not in (self.states.dtype.names or ()):
            table.heading = self.commands["heading"]
        return table


@dataclass(frozen=True, slots=True)
class TickChunk(TickRows):
    """Ticks of a replay. `start`: state of the world before them; `hash`: after them; `restarts`, `returns` (n,) bool:
    ahead of each tick."""

    start: bytes
    hash: str
    restarts: NDArray[np.bool_]
    returns: NDArray[np.bool_]


@dataclass(slots=True)
class ReplayPart:
    """Ticks in one world. A recording starts a new part where the player changes the level."""

    number: int
    head: dict[str, Any]
    chunks: list[TickChunk] = field(default_factory=list)
    level_text: bytes | None = None

    @property
    def level(self) -> dict[str, Any]:
        """`name`, `file`, `shipped`, `hash`, `text` of the level."""
        level: dict[str, Any] = self.head["level"]
        return level

    @property
    def ticks_per_second(self) -> float:
        """Tick rate of the world."""
        return float(self.head["settings"]["ticks_per_second"])


class DefectKind(Enum):
    """Damage of a replay file. The fields of `ReplayDefect` that it uses stand behind each."""

    INVALID_BLOCK = auto()  # offset, detail; the block is skipped
    DAMAGED_MAGIC = auto()  # nothing is lost
    BYTES_AFTER_END = auto()  # size; they are skipped
    DAMAGED_BYTES = auto()  # offset, size
    LOST_TICKS = auto()  # offset: the first tick lost, counted from 0; size: ticks
    CUT_IN_BLOCK = auto()  # size: bytes of the file, which has no end
    CUT_AFTER_BLOCK = auto()  # size: as before
    WRONG_CHECKSUM = auto()


@dataclass(frozen=True, slots=True)
class ReplayDefect:
    """One thing that is wrong with a replay file; offset, size in bytes unless its kind says otherwise."""

    kind: DefectKind
    offset: int = 0
    size: int = 0
    detail: str = ""


@dataclass(slots=True)
class Replay:
    """The readable content of a replay file. `end_fields`: fields of the last block, None where the recording was not
    closed; `missing_ticks`: ranges (first, end) of ticks that are lost in between."""

    path: Path
    parts: list[ReplayPart]
    problems: list[ReplayDefect]
    end_fields: dict[str, Any] | None
    missing_ticks: list[tuple[int, int]]

    @property
    def ticks(self) -> int:
        """Number of ticks that can be replayed."""
        return sum(len(chunk.commands) for part in self.parts for chunk in part.chunks)

    @property
    def seconds(self) -> float:
        """Duration of these ticks."""
        return sum(len(chunk.commands) / part.ticks_per_second for part in self.parts for chunk in part.chunks)

    @property
    def is_complete(self) -> bool:
        """Whether the file has its end and no tick is lost."""
        return self.end_fields is not None and not self.missing_ticks and self.ticks == self.end_fields["ticks"]

    @property
    def final_state(self) -> bytes | None:
        """State of the world at the end, where the file has it."""
        return base64.b64decode(self.end_fields["state"]) if self.end_fields is not None else None


def dtype_to_json(kind: np.dtype[Any]) -> list[list[Any]]:
    """A structured dtype as JSON: name, type and count of each field."""
    fields: list[list[Any]] = []
    for name in kind.names or ():
        base, shape = kind[name].subdtype or (kind[name], ())
        fields.append([name, base.newbyteorder("<").str, int(np.prod(shape))])
    return fields


def dtype_from_json(fields: list[list[Any]]) -> np.dtype[np.void]:
    """The dtype of `dtype_to_json`; ValueError for invalid JSON."""
    kinds: list[Any] = []
    for name, base, count in fields:
        if not isinstance(name, str) or not isinstance(count, int) or not 1 <= count <= 64:
            raise ValueError("a field of a row must be a name, a type and a number")
        if np.dtype(base).kind not in "fiub":
            raise ValueError(f"a field of a row is not of type {base}")
        kinds.append((name, base, count) if count > 1 else (name, base))
    kind = np.dtype(kinds)
    if kind.itemsize > 4096 or kind.itemsize % 4:
        raise ValueError("a row must consist of words of 4 or 8 bytes")
    return kind


@functools.lru_cache(maxsize=8)
def _dtype_of_text(text: str) -> np.dtype[np.void]:
    """`dtype_from_json` of a JSON text: a replay has the same one in every chunk."""
    return dtype_from_json(json.loads(text))


def word_size(kind: np.dtype[Any]) -> int:
    """Size in bytes of the words in which the differences of rows are taken."""
    return 4 if kind.itemsize % 8 else 8


def encode_json(kind: str, fields: dict[str, Any]) -> bytes:
    """A HEAD or DONE block."""
    return chunk_file.encode_chunk(kind, json.dumps(fields, indent=1, allow_nan=False).encode())


def encode_text(part: int, text: bytes) -> bytes:
    return chunk_file.encode_chunk("LEVL", chunk_file.compress_bytes(struct.pack("<I", part) + text))


def encode_ticks(part: int, first: int, start: bytes, commands: Rows, states: Rows, digest: str) -> bytes:
    """A TICK block of n commands and n + 1 states."""
    raw = _TICK_HEADER.pack(part, first, len(commands), len(start), bytes.fromhex(digest)) + start
    raw += chunk_file.encode_deltas(commands, word_size(commands.dtype)) + chunk_file.encode_deltas(
        states, word_size(states.dtype)
    )
    return chunk_file.encode_chunk("TICK", chunk_file.compress_bytes(raw))


def read_replay(path: str | os.PathLike[str]) -> Replay:
    """The readable content of a replay file, which is never written to. ReplayError (a ValueError) where nothing is
    readable; OSError where it cannot be opened."""
    path = Path(path)
    if "\0" in str(path):
        raise ReplayError(f"path must be that of a file, not {describe_value(path)}")
    data = read_at_most(path, MAX_REPLAY_BYTES)
    if len(data) > MAX_REPLAY_BYTES:
        raise ReplayError(f"larger than a replay can be ({MAX_REPLAY_BYTES >> 30} GiB)")
    return decode_replay(data, path)


def decode_replay(data: bytes, path: Path) -> Replay:
    """The readable content of a replay file's bytes; path: of the file, for the result."""
    if not data:
        raise ReplayError("the file is empty: nothing was recorded")
    blocks = list(chunk_file.scan_chunks(data))
    chunks = [block for block in blocks if isinstance(block, FileChunk)]
    damages = [damage for damage in blocks if isinstance(damage, DamagedRange)]
    heads = _read_part_heads(chunks)
    if not heads:
        raise ReplayError(_missing_head_message(data, bool(chunks)))
    parts = {number: ReplayPart(number, head) for number, head in sorted(heads.items())}
    defects: list[ReplayDefect] = []
    end_fields: dict[str, Any] | None = None
    end_offset = len(data)
    for block in chunks:
        try:
            if block.kind == "TICK":
                _add_chunk(parts, block.payload)
            elif block.kind == "LEVL":
                _add_text(parts, block.payload)
            elif block.kind == "DONE":
                end_fields = _read_end(block.payload)
                end_offset = block.offset
        except (*_JSON_ERRORS, struct.error) as error:
            defects.append(ReplayDefect(DefectKind.INVALID_BLOCK, block.offset, detail=str(error)))
    missing_ticks = _sort_chunks(parts, end_fields)
    replay = Replay(path, list(parts.values()), defects, end_fields, missing_ticks)
    defects += _file_defects(replay, data, damages, end_offset)
    return replay


def _read_part_heads(chunks: list[FileChunk]) -> dict[int, dict[str, Any]]:
    """The first valid header of each part; ReplayError for another format."""
    heads: dict[int, dict[str, Any]] = {}
    for block in chunks:
        if block.kind != "HEAD":
            continue
        try:
            head = json.loads(block.payload)
            version = head["format"]
            number = head["part"]
        except _JSON_ERRORS:
            continue
        if version != REPLAY_FORMAT:
            game_version = (
                head.get("made", {}).get("game", "of another kind") if isinstance(head.get("made"), dict) else "?"
            )
            raise ReplayError(
                f"written in replay format {version} by version {game_version} of the game; this one reads format "
                f"{REPLAY_FORMAT}: use the version that wrote it (the file was not changed)"
            )
        if _is_whole_head(head):
            if dtype_from_json(head["state"]) != STATE_ROW:
                raise ReplayError(
                    f"version {str(head['made'].get('game'))[:20]} of the game wrote it with other states: use the "
                    "version that wrote it (the file was not changed)"
                )
            heads.setdefault(number, head)
    return heads


def _is_whole_head(head: dict[str, Any]) -> bool:
    """Whether a header has all that reading and playing take from it, each of its type."""
    try:
        level = head["level"]
        settings = head["settings"]
        texts = (level["name"], level["file"], level["hash"], head["spawn"], head["settings_hash"])
        rate = float(settings["ticks_per_second"])
        commands = dtype_from_json(head["command"])
        states = dtype_from_json(head["state"])
        level["shipped"], head["made"]["rules"]
    except _JSON_ERRORS:
        return False
    if not all(isinstance(text, str) for text in texts) or not isinstance(head["made"], dict):
        return False
    if type(head["part"]) is not int or not isinstance(settings, dict) or not 0.0 < rate < math.inf:
        return False
    is_command = all(name in (commands.names or ()) and commands[name] == kind for name, kind in _COMMAND_COLUMNS)
    return is_command and all(name in (states.names or ()) and states[name] == kind for name, kind in _STATE_COLUMNS)


def _missing_head_message(data: bytes, has_chunks: bool) -> str:
    if has_chunks or data.startswith(chunk_file.MAGIC):
        if len(data) < 4096 and not has_chunks:
            return f"cut off after {len(data)} bytes, before the first second was recorded: there is nothing to replay"
        return "the header and its copy are damaged: the file cannot be replayed"
    if chunk_file.MAGIC.startswith(data):
        return f"cut off after {len(data)} bytes: there is nothing to replay"
    return "not a replay file (its first bytes are wrong)"


def _add_chunk(parts: dict[int, ReplayPart], payload: bytes) -> None:
    raw = chunk_file.decompress_bytes(payload, _MAX_STATE_BYTES)
    number, first, count, size, digest = _TICK_HEADER.unpack_from(raw)
    part = parts.get(number)
    if part is None:
        raise ValueError(f"it belongs to part {number}, which has no header")
    if not 1 <= count <= MAX_TICKS_A_BLOCK or first > MAX_TICK:
        raise ValueError(f"it has {count} ticks from tick {first} on")
    of_command, of_state = (_dtype_of_text(json.dumps(part.head[name])) for name in ("command", "state"))
    at = _TICK_HEADER.size + size
    middle = at + count * of_command.itemsize
    commands = chunk_file.decode_deltas(raw[at:middle], count, of_command, word_size(of_command)).copy()
    states = chunk_file.decode_deltas(raw[middle:], count + 1, of_state, word_size(of_state))
    _check_rows(commands, states)
    restarts = (commands["buttons"] & RESTART_BIT) != 0
    returns = (commands["buttons"] & RETURN_BIT) != 0
    commands["buttons"] &= ~np.uint32(RESTART_BIT | RETURN_BIT)
    start = raw[_TICK_HEADER.size : at]
    part.chunks.append(TickChunk(first, commands, states, start, digest.hex(), restarts, returns))


def _check_rows(commands: Rows, states: Rows) -> None:
    """ValueError for inputs that no command has, and for numbers that no state has."""
    for name in ("forward", "strafe"):
        if not (np.abs(commands[name]) <= _MAX_INPUT).all():
            raise ValueError(f"{name} of a command in it is not within ±{_MAX_INPUT:g}")
    for name in states.dtype.names or ():
        if states[name].dtype.kind == "f" and not (np.abs(states[name]) <= _MAX_COORDINATE).all():
            raise ValueError(f"{name} of a state in it is not within ±{_MAX_COORDINATE:g}")


def _add_text(parts: dict[int, ReplayPart], payload: bytes) -> None:
    raw = chunk_file.decompress_bytes(payload, 16 << 20)
    part = parts.get(struct.unpack_from("<I", raw)[0])
    if part is not None:
        part.level_text = raw[4:]


def _read_end(payload: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(payload)
    base64.b64decode(fields["state"], validate=True)
    if type(fields["ticks"]) is not int or fields["ticks"] < 0 or not isinstance(fields["sha256"], str):
        raise ValueError("its fields have other types")
    return fields


def _sort_chunks(parts: dict[int, ReplayPart], end_fields: dict[str, Any] | None) -> list[tuple[int, int]]:
    """Sort the chunks, drop repeated ones, and list the missing ticks."""
    missing_ticks: list[tuple[int, int]] = []
    expected = 0
    for part in parts.values():
        chunks: list[TickChunk] = []
        for chunk in sorted(part.chunks, key=lambda chunk: chunk.first):
            if chunk.first < expected:
                continue
            if chunk.first > expected:
                missing_ticks.append((expected, chunk.first))
            chunks.append(chunk)
            expected = chunk.end
        part.chunks = chunks
    if end_fields is not None and end_fields["ticks"] > expected:
        missing_ticks.append((expected, end_fields["ticks"]))
    return missing_ticks


def _file_defects(replay: Replay, data: bytes, damages: list[DamagedRange], end_offset: int) -> list[ReplayDefect]:
    """Damaged ranges, lost ticks, a missing end and a wrong checksum, in this order."""
    defects: list[ReplayDefect] = []
    for damage in damages:
        if damage.offset == 0 and damage.size == len(chunk_file.MAGIC):
            defects.append(ReplayDefect(DefectKind.DAMAGED_MAGIC, 0, damage.size))
        elif damage.offset > end_offset:
            defects.append(ReplayDefect(DefectKind.BYTES_AFTER_END, damage.offset, damage.size))
        elif not damage.truncated:
            defects.append(ReplayDefect(DefectKind.DAMAGED_BYTES, damage.offset, damage.size))
    defects += [ReplayDefect(DefectKind.LOST_TICKS, first, end - first) for first, end in replay.missing_ticks]
    if replay.end_fields is None:
        in_block = bool(damages) and damages[-1].truncated
        defects.append(
            ReplayDefect(DefectKind.CUT_IN_BLOCK if in_block else DefectKind.CUT_AFTER_BLOCK, size=len(data))
        )
    elif not damages and hashlib.sha256(data[:end_offset]).hexdigest() != replay.end_fields["sha256"]:
        defects += [] if replay.missing_ticks else [ReplayDefect(DefectKind.WRONG_CHECKSUM)]
    return defects
