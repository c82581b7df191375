"""Replay file: the commands of a world, tick by tick, and its states (docs/replays.md).

    file   = MAGIC block*
    block  = MARK kind size crc payload      kind 4 letters, size and crc u4 little-endian
    crc    = CRC-32 of kind, size and payload

HEAD  JSON: versions, level, settings, and how rows are laid out
LEVL  the level's own text, zlib
TICK  up to a second of ticks: the world's state before them, a command and a walker state a tick, the hash after them
PLAY  JSON: what the game keeps of a session that is to be continued
DONE  JSON: how many ticks, the state at the end, a checksum over all that stands before it

Blocks are appended and never changed, so a file that is cut off is complete up to its last whole block. A file that is
damaged otherwise is refused.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
import struct
import zlib
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import as_callable, as_text, describe_value
from ...core.errors import WalkerError
from ...core.file_reading import read_at_most
from ...level.format.file_access import SHIPPED_LEVELS
from ...physics.character.command import COMMAND_ROW
from ...physics.character.state import STATE_ROW
from . import fingerprint
from .walk_table import WalkTable

if TYPE_CHECKING:
    from ...level import Level
    from ..world import World

REPLAY_FORMAT = 1
MAGIC = b"\x89WALKER\n"  # first and last byte reveal a transfer as text
BLOCK_MARK = b"\xb1=:\xb2"
MAX_BLOCK_PAYLOAD = 1 << 24
RESTART_BIT = 1 << 31  # bit of a row's buttons: the world began again at its spawn ahead of this tick
RETURN_BIT = 1 << 30  # the same, later: the walker was put back to its checkpoint ahead of this tick
MAX_TICKS_A_BLOCK = 4096
MAX_REPLAY_BYTES = 1 << 30
MAX_LEVEL_TEXT_BYTES = 8 << 20
FAILURE_NOTE = "failure: "  # begin of the note of a replay that starts with a failing tick, before its kind
FAILURE_MEASURE = "; "  # in that note, between the kind and what was measured
ZLIB_LEVEL = 6  # level 9 takes twice as long for 1 % less
COMMAND_WORD, STATE_WORD = 4, 8  # bytes of the words in which the differences of rows are taken
_UNSIGNED_WORDS: dict[int, np.dtype[Any]] = {4: np.dtype("<u4"), 8: np.dtype("<u8")}
_SIGNED_WORDS: dict[int, np.dtype[Any]] = {4: np.dtype("<i4"), 8: np.dtype("<i8")}
_BLOCK_HEADER = struct.Struct("<4s4sII")
_TICK_HEADER = struct.Struct("<IQII8s")  # part, first tick, ticks, size of a world state, hash after
_MAX_RAW_BYTES = 1 << 22  # of a TICK block, decompressed
_JSON_ERRORS = (ValueError, LookupError, TypeError, OverflowError, RecursionError)  # of what anyone may have written
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
        """The states after each tick; `tick` counts from 1."""
        return WalkTable.of_states(self.states[1:], np.arange(self.first, self.end, dtype=np.int64) + 1)


@dataclass(frozen=True, slots=True)
class TickBlock(TickRows):
    """The content of a TICK block. `start`: state of the world before the ticks; `hash`: after them; `restarts`,
    `returns` (n,) bool: ahead of each tick; `payload`: the block in the file."""

    start: bytes
    hash: str
    restarts: NDArray[np.bool_]
    returns: NDArray[np.bool_]
    payload: bytes = field(repr=False)


@dataclass(slots=True)
class ReplayPart:
    """Ticks in one world. A recording starts a new part in another world, and after a state that was set from
    outside."""

    number: int
    head: dict[str, Any]
    blocks: list[TickBlock] = field(default_factory=list)
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


@dataclass(slots=True)
class Replay:
    """The content of a replay file. `end_fields`: fields of the last block, None where the file is cut off or its
    recording was not closed; `size`: bytes of the file; `play_fields`: of the last PLAY block."""

    path: Path
    parts: list[ReplayPart]
    end_fields: dict[str, Any] | None
    size: int
    play_fields: dict[str, Any] | None = None

    @property
    def ticks(self) -> int:
        """Number of ticks that can be replayed."""
        return sum(len(block.commands) for part in self.parts for block in part.blocks)

    @property
    def seconds(self) -> float:
        """Duration of these ticks."""
        return sum(len(block.commands) / part.ticks_per_second for part in self.parts for block in part.blocks)

    @property
    def is_complete(self) -> bool:
        """Whether the file has its end."""
        return self.end_fields is not None

    @property
    def final_state(self) -> bytes | None:
        """State of the world at the end, where the file has it."""
        return base64.b64decode(self.end_fields["state"]) if self.end_fields is not None else None


# What is written


class RecordedWorld:
    """What a replay says of a world: everything that its ticks depend on. ValueError for a world without a level file,
    which a replay could not name."""

    def __init__(self, world: World) -> None:
        if not world.has_level_file:
            raise ValueError(
                "world: a recording needs a level file, and World(mesh) has none; load one, or keep "
                "world.state() and the commands"
            )
        level, values = world.level, fingerprint.settings_values(world.settings)
        text = level.source_text.encode()  # the file may have changed since it was loaded
        self.text = text if 0 < len(text) <= MAX_LEVEL_TEXT_BYTES else None
        self.head: Mapping[str, Any] = {
            "made": fingerprint.component_versions(),
            "level": {
                "name": level.name,
                **_level_file_name(level),
                "hash": fingerprint.level_hash(level),
                "text": None if self.text is None else fingerprint.short_hash(self.text),
            },
            "spawn": world.start.name,
            "settings": values,
            "settings_hash": fingerprint.settings_hash(values),
            "command": dtype_to_json(COMMAND_ROW),
            "state": dtype_to_json(STATE_ROW),
        }


def _level_file_name(level: Level) -> dict[str, Any]:
    """Path of a level's file: relative to the shipped levels, or absolute."""
    path = level.path.resolve()
    if path.is_relative_to(SHIPPED_LEVELS):
        return {"file": path.relative_to(SHIPPED_LEVELS).as_posix(), "shipped": True}
    return {"file": str(path), "shipped": False}


