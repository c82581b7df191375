"""Read a file whole up to a limit; a pipe that no program writes to is refused instead of read without end."""

import errno
import os
import select
import stat

REPLAY_SUFFIX = ".replay"  # of a file with a recorded walk
PIPE_SECONDS = 2.0  # s that a program may take to open a pipe for writing


def read_at_most(path: str | os.PathLike[str], limit: int) -> bytes:
    """The bytes of a file, at most one more than `limit`. OSError where it cannot be read.

    A pipe is read to its end. TimeoutError if no program opens it for writing within PIPE_SECONDS, or if it is empty.
    """
    if not hasattr(os, "mkfifo") or not stat.S_ISFIFO(os.stat(path).st_mode):
        return _read_open_file(os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0)), b"", limit)
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # without this flag the call waits for a writer
    try:
        first = _first_byte(pipe)
        os.set_blocking(pipe, True)
    except BaseException:
        os.close(pipe)
        raise
    return _read_open_file(pipe, first, limit)


def _read_open_file(descriptor: int, first: bytes, limit: int) -> bytes:
    with open(descriptor, "rb") as file:
        return first + file.read(limit + 1 - len(first))


def _first_byte(pipe: int) -> bytes:
    """The first byte of a pipe that is not blocking; empty if a program has it open and has written nothing yet."""
    select.select([pipe], [], [], PIPE_SECONDS)
    try:
        first = os.read(pipe, 1)
    except BlockingIOError:  # a writer is there
        return b""
    if not first:
        raise TimeoutError(errno.ETIMEDOUT, f"this is a pipe, and no program wrote to it within {PIPE_SECONDS:g} s")
    return first
