"""Replay files by F5, which grow by a block a second; and the names of files that the player keeps."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import user_folders
from ...core.errors import error_reason
from ...core.file_reading import REPLAY_SUFFIX
from ...sim.replay.replay_file import ReplayWriter

if TYPE_CHECKING:
    from ...sim import History, Session

MAX_FILE_NUMBER = 1000  # recordings, or movies, of one level that can begin within one second


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


def present_time() -> str:
    """Date and time, for the note of a replay."""
    return time.strftime("%Y-%m-%d %H:%M:%S %z")


class ReplayRecording:
    """A recording of a session, from now on. The constructor raises OSError where no file can be created.

    A write that fails ends the recording, and `problem` says why; the game goes on. What was written before can be
    replayed, as can the file of a game that was killed, up to its last second.
    """

    def __init__(self, session: Session) -> None:
        assert session.history is not None
        self.problem = ""
        self.path, self._file = create_replay_file(replay_folder(), session.world.level.path.stem)
        self._writer = ReplayWriter(self._write, present_time())
        self._session = session
        session.history.flush()
        session.history.writers.append(self._writer)

    @property
    def _history(self) -> History:
        assert self._session.history is not None
        return self._session.history

    @property
    def seconds(self) -> float:
        """Length of the recording (s)."""
        return (self._writer.ticks + self._history.open_ticks) * self._session.tick_seconds

    def move_to(self, session: Session) -> None:
        """Go on in another session."""
        self._history.flush()
        self._history.writers.remove(self._writer)
        self._session = session
        self._history.writers.append(self._writer)

    def stop(self, reason: str = "stopped") -> None:
        """Finish the file. Call it once."""
        history = self._history
        history.flush()
        history.writers.remove(self._writer)
        if not self.problem:
            self._writer.close(reason, history.state(history.end - 1) if len(history) else b"")
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
    file = user_folders.describe_file(recording.path)
    if recording.problem:
        return "Recording ended early", f"{recording.problem}; saved so far: {file}"
    return f"Recorded {recording.seconds:.0f} s", file
