"""Comparison of a program's output with and without the JIT.

This process runs the program in one of the two ways. A second process, started once, runs all programs in the other.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import os
import select
import subprocess
import sys
import traceback
import warnings
from functools import cache
from pathlib import Path

import numba

ROOT = Path(__file__).resolve().parents[2]


def assert_same_output_without_jit(program: str, timeout: float = 600.0) -> None:
    """Run Python source twice, compiled and with NUMBA_DISABLE_JIT=1: both succeed and print the same text."""
    other = _start_other_way()
    assert other.stdin is not None
    assert other.stdout is not None
    other.stdin.write(json.dumps(program).encode() + b"\n")
    output = run_program(program)
    assert select.select([other.stdout], [], [], timeout)[0], f"no output within {timeout:g} s"
    has_jit, error, other_output = json.loads(other.stdout.readline())
    assert not error, error
    assert has_jit == bool(numba.config.DISABLE_JIT), "both processes run in the same way"
    assert output == other_output
    assert output


def run_program(program: str) -> str:
    """The text that Python source prints, run in this process. A warning is an error."""
    with contextlib.redirect_stdout(io.StringIO()) as output, warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(program, "program", "exec"), {"__name__": "program"})
    return output.getvalue().strip()


@cache
def _start_other_way() -> subprocess.Popen[bytes]:
    """The process with the JIT if this one has none, else without it. It ends when its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": str(int(not numba.config.DISABLE_JIT)), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    atexit.register(process.communicate)
    return process


def _serve() -> None:
    """Answer each program on standard input with whether the JIT is on, its error and its output."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    for line in sys.stdin:
        output = error = ""
        try:
            output = run_program(json.loads(line))
        except Exception:
            error = traceback.format_exc()
        answers.write(json.dumps([not numba.config.DISABLE_JIT, error, output]) + "\n")


if __name__ == "__main__":
    _serve()
