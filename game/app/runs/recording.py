"""Recording in the game: each recording is a new replay file, which grows by one chunk per second."""

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

MAX_FILE_NUMBER = 1000  # recordings that can begin within one second


def replay_folder() -> Path:
    """The folder of replays, in the user's data folder."""
    return user_folders.data_folder() / "replays"


def create_replay_file(folder: Path, level: str) -> tuple[Path, int]:
    """Create a file named after level, date and time, with a number if needed: its path and descriptor."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", level).strip("-")[:40] or "walk"
    stem += time.strftime("-%Y-%m-%d-%H%M%S")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for number in range(1, MAX_FILE_NUMBER):
        path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{REPLAY_SUFFIX}"
        try:
            return path, os.open(path, flags, 0o666)
        except FileExistsError:
            continue
    raise OSError(f"{folder} has no free file name left")


class ReplayRecording:
    """A recording of a session. The constructor raises OSError where no file can be created.

    A write that fails ends the recording, and `problem` says why; the game goes on. What was written before can be
    replayed, as can the file of a game that was killed, up to its last second.
    """

    def __init__(self, session: Session) -> None:
        level = session.world.level
        self.session, self.problem = session, ""
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
        return None, "Recording failed", f"{display_path(replay_folder())}: {_error_reason(error)}"
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


def _error_reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
