"""Pool of processes for long work: processes ignore Ctrl-C, and none outlives the first process's use of them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from .background import run_in_thread

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRACKER_OPTION = "ignore::UserWarning:multiprocessing.resource_tracker"


def map_in_processes(
    function: Callable[[Task], Result], tasks: Sequence[Task], processes: int
) -> Generator[Result, None, None]:
    """Results of function(task) in the order of the tasks, from several processes, which are spawned.

    All processes are stopped when the iteration ends or is interrupted. An exception of a call is raised here, and
    BrokenProcessPool where a process was killed.
    """
    others = set(multiprocessing.active_children())
    _start_resource_tracker()
    count = min(processes, len(tasks)) or 1
    executor = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _initialise_process)
    try:
        with _signals_blocked("SIGINT"):
            results = executor.map(function, tasks)
        yield from results
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
            child.join()


def _start_resource_tracker() -> None:
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


def _initialise_process() -> None:
    """Ignore Ctrl-C, which reaches every process of a terminal: the first process handles it and stops the others.

    End with the first process, also where that is killed and can stop nothing.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run_in_thread("parent", _end_with_parent)


def _end_with_parent() -> None:
    """Wait for the end of the process that started this one, and end."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
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
