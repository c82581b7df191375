"""Level worker: a child process that loads levels, cooks their mesh and prepares their scene data beside the game.

A thread would share the interpreter's lock with the frames, and the work takes as long as several of them.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import queue
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..launch.child_process import ChildProcess, lower_priority, module_command
from ..launch.level_lookup import level_files
from .file_watcher import FileSignature, file_signatures, have_changed, level_digest
from .pickle_messages import decode_message, read_message, remove_array_file, write_message

if TYPE_CHECKING:
    from ...level import Finding, Level
    from ...render import SceneData

SETTLE_SECONDS = 0.15  # s without a change before a file with errors is reported: it may be half written
DISPLAY_SECONDS = 0.15  # s of rest after an answer, so that the game has the processor while it shows it
NICENESS = 5  # lower priority: when both need one processor, the frames get three quarters of it
MAX_READS = 40  # attempts to read a file that keeps changing
PIPE_BUFFER = 1 << 20  # bytes
MAX_UNREAD_ANSWERS = 8  # files of arrays that are kept for the game; older ones are removed
# The game draws at the same time: threads of a linear algebra library would wait for each other.
SINGLE_THREAD_ENVIRONMENT = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
WORKER_COMMAND = module_command(f"{__package__}.level_worker")

WARM_REQUEST = "warm"
CHANGE_REQUEST = "change"
FINAL_LIGHT_REQUEST = "settle"
TRAVEL_REQUEST = "travel"


@dataclass(frozen=True, slots=True)
class WorkRequest:
    """A request to the worker. `kind`: "warm" loads a level ahead; "change" loads its changed files, with light that is
    quick to compute; "settle" lights the last level fully; "travel" loads another level. An empty `quality` asks for no
    scene data."""

    number: int
    kind: str
    path: Path
    quality: str
    light_cache: Path | None = None
    spawn: str = ""
    with_bake_input: bool = False  # include the input of the light bake


@dataclass(frozen=True, slots=True)
class WorkResult:
    """A loaded level and its scene data. `level` is None for a "settle" request. `digest`: hash of the contents of its
    files; `signatures`: of these files when they were read; `seconds`: processor time of the work; `change_summary`:
    the differences from the version before, in words."""

    request: WorkRequest
    level: Level | None
    scene_data: SceneData | None
    digest: str
    signatures: dict[Path, FileSignature]
    seconds: float = 0.0
    change_summary: str = ""


@dataclass(frozen=True, slots=True)
class WorkFailure:
    """The findings that prevent a level from being loaded."""

    request: WorkRequest
    findings: tuple[Finding, ...]
    signatures: dict[Path, FileSignature]


Answer = WorkResult | WorkFailure


class LevelWorker:
    """The game's side: `submit` a request and, frames later, `take_answers`. The first request starts the child."""

    def __init__(self) -> None:
        self._child: ChildProcess | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._received: queue.SimpleQueue[tuple[ChildProcess, bytes] | WorkFailure] = queue.SimpleQueue()
        self._pending: dict[int, tuple[WorkRequest, ChildProcess | None]] = {}  # requests without an answer
        self._last_number = 0
        self.start_count = 0

    @property
    def is_busy(self) -> bool:
        """Whether a request has no answer yet."""
        return bool(self._pending)

    @property
    def has_answers(self) -> bool:
        """Whether `take_answers` has something to return."""
        return not self._received.empty()

    def submit(self, kind: str, path: Path, quality: str, **fields: Any) -> int:
        """Send a request; its number, which the answer will have."""
        self._last_number += 1
        request = WorkRequest(self._last_number, kind, path, quality, **fields)
        self._pending[request.number] = request, None
        for _ in range(2):
            child = self._ensure_running()
            if child is None:
                break
            try:
                self._pending[request.number] = request, child
                write_message(child.stdin, request)
                return request.number
            except (OSError, ValueError):
                self._stop_child(child)
        self._fail(request, "cannot start the process that reads levels")
        return request.number

    def take_answers(self) -> list[Answer]:
        """The answers that have arrived since the last call."""
        answers: list[Answer] = []
        with contextlib.suppress(queue.Empty):
            while True:
                received = self._received.get_nowait()
                try:
                    answer = received if isinstance(received, WorkFailure) else decode_message(received[1])
                except (OSError, ValueError, EOFError, pickle.UnpicklingError):  # its file is missing or cut off
                    assert not isinstance(received, WorkFailure)
                    self._stop_child(received[0])
                    continue
                if self._pending.pop(answer.request.number, None) is not None:
                    answers.append(answer)
        return answers

    def restart(self) -> None:
        """Stop the child and drop all requests."""
        self._stop_child(self._child)
        self._pending.clear()

    def stop(self) -> None:
        """Stop the child and remove its folder."""
        self._stop_child(self._child)
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None

    def _ensure_running(self) -> ChildProcess | None:
        if self._child is not None and self._child.is_running:
            return self._child
        with contextlib.suppress(OSError):
            if self._scratch is None:
                self._scratch = tempfile.TemporaryDirectory(prefix="walker-", ignore_cleanup_errors=True)
            self._child = ChildProcess(
                (*WORKER_COMMAND, self._scratch.name),
                self._read_answers,
                has_input=True,
                buffer_size=PIPE_BUFFER,
                environment=SINGLE_THREAD_ENVIRONMENT,
            )
            self.start_count += 1
            return self._child
        return None

    def _read_answers(self, child: ChildProcess) -> None:
        with contextlib.suppress(EOFError, OSError, ValueError):  # the child has ended
            while True:
                self._received.put((child, read_message(child.stdout)))
        child.process.wait()
        for request, worker in list(self._pending.values()):
            if worker is child:
                self._fail(request, "the process that reads levels has ended; save the level again to retry")

    def _fail(self, request: WorkRequest, reason: str) -> None:
        findings = (file_finding(request.path, reason),)
        self._received.put(WorkFailure(request, findings, file_signatures([request.path])))

    def _stop_child(self, child: ChildProcess | None) -> None:
        if child is self._child:
            self._child = None
        if child is not None:
            child.stop()


