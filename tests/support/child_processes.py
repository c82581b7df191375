"""Processes that a process has started, from the process table in /proc."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def child_processes(parent: int | None = None) -> set[int]:
    """Numbers of the running children of a process, by default of this one; without those that have ended."""
    parent, found = parent or os.getpid(), set()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, number = file.read_text().rpartition(")")[2].split()[:2]
            if int(number) == parent and state != "Z":
                found.add(int(file.parent.name))
    return found


def is_running(process: int) -> bool:
    """Whether a process has not ended. What is left of one that has ended, until its parent asks, does not count."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
