"""Recording in the game: a file of its own for each record, that grows by a block a second."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import user_folders
from ...sim.replay.recorder import Recorder
from ...sim.replay.replay_file import REPLAY_SUFFIX

if TYPE_CHECKING:
    from ...sim import Session

MAX_FILE_NUMBER = 1000  # records that may begin within one second


def replay_folder() -> Path:
    """Where replays are kept: in the user's data folder."""
    return user_folders.data_folder() / "replays"


def create_replay_file(where: Path, level: str) -> tuple[Path, int]:
    """A file that was not there before, open for writing: the level's name, date and time, a number if need be."""
    where.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", level).strip("-")[:40] or "walk"
    stem += time.strftime("-%Y-%m-%d-%H%M%S")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in range(1, MAX_FILE_NUMBER):
        path = where / f"{stem}{'' if number == 1 else f'-{number}'}{REPLAY_SUFFIX}"
        try:
            return path, os.open(path, flags, 0o666)
        except FileExistsError:
            continue
    raise OSError(f"{where} has no free file name left")


class ReplayRecording:
    """One record of a session, from now on. OSError where no file can be made.

    A write that fails does not reach the game: it ends the record, and `problem` says why. What was written until
    then can be replayed; so can the file of a game that was killed, up to its last second.
    """

    def __init__(self, session: Session) -> None:
        level = session.world.level
        self.session, self.problem = session, ""
        self.path, self._file = create_replay_file(replay_folder(), level.path.stem)
        note = time.strftime("%Y-%m-%d %H:%M:%S %z")
        self._recorder = session.recorder = Recorder(session.world, self._write, note)

    @property
    def seconds(self) -> float:
        """How long the record is."""
        return self._recorder.ticks * self.session.tick_seconds

    def moved(self, session: Session) -> None:
        """The player is in another world now, the session's."""
        self.session.recorder = None
        self.session = session
        session.recorder = self._recorder
        self._recorder.state_replaced(session.world)

    def stop(self, reason: str = "stopped") -> None:
        """Finish the file; to be called once."""
        self.session.recorder = None
        if not self.problem:
            self._recorder.close(reason)
        try:
            os.fsync(self._file)
        except OSError as error:
            self.problem = self.problem or _error_reason(error)
        os.close(self._file)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view and not self.problem:
            try:
                view = view[os.write(self._file, view) :]
            except OSError as error:
                self.problem = _error_reason(error)


def display_path(path: Path) -> str:
    """The path as a player reads it, with ~ for the home folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)


def start_recording(session: Session, key: str) -> tuple[ReplayRecording | None, str, str]:
    """Start recording: the record (None where it cannot be), and two lines to tell the player. key: what stops it."""
    try:
        recording = ReplayRecording(session)
    except OSError as error:
        return None, "Recording failed", f"{display_path(replay_folder())}: {_error_reason(error)}"
    if recording.problem:
        recording.stop()
        return None, "Recording failed", recording.problem
    return recording, "ReplayRecording", f"{key}: stop"


def finish_recording(recording: ReplayRecording, reason: str = "stopped") -> tuple[str, str]:
    """Stop recording: two lines to tell the player."""
    recording.stop(reason)
    if recording.problem:
        return "Recording ended early", f"{recording.problem}; saved so far: {display_path(recording.path)}"
    return f"Recorded {recording.seconds:.0f} s", display_path(recording.path)


def _error_reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
