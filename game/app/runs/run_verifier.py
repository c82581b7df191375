"""Runs that have been recorded are walked again beside the game, and count where they come out the same.

A run lies on the disk before it is judged, under its final name. What lies there and is nobody's best run was not
judged yet, as after a kill: it is judged the next time that its level is played.
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
from ...sim.replay import fingerprint, replay_file
from ...sim.replay.replay_file import REPLAY_SUFFIX, Replay, ReplayError
from ...sim.trial import RunTrack, TrialRun, ranks_by_strokes, read_track, verify_run
from . import progress
from .progress import BestRun
from .replay_messages import run_error_text
from .trial_messages import split_label

if TYPE_CHECKING:
    from ...level import Level

PAUSE_SECONDS = 0.006  # s that the judge leaves to the frames after each second of a run
REJECTED_SUFFIX = ".refused"  # behind the name of a run that came out otherwise
MAX_RUN_FILES = 1000


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """What came of a run. `why`: half a sentence where it does not count, and `run` is None. `before`: the best one
    until then; `fresh`: challenges done for the first time; `problem`: a sentence where it could not be kept."""

    file: str
    run: TrialRun | None = None
    best: BestRun | None = None
    previous_best: BestRun | None = None
    new_challenges: tuple[str, ...] = ()
    track: RunTrack | None = None
    reason: str = ""
    problem: str = ""

    @property
    def is_new_best(self) -> bool:
        """Whether it is the best run now."""
        return self.best is not None and (self.previous_best is None or self.best.score < self.previous_best.score)


class RunVerifier:
    """Judges runs of one level from one spawn, one after the other, in a thread of its own."""

    def __init__(self, level: Level, spawn: str, rest: float = PAUSE_SECONDS) -> None:
        self.level, self.spawn, self.pause_seconds = level, spawn, rest
        self._finished: list[RunVerdict] = []
        self._known_files: set[str] = set()
        self._queue: list[tuple[str, bytes | None]] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def is_busy(self) -> bool:
        """Whether there is still something to judge."""
        with self._lock:
            return self._thread is not None

    def submit(self, file: str, data: bytes | None = None) -> None:
        """Judge a run: the file of that name in the runs folder, or these bytes of it."""
        with self._lock:
            self._queue.append((file, data))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run_thread, name="judge", daemon=True)
                self._thread.start()

    def submit_unverified(self) -> None:
        """Judge what lies there of this level and spawn and has not been judged yet."""
        self.submit("")

    def take_verdicts(self) -> list[RunVerdict]:
        """What was judged since this was asked last."""
        with self._lock:
            found, self._finished = self._finished, []
        return found

    def join(self, seconds: float) -> None:
        """Wait for so long at most until all is judged."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _run_thread(self) -> None:
        while True:
            with self._lock:
                if not self._queue:
                    self._thread = None
                    return
                file, data = self._queue.pop(0)
            for name in [file] if file else self._unverified_files():
                verdict = self._verify(name, data)
                with self._lock:
                    self._finished.append(verdict)
                    self._known_files.add(name)

    def _unverified_files(self) -> list[str]:
        """From the oldest. Runs that this judge has seen are left out."""
        folder = progress.runs_folder()
        names = sorted(entry.name for entry in folder.glob(f"{progress.level_hash(self.level)}-*{REPLAY_SUFFIX}"))
        known = {record.best.run for record in progress.read_progress().records.values() if record.best is not None}
        seen = known | self._known_files
        return [name for name in names if name not in seen and run_spawn(folder / name) == self.spawn]

    def _verify(self, file: str, data: bytes | None) -> RunVerdict:
        path = progress.runs_folder() / file
        try:
            record = replay_file.decode_replay(path.read_bytes() if data is None else data, path)
            run = verify_run(record, self.level, self._yield_processor)
        except ReplayError as error:
            with contextlib.suppress(OSError):
                os.replace(path, path.with_name(path.name + REJECTED_SUFFIX))
            return RunVerdict(file, reason=run_error_text(error))
        except (OSError, ValueError) as error:  # gone since, or no replay of this world at all
            return RunVerdict(file, reason=str(error))
        strokes = run.strokes if ranks_by_strokes(self.level) else None
        splits = tuple((split_label(split), split.seconds) for split in run.splits)
        best = BestRun(run.seconds, strokes, splits, file, str(fingerprint.RULES_VERSION))
        before, fresh, problem = progress.record_finish(self.level, self.spawn, best, run.kept_challenges)
        verdict = RunVerdict(file, run, best, before, fresh, read_track(record), "", problem)
        if not problem:
            gone = (before.run if before is not None else "") if verdict.is_new_best else file
            if gone:
                with contextlib.suppress(OSError):
                    (progress.runs_folder() / gone).unlink()
        return verdict

    def _yield_processor(self, ticks: int) -> None:
        time.sleep(self.pause_seconds)


def run_file_name(level: Level) -> str:
    """A name for a run of this level that no other has."""
    stem = progress.level_hash(level) + time.strftime("-%Y%m%d-%H%M%S")
    folder = progress.runs_folder()
    for number in range(MAX_RUN_FILES):
        name = f"{stem}{f'-{number}' if number else ''}{REPLAY_SUFFIX}"
        if not (folder / name).exists():
            return name
    raise OSError(f"{folder} has no free file name left")


def write_run(name: str, data: bytes) -> str:
    """Write a run down, whole or not at all; a sentence for the player where that fails, else nothing."""
    folder = progress.runs_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_files.write_atomic(folder / name, data)
    except OSError as error:
        return f"The run cannot be saved in {folder}: {(error.strerror or str(error)).lower()}."
    return ""


def read_run(path: Path) -> Replay | None:
    """The replay in a file; None where there is none."""
    try:
        return replay_file.read_replay(path)
    except (OSError, ValueError):
        return None


def run_spawn(path: Path) -> str:
    """The spawn that a run began at; empty where the file tells none."""
    record = read_run(path)
    return "" if record is None else str(record.parts[0].head.get("spawn", ""))
