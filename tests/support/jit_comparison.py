"""Comparison of a program's output with and without the JIT."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def assert_same_output_without_jit(program: str, timeout: float = 600.0) -> None:
    """Run Python source twice, compiled and with NUMBA_DISABLE_JIT=1: both succeed and print the same text."""
    outputs = []
    for disabled in ("0", "1"):
        result = subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            cwd=ROOT,
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        outputs.append(result.stdout.strip())
    assert outputs[0] == outputs[1]
    assert outputs[0]
