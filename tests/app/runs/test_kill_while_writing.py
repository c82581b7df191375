"""A kill at any moment loses nothing: of the settings, of the progress, of a record. By hand:
tests/support/kill_while_writing.py."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.kill_while_writing import ENOUGH

ROOT = Path(__file__).resolve().parents[3]
KILLS, SEED = 20, 11


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the killed processes are forked, and this system cannot fork")
@pytest.mark.full
def test_twenty_kills_lose_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.kill_while_writing", str(tmp_path), str(KILLS), str(SEED)],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == []
    assert min(found["told"].values()) >= ENOUGH  # some were killed in the middle of their work, not before it
    assert found["last"] >= ENOUGH
