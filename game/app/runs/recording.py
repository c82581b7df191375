"""Recording in the game: the present run in memory, and replay files (F5), which grow by one chunk per second."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import user_folders
from ...core.errors import error_reason
from ...core.file_reading import REPLAY_SUFFIX
from ...sim.replay import chunk_file
from ...sim.replay.recorder import Recorder

if TYPE_CHECKING:
    from ...physics import Command, WalkerState
    from ...sim import Replay, Session, World

MAX_FILE_NUMBER = 1000  # recordings, or movies, of one level that can begin within one second
MAX_MEMORY_BYTES = 64 << 20  # of the present run; its oldest seconds are dropped beyond


class RunRecorder:
    """The present run in memory, from the start of the level on, practice and play after the goal included.

    Call `synchronise` before the ticks of a frame and `stepped` after each tick. ValueError for a world without a level
    file, which a replay could not name.
    """

    def __init__(self, world: World, max_bytes: int = MAX_MEMORY_BYTES) -> None:
        self.max_bytes = max_bytes
        self._lead = bytearray()  # headers and level texts before the oldest seconds that were kept
        self._blocks: deque[tuple[bool, bytes]] = deque()  # whether it holds ticks: the others are headers and texts
        self._tick_bytes = 0
        self._seconds = 0.0
        self._recorder = Recorder(world, self._write, time.strftime("%Y-%m-%d %H:%M:%S %z"))
        self._shown: WalkerState = world.walker_state

    @classmethod
    def resume(cls, world: World, data: bytes, record: Replay) -> RunRecorder:
        """Continues a recording without an end, `data` with the content `record`. The world is in the state after its
        last tick."""
        self = cls(world)
        self._blocks.clear()
        self._tick_bytes = 0
        lengths = iter([len(chunk.commands) / part.ticks_per_second for part in record.parts for chunk in part.chunks])
        for block in chunk_file.scan_chunks(data):
            if isinstance(block, chunk_file.FileChunk):
                end = block.offset + chunk_file.CHUNK_HEADER_SIZE + len(block.payload)
                start = 0 if not self._blocks else block.offset  # with the magic
                self._seconds += next(lengths, 0.0) if block.kind == "TICK" else 0.0
                self._keep(data[start:end], block.kind == "TICK")
        self._recorder = Recorder.resume(world, self._write, data, record)
        return self

    @property
    def seconds(self) -> float:
        """Length of the recording (s)."""
        return self._seconds

    @property
    def byte_count(self) -> int:
        """Size of the recording."""
        return len(self._lead) + sum(len(block) for _, block in self._blocks)

    def synchronise(self, world: World) -> None:
        """Start a new part where the state was set since the last tick (a rewind, a flight), or in another world."""
        if world is not self._recorder.world or world.walker_state is not self._shown:
            self._recorder.state_replaced(world)
            self._shown = world.walker_state

    def stepped(self, command: Command) -> None:
        """A tick of the world with this command is done."""
        world = self._recorder.world
        self._seconds += 1.0 / world.settings.ticks_per_second
        self._recorder.stepped(command)
        self._shown = world.walker_state

    def returned(self) -> None:
        """The walker was put back to its checkpoint (`World.return_to_checkpoint`)."""
        self._recorder.returned()
        self.accept_state()

    def accept_state(self) -> None:
        """The world was brought back to the state after the last recorded tick: the recording continues."""
        self._shown = self._recorder.world.walker_state

    def recorded_bytes(self) -> bytes:
        """The recording so far, without an end, for `resume`. The ticks since a return to the checkpoint wait."""
        self._recorder.flush()
        return bytes(self._lead) + b"".join(block for _, block in self._blocks)

    def file_bytes(self, reason: str) -> bytes:
        """A complete replay file of the ticks so far; the recording goes on. reason: a remark in the file."""
        end = self._recorder.end_blocks(reason)
        return bytes(self._lead) + b"".join(block for _, block in self._blocks) + end

    def _write(self, data: bytes) -> None:
        self._keep(data, data[len(chunk_file.CHUNK_MARK) :].startswith(b"TICK"))

    def _keep(self, data: bytes, has_ticks: bool) -> None:
        self._blocks.append((has_ticks, data))
        self._tick_bytes += len(data) if has_ticks else 0
        while self._tick_bytes > self.max_bytes and len(self._blocks) > 1:
            is_tick_block, block = self._blocks.popleft()
            if is_tick_block:
                self._tick_bytes -= len(block)
            else:
                self._lead += block


def replay_folder() -> Path:
    """The folder of replays, in the user's data folder."""
    return user_folders.data_folder() / "replays"


