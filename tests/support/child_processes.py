"""Python in a child process, and the processes that a process has started, from the process table in /proc."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


def run_python(code: str, *arguments: str, folder: Path = ROOT, seconds: float = 300.0, **environment: str) -> str:
    """What Python prints when it runs the code in a folder, with these variables in its environment. It finds the
    project, and before it the modules of the folder. AssertionError, with all that it printed, where it fails."""
    path = os.pathsep.join(dict.fromkeys((str(folder), str(ROOT))))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    call = [sys.executable, "-X", "faulthandler", "-c", code, *arguments]
    done = subprocess.run(call, env=env, cwd=folder, capture_output=True, text=True, check=False, timeout=seconds)
    assert done.returncode == 0, f"status {done.returncode} after {done.stdout!r}: {done.stderr}"
    return done.stdout


def processes_with(setting: str) -> list[Path]:
    """The running processes with this in their environment."""
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if setting in file.read_text(errors="replace").split("\0"):
                found.append(file.parent)
    return found
