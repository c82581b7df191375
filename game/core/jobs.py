"""Jobs: work beside the frames, in threads and child processes, whose results arrive once a frame; and one piece of
work that is shared out to several processes.

A child process is spawned by `concurrent.futures`. It ignores Ctrl-C, which is for the first process, and it ends with
the first process, also where that is killed. What runs in it are plain functions of the package.
"""

from __future__ import annotations

import _thread
import contextlib
import mmap
import multiprocessing
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from .background import run_in_thread
from .errors import error_reason

Task = TypeVar("Task")
Result = TypeVar("Result")

MAX_PIPE_SIZE = 1 << 15  # bytes of a result that comes through the pipe; a larger one comes in a file
ARRAY_ALIGNMENT = 64  # bytes
JOIN_SECONDS = 5.0  # s that the end of a killed process may take
_TRACKER_OPTION = "ignore::UserWarning:multiprocessing.resource_tracker"
# The game draws at the same time: threads of a linear algebra library or a software renderer would wait for each other.
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LP_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Worker:
    """A child process that does jobs one after another. Its modules keep what its functions store in them.

    niceness: of its priority, below that of the game. cleaning_seconds: time in which a job that is stopped may remove
    what it has begun to write; KeyboardInterrupt tells it.
    """

    name: str
    niceness: int
    cleaning_seconds: float = 0.0


def failure_reason(error: BaseException) -> str:
    """Why a job failed, in one line, to stand after a colon."""
    if isinstance(error, BrokenProcessPool):
        return "its process crashed or was killed"
    return error_reason(error).strip().partition("\n")[0] or type(error).__name__


@dataclass(eq=False)
class _Job:
    """A job that is not delivered yet. `inner` is the future of who does it; the caller has `outer`."""

    inner: Future[Any]
    outer: Future[Any]
    done: Callable[[Future[Any]], object] | None
    progress: Callable[[Any], object] | None
    worker: Worker | None = None


class _Process:
    """The running process of a worker. folder: for large results."""

    def __init__(self, worker: Worker, folder: str) -> None:
        context = multiprocessing.get_context("spawn")
        start_resource_tracker()
        self._cleaning_seconds = worker.cleaning_seconds
        self.reports = context.SimpleQueue()  # of (number of the job, value)
        self.executor = ProcessPoolExecutor(1, context, _begin_worker, (worker, folder, self.reports))

    def end(self) -> None:
        """End the process, and wait for its end."""
        processes = processes_of(self.executor)
        self.executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            if self._cleaning_seconds > 0.0:
                process.terminate()
                process.join(self._cleaning_seconds)
            process.kill()
            process.join(JOIN_SECONDS)


