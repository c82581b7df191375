"""Threads that begin together and processes that answer, for tests of objects that several of them use."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from game.physics import Command, Crowd
from game.sim import World

CHILD_SECONDS = 120.0  # in which a child process answers on a busy machine; a hanging one never does
SWITCH_SECONDS = 1e-5  # s after which Python lets another thread run; 5 ms as a rule


@contextmanager
def frequent_switches() -> Iterator[None]:
    """Context in which Python changes threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def run_in_threads(count: int, work: Callable[[int], None]) -> None:
    """Call work(0) to work(count - 1), each in a thread of its own, all at once. Raises the first exception of one."""
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(count)]
    with frequent_switches():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if errors:
        raise errors[0]


def ask_in_process(method: str, answer: Callable[..., bytes], *arguments: Any) -> bytes:
    """`answer(*arguments)` of a child process, made by a start method of multiprocessing. TimeoutError if it hangs."""
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_send_answer, args=(theirs, answer, *arguments), daemon=True)
    child.start()
    theirs.close()
    try:
        if not ours.poll(CHILD_SECONDS):
            raise TimeoutError(f"a child process ({method}) gave no answer within {CHILD_SECONDS:g} s")
        return ours.recv_bytes()
    finally:
        child.kill()
        child.join()


def _send_answer(connection: Connection, answer: Callable[..., bytes], *arguments: Any) -> None:
    connection.send_bytes(answer(*arguments))


def step_crowd(crowd: Crowd, states: Any, rows: Any) -> bytes:
    """The states after a tick of a crowd."""
    return crowd.step(states, rows).tobytes()


def step_world(world: World, ticks: int) -> bytes:
    """The state of a world after some ticks."""
    for _ in range(ticks):
        world.step(Command(forward=1.0))
    return world.state()
