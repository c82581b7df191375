"""A process that stays warm and makes levels ready to be played and drawn, away from the frames of the game.

It reads the file, bakes the mesh, prepares the picture, and hands over what came of it: arrays travel as they are, and
are not copied. A thread would share the interpreter's lock with the frames, and this takes as long as several of them.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import mmap
import os
import pickle
import queue
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..launch.kernel_compilation import child_environment
from .file_watcher import FileSignature, file_signatures, have_changed

if TYPE_CHECKING:
    from ...level import Finding, Level
    from ...render import SceneData

SETTLE_SECONDS = 0.15  # s without a change before a file that cannot be read counts as broken: it may be half written
DISPLAY_SECONDS = 0.15  # s after an answer in which the game has the processor for itself, to show it
NICENESS = 5  # of the process: while both want a processor the frames get three quarters of it
MAX_READS = 40  # readings of a file that changes all the time
# The game draws meanwhile: the threads of a linear algebra library would only wait for each other.
SINGLE_THREAD_ENVIRONMENT = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
WORKER_COMMAND = (sys.executable, "-m", "game.app.hot_reload.level_worker")

WARM_REQUEST, CHANGE_REQUEST, FINAL_LIGHT_REQUEST, TRAVEL_REQUEST = "warm", "change", "settle", "travel"


@dataclass(frozen=True, slots=True)
class WorkRequest:
    """What is to be made. "warm": get to know a level; "change": the level as it is now, quickly; "settle": the last
    level again, with all the light that can be had; "travel": another level. No picture is made without a quality."""

    number: int
    kind: str
    path: Path
    quality: str
    light_cache: Path | None = None
    spawn: str = ""
    walk: bool = False  # hand over what gathering light needs


@dataclass(frozen=True, slots=True)
class WorkResult:
    """A level with its mesh and its picture. `digest` tells its files' contents from others', `file_signatures` when they were
    read; `level` is None where it is the last one again; `seconds`: the processor time that it took; `what` is new in
    it, in words."""

    request: WorkRequest
    level: Level | None
    scene_data: SceneData | None
    digest: str
    signatures: dict[Path, FileSignature]
    seconds: float = 0.0
    change_summary: str = ""


@dataclass(frozen=True, slots=True)
class WorkFailure:
    """Why there is none."""

    request: WorkRequest
    findings: tuple[Finding, ...]
    signatures: dict[Path, FileSignature]


Answer = WorkResult | WorkFailure


def files_digest(paths: Iterable[Path]) -> str:
    """One name for the contents of some files."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            data = path.read_bytes()
        except (OSError, ValueError):
            data = b"\0missing"
        digest.update(f"{path}\0{len(data)}\0".encode("utf-8", "replace"))
        digest.update(data)
    return digest.hexdigest()


def level_files(level: Level) -> tuple[Path, ...]:
    """The files that a level is made of, itself first."""
    return tuple(dict.fromkeys((level.path, *level.files)))


# A message is its length and a pickle, or where there are arrays in it the name of a file that holds both. For each
# piece that a thread reads from a pipe, and each file that it opens, it waits for the interpreter's lock, which the
# drawing of a frame holds; so the thread takes one small piece, and the game itself maps the file into its memory.

MESSAGE_HEADER = struct.Struct("<q")
ARRAY_ALIGNMENT = 64  # bytes
PIPE_BUFFER = 1 << 20
MAX_UNREAD_ANSWERS = (
    8  # answers that may wait for the game; where it cannot remove a file that it has mapped, older ones go
)


