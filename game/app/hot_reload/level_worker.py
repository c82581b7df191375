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
from .file_watcher import Mark, differ, marks

if TYPE_CHECKING:
    from ...level import Finding, Level
    from ...render import Prepared

QUIET = 0.15  # s without a change before a file that cannot be read counts as broken: it may be half written
SHOWING = 0.15  # s after an answer in which the game has the processor for itself, to show it
NICENESS = 5  # of the process: while both want a processor the frames get three quarters of it
MOST_TRIES = 40  # readings of a file that changes all the time
# The game draws meanwhile: the threads of a linear algebra library would only wait for each other.
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
COMMAND = (sys.executable, "-m", "game.app.hot_reload.level_worker")

WARM, CHANGE, SETTLE, TRAVEL = "warm", "change", "settle", "travel"


@dataclass(frozen=True, slots=True)
class Order:
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
class Made:
    """A level with its mesh and its picture. `digest` tells its files' contents from others', `marks` when they were
    read; `level` is None where it is the last one again; `seconds`: the processor time that it took; `what` is new in
    it, in words."""

    order: Order
    level: Level | None
    prepared: Prepared | None
    digest: str
    marks: dict[Path, Mark]
    seconds: float = 0.0
    what: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is none."""

    order: Order
    findings: tuple[Finding, ...]
    marks: dict[Path, Mark]


Answer = Made | Failed


def digest_of(paths: Iterable[Path]) -> str:
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


def files_of(level: Level) -> tuple[Path, ...]:
    """The files that a level is made of, itself first."""
    return tuple(dict.fromkeys((level.path, *level.files)))


# A message is its length and a pickle, or where there are arrays in it the name of a file that holds both. For each
# piece that a thread reads from a pipe, and each file that it opens, it waits for the interpreter's lock, which the
# drawing of a frame holds; so the thread takes one small piece, and the game itself maps the file into its memory.

HEAD = struct.Struct("<q")
ALIGNED = 64  # bytes
PIPE_BUFFER = 1 << 20
MOST_UNREAD = 8  # answers that may wait for the game; where it cannot remove a file that it has mapped, older ones go


def send(stream: IO[bytes], value: object, folder: str | None = None) -> str:
    """Write one message; the name of the file in `folder` that goes with it, if one does."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    name, spans, at = "", [], 0
    if buffers:
        handle, name = tempfile.mkstemp(prefix="walker-", suffix=".arrays", dir=folder)
        with os.fdopen(handle, "wb") as file:
            for part in (*(buffer.raw() for buffer in buffers), memoryview(data)):
                file.write(b"\0" * (-at % ALIGNED))
                at += -at % ALIGNED
                file.write(part)
                spans.append((at, at + len(part)))
                at += len(part)
    message = pickle.dumps((name, spans, b"" if name else data))
    stream.write(HEAD.pack(len(message)) + message)
    stream.flush()
    return name


def receive(stream: IO[bytes]) -> bytes:
    """Read one message, which `opened` makes a value of. EOFError where the other side has ended."""
    (size,) = HEAD.unpack(_exactly(stream, HEAD.size))
    return _exactly(stream, size)


def opened(message: bytes) -> Any:
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


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


