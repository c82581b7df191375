"""Child processes of the game: started with its environment, read in a thread, and killed at the latest at exit."""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import wait
from pathlib import Path
from typing import Any

from ...core.background import run_in_thread

PROJECT_ROOT = Path(__file__).resolve().parents[3]
JOIN_SECONDS = 1.0  # s that `stop` waits for the reader of a killed child


def module_command(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module of the game in another Python process."""
    return (sys.executable, "-m", module, *arguments)


def child_environment() -> dict[str, str]:
    """The environment of this process, with a PYTHONPATH on which a child finds this copy of the game."""
    paths = [str(PROJECT_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def lower_priority(niceness: int) -> None:
    """Lower the scheduling priority of the calling process, so that the frames of the game come first."""
    if hasattr(os, "nice"):
        os.nice(niceness)


class ChildProcess:
    """A running child. The constructor raises OSError where it cannot be started.

    A thread collects the exit status, so that a child that has ended leaves no zombie.

    read: function that this thread calls with this object; it reads `stdout` until the child ends. Without it the
        output is discarded.
    has_input: `stdin` is a pipe. keep_errors: `last_error_line` is available. encoding: of the pipes; None: binary.
    """

    def __init__(
        self,
        command: Sequence[str],
        read: Callable[[ChildProcess], None] | None = None,
        *,
        has_input: bool = False,
        keep_errors: bool = False,
        encoding: str | None = None,
        buffer_size: int = -1,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._errors = tempfile.TemporaryFile() if keep_errors else None  # noqa: SIM115
        self.process: subprocess.Popen[Any] = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if read is None else subprocess.PIPE,
            stderr=subprocess.DEVNULL if self._errors is None else self._errors,
            bufsize=buffer_size,
            encoding=encoding,
            errors="surrogateescape" if encoding else None,
            env={**child_environment(), **(environment or {})},
        )
        atexit.register(self.stop)
        self._reading = run_in_thread("child process", self._read_to_end, read)

    def _read_to_end(self, read: Callable[[ChildProcess], None] | None) -> None:
        """Read what the child writes and wait for its end, so that no zombie stays."""
        try:
            if read is not None:
                read(self)
        finally:
            self.process.wait()
            atexit.unregister(self.stop)

    @property
    def stdin(self) -> Any:
        """The pipe to the child, as a file."""
        return self.process.stdin

    @property
    def stdout(self) -> Any:
        """The pipe from the child, as a file; only the reader thread reads it."""
        return self.process.stdout

    @property
    def is_running(self) -> bool:
        """Whether the child has not ended yet."""
        return self.process.poll() is None

    @property
    def is_read(self) -> bool:
        """Whether the child has ended and its output is read."""
        return self._reading.done()

    def join(self, seconds: float) -> None:
        """Wait until the child has ended and its output is read, at most so many seconds."""
        wait([self._reading], seconds)

    def last_error_line(self) -> str:
        """The last line of the ended child's stderr, or its exit status."""
        lines: list[str] = []
        if self._errors is not None:
            self._errors.seek(0)
            lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"status {self.process.wait()}"

    def stop(self, wait: bool = True) -> None:
        """Kill the child if it still runs, and wait for its end."""
        atexit.unregister(self.stop)
        with contextlib.suppress(OSError):
            self.process.kill()
        if not wait:
            return
        self.process.wait()
        self.join(JOIN_SECONDS)
        if self.is_read:  # a stream that is being read cannot be closed
            for stream in (self.stdin, self.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError, ValueError):
                        stream.close()
