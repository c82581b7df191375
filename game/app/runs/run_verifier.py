"""Run verifier: simulates recorded runs again in a thread; a run counts where every tick is the same.

A run is on disk under its final name before it is verified. One that was not verified, for example because the game was
killed, or because the player put the file there, is verified the next time that its level is played. Only the player's
own runs count as best times.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...core import atomic_files
from ...core.background import Worker
from ...core.errors import error_reason
from ...sim.replay import fingerprint, replay_file
from ...sim.replay.replay_file import REPLAY_SUFFIX, Replay, ReplayError
from ...sim.replay.verifier import ReplayDivergedError
from ...sim.trial import RunTrack, TrialRun, ranks_by_strokes, read_track, verify_run
from . import progress
from .library import run_library
from .library.run_library import RunOrigin, RunStatus
from .progress import BestRun
from .replay_messages import run_error_text
from .trial_messages import split_label

if TYPE_CHECKING:
    from ...level import Level

PAUSE_SECONDS = 0.006  # s of rest for the frames after each second of a run
REJECTED_SUFFIX = ".refused"  # appended to the name of a run that differs
MAX_RUN_FILES = 1000
DIVERGED_REASON = "this machine does not repeat it"
_RECORDING = threading.Lock()  # a level that is loaded again has a verifier of its own for the same runs


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """Result of a verification. `reason`: half a sentence where the run does not count; `run` is None then.
    `previous_best`: the best run before it; `problem`: a sentence where the
    result could not be saved; `is_friend`: a friend's run, which is no best time."""

    file: str
    run: TrialRun | None = None
    best: BestRun | None = None
    previous_best: BestRun | None = None
    track: RunTrack | None = None
    reason: str = ""
    problem: str = ""
    is_friend: bool = False

    @property
    def is_new_best(self) -> bool:
        return self.best is not None and (self.previous_best is None or self.best.score < self.previous_best.score)


class RunVerifier:
    """Verifies runs of one level and spawn, one after the other, in a thread of its own."""

    def __init__(self, level: Level, spawn: str, pause_seconds: float = PAUSE_SECONDS) -> None:
        self.level = level
        self.spawn = spawn
        self.pause_seconds = pause_seconds
        self._finished: list[RunVerdict] = []
        self._known_files: set[str] = set()
        self._lock = threading.Lock()
        self._worker = Worker("run verifier", self._verify_files)

    @property
    def is_busy(self) -> bool:
        """Whether a run is not verified yet."""
        return self._worker.is_busy

    def submit(self, file: str, data: bytes | None = None) -> None:
        """Verify a run: the file of that name in the runs folder, or its bytes."""
        self._worker.submit((file, data))

    def submit_unverified(self) -> None:
        """Verify the files of this level and spawn that are not verified yet."""
        self.submit("")

    def take_verdicts(self) -> list[RunVerdict]:
        """The verdicts since the last call."""
        with self._lock:
            verdicts, self._finished = self._finished, []
        return verdicts

    def join(self, seconds: float) -> None:
        """Wait until all runs are verified, at most so many seconds."""
        self._worker.join(seconds)

    def _verify_files(self, item: tuple[str, bytes | None]) -> None:
        file, data = item
        for name in [file] if file else self._unverified_files():
            verdict = self._verify(name, data)
            with self._lock:
                self._finished.append(verdict)
                self._known_files.add(name)

    def _unverified_files(self) -> list[str]:
        """Names of the files that are not verified, from the oldest."""
        run_library.scan_folder(read_run)
        hash_ = progress.cached_level_hash(self.level)
        waiting = [
            entry
            for entry in run_library.read_library().values()
            if entry.status == RunStatus.PENDING and (entry.level_hash, entry.spawn) == (hash_, self.spawn)
        ]
        names = [entry.file for entry in sorted(waiting, key=lambda entry: entry.when)]
        return [name for name in names if name not in self._known_files]

    def _verify(self, file: str, data: bytes | None) -> RunVerdict:
        path = progress.runs_folder() / file
        entry = run_library.read_library().get(file)
        is_friend = entry is not None and entry.origin == RunOrigin.FRIEND
        try:
            record = replay_file.decode_replay(path.read_bytes() if data is None else data, path)
            run = verify_run(record, self.level, lambda _: time.sleep(self.pause_seconds))
            track = read_track(record)
        except ReplayError as error:
            if is_friend:
                diverged = isinstance(error, ReplayDivergedError)
                return self._unverified(file, DIVERGED_REASON if diverged else str(error))
            with contextlib.suppress(OSError):
                os.replace(path, path.with_name(path.name + REJECTED_SUFFIX))
            return RunVerdict(file, reason=run_error_text(error))
        except (OSError, ValueError) as error:  # the file is gone, or is no replay of this level
            return RunVerdict(file, reason=str(error))
        strokes = run.strokes if ranks_by_strokes(self.level) else None
        splits = tuple((split_label(split), split.seconds) for split in run.splits)
        best = BestRun(run.seconds, strokes, splits, file, str(fingerprint.RULES_VERSION))
        if is_friend:
            problem = run_library.change_entry(file, status=RunStatus.VERIFIED, strokes=strokes, seconds=run.seconds)
            return RunVerdict(file, run, track=track, problem=problem, is_friend=True)
        with _RECORDING:
            entry = run_library.read_library().get(file)
            if entry is not None and entry.status == RunStatus.VERIFIED:  # by another verifier: it counts once
                return RunVerdict(file, run, best, best, track=track)
            previous, _, problem = progress.record_finish(self.level, self.spawn, best, run.kept_challenges)
            problem = problem or run_library.change_entry(file, status=RunStatus.VERIFIED, strokes=strokes)
        run_library.remove_old_runs()
        return RunVerdict(file, run, best, previous, track, problem=problem)

    def _unverified(self, file: str, reason: str) -> RunVerdict:
        """The verdict on a friend's run that this machine does not repeat: a ghost from its recorded states."""
        run_library.change_entry(file, status=RunStatus.UNVERIFIED, reason=reason)
        record = read_run(progress.runs_folder() / file)
        track = None
        with contextlib.suppress(ReplayError):
            track = None if record is None else read_track(record)
        return RunVerdict(file, track=track, reason=reason, is_friend=True)


def run_file_name(level: Level) -> str:
    """A new file name for a run of this level, which no other process takes."""
    stem = progress.cached_level_hash(level) + time.strftime("-%Y%m%d-%H%M%S-") + str(os.getpid())
    folder = progress.runs_folder()
    for number in range(MAX_RUN_FILES):
        name = f"{stem}{f'{number:03}' if number else ''}{REPLAY_SUFFIX}"
        if not (folder / name).exists():
            return name
    raise OSError(f"{folder} has no free file name left")


def write_run(name: str, data: bytes) -> str:
    """Write a run atomically; a sentence for the player where that fails, else an empty string."""
    folder = progress.runs_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_files.write_atomic(folder / name, data)
    except OSError as error:
        return f"The run cannot be saved in {folder}: {error_reason(error)}."
    return ""


def read_run(path: Path) -> Replay | None:
    """The replay in a file; None where it cannot be read."""
    try:
        return replay_file.read_replay(path)
    except (OSError, ValueError):
        return None
