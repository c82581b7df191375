"""Two games at once: each keeps what the other has written to the files of progress, runs and hints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from game.app.launch.shared_files import hold_lock
from game.core import user_folders
from game.core.file_lock import FileLock

ROOT = Path(__file__).resolve().parents[3]
CHANGES = 60
PROGRAM = """
import dataclasses, sys
from game.app.guidance.hints import HintMemory
from game.app.runs import progress
from game.app.runs.library import run_library
from game.app.runs.library.run_library import RunEntry

def with_record(stored, key):
    return dataclasses.replace(stored, records={**stored.records, key: progress.LevelRecord("x", "2026")})

game, count, hints = sys.argv[1], int(sys.argv[2]), HintMemory()
print("ready", flush=True)
sys.stdin.readline()
for k in range(count):
    run = RunEntry(f"{game}-{k}.replay", "l", "/x", "0" * 16, "s", 1.0)
    assert run_library.update_library({run.file: run}) == ""
    assert progress.update_progress(lambda stored: with_record(stored, f"{game}{k}:s")) == ""
    hints.add(f"{game}{k}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="os.replace of a file that another process reads")
@pytest.mark.full
def test_two_games_keep_each_others_entries(tmp_path):
    environment = os.environ | {user_folders.DATA_VARIABLE: str(tmp_path), "PYTHONPATH": str(ROOT)}
    games = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, name, str(CHANGES)],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for name in "ab"
    ]  # fmt: skip
    for game in games:
        assert game.stdout.readline() == "ready\n"
    for game in games:
        game.stdin.write("go\n")
        game.stdin.flush()
    for game in games:
        game.communicate(timeout=120)
        assert game.returncode == 0
    read = {path.name: json.loads(path.read_bytes()) for path in tmp_path.glob("*.json")}
    assert len(read["runs.json"]["runs"]) == 2 * CHANGES
    assert len(read["progress.json"]["records"]) == 2 * CHANGES
    assert len(read["hints.json"]["used"]) == 2 * CHANGES
    assert not list(tmp_path.glob("*.damaged"))


def test_a_lock_that_another_game_keeps_or_that_cannot_be_made_does_not_stop_the_change(tmp_path):
    other = FileLock(tmp_path / "lock")
    assert other.acquire()
    with hold_lock(tmp_path / "lock", 0.02) as held:
        assert not held
    other.release()
    with hold_lock(tmp_path / "lock") as held:
        assert held
        assert not other.acquire()
    assert other.acquire()
    other.release()
    with hold_lock(tmp_path / "no folder" / "lock") as held:
        assert not held