class Jobs:
    """Work beside the frames. Call `update` once a frame and `close` at the end; a `with` block closes.

    The futures that `thread` and `process` return have their results from the next `update` on, in the thread of the
    caller; then `done` is called with the future. If a process ends in the middle of a job, the result is the exception
    BrokenProcessPool, and the next job starts another process.
    """

    def __init__(self) -> None:
        self._jobs: dict[int, _Job] = {}  # by number
        self._last_number = 0
        self._processes: dict[Worker, _Process] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._mapped_files: list[str] = []  # that could not be removed yet

    def __enter__(self) -> Jobs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def thread(
        self,
        name: str,
        function: Callable[..., Result],
        *arguments: Any,
        done: Callable[[Future[Result]], object] | None = None,
    ) -> Future[Result]:
        """Call a function in a thread. An exception is also reported as that of any thread."""
        self._last_number += 1
        job = _Job(run_in_thread(name, function, *arguments), Future(), done, None)
        self._jobs[self._last_number] = job
        return job.outer

    def process(
        self,
        worker: Worker,
        function: Callable[..., Result],
        *arguments: Any,
        done: Callable[[Future[Result]], object] | None = None,
        progress: Callable[[Any], object] | None = None,
    ) -> Future[Result]:
        """Call a function of a module in a child process, after the jobs that this worker already has.

        With `progress` the function gets one more argument: a function, whose argument arrives in `progress`. Arrays in
        a large result are read-only.
        """
        self._last_number += 1
        number = self._last_number
        call = (_do_job, 0 if progress is None else number, function, arguments)
        try:
            try:
                inner = self._submit(worker, *call)
            except BrokenProcessPool:  # it has ended since its last job
                self._processes.pop(worker).end()
                inner = self._submit(worker, *call)
        except (OSError, BrokenProcessPool) as error:
            inner = Future()
            inner.set_exception(error)
        job = self._jobs[number] = _Job(self._unpacked(inner), Future(), done, progress, worker)
        return job.outer

    @property
    def folder(self) -> Path:
        """A folder for files that jobs read. It is removed with the jobs, also where this process is killed."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="walker-", ignore_cleanup_errors=True)
        return Path(self._folder.name)

    def _submit(self, worker: Worker, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Hand a call to the process of a worker, which is started if it does not run."""
        if worker not in self._processes:
            self._processes[worker] = _Process(worker, str(self.folder))
        with _signals_blocked("SIGINT"):
            return self._processes[worker].executor.submit(function, *arguments)

    def wait(self, seconds: float) -> None:
        """Wait for so many seconds, or less if a result arrives."""
        if self._jobs:
            wait([job.inner for job in self._jobs.values()], seconds, return_when=FIRST_COMPLETED)
        else:
            threading.Event().wait(seconds)

    def finish(self, seconds: float | None = None) -> None:
        """Wait for all jobs, at most so many seconds, and deliver those that have ended."""
        wait([job.inner for job in self._jobs.values()], seconds)
        self.update()

    def finish_one(self, future: Future[Any], seconds: float | None = None) -> None:
        """Wait for one job, at most so many seconds, and deliver it if it has ended."""
        for number, job in list(self._jobs.items()):
            if job.outer is future and wait([job.inner], seconds).done:
                self._deliver(self._jobs.pop(number))

    def update(self) -> None:
        """Deliver what has arrived since the last call: what jobs report, then results."""
        ended = [number for number, job in self._jobs.items() if job.inner.done()]  # before their last reports are read
        for process in self._processes.values():
            while not process.reports.empty():
                number, value = process.reports.get()
                job = self._jobs.get(number)
                if job is not None and job.progress is not None:
                    job.progress(value)
        for number in ended:
            if number in self._jobs:  # else a job before it has stopped its worker
                self._deliver(self._jobs.pop(number))

    def _deliver(self, job: _Job) -> None:
        try:
            job.outer.set_result(job.inner.result())
        except BaseException as error:
            job.outer.set_exception(error)
        if job.done is not None:
            job.done(job.outer)

    def stop(self, worker: Worker, waits: bool = True) -> None:
        """End the process of a worker and drop its jobs. waits: until it has ended."""
        self._jobs = {number: job for number, job in self._jobs.items() if job.worker != worker}
        process = self._processes.pop(worker, None)
        if process is not None:
            if waits:
                process.end()
            else:
                run_in_thread("ending", process.end, daemon=False)

    def close(self) -> None:
        """End all processes. Threads end with their work, and at the latest with the program."""
        for worker in list(self._processes):
            self.stop(worker)
        self._jobs.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _unpacked(self, packed: Future[_Packed]) -> Future[Any]:
        """The result of a process, unpacked in the thread that receives it: that of a level takes 0.1 s."""
        unpacked: Future[Any] = Future()

        def receive(packed: Future[_Packed]) -> None:
            try:
                unpacked.set_result(self._unpack(packed.result()))
            except BaseException as error:
                unpacked.set_exception(error)

        packed.add_done_callback(receive)
        return unpacked

    def _unpack(self, packed: _Packed) -> Any:
        """The value of a result. Its file is mapped into memory, and removed."""
        if not packed.file:
            return pickle.loads(packed.data)
        with open(packed.file, "rb") as file:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._mapped_files.append(packed.file)
        for name in list(self._mapped_files):  # Windows keeps a mapped file
            with contextlib.suppress(OSError):
                os.unlink(name)
                self._mapped_files.remove(name)
        *arrays, data = (memoryview(mapping)[first:end] for first, end in packed.spans)
        return pickle.loads(data, buffers=arrays)


# In the process of a worker


