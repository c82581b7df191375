"""Jobs: results arrive in `update`, a process that has ended is replaced, and none outlives the first one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import numpy as np
import pytest

from game.core import jobs as jobs_module
from game.core.jobs import Jobs, Worker
from tests.support.child_processes import child_processes, needs_proc, processes_with
from tests.support.until import wait_until

WORKER = Worker("test", 1)
CLEANING = Worker("cleaning", 0, 5.0)
_kept = []


@pytest.fixture
def jobs():
    with Jobs() as jobs:
        yield jobs


def delivered(jobs: Jobs, future: Future) -> Future:
    wait_until(lambda: jobs.update() or future.done())
    return future


def keep(value, arrays=0):
    """What this process was given so far, and an array."""
    _kept.append(value)
    return os.getpid(), list(_kept), np.arange(arrays, dtype=np.float64)


def count(number, report):
    for k in range(number):
        report((k + 1) / number)
    return number


def write_and_wait(path):
    """A job that removes its file when it is stopped."""
    try:
        path.write_text("half")
        time.sleep(600.0)
    finally:
        path.unlink()


def fail(text):
    raise ValueError(text)


def end():
    os._exit(3)


class Call:
    """Becomes, where it is read, what a function returns there."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def settings():
    return os.nice(0), os.environ["OPENBLAS_NUM_THREADS"], signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_a_result_arrives_in_update_and_in_the_thread_of_the_caller(jobs):
    found, done = [], []
    future = jobs.thread("sum", sum, [1, 2, 3], done=lambda future: found.append(threading.current_thread()))
    failed = jobs.thread("threads", threading.current_thread, done=lambda future: done.append(future.result().name))
    jobs.wait(10.0)
    assert not future.done(), "update delivers it"
    delivered(jobs, failed)
    assert delivered(jobs, future).result() == 6
    assert (found, done) == ([threading.main_thread()], ["threads"])


def test_finish_waits_for_all_or_for_one_and_a_thread_that_fails_is_reported_and_delivered(jobs, monkeypatch):
    reported, done = [], []
    monkeypatch.setattr(threading, "excepthook", lambda failure: reported.append(str(failure.exc_value)))
    gate = threading.Event()
    waiting = jobs.thread("gate", gate.wait, done=done.append)
    jobs.finish(0.01)
    assert not waiting.done()
    other = jobs.thread("other", sum, [1])
    jobs.wait(10.0)
    jobs.finish_one(jobs.thread("own", sum, [2], done=done.append))
    assert ([future.result() for future in done], other.done()) == ([2], False)
    done.clear()
    gate.set()
    failed = jobs.thread("fail", fail, "wrong", done=done.append)
    jobs.finish()
    wait_until(lambda: reported == ["wrong"])
    assert (done, str(failed.exception())) == ([waiting, failed], "wrong")


@needs_proc
def test_one_process_does_the_jobs_of_a_worker_in_order_and_is_replaced_when_it_has_ended(jobs):
    first, second = (jobs.process(WORKER, keep, k, 100_000) for k in "ab")
    pid, kept, array = delivered(jobs, second).result()
    assert (kept, first.done(), first.result()[0]) == (["a", "b"], True, pid)
    assert (array == np.arange(100_000)).all()
    assert not array.flags.writeable, "it is a mapped file"
    assert not list(Path(jobs._folder.name).iterdir()), "which is removed"
    nice, threads, ignores = delivered(jobs, jobs.process(WORKER, settings)).result()
    assert (nice, threads, ignores) == (os.nice(0) + WORKER.niceness, "1", True)
    assert isinstance(delivered(jobs, jobs.process(WORKER, end)).exception(), BrokenProcessPool)
    assert delivered(jobs, jobs.process(WORKER, keep, "c")).result()[1] == ["c"]
    with pytest.raises(ValueError, match="wrong"):
        delivered(jobs, jobs.process(WORKER, fail, "wrong")).result()
    assert delivered(jobs, jobs.process(WORKER, keep, "d")).result()[1] == ["c", "d"]


def test_a_job_tells_how_far_it_is(jobs):
    told = []
    assert delivered(jobs, jobs.process(WORKER, count, 4, progress=told.append)).result() == 4
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_a_thread_reads_a_result_and_one_that_cannot_be_read_is_an_error(jobs):
    thread = delivered(jobs, jobs.process(WORKER, Call, threading.get_ident)).result()
    assert thread != threading.get_ident(), "reading a level takes as long as several frames"
    with pytest.raises(ValueError, match="wrong"):
        delivered(jobs, jobs.process(WORKER, Call, fail, "wrong")).result()


@needs_proc
def test_stopping_a_worker_ends_its_job_lets_it_clean_and_delivers_nothing(jobs, tmp_path):
    others, done = child_processes(), []
    for worker, is_clean in ((WORKER, False), (CLEANING, True)):
        path = tmp_path / worker.name
        jobs.process(worker, write_and_wait, path, done=done.append)
        wait_until(path.exists)
        jobs.stop(worker, waits=not is_clean)
        wait_until(lambda path=path, is_clean=is_clean: path.exists() is not is_clean)
    wait_until(lambda: len(child_processes() - others) <= 1)  # the resource tracker stays
    jobs.update()
    assert done == []


def test_where_no_process_can_be_started_the_result_is_the_error(jobs, monkeypatch):
    def no_process(*_):
        raise OSError(11, "no more processes")

    monkeypatch.setattr(jobs_module, "_Process", no_process)
    assert "no more processes" in str(delivered(jobs, jobs.process(WORKER, keep, 1)).exception())


GAME = """
import os, signal, sys, time
from pathlib import Path
from game.core.jobs import Jobs
from tests.core import test_jobs
from tests.support.until import wait_until

if __name__ == "__main__":
    jobs, path = Jobs(), Path(sys.argv[1])
    jobs.process(test_jobs.CLEANING, test_jobs.write_and_wait, path)
    wait_until(path.exists)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_proc
def test_the_process_of_a_game_that_is_killed_ends_after_it_has_cleaned(tmp_path):
    """No file, no folder and no process is left."""
    script, file, scratch = tmp_path / "killed.py", tmp_path / "half", tmp_path / "scratch"
    script.write_text(GAME)
    scratch.mkdir()
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "TMPDIR": str(scratch), "PYTHONPATH": root}
    done = subprocess.run([sys.executable, str(script), str(file)], env=environment, cwd=tmp_path, timeout=60)
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: not file.exists() and not list(scratch.iterdir()))
    wait_until(lambda: not processes_with(f"TMPDIR={scratch}"))