class Workshop:
    """The game's side: `ask` and, some frames later, `answers`. The process is started when it is first needed."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._come: queue.SimpleQueue[tuple[subprocess.Popen[bytes], bytes] | Failed] = queue.SimpleQueue()
        self._open: dict[int, tuple[Order, object]] = {}  # what is not answered yet, and who is at it
        self._numbers = 0
        self.started = 0

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return bool(self._open)

    @property
    def come(self) -> bool:
        """Whether `answers` has something."""
        return not self._come.empty()

    def ask(self, kind: str, path: Path, quality: str, **more: Any) -> int:
        """Order something; the number that its answer will have."""
        self._numbers += 1
        order = Order(self._numbers, kind, path, quality, **more)
        self._open[order.number] = order, None
        for _ in range(2):
            process = self._running()
            if process is None or process.stdin is None:
                break
            try:
                self._open[order.number] = order, process
                send(process.stdin, order)
                return order.number
            except (OSError, ValueError):
                self._end(process)
        self._fail(order, "no process could be started to read it")
        return order.number

    def answers(self) -> list[Answer]:
        """What has come since one asked last."""
        found: list[Answer] = []
        with contextlib.suppress(queue.Empty):
            while True:
                come = self._come.get_nowait()
                try:
                    answer = come if isinstance(come, Failed) else opened(come[1])
                except (OSError, ValueError, EOFError, pickle.UnpicklingError):  # its file is gone, or not whole
                    assert not isinstance(come, Failed)
                    self._end(come[0])
                    continue
                if self._open.pop(answer.order.number, None) is not None:
                    found.append(answer)
        return found

    def restart(self) -> None:
        """Give up what it is at."""
        self._end(self._process)
        self._open.clear()

    def stop(self) -> None:
        """End the process."""
        self._end(self._process)
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None

    def _running(self) -> subprocess.Popen[bytes] | None:
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
                env={**child_environment(), **ONE_THREAD},
            )
            self.started += 1
            threading.Thread(target=self._listen, args=(self._process,), name="workshop", daemon=True).start()
            return self._process
        return None

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        try:
            while True:
                self._come.put((process, receive(process.stdout)))
        except (EOFError, OSError, ValueError):
            pass  # it has ended
        process.wait()
        for order, worker in list(self._open.values()):
            if worker is process:
                self._fail(order, "the process that reads it has ended; save it again to try once more")

    def _fail(self, order: Order, why: str) -> None:
        self._come.put(Failed(order, (sentence(order.path, why),), marks([order.path])))

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


def sentence(path: Path, message: str, line: int = 0) -> Finding:
    """Something about a file as a whole."""
    from ...level import Finding

    return Finding("fatal", path.name, line, 1 if line else 0, "", message)


# The other side


@dataclass
class Bench:
    """What the process keeps between orders."""

    files: tuple[Path, ...] = ()
    level: Any = None
    digest: str = ""
    preparers: dict[tuple[Path, str], Any] = field(default_factory=dict)

    def answer(self, order: Order) -> Answer:
        """Do one order, whatever comes."""
        began = time.process_time()
        try:
            if order.kind == SETTLE and order.quality and self.level is not None and self.level.path == order.path:
                prepared = self._preparer(order).settled(_scene(self.level), order.walk)
                return Made(order, None, prepared, self.digest, {}, time.process_time() - began)
            return self._level(order, began)
        except MemoryError:
            return Failed(order, (sentence(order.path, "there is not enough memory for it"),), marks([order.path]))
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            return Failed(order, (sentence(order.path, why),), marks([order.path, *self.files]))

    def tidy(self) -> None:
        """What can be done ahead, while nobody waits."""
        for preparer in self.preparers.values():
            preparer.ahead()
        gc.collect()

    def _level(self, order: Order, began: float) -> Answer:
        from ...level import LevelError, load
        from ...sim import World
        from .change_summary import changed

        same = self.level is not None and self.level.path == order.path
        files: tuple[Path, ...] = self.files if same else (order.path,)
        for attempt in range(MOST_TRIES):
            before = marks(files)
            last = attempt == MOST_TRIES - 1
            try:
                level = load(order.path)
                files = files_of(level)
                digest = digest_of(files)
                _ = level.mesh
                World(level, spawn=order.spawn or None)
                findings = self._lost(order, level)
                prepared = None if findings else self._prepared(order, level)
            except LevelError as error:
                files = tuple(dict.fromkeys((order.path, *error.files)))
                findings = error.findings or (sentence(order.path, "it cannot be read"),)
            except ValueError as error:
                findings = (sentence(order.path, str(error), level.spawns[0].place.line),)
            if not findings:
                after = marks(files)
                if last or not differ(before, after):
                    what = changed(self.level, level) if same and self.level is not None else ""
                    self.level, self.digest, self.files = level, digest, files
                    return Made(order, level, prepared, digest, after, time.process_time() - began, what)
                continue
            time.sleep(QUIET)
            after = marks(files)
            if last or not differ(before, after):
                return Failed(order, findings, after)
        raise AssertionError("the last attempt answers")

    def _lost(self, order: Order, level: Level) -> tuple[Finding, ...]:
        """What this version cannot be read with, and the one before could: better no change than to fall through a
        piece that was mistyped, or whose file is just being written."""
        if order.kind != CHANGE or self.level is None or self.level.path != order.path:
            return ()
        before = Counter((bad.where, bad.message) for bad in self.level.findings if bad.severity == "dropped")
        lost = []
        for bad in level.findings:
            if bad.severity == "dropped":
                before[bad.where, bad.message] -= 1
                if before[bad.where, bad.message] < 0:
                    lost.append(bad)
        return tuple(lost)

    def _prepared(self, order: Order, level: Level) -> Prepared | None:
        if not order.quality:
            return None
        preparer = self._preparer(order)
        if order.kind == CHANGE:
            return preparer.quickly(_scene(level))  # type: ignore[no-any-return]
        return preparer.settled(_scene(level), order.walk)  # type: ignore[no-any-return]

    def _preparer(self, order: Order) -> Any:
        """That of this level and quality; others are forgotten."""
        from ...render.scene.lightmap_cache import LightCache
        from ...render.scene.scene_data import Preparer

        key = (order.path, order.quality)
        if key not in self.preparers:
            cache = None if order.light_cache is None else LightCache(order.light_cache)
            self.preparers = {key: Preparer(order.quality, cache)}
        return self.preparers[key]


def _scene(level: Level) -> Any:
    from ...render import Scene

    return Scene.from_level(level)


def removed(name: str) -> None:
    """Remove a file of arrays that the game could not remove itself."""
    if name:
        with contextlib.suppress(OSError):
            os.unlink(name)


def main(folder: str) -> int:
    """Answer orders on standard input until it ends; arrays go into files in `folder`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the game, which ends this one
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints does not get between the messages
    bench, orders = Bench(), sys.stdin.buffer
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.disable()  # `tidy` collects: amid an order it takes a seventh of the time
    names: list[str] = []
    while True:
        try:
            order = opened(receive(orders))
        except EOFError:
            shutil.rmtree(folder, ignore_errors=True)  # the game may have ended without doing so
            return 0
        try:
            names.append(send(out, bench.answer(order), folder))
        except BrokenPipeError:
            return 0
        time.sleep(SHOWING)
        bench.tidy()
        while len(names) > MOST_UNREAD:
            removed(names.pop(0))


if __name__ == "__main__":
    from . import level_worker  # so that messages name this module as the game does

    sys.exit(level_worker.main(sys.argv[1]))