@dataclass(frozen=True)
class _Packed:
    """A result on its way: a pickle, or a file with its arrays and its pickle at these spans (bytes).

    The thread that receives a result waits for the interpreter's lock for each piece that it reads from a pipe, and the
    drawing of a frame holds that lock. So it reads one small piece, and maps the file.
    """

    data: bytes
    file: str = ""
    spans: tuple[tuple[int, int], ...] = ()


class _Here:
    """What the process of a worker knows: the folder for large results, and the queue of reports."""

    folder: str
    reports: Any


def _begin_worker(worker: Worker, folder: str, reports: Any) -> None:
    """First call in the process of a worker."""
    _Here.folder, _Here.reports = folder, reports
    os.environ.update(_ONE_THREAD)
    if hasattr(os, "nice"):
        os.nice(worker.niceness)
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(quiet, stream)
    if worker.cleaning_seconds > 0.0:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    _begin_process(worker.cleaning_seconds, folder)


def _do_job(number: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> _Packed:
    """Call the function of a job. number: that of the job, if it reports its progress; else 0."""
    more = (lambda value: _Here.reports.put((number, value)),) if number else ()
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(function(*arguments, *more), protocol=5, buffer_callback=buffers.append)
    if not buffers and len(data) < MAX_PIPE_SIZE:
        return _Packed(data)
    spans = []
    handle, name = tempfile.mkstemp(suffix=".arrays", dir=_Here.folder)
    with os.fdopen(handle, "wb") as file:
        for block in (*(buffer.raw() for buffer in buffers), memoryview(data)):
            file.write(b"\0" * (-file.tell() % ARRAY_ALIGNMENT))
            first = file.tell()
            spans.append((first, first + file.write(block)))
    return _Packed(b"", name, tuple(spans))


# Work that is shared out


def map_in_processes(
    function: Callable[[Task], Result], tasks: Sequence[Task], processes: int
) -> Generator[Result, None, None]:
    """Results of function(task) in the order of the tasks, from several processes, which are spawned.

    All processes are stopped when the iteration ends or is interrupted. An exception of a call is raised here, and
    BrokenProcessPool where a process was killed.
    """
    start_resource_tracker()
    count = min(processes, len(tasks)) or 1
    executor = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin_process)
    try:
        with _signals_blocked("SIGINT"):
            results = executor.map(function, tasks)
        yield from results
    finally:
        children = processes_of(executor)
        executor.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.terminate()
            child.join()


def processes_of(executor: ProcessPoolExecutor) -> list[BaseProcess]:
    """The processes of an executor that is not shut down. Python has no public name for them before 3.14."""
    return list((executor._processes or {}).values())


def start_resource_tracker() -> None:
    """Start the process in which Python tracks semaphores, where it is not there, without its warning.

    It frees the semaphores of a first process that is killed, and would warn about that on the terminal. It takes the
    options of warnings from the process that starts it. It ignores Ctrl-C and SIGTERM; the SIGHUP of a closed terminal
    is blocked here, because it would end the process before its work.
    """
    if os.name != "posix":
        return
    from multiprocessing import resource_tracker

    sys.warnoptions.append(_TRACKER_OPTION)
    try:
        with _signals_blocked("SIGHUP"):
            resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_TRACKER_OPTION)


def _begin_process(cleaning_seconds: float = 0.0, folder: str = "") -> None:
    """Ignore Ctrl-C, which reaches every process of a terminal: the first process handles it and stops the others.

    End with the first process, also where that is killed and can stop nothing; the folder is removed then.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run_in_thread("parent", _end_with_parent, cleaning_seconds, folder)


def _end_with_parent(cleaning_seconds: float, folder: str) -> None:
    """Wait for the end of the process that started this one, and end."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    if cleaning_seconds > 0.0:
        if hasattr(signal, "pthread_kill"):  # this also ends what the main thread waits for
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
        else:
            _thread.interrupt_main(signal.SIGTERM)
        threading.Event().wait(cleaning_seconds)
    os._exit(1)


@contextlib.contextmanager
def _signals_blocked(*names: str) -> Iterator[None]:
    """Block signals while processes start, which inherit this."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {getattr(signal, name) for name in names})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def processor_count() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