def dated_paths(folder: Path, level: str, suffix: str) -> Iterator[Path]:
    """Paths named after level, date and time, the second and later ones with a number. OSError after the last."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", level).strip("-")[:40] or "walk"
    stem += time.strftime("-%Y-%m-%d-%H%M%S")
    for number in range(1, MAX_FILE_NUMBER):
        yield folder / f"{stem}{'' if number == 1 else f'-{number}'}{suffix}"
    raise OSError(f"{folder} has no free file name left")


def create_replay_file(folder: Path, level: str) -> tuple[Path, int]:
    """Create a file named after level, date and time: its path and descriptor."""
    folder.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    paths = dated_paths(folder, level, REPLAY_SUFFIX)
    while True:
        path = next(paths)
        with contextlib.suppress(FileExistsError):
            return path, os.open(path, flags, 0o666)


class ReplayRecording:
    """A recording of a session. The constructor raises OSError where no file can be created.

    A write that fails ends the recording, and `problem` says why; the game goes on. What was written before can be
    replayed, as can the file of a game that was killed, up to its last second.
    """

    def __init__(self, session: Session) -> None:
        level = session.world.level
        self.session = session
        self.problem = ""
        self.path, self._file = create_replay_file(replay_folder(), level.path.stem)
        note = time.strftime("%Y-%m-%d %H:%M:%S %z")
        self._recorder = session.recorder = Recorder(session.world, self._write, note)

    @property
    def seconds(self) -> float:
        """Length of the recording (s)."""
        return self._recorder.ticks * self.session.tick_seconds

    def moved(self, session: Session) -> None:
        """Continue in another world: that of `session`."""
        self.session.recorder = None
        self.session = session
        session.recorder = self._recorder
        self._recorder.state_replaced(session.world)

    def stop(self, reason: str = "stopped") -> None:
        """Finish the file. Call it once."""
        self.session.recorder = None
        if not self.problem:
            self._recorder.close(reason)
        try:
            os.fsync(self._file)
        except OSError as error:
            self.problem = self.problem or error_reason(error)
        os.close(self._file)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view and not self.problem:
            try:
                view = view[os.write(self._file, view) :]
            except OSError as error:
                self.problem = error_reason(error)


def display_path(path: Path) -> str:
    """The path with ~ for the home folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)


def start_recording(session: Session, key: str) -> tuple[ReplayRecording | None, str, str]:
    """Start recording: the recording (None where it fails) and two lines for the player. key: the key that stops it."""
    try:
        recording = ReplayRecording(session)
    except OSError as error:
        return None, "Recording failed", f"{display_path(replay_folder())}: {error_reason(error)}"
    if recording.problem:
        recording.stop()
        return None, "Recording failed", recording.problem
    return recording, "Recording", f"{key}: stop"


def finish_recording(recording: ReplayRecording, reason: str = "stopped") -> tuple[str, str]:
    """Stop recording; two lines for the player."""
    recording.stop(reason)
    if recording.problem:
        return "Recording ended early", f"{recording.problem}; saved so far: {display_path(recording.path)}"
    return f"Recorded {recording.seconds:.0f} s", display_path(recording.path)