class Begin(Enum):
    """How a block of ticks begins."""

    FOLLOWS = auto()  # in the state after the block before it
    RESTARTED = auto()  # at the spawn
    JUMPED = auto()  # in a state that was set from outside, or it is the first one


class BlockPlace(NamedTuple):
    """Place of a block in a file: part, number of its first tick, and whether the world restarts ahead of it."""

    part: int
    first: int
    restarts: bool


@dataclass(frozen=True, slots=True)
class CodedBlock:
    """Ticks of a recording, coded as in a file: the number of the first one in the recording, how many, how they begin,
    and the payload of a TICK block for the place `place` in a file."""

    first: int
    count: int
    begins: Begin
    place: BlockPlace
    payload: bytes

    @property
    def end(self) -> int:
        """Number of the tick after the last one."""
        return self.first + self.count

    def payload_for(self, place: BlockPlace) -> bytes:
        """The payload for a place in a file."""
        if place == self.place:
            return self.payload
        _, block = decode_ticks(self.payload)
        rows = block.commands.copy()
        rows["buttons"] |= np.where(block.returns, np.uint32(RETURN_BIT), np.uint32(0))
        return encode_ticks(place, block.start, rows, block.states, block.hash)


class ReplayWriter:
    """Passes the bytes of a replay file to `write`, in whole blocks. Exceptions of `write` are passed on.

    ticks: written so far; note: a remark in each header, such as the date
    """

    def __init__(self, write: Callable[[bytes], object], note: str = "") -> None:
        self._write = as_callable(write, "write")
        self._note = as_text(note, "note")
        self._digest = hashlib.sha256()
        self._parts = self.ticks = 0
        self._next: tuple[RecordedWorld, int] | None = None  # the tick that continues the part
        self._put(MAGIC)

    def add(self, world: RecordedWorld, block: CodedBlock) -> None:
        """Write a block. A new part begins where it does not follow from the one before."""
        follows = block.begins is not Begin.JUMPED and self._next == (world, block.first)
        if not follows:
            self.begin_part(world)
        place = BlockPlace(self._parts - 1, self.ticks, follows and block.begins is Begin.RESTARTED)
        self._put(encode_block("TICK", block.payload_for(place)))
        self.ticks += block.count
        self._next = world, block.end

    def begin_part(self, world: RecordedWorld) -> None:
        """Write the header and the level of a world; `add` does it where it is needed."""
        head = {"format": REPLAY_FORMAT, "part": self._parts, "note": self._note, **world.head}
        self._put(encode_json("HEAD", head))
        if world.text is not None:
            text = struct.pack("<I", self._parts) + world.text
            self._put(encode_block("LEVL", zlib.compress(text, ZLIB_LEVEL)))
        self._parts += 1

    def remark(self, fields: dict[str, Any]) -> None:
        """Write a PLAY block."""
        self._put(encode_json("PLAY", fields))

    def close(self, reason: str, state: bytes) -> None:
        """Write the end; reason: a remark in the file; state: of the world after the last tick."""
        end = {
            "ticks": self.ticks,
            "reason": as_text(reason, "reason"),
            "hash": fingerprint.short_hash(state),
            "state": base64.b64encode(state).decode(),
            "sha256": self._digest.hexdigest(),
        }
        self._put(encode_json("DONE", end))

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        self._write(data)