def write_message(stream: IO[bytes], value: object, folder: str | None = None) -> str:
    """Write one message; the name of the file in `folder` that goes with it, if one does."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    name, spans, at = "", [], 0
    if buffers:
        handle, name = tempfile.mkstemp(prefix="walker-", suffix=".arrays", dir=folder)
        with os.fdopen(handle, "wb") as file:
            for part in (*(buffer.raw() for buffer in buffers), memoryview(data)):
                file.write(b"\0" * (-at % ARRAY_ALIGNMENT))
                at += -at % ARRAY_ALIGNMENT
                file.write(part)
                spans.append((at, at + len(part)))
                at += len(part)
    message = pickle.dumps((name, spans, b"" if name else data))
    stream.write(MESSAGE_HEADER.pack(len(message)) + message)
    stream.flush()
    return name


def read_message(stream: IO[bytes]) -> bytes:
    """Read one message, which `decode_message` makes a value of. EOFError where the other side has ended."""
    (size,) = MESSAGE_HEADER.unpack(_read_exactly(stream, MESSAGE_HEADER.size))
    return _read_exactly(stream, size)


def decode_message(message: bytes) -> Any:
    """What a message says; its arrays are read-only."""
    name, spans, data = pickle.loads(message)
    if not name:
        return pickle.loads(data)
    with open(name, "rb") as file:
        whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    with contextlib.suppress(OSError):  # where a mapped file cannot be removed, the other side does it later
        os.unlink(name)
    *arrays, data = (memoryview(whole)[first:end] for first, end in spans)
    return pickle.loads(data, buffers=arrays)


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


class LevelWorker:
    """The game's side: `ask` and, some frames later, `answers`. The process is started when it is first needed."""

    def __init__(self, command: tuple[str, ...] = WORKER_COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._received: queue.SimpleQueue[tuple[subprocess.Popen[bytes], bytes] | WorkFailure] = queue.SimpleQueue()
        self._pending: dict[int, tuple[WorkRequest, object]] = {}  # what is not answered yet, and who is at it
        self._numbers = 0
        self.started = 0

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._pending)

    @property
    def has_answers(self) -> bool:
        """Whether `answers` has something."""
        return not self._received.empty()

    def submit(self, kind: str, path: Path, quality: str, **more: Any) -> int:
        """Order something; the number that its answer will have."""
        self._numbers += 1
        order = WorkRequest(self._numbers, kind, path, quality, **more)
        self._pending[order.number] = order, None
        for _ in range(2):
            process = self._ensure_running()
            if process is None or process.stdin is None:
                break
            try:
                self._pending[order.number] = order, process
                write_message(process.stdin, order)
                return order.number
            except (OSError, ValueError):
                self._end(process)
        self._fail(order, "cannot start the process that reads levels")
        return order.number

    def take_answers(self) -> list[Answer]:
        """What has come since one asked last."""
        found: list[Answer] = []
        with contextlib.suppress(queue.Empty):
            while True:
                come = self._received.get_nowait()
                try:
                    answer = come if isinstance(come, WorkFailure) else decode_message(come[1])
                except (OSError, ValueError, EOFError, pickle.UnpicklingError):  # its file is gone, or not whole
                    assert not isinstance(come, WorkFailure)
                    self._end(come[0])
                    continue
                if self._pending.pop(answer.request.number, None) is not None:
                    found.append(answer)
        return found

    def restart(self) -> None:
        """Give up what it is at."""
        self._end(self._process)
        self._pending.clear()

    def stop(self) -> None:
        """End the process."""
        self._end(self._process)
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None

    def _ensure_running(self) -> subprocess.Popen[bytes] | None:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        with contextlib.suppress(OSError):
            if self._scratch is None:
                self._scratch = tempfile.TemporaryDirectory(prefix="walker-", ignore_cleanup_errors=True)
            self._process = subprocess.Popen(
                [*self._command, self._scratch.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                bufsize=PIPE_BUFFER,
                env={**child_environment(), **SINGLE_THREAD_ENVIRONMENT},
            )
            self.started += 1
            threading.Thread(target=self._read_answers, args=(self._process,), name="workshop", daemon=True).start()
            return self._process
        return None

    def _read_answers(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        try:
            while True:
                self._received.put((process, read_message(process.stdout)))
        except (EOFError, OSError, ValueError):
            pass  # it has ended
        process.wait()
        for order, worker in list(self._pending.values()):
            if worker is process:
                self._fail(order, "the process that reads levels has ended; save the level again to retry")

    def _fail(self, order: WorkRequest, why: str) -> None:
        self._received.put(WorkFailure(order, (file_finding(order.path, why),), file_signatures([order.path])))

    def _end(self, process: subprocess.Popen[bytes] | None) -> None:
        if process is self._process:
            self._process = None
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()


def file_finding(path: Path, message: str, line: int = 0) -> Finding:
    """Something about a file as a whole."""
    from ...level import Finding

    return Finding("fatal", path.name, line, 1 if line else 0, "", message)


# The other side


@dataclass
class WorkerState:
    """What the process keeps between orders."""

    files: tuple[Path, ...] = ()
    level: Any = None
    digest: str = ""
    preparers: dict[tuple[Path, str], Any] = field(default_factory=dict)

    def handle_request(self, order: WorkRequest) -> Answer:
        """Do one order, whatever comes."""
        began = time.process_time()
        try:
            if (
                order.kind == FINAL_LIGHT_REQUEST
                and order.quality
                and self.level is not None
                and self.level.path == order.path
            ):
                prepared = self._scene_builder(order).build_final(_scene_of_level(self.level), order.walk)
                return WorkResult(order, None, prepared, self.digest, {}, time.process_time() - began)
            return self._level(order, began)
        except MemoryError:
            return WorkFailure(order, (file_finding(order.path, "not enough memory"),), file_signatures([order.path]))
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            return WorkFailure(order, (file_finding(order.path, why),), file_signatures([order.path, *self.files]))

    def precompute(self) -> None:
        """What can be done ahead, while nobody waits."""
        for preparer in self.preparers.values():
            preparer.precompute()
        gc.collect()

    def _level(self, order: WorkRequest, began: float) -> Answer:
        from ...level import LevelError, load
        from ...sim import World
        from .change_summary import describe_changes

        same = self.level is not None and self.level.path == order.path
        files: tuple[Path, ...] = self.files if same else (order.path,)
        for attempt in range(MAX_READS):
            before = file_signatures(files)
            last = attempt == MAX_READS - 1
            try:
                level = load(order.path)
                files = level_files(level)
                digest = files_digest(files)
                _ = level.mesh
                World(level, spawn=order.spawn or None)
                findings = self._findings_for_lost_pieces(order, level)
                prepared = None if findings else self._build_scene_data(order, level)
            except LevelError as error:
                files = tuple(dict.fromkeys((order.path, *error.files)))
                findings = error.findings or (file_finding(order.path, "it cannot be read"),)
            except ValueError as error:
                findings = (file_finding(order.path, str(error), level.spawns[0].place.line),)
            if not findings:
                after = file_signatures(files)
                if last or not have_changed(before, after):
                    what = describe_changes(self.level, level) if same and self.level is not None else ""
                    self.level, self.digest, self.files = level, digest, files
                    return WorkResult(order, level, prepared, digest, after, time.process_time() - began, what)
                continue
            time.sleep(SETTLE_SECONDS)
            after = file_signatures(files)
            if last or not have_changed(before, after):
                return WorkFailure(order, findings, after)
        raise AssertionError("the last attempt answers")

    def _findings_for_lost_pieces(self, order: WorkRequest, level: Level) -> tuple[Finding, ...]:
        """What this version cannot be read with, and the one before could: better no change than to fall through a
        piece that was mistyped, or whose file is just being written."""
        if order.kind != CHANGE_REQUEST or self.level is None or self.level.path != order.path:
            return ()
        before = Counter((bad.where, bad.message) for bad in self.level.findings if bad.severity == "dropped")
        lost = []
        for bad in level.findings:
            if bad.severity == "dropped":
                before[bad.where, bad.message] -= 1
                if before[bad.where, bad.message] < 0:
                    lost.append(bad)
        return tuple(lost)

    def _build_scene_data(self, order: WorkRequest, level: Level) -> SceneData | None:
        if not order.quality:
            return None
        preparer = self._scene_builder(order)
        if order.kind == CHANGE_REQUEST:
            return preparer.build_fast(_scene_of_level(level))  # type: ignore[no-any-return]
        return preparer.build_final(_scene_of_level(level), order.walk)  # type: ignore[no-any-return]

    def _scene_builder(self, order: WorkRequest) -> Any:
        """That of this level and quality; others are forgotten."""
        from ...render.scene.lightmap_cache import LightmapCache
        from ...render.scene.scene_data import SceneBuilder

        key = (order.path, order.quality)
        if key not in self.preparers:
            cache = None if order.light_cache is None else LightmapCache(order.light_cache)
            self.preparers = {key: SceneBuilder(order.quality, cache)}
        return self.preparers[key]


def _scene_of_level(level: Level) -> Any:
    from ...render import Scene

    return Scene.from_level(level)


def remove_array_file(name: str) -> None:
    """Remove a file of arrays that the game could not remove itself."""
    if name:
        with contextlib.suppress(OSError):
            os.unlink(name)


def main(folder: str) -> int:
    """Answer orders on standard input until it ends; arrays go into files in `folder`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the game, which ends this one
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not get between the messages
    bench, orders = WorkerState(), sys.stdin.buffer
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.disable()  # `tidy` collects: amid an order it takes a seventh of the time
    names: list[str] = []
    while True:
        try:
            order = decode_message(read_message(orders))
        except EOFError:
            shutil.rmtree(folder, ignore_errors=True)  # the game may have ended without doing so
            return 0
        try:
            names.append(write_message(out, bench.handle_request(order), folder))
        except BrokenPipeError:
            return 0
        time.sleep(DISPLAY_SECONDS)
        bench.precompute()
        while len(names) > MAX_UNREAD_ANSWERS:
            remove_array_file(names.pop(0))


if __name__ == "__main__":
    from . import level_worker  # so that messages name this module as the game does

    sys.exit(level_worker.main(sys.argv[1]))
