"""Work in threads: results, errors, and a worker that handles every item once, in order."""

from __future__ import annotations

import threading

import pytest

from game.core.background import WorkQueue, run_in_thread
from tests.support.until import wait_until


def test_the_future_of_a_thread_has_the_result():
    future = run_in_thread("sum", sum, [1, 2, 3])
    assert future.result() == 6
    assert run_in_thread("name", lambda: threading.current_thread().name).result() == "name"
    assert run_in_thread("daemon", lambda: threading.current_thread().daemon).result()
    assert not run_in_thread("kept", lambda: threading.current_thread().daemon, daemon=False).result()


def failures_from_now_on(monkeypatch) -> list[threading.ExceptHookArgs]:
    """What threads raise, which Python would print."""
    found: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", found.append)
    return found


def test_the_future_of_a_thread_has_the_exception_which_is_printed_too(monkeypatch):
    failures = failures_from_now_on(monkeypatch)
    with pytest.raises(ValueError, match="wrong"):
        run_in_thread("int", int, "wrong").result()
    wait_until(lambda: failures)
    assert [(failure.thread.name, failure.exc_type) for failure in failures] == [("int", ValueError)]


def test_a_worker_handles_items_in_order_while_threads_submit_them():
    handled: list[tuple[int, int]] = []
    worker = WorkQueue("numbers", handled.append)
    threads = [
        run_in_thread("submit", lambda thread=thread: [worker.submit((thread, k)) for k in range(200)])
        for thread in range(8)
    ]
    for thread in threads:
        thread.result()
    worker.join()
    assert not worker.is_busy
    assert len(handled) == 1600
    for thread in range(8):
        assert [k for other, k in handled if other == thread] == list(range(200))


def test_a_worker_goes_on_after_an_exception(monkeypatch):
    failures = failures_from_now_on(monkeypatch)
    handled: list[int] = []
    is_open = threading.Event()

    def handle(number: int) -> None:
        is_open.wait()
        handled.append(10 // number)

    worker = WorkQueue("division", handle)
    for number in (5, 0, 2):
        worker.submit(number)
    assert worker.is_busy
    worker.join(0.0)
    is_open.set()
    worker.join()
    worker.submit(1)
    worker.join()
    assert handled == [2, 5, 10]
    assert [(failure.thread.name, failure.exc_type) for failure in failures] == [("division", ZeroDivisionError)]