def dtype_to_json(kind: np.dtype[Any]) -> list[list[Any]]:
    """A structured dtype as JSON: name, type and count of each field."""
    fields: list[list[Any]] = []
    for name in kind.names or ():
        base, shape = kind[name].subdtype or (kind[name], ())
        fields.append([name, base.newbyteorder("<").str, int(np.prod(shape))])
    return fields


def encode_json(kind: str, fields: dict[str, Any]) -> bytes:
    """A HEAD, PLAY or DONE block."""
    return encode_block(kind, json.dumps(fields, indent=1, allow_nan=False).encode())


def encode_ticks(place: BlockPlace, start: bytes, commands: Rows, states: Rows, digest: str) -> bytes:
    """The payload of a TICK block of n commands and n + 1 states. digest: hash of the world's state after them."""
    rows = commands.copy()
    if place.restarts:
        rows["buttons"][0] |= RESTART_BIT
    raw = _TICK_HEADER.pack(place.part, place.first, len(rows), len(start), bytes.fromhex(digest)) + start
    return zlib.compress(raw + encode_deltas(rows, COMMAND_WORD) + encode_deltas(states, STATE_WORD), ZLIB_LEVEL)


def encode_block(kind: str, payload: bytes) -> bytes:
    """A block. ValueError for a payload over MAX_BLOCK_PAYLOAD bytes."""
    if len(payload) > MAX_BLOCK_PAYLOAD:
        raise ValueError(f"a block holds up to {MAX_BLOCK_PAYLOAD} bytes, not {len(payload)}")
    name = kind.encode("ascii")
    checked = struct.pack("<4sI", name, len(payload))
    return _BLOCK_HEADER.pack(BLOCK_MARK, name, len(payload), zlib.crc32(payload, zlib.crc32(checked))) + payload


# What is read


def read_replay(path: str | os.PathLike[str]) -> Replay:
    """The content of a replay file. ReplayError (a ValueError) for one that is damaged or of another version; OSError
    where it cannot be opened."""
    path = Path(path)
    if "\0" in str(path):
        raise ReplayError(f"path must be that of a file, not {describe_value(path)}")
    data = read_at_most(path, MAX_REPLAY_BYTES)
    if len(data) > MAX_REPLAY_BYTES:
        raise ReplayError(f"larger than a replay can be ({MAX_REPLAY_BYTES >> 30} GiB)")
    return decode_replay(data, path)


def decode_replay(data: bytes, path: Path) -> Replay:
    """The content of a replay file's bytes; path: of the file, for the result. ReplayError as of `read_replay`."""
    if not data:
        raise ReplayError("the file is empty: nothing was recorded")
    if not data.startswith(MAGIC) and not MAGIC.startswith(data):
        raise ReplayError("not a replay file (its first bytes are wrong)")
    try:
        blocks, end = read_blocks(data)
        replay = Replay(path, [], None, len(data))
        for block in blocks:
            if replay.end_fields is not None:
                raise ValueError(f"damaged at byte {block.offset}: blocks follow its end")
            _read_block(replay, block, data)
    except ReplayError:
        raise
    except (*_JSON_ERRORS, zlib.error, struct.error) as error:
        text = str(error) if isinstance(error, ValueError) else "a field is missing, or its value is of another type"
        raise ReplayError(text if text.startswith("damaged") else f"damaged: {text}") from None
    if replay.end_fields is not None and end < len(data):
        raise ReplayError(f"damaged at byte {end}: {len(data) - end} bytes follow its end")
    if not replay.parts:
        if replay.is_complete:
            raise ReplayError("it contains no ticks")
        raise ReplayError(f"cut off after {len(data)} bytes, before anything was recorded: there is nothing to replay")
    return replay


