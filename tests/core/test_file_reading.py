"""Reading up to a limit: files, and pipes with and without a writer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from game.core import file_reading
from game.core.file_reading import read_at_most

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize("size", [0, 1, 4, 5, 6, 100])
def test_a_file_is_read_up_to_one_byte_more_than_the_limit(tmp_path, size):
    (tmp_path / "file").write_bytes(b"x" * size)
    assert read_at_most(tmp_path / "file", 5) == b"x" * min(size, 6)


def test_what_cannot_be_read_raises_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_at_most(tmp_path / "missing", 5)
    with pytest.raises(OSError, match="directory"):
        read_at_most(tmp_path, 5)


@needs_pipes
def test_a_pipe_that_nobody_writes_to_is_refused(pipe, monkeypatch):
    monkeypatch.setattr(file_reading, "PIPE_SECONDS", 0.1)
    with pytest.raises(TimeoutError, match="no program wrote to it"):
        read_at_most(pipe, 5)


@needs_pipes
@pytest.mark.parametrize("limit", [3, 1 << 20])
def test_a_pipe_with_a_slow_writer_is_read_to_its_end(pipe, limit):
    def write():
        time.sleep(0.05)
        with open(pipe, "wb", buffering=0) as file:
            for part in (b"ab", b"c" * 70_000, b"d"):
                time.sleep(0.05)
                try:
                    file.write(part)
                except BrokenPipeError:  # the reader has reached its limit
                    return

    writer = threading.Thread(target=write)
    writer.start()
    data = read_at_most(pipe, limit)
    writer.join()
    assert data == (b"ab" + b"c" * 70_000 + b"d")[: limit + 1]


@needs_pipes
def test_the_pipe_of_another_program_is_read():
    with subprocess.Popen([sys.executable, "-c", "print('forward 1 s')"], stdout=subprocess.PIPE) as writer:
        assert read_at_most(f"/dev/fd/{writer.stdout.fileno()}", 100).strip() == b"forward 1 s"
