"""Signals that end a command: it cleans up, prints no traceback, and has the exit status of the signal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import fork_server
from tests.support.until import SECONDS

ROOT = Path(__file__).resolve().parents[3]
STATUS = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


def run_python(code: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process that ignores no signal; crash reports and temporary files go into the folder."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS,
        env={**os.environ, "WALKER_DATA": str(folder), "TMPDIR": str(folder)}, preexec_fn=fork_server.IN_CHILD,
        check=False,
    )  # fmt: skip


TEMPORARY = """
import os, signal, sys, tempfile, time
from game.app.commands import command_line

def run(arguments):
    with tempfile.TemporaryDirectory():
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))
        time.sleep(30)

command_line._parse_and_run = run
sys.exit(command_line.main(["check"]))
"""


@pytest.mark.parametrize("ending", STATUS)
@pytest.mark.sample(1)
def test_temporary_files_are_removed(ending: str, tmp_path: Path) -> None:
    done = run_python(TEMPORARY, ending, folder=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", STATUS[ending])
    assert list(tmp_path.iterdir()) == []


TEARDOWN = """
import atexit, os, signal, sys, time
from game.app import console
from game.app.commands import command_line

class Library:
    def __del__(self, end=os._exit):
        end(7)  # stands for a crash

def run(arguments):
    os.kill(os.getpid(), getattr(signal, sys.argv[1]))
    time.sleep(30)

library = Library()
atexit.register(print, "at exit")
command_line._parse_and_run = run
sys.exit(console())
"""


@pytest.mark.parametrize("ending", STATUS)
@pytest.mark.sample(1)
def test_libraries_that_a_signal_interrupts_are_not_torn_down(ending: str, tmp_path: Path) -> None:
    done = run_python(TEARDOWN, ending, folder=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("at exit\n", "", STATUS[ending])


IMPORTING = """
import runpy, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Finder())
runpy.run_path("run_game.py", run_name="__main__")
"""


@pytest.mark.parametrize("name", ["game", "ellipsoid_walker.core", "ellipsoid_walker.app.commands.command_line"])
@pytest.mark.sample(1)
def test_ctrl_c_while_the_program_starts(name: str, tmp_path: Path) -> None:
    done = run_python(IMPORTING, name, folder=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 130)