def _read_block(replay: Replay, block: FileBlock, data: bytes) -> None:
    """Add the content of the next block."""
    parts = replay.parts
    match block.kind:
        case "HEAD":
            head = json.loads(block.payload)
            _check_head(head)
            if head["part"] == len(parts):
                parts.append(ReplayPart(head["part"], head))
            elif not 0 <= head["part"] < len(parts):  # an earlier version repeated the headers before the end
                raise ValueError(f"its part {head['part']} stands where part {len(parts)} was expected")
        case "LEVL":
            raw = decompress_bytes(block.payload, MAX_LEVEL_TEXT_BYTES + 4)
            parts[-1].level_text = raw[4:]
        case "TICK":
            part, ticks = decode_ticks(block.payload)
            if not parts or part != parts[-1].number or ticks.first != replay.ticks:
                raise ValueError(f"ticks from {replay.ticks} on are missing before byte {block.offset}")
            parts[-1].blocks.append(ticks)
        case "PLAY":
            replay.play_fields = json.loads(block.payload)
        case "DONE":
            fields = json.loads(block.payload)
            base64.b64decode(fields["state"], validate=True)
            if fields["ticks"] != replay.ticks:
                raise ValueError(f"it has {replay.ticks} of {fields['ticks']} ticks")
            if hashlib.sha256(data[: block.offset]).hexdigest() != fields["sha256"]:
                raise ValueError("the checksum of the whole file is wrong")
            replay.end_fields = fields
        case kind:
            raise ReplayError(f"another version of the game wrote it: it has a block {kind}")


def _check_head(head: dict[str, Any]) -> None:
    """ReplayError for a header of another version; ValueError, KeyError or TypeError for one that lacks something."""
    version, made = head["format"], head.get("made")
    writer = str(made.get("game"))[:20] if isinstance(made, dict) else "?"
    cure = "use the version that wrote it (the file was not changed)"
    if version != REPLAY_FORMAT:
        raise ReplayError(
            f"written in replay format {version} by version {writer} of the game; this one reads format "
            f"{REPLAY_FORMAT}: {cure}"
        )
    level, settings = head["level"], head["settings"]
    texts = (level["name"], level["file"], level["hash"], head["spawn"], head["settings_hash"])
    rate = float(settings["ticks_per_second"])
    level["shipped"], head["made"]["rules"]
    are_texts = all(isinstance(text, str) and "\0" not in text for text in texts)
    if not are_texts or type(head["part"]) is not int or not 0.0 < rate < math.inf:
        raise ValueError("its header is not whole")
    "".join(texts).encode()  # a ValueError for half a character
    if (head["command"], head["state"]) != (dtype_to_json(COMMAND_ROW), dtype_to_json(STATE_ROW)):
        raise ReplayError(f"version {writer} of the game wrote it with other states: {cure}")


def decode_ticks(payload: bytes) -> tuple[int, TickBlock]:
    """Number of the part, and content, of a TICK block. ValueError or struct.error for other bytes."""
    raw = decompress_bytes(payload, _MAX_RAW_BYTES)
    part, first, count, size, digest = _TICK_HEADER.unpack_from(raw)
    if not 1 <= count <= MAX_TICKS_A_BLOCK:
        raise ValueError(f"a block has {count} ticks")
    at = _TICK_HEADER.size + size
    middle = at + count * COMMAND_ROW.itemsize
    commands = decode_deltas(raw[at:middle], count, COMMAND_ROW, COMMAND_WORD)
    states = decode_deltas(raw[middle:], count + 1, STATE_ROW, STATE_WORD)
    for name in ("forward", "strafe"):
        if not (np.abs(commands[name]) <= _MAX_INPUT).all():
            raise ValueError(f"{name} of a command in it is not within ±{_MAX_INPUT:g}")
    for name in states.dtype.names or ():
        if states[name].dtype.kind == "f" and not (np.abs(states[name]) <= _MAX_COORDINATE).all():
            raise ValueError(f"{name} of a state in it is not within ±{_MAX_COORDINATE:g}")
    restarts, returns = ((commands["buttons"] & bit) != 0 for bit in (RESTART_BIT, RETURN_BIT))
    commands["buttons"] &= ~np.uint32(RESTART_BIT | RETURN_BIT)
    start = raw[_TICK_HEADER.size : at]
    return part, TickBlock(first, commands, states, start, digest.hex(), restarts, returns, payload)


@dataclass(frozen=True, slots=True)
class FileBlock:
    """A valid block; offset: of its first byte in the file."""

    kind: str
    payload: bytes
    offset: int


def read_blocks(data: bytes) -> tuple[list[FileBlock], int]:
    """The blocks of a file, and the offset at which the last one ends: what follows is cut off. The file begins with
    MAGIC. ValueError where a block is damaged."""
    blocks = []
    at = len(MAGIC)
    while (block := _block_at(data, at)) is not None:
        blocks.append(block)
        at += _BLOCK_HEADER.size + len(block.payload)
    if not ((blocks and blocks[-1].kind == "DONE") or _is_cut_off(data[at:])):
        raise ValueError(f"damaged at byte {at}")
    later = at
    while (later := data.find(BLOCK_MARK, later + 1)) >= 0:
        if _block_at(data, later) is not None:
            raise ValueError(f"damaged at byte {at}")
    return blocks, at