def file_finding(path: Path, message: str, line: int = 0, cure: str = "") -> Finding:
    """A fatal finding about a file, or about a line of it."""
    from ...level import Finding

    return Finding("fatal", path.name, line, 1 if line else 0, "", message, cure)


# The child process


@dataclass
class WorkerState:
    """The child's state between requests: the last level and the scene builder of its quality."""

    files: tuple[Path, ...] = ()
    level: Level | None = None
    digest: str = ""
    scene_builders: dict[tuple[Path, str], Any] = field(default_factory=dict)

    def handle_request(self, request: WorkRequest) -> Answer:
        """Answer one request; every exception becomes a finding."""
        began = time.process_time()
        try:
            level = self._loaded_level(request)
            if request.kind == FINAL_LIGHT_REQUEST and request.quality and level is not None:
                scene_data = self._build_scene_data(request, level)
                return WorkResult(request, None, scene_data, self.digest, {}, time.process_time() - began)
            return self._load_level(request, began)
        except MemoryError:
            reason = "not enough memory"
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        findings = (file_finding(request.path, reason),)
        return WorkFailure(request, findings, file_signatures([request.path, *self.files]))

    def precompute(self) -> None:
        """Compute ahead what the next request may need, and collect garbage."""
        for builder in self.scene_builders.values():
            builder.precompute()
        gc.collect()

    def _loaded_level(self, request: WorkRequest) -> Level | None:
        """The last level if the request is about the same file."""
        return self.level if self.level is not None and self.level.path == request.path else None

    def _load_level(self, request: WorkRequest, began: float) -> Answer:
        """Load the level until its files stay the same for the duration of a load."""
        from ...level import LevelError, load
        from ...sim import World
        from .change_summary import describe_changes

        previous = self._loaded_level(request)
        files: tuple[Path, ...] = (request.path,) if previous is None else self.files
        for attempt in range(MAX_READS):
            before = file_signatures(files)
            is_last_attempt = attempt == MAX_READS - 1
            try:
                level = load(request.path)
                files = level_files(level)
                digest = level_digest(level)
                _ = level.mesh
                World(level, spawn=request.spawn or None)
                findings = self._findings_for_lost_pieces(request, level)
                scene_data = None if findings else self._build_scene_data(request, level)
            except LevelError as error:
                files = tuple(dict.fromkeys((request.path, *error.files)))
                findings = error.findings or (file_finding(request.path, "it cannot be read"),)
                if request.kind == CHANGE_REQUEST and not os.path.lexists(request.path):
                    cure = "put it back or save it again"
                    findings = (file_finding(request.path, "the file of this level was removed", cure=cure),)
            except ValueError as error:
                findings = (file_finding(request.path, str(error), level.spawns[0].place.line),)
            if not findings:
                after = file_signatures(files)
                if is_last_attempt or not have_changed(before, after):
                    summary = "" if previous is None else describe_changes(previous, level)
                    self.level = level
                    self.digest = digest
                    self.files = files
                    return WorkResult(request, level, scene_data, digest, after, time.process_time() - began, summary)
                continue
            time.sleep(SETTLE_SECONDS)
            after = file_signatures(files)
            if is_last_attempt or not have_changed(before, after):
                return WorkFailure(request, findings, after)
        raise AssertionError("the last attempt answers")

    def _findings_for_lost_pieces(self, request: WorkRequest, level: Level) -> tuple[Finding, ...]:
        """Findings of pieces that the version before had and this one drops. Such a level is not taken over: a player
        could fall through a piece that was mistyped, or whose file is being written."""
        previous = self._loaded_level(request)
        if request.kind != CHANGE_REQUEST or previous is None:
            return ()
        known = Counter((old.where, old.message) for old in previous.findings if old.severity == "dropped")
        lost = []
        for finding in level.findings:
            if finding.severity == "dropped":
                known[finding.where, finding.message] -= 1
                if known[finding.where, finding.message] < 0:
                    lost.append(finding)
        return tuple(lost)

    def _build_scene_data(self, request: WorkRequest, level: Level) -> SceneData | None:
        if not request.quality:
            return None
        builder = self._scene_builder(request)
        if request.kind == CHANGE_REQUEST:
            return builder.build_fast(_scene_of_level(level))  # type: ignore[no-any-return]
        return builder.build_final(_scene_of_level(level), request.with_bake_input)  # type: ignore[no-any-return]

    def _scene_builder(self, request: WorkRequest) -> Any:
        """The scene builder of this level and quality; those of others are dropped."""
        from ...render.scene.lightmap_cache import LightmapCache
        from ...render.scene.scene_data import SceneBuilder

        key = (request.path, request.quality)
        if key not in self.scene_builders:
            cache = None if request.light_cache is None else LightmapCache(request.light_cache)
            self.scene_builders = {key: SceneBuilder(request.quality, cache)}
        return self.scene_builders[key]


def _scene_of_level(level: Level) -> Any:
    from ...render import Scene

    return Scene.from_level(level)


def main(folder: str) -> int:
    """Answer requests on standard input until it ends; arrays go into files in `folder`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the game, which then stops this process
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text must not get between the messages
    state = WorkerState()
    requests = sys.stdin.buffer
    lower_priority(NICENESS)
    gc.disable()  # `precompute` collects: within a request a collection takes a seventh of the time
    names: list[str] = []
    while True:
        try:
            request = decode_message(read_message(requests))
            names.append(write_message(answers, state.handle_request(request), folder))
        except (EOFError, BrokenPipeError):
            shutil.rmtree(folder, ignore_errors=True)  # a game that was killed did not remove it
            return 0
        time.sleep(DISPLAY_SECONDS)
        state.precompute()
        while len(names) > MAX_UNREAD_ANSWERS:
            remove_array_file(names.pop(0))


if __name__ == "__main__":
    from . import level_worker  # the pickles name the classes by this module, not by __main__

    sys.exit(level_worker.main(sys.argv[1]))
