"""Work in a thread: its result, its error, and how it ends."""

from __future__ import annotations

import threading

import pytest

from game.core.background import run_in_thread
from tests.support.until import wait_until


def test_the_future_of_a_thread_has_the_result():
    future = run_in_thread("sum", sum, [1, 2, 3])
    assert future.result() == 6
    assert run_in_thread("name", lambda: threading.current_thread().name).result() == "name"
    assert run_in_thread("daemon", lambda: threading.current_thread().daemon).result()
    assert not run_in_thread("kept", lambda: threading.current_thread().daemon, daemon=False).result()


def test_the_future_of_a_thread_has_the_exception_which_is_printed_too(monkeypatch):
    failures: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    with pytest.raises(ValueError, match="wrong"):
        run_in_thread("int", int, "wrong").result()
    wait_until(lambda: failures)
    assert [(failure.thread.name, failure.exc_type) for failure in failures] == [("int", ValueError)]
