"""Hooks that feed the crash report with what no `except` sees: threads, unraisable errors and fatal signals.

`watch` covers a whole command: an error that ends a thread, or that Python cannot raise (in `__del__` or in a C
callback), leaves a report, and the game goes on. `fatal_trace` covers the window: `faulthandler` writes the Python
stacks of a segmentation fault, an abort or a fatal interpreter error into a file. No code can run after such a signal,
so the next start puts that file into a report (`collect`).
"""

from __future__ import annotations

import contextlib
import faulthandler
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from ..game import Game

QUIET = (KeyboardInterrupt, SystemExit)  # exceptions that end the program on purpose

_game: Game | None = None


def set_running_game(game: Game | None) -> None:
    """Set the game whose level, settings and last ticks go into the reports."""
    global _game
    _game = game


@contextlib.contextmanager
def watch(arguments: Sequence[str]) -> Iterator[None]:
    """Install the hooks for threads and unraisable errors, and `faulthandler` on stderr; restore the former hooks at
    the end. `arguments`: of the command line, for the report."""
    reported: set[str] = set()

    def report_error(error: BaseException, where: str) -> None:
        from . import crash_report

        brief = crash_report.summarise_exception(error)
        if brief in reported:  # a `__del__` that fails, fails for every object
            return
        reported.add(brief)
        sentence = crash_report.write_crash_report(error, arguments, _game, f"{where} failed; the game goes on")
        with contextlib.suppress(OSError, ValueError):
            print(sentence, file=sys.stderr, flush=True)

    def thread_failed(failure: threading.ExceptHookArgs) -> None:
        if issubclass(failure.exc_type, QUIET):
            return
        name = failure.thread.name if failure.thread is not None else "unknown"
        report_error(failure.exc_value or failure.exc_type(), f"The thread '{name}'")

    def unraisable(failure: sys.UnraisableHookArgs) -> None:
        if issubclass(failure.exc_type, QUIET):
            return
        if sys.is_finalizing():  # imports fail now
            sys.__unraisablehook__(failure)
            return
        subject = failure.object
        name = str(getattr(subject, "__qualname__", type(subject).__qualname__))  # `repr` could fail
        where = name if subject else _function_in(failure.err_msg or "Python")
        report_error(failure.exc_value or failure.exc_type(), where)

    before = threading.excepthook, sys.unraisablehook
    threading.excepthook = thread_failed
    sys.unraisablehook = unraisable
    enabled = _enable(sys.stderr)
    try:
        yield
    finally:
        threading.excepthook = before[0]
        if sys.unraisablehook is unraisable:
            sys.unraisablehook = before[1]
        if enabled:
            faulthandler.disable()


def watch_unraisable_errors(lost: Callable[[type[BaseException]], None]) -> None:
    """Report no more errors in `__del__`, for the rest of the process, but give their types to `lost`. For signal
    handlers that raise an exception: it can end the constructor of a library, and `__del__` of the half-made object
    then fails."""
    sys.unraisablehook = lambda failure: lost(failure.exc_type)


def _function_in(message: str) -> str:
    """The function that a message of Python 3.14 or newer names, else the message."""
    named = re.search(r"<function (\S+) at ", message)
    return message if named is None else named[1]


def _enable(file: IO[str] | None) -> bool:
    """Enable `faulthandler`; False where it is enabled already, or the file has no descriptor."""
    if faulthandler.is_enabled() or file is None:
        return False
    try:
        faulthandler.enable(file)
    except (OSError, ValueError, RuntimeError, AttributeError):
        return False
    return True


@contextlib.contextmanager
def fatal_trace(arguments: Sequence[str], print_line: Callable[[str], None]) -> Iterator[None]:
    """Let `faulthandler` write into a file of the crash folder, and print the sentences of `collect`. Where no file can
    be written, it keeps writing to stderr."""
    for sentence in collect():
        print_line(sentence)
    try:
        file = _open(arguments)
    except OSError:
        yield
        return
    faulthandler.enable(file)
    try:
        yield
    finally:
        faulthandler.disable()
        _enable(sys.stderr)
        with contextlib.suppress(OSError):
            file.close()
            Path(file.name).unlink()


def _open(arguments: Sequence[str]) -> IO[str]:
    """A new trace file with one line of time, version and arguments."""
    import os
    import time

    from ... import __version__
    from . import crash_report

    folder = crash_report.crash_folder()
    folder.mkdir(parents=True, exist_ok=True)
    now = time.strftime("%Y-%m-%d-%H%M%S")
    file = open(folder / f"fatal-{now}-{os.getpid()}.txt", "w", encoding="utf-8")  # noqa: SIM115
    head = f"{now}, version {__version__}, arguments {list(arguments)}"
    file.write(" ".join(head.split()) + "\n")
    file.flush()
    return file


def collect() -> list[str]:
    """Write a report for each trace that a fatal signal left; a sentence for each. Files without a trace belong to
    games that run now or were killed; the newest ones stay."""
    from . import crash_report

    sentences, done, others = [], [], []
    for path in sorted(crash_report.crash_folder().glob("fatal-*.txt")):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if text.count("\n") > 1:
            sentences.append(crash_report.write_fatal_report(path.name, text))
            done.append(path)
        else:
            others.append(path)
    for path in (*done, *others[: -crash_report.MAX_REPORTS]):
        with contextlib.suppress(OSError):
            path.unlink()
    return sentences