def _is_cut_off(tail: bytes) -> bool:
    """Whether bytes are the first ones of a block that lacks its last ones. Zeros may follow: some file systems leave
    them in a file that was open when the computer stopped."""
    tail = tail.rstrip(b"\0")
    if len(tail) < _BLOCK_HEADER.size:
        return BLOCK_MARK.startswith(tail[: len(BLOCK_MARK)])
    mark, _, size, _ = _BLOCK_HEADER.unpack_from(tail)
    return bool(mark == BLOCK_MARK and len(tail) - _BLOCK_HEADER.size < size <= MAX_BLOCK_PAYLOAD)


def find_blocks(path: Path, kinds: Container[bytes]) -> Iterator[FileBlock]:
    """The valid blocks of these kinds in a file, up to a damaged header; the other blocks are not read."""
    at = len(MAGIC)
    with path.open("rb", buffering=0) as file:
        while file.seek(at) and len(header := file.read(_BLOCK_HEADER.size)) == _BLOCK_HEADER.size:
            mark, name, size, _ = _BLOCK_HEADER.unpack(header)
            if mark != BLOCK_MARK or size > MAX_BLOCK_PAYLOAD:
                return
            if name in kinds and (block := _block_at(header + file.read(size), 0)) is not None:
                yield replace(block, offset=at)
            at += len(header) + size


def _block_at(data: bytes, at: int) -> FileBlock | None:
    """The block at an offset, if there is a valid one."""
    if len(data) - at < _BLOCK_HEADER.size:
        return None
    mark, name, size, crc = _BLOCK_HEADER.unpack_from(data, at)
    first = at + _BLOCK_HEADER.size
    if mark != BLOCK_MARK or size > MAX_BLOCK_PAYLOAD or first + size > len(data) or not name.isalpha():
        return None
    payload = data[first : first + size]
    if zlib.crc32(payload, zlib.crc32(data[at + 4 : at + 12])) != crc:
        return None
    return FileBlock(name.decode("ascii"), payload, at)


# Rows as differences


def encode_deltas(rows: NDArray[np.void], word: int) -> bytes:
    """Bytes of structured rows (n,) of `word`-byte words: the first row unchanged, then the differences of the others
    with the sign in the lowest bit; all first bytes before all second bytes.
    """
    words = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1).view(_UNSIGNED_WORDS[word])
    signed = (words[1:] - words[:-1]).view(_SIGNED_WORDS[word])
    folded: NDArray[Any] = (signed << 1) ^ (signed >> (8 * word - 1))
    planes = np.ascontiguousarray(folded).view(np.uint8).reshape(len(folded), rows.itemsize).T
    return words[:1].tobytes() + np.ascontiguousarray(planes).tobytes()


def decode_deltas(data: bytes, count: int, kind: np.dtype[np.void], word: int) -> NDArray[np.void]:
    """Rows of `encode_deltas`. ValueError for a wrong number of bytes."""
    if count < 1 or len(data) != count * kind.itemsize:
        raise ValueError(f"{count} rows have {count * kind.itemsize} bytes, not {len(data)}")
    first = np.frombuffer(data, _UNSIGNED_WORDS[word], kind.itemsize // word).reshape(1, -1)
    planes = np.frombuffer(data, np.uint8, offset=kind.itemsize).reshape(kind.itemsize, count - 1)
    folded: NDArray[Any] = (
        np.ascontiguousarray(planes.T).view(_UNSIGNED_WORDS[word]).reshape(count - 1, kind.itemsize // word)
    )
    change: NDArray[Any] = (folded >> 1) ^ (~(folded & 1) + 1)
    words: NDArray[Any] = np.cumsum(np.concatenate((first, change)), axis=0, dtype=_UNSIGNED_WORDS[word])
    return np.ascontiguousarray(words).view(np.uint8).reshape(count, -1).view(kind).reshape(count)


def decompress_bytes(data: bytes, max_bytes: int) -> bytes:
    """Decompress zlib data; ValueError for other bytes, or for a result over `max_bytes` bytes."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(data, max_bytes)
    except zlib.error as error:
        raise ValueError(f"not zlib data ({error})") from None
    if not stream.eof or stream.unused_data:
        raise ValueError("not all of the data, or more of it than there can be")
    return plain
