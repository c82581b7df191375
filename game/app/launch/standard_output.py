"""Standard output of the commands, whose errors of writing name it, and standard error, which may be lost."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO, cast

from ...core.errors import WalkerError

OUTPUT_NAME = "standard output"


class OutputError(WalkerError, OSError):
    """Standard output cannot be written. The name of the file is OUTPUT_NAME."""


class _Wrapper:
    """A text stream that has the names of another one."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _NamedOutput(_Wrapper):
    """A text stream whose errors of writing are OutputError. A reader that has ended stays a BrokenPipeError."""

    def write(self, text: str) -> int:
        with _named_errors():
            return self._stream.write(text)

    def flush(self) -> None:
        with _named_errors():
            self._stream.flush()


@contextlib.contextmanager
def _named_errors() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.errno, error.strerror or str(error), OUTPUT_NAME) from error


@contextlib.contextmanager
def named_output() -> Iterator[None]:
    """A block in which errors of standard output are OutputError. It is flushed at the end, whatever ends the block:
    Python would flush it at exit, and print the errors with a trace."""
    stream = sys.stdout
    if stream is None:  # closed by the shell, as with >&-
        yield
        return
    with contextlib.redirect_stdout(cast(TextIO, _NamedOutput(stream))):
        try:
            yield
        finally:
            sys.stdout.flush()


def replace_unencodable() -> None:
    """Let both streams write what their encoding lacks as escapes such as `\\u2192`, not end the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Let standard output write to nothing: Python flushes it at exit."""
    _discard(sys.stdout)


def _discard(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class _LostErrors(_Wrapper):
    """Standard error. After an error of writing it writes to nothing: a note that is lost does not end a command."""

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            _discard(self._stream)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            _discard(self._stream)


@contextlib.contextmanager
def lost_errors() -> Iterator[None]:
    """A block in which standard error that is closed or cannot be written writes to nothing."""
    stream = sys.stderr
    if stream is None:  # closed by the shell, as with 2>&-
        stream = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the rest of the process
    with contextlib.redirect_stderr(cast(TextIO, _LostErrors(stream))):
        yield
