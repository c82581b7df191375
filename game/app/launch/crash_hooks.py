"""Hooks that feed the crash report with what no `except` sees: threads, unraisable errors and fatal signals.

`watch` covers a whole command: an error that ends a thread, or that Python cannot raise (in `__del__` or in a C
callback), leaves a report, and the game goes on. `fatal_trace` covers the window: `faulthandler` writes the Python
stacks of a segmentation fault, an abort or a fatal interpreter error into a file. No code can run after such a signal,
so the next start puts that file into a report (`collect`).
"""

from __future__ import annotations

import contextlib
import faulthandler
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from ..game import Game

QUIET = (KeyboardInterrupt, SystemExit)  # ways to stop, not errors
STALE = 7 * 86400.0  # s after which a trace file without a trace belongs to no running game

_game: Game | None = None


def playing(game: Game | None) -> None:
    """The game whose level, settings and last ticks go into the reports."""
    global _game
    _game = game


@contextlib.contextmanager
def watch(arguments: Sequence[str]) -> Iterator[None]:
    """Install the hooks for threads and unraisable errors, and `faulthandler` on stderr; at the end put back what was
    there before. `arguments`: of the command line, for the report."""
    reported: set[str] = set()

    def leave(error: BaseException, where: str) -> None:
        from . import crash_report

        brief = crash_report.summarise_exception(error)
        if brief in reported:  # a __del__ that fails, fails for every object
            return
        reported.add(brief)
        said = crash_report.write_crash_report(error, arguments, _game, f"{where} failed; the game goes on")
        with contextlib.suppress(OSError, ValueError):
            print(said, file=sys.stderr, flush=True)

    def thread_failed(found: threading.ExceptHookArgs) -> None:
        if issubclass(found.exc_type, QUIET):
            return
        name = found.thread.name if found.thread is not None else "unknown"
        leave(found.exc_value or found.exc_type(), f"The thread '{name}'")

    def unraisable(found: sys.UnraisableHookArgs) -> None:
        if issubclass(found.exc_type, QUIET):
            return
        if sys.is_finalizing():  # nothing can be imported any more
            sys.__unraisablehook__(found)
            return
        leave(found.exc_value or found.exc_type(), _name(found.object) if found.object else found.err_msg or "Python")

    before = threading.excepthook, sys.unraisablehook
    threading.excepthook, sys.unraisablehook = thread_failed, unraisable
    enabled = _enable(sys.stderr)
    try:
        yield
    finally:
        threading.excepthook, sys.unraisablehook = before
        if enabled:
            faulthandler.disable()


def _name(what: object) -> str:
    """The function or the type of an object; its repr could fail."""
    return str(getattr(what, "__qualname__", type(what).__qualname__))


def _enable(file: IO[str] | None) -> bool:
    """Whether `faulthandler` was off and is on now; a stderr without a file descriptor cannot have it."""
    if faulthandler.is_enabled() or file is None:
        return False
    try:
        faulthandler.enable(file)
    except (OSError, ValueError, RuntimeError, AttributeError):
        return False
    return True


@contextlib.contextmanager
def fatal_trace(arguments: Sequence[str], tell: Callable[[str], None]) -> Iterator[None]:
    """Let `faulthandler` write into a file of the crash folder, and tell of what the last start left there. Where no
    file can be written, it stays as it is."""
    for said in collect():
        tell(said)
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
    """A trace file with a head of one line: time, version and arguments."""
    import os
    import time

    import game

    from . import crash_report

    folder = crash_report.crash_folder()
    folder.mkdir(parents=True, exist_ok=True)
    now = time.strftime("%Y-%m-%d-%H%M%S")
    file = open(folder / f"fatal-{now}-{os.getpid()}.txt", "w", encoding="utf-8")  # noqa: SIM115
    head = f"{now}, version {game.__version__}, arguments {list(arguments)}"
    file.write(" ".join(head.split()) + "\n")
    file.flush()
    return file


def collect() -> list[str]:
    """Make a report of every trace that a fatal signal left, and give a sentence for each. Files of games that run
    now, or that were killed, hold no trace; old ones are removed."""
    import time

    from . import crash_report

    said = []
    for path in sorted(crash_report.crash_folder().glob("fatal-*.txt")):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
            age = time.time() - path.stat().st_mtime
        except OSError:
            continue
        traced = text.count("\n") > 1
        if traced:
            said.append(crash_report.write_fatal_report(path.name, text))
        if traced or age > STALE:
            with contextlib.suppress(OSError):
                path.unlink()
    return said
