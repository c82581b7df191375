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
from ...sim.replay.replay_file import SUFFIX, Replay, ReplayError
from ...sim.trial import Run, Track, counts_strokes, judge, track
from . import progress
from .progress import Best

if TYPE_CHECKING:
    from ...level import Level

REST = 0.006  # s that the judge leaves to the frames after each second of a run
REFUSED = ".refused"  # behind the name of a run that came out otherwise
MOST = 1000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a run. `why`: half a sentence where it does not count, and `run` is None. `before`: the best one
    until then; `fresh`: challenges done for the first time; `problem`: a sentence where it could not be kept."""

    file: str
    run: Run | None = None
    best: Best | None = None
    before: Best | None = None
    fresh: tuple[str, ...] = ()
    track: Track | None = None
    why: str = ""
    problem: str = ""

    @property
    def better(self) -> bool:
        """Whether it is the best run now."""
        return self.best is not None and (self.before is None or self.best.score < self.before.score)


class Judge:
    """Judges runs of one level from one spawn, one after the other, in a thread of its own."""

    def __init__(self, level: Level, spawn: str, rest: float = REST) -> None:
        self.level, self.spawn, self.rest = level, spawn, rest
        self._verdicts: list[Verdict] = []
        self._seen: set[str] = set()
        self._waiting: list[tuple[str, bytes | None]] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether there is still something to judge."""
        with self._lock:
            return self._thread is not None

    def hand_in(self, file: str, data: bytes | None = None) -> None:
        """Judge a run: the file of that name in the runs folder, or these bytes of it."""
        with self._lock:
            self._waiting.append((file, data))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="judge", daemon=True)
                self._thread.start()

    def catch_up(self) -> None:
        """Judge what lies there of this level and spawn and has not been judged yet."""
        self.hand_in("")

    def answers(self) -> list[Verdict]:
        """What was judged since this was asked last."""
        with self._lock:
            found, self._verdicts = self._verdicts, []
        return found

    def join(self, seconds: float) -> None:
        """Wait for so long at most until all is judged."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                file, data = self._waiting.pop(0)
            for name in [file] if file else self._unjudged():
                verdict = self._judge(name, data)
                with self._lock:
                    self._verdicts.append(verdict)
                    self._seen.add(name)

    def _unjudged(self) -> list[str]:
        """From the oldest. Runs that this judge has seen are left out."""
        folder = progress.runs_folder()
        names = sorted(entry.name for entry in folder.glob(f"{progress.level_hash(self.level)}-*{SUFFIX}"))
        known = {record.best.run for record in progress.read().records.values() if record.best is not None}
        seen = known | self._seen
        return [name for name in names if name not in seen and spawn_of(folder / name) == self.spawn]

    def _judge(self, file: str, data: bytes | None) -> Verdict:
        path = progress.runs_folder() / file
        try:
            record = replay_file.decode(path.read_bytes() if data is None else data, path)
            run = judge(record, self.level, self._breathe)
        except ReplayError as error:
            with contextlib.suppress(OSError):
                os.replace(path, path.with_name(path.name + REFUSED))
            return Verdict(file, why=str(error))
        except (OSError, ValueError) as error:  # gone since, or no replay of this world at all
            return Verdict(file, why=str(error))
        strokes = run.strokes if counts_strokes(self.level) else None
        splits = tuple((split.name, split.seconds) for split in run.splits)
        best = Best(run.seconds, strokes, splits, file, fingerprint.rules_hash())
        before, fresh, problem = progress.finished(self.level, self.spawn, best, run.kept)
        verdict = Verdict(file, run, best, before, fresh, track(record), "", problem)
        if not problem:
            gone = (before.run if before is not None else "") if verdict.better else file
            if gone:
                with contextlib.suppress(OSError):
                    (progress.runs_folder() / gone).unlink()
        return verdict

    def _breathe(self, ticks: int) -> None:
        time.sleep(self.rest)


def file_name(level: Level) -> str:
    """A name for a run of this level that no other has."""
    stem = progress.level_hash(level) + time.strftime("-%Y%m%d-%H%M%S")
    folder = progress.runs_folder()
    for number in range(MOST):
        name = f"{stem}{f'-{number}' if number else ''}{SUFFIX}"
        if not (folder / name).exists():
            return name
    raise OSError(f"{folder} is full of runs")


def keep(name: str, data: bytes) -> str:
    """Write a run down, whole or not at all; a sentence for the player where that fails, else nothing."""
    folder = progress.runs_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_files.write(folder / name, data)
    except OSError as error:
        return f"The run cannot be kept in {folder}: {(error.strerror or str(error)).lower()}."
    return ""


def read(path: Path) -> Replay | None:
    """The replay in a file; None where there is none."""
    try:
        return replay_file.read(path)
    except (OSError, ValueError):
        return None


def spawn_of(path: Path) -> str:
    """The spawn that a run began at; empty where the file tells none."""
    record = read(path)
    return "" if record is None else str(record.parts[0].head.get("spawn", ""))
