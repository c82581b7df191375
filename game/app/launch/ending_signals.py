"""Signals that end a command: Ctrl-C raises KeyboardInterrupt; `kill` and a closed terminal raise SystemExit.

So every command removes its temporary files and ends its processes, whichever signal it gets.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from .crash_hooks import watch_unraisable_errors

RESEND_SECONDS = 0.02  # s after which a signal is sent again whose exception was lost
SIGNAL_STATUS = 128  # exit status of a command that a signal ended: in addition to its number, as in shells
SIGNAL_NAMES = "SIGINT", "SIGTERM", "SIGHUP"  # Windows has no SIGHUP


@contextlib.contextmanager
def raised() -> Iterator[None]:
    """Let the signals raise exceptions; restore their handlers at the end. Signals that are ignored (`nohup` ignores
    SIGHUP) or handled by others stay as they are. Does nothing in a thread, which may set no handler."""
    previous: dict[int, Any] = {}
    ended: list[int] = []  # the signal that ends the command

    def interrupt(number: int, frame: object) -> None:
        watch_unraisable_errors(lost)
        raise KeyboardInterrupt

    def end(number: int, frame: object) -> None:
        if ended:  # a second one must not interrupt the cleaning
            return
        ended.append(number)
        watch_unraisable_errors(lost)
        raise SystemExit(SIGNAL_STATUS + number)

    def lost(error: type[BaseException]) -> None:
        """Send the signal again where its exception was lost, because it was raised in a `__del__` of a library."""
        if not previous:  # the command is over
            return
        if issubclass(error, KeyboardInterrupt):
            _send_later(signal.SIGINT)
        elif issubclass(error, SystemExit) and ended:
            _send_later(ended.pop())

    def handle(name: str, default: object, handler: Callable[[int, object], None]) -> None:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is default:
            previous[number] = signal.signal(number, handler)

    if threading.current_thread() is threading.main_thread():
        handle("SIGINT", signal.default_int_handler, interrupt)
        handle("SIGTERM", signal.SIG_DFL, end)
        handle("SIGHUP", signal.SIG_DFL, end)
    try:
        yield
    finally:
        while previous:
            signal.signal(*previous.popitem())


def end_interrupted(status: object) -> None:
    """End the process with the exit status of a signal; does nothing for any other status.

    Functions of `atexit` run, and the output is flushed. Python's own teardown is left out: libraries whose work a
    signal has interrupted, such as LLVM and OpenGL, can crash in it.
    """
    if status not in {SIGNAL_STATUS + getattr(signal, name, 0) for name in SIGNAL_NAMES}:
        return
    assert isinstance(status, int)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


def _send_later(number: int) -> None:
    def send() -> None:
        if hasattr(signal, "pthread_kill"):  # this also ends what the main thread waits for
            signal.pthread_kill(threading.main_thread().ident or 0, number)
        else:
            signal.raise_signal(number)

    timer = threading.Timer(RESEND_SECONDS, send)
    timer.daemon = True
    timer.start()
