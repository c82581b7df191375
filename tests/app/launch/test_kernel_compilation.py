"""Compiling ahead: in a child, with progress, kept for the next start; and what is said where that fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from game.app.launch import kernel_compilation, progress_line
from game.app.launch.world_setup import make_world
from game.app.startup import warm_up_kernels
from game.core import user_folders
from game.physics import prepare
from game.physics.numerics import jit, kernel_cache
from tests.support import compiled_kernels


def test_an_unwritable_cache_is_replaced_with_a_message(monkeypatch):
    monkeypatch.setenv(user_folders.CACHE_VARIABLE, "/dev/null/cache")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    told = kernel_compilation.ensure_cache_folder()
    assert told is not None
    assert "/dev/null/cache is not writable" in told
    assert kernel_compilation.is_writable(user_folders.cache_folder())
    assert kernel_compilation.ensure_cache_folder() is None


def started(monkeypatch, tmp_path, code):
    """A compilation whose child runs `code` instead of the compiler."""
    monkeypatch.setattr(jit, "CACHED", True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(kernel_compilation, "COMPILE_COMMAND", [sys.executable, "-c", code])
    return kernel_compilation.KernelCompilation()


def run_child(monkeypatch, tmp_path, code):
    compilation, lines = started(monkeypatch, tmp_path, code), []
    compilation.wait_with_progress(lines.append)
    return compilation, lines


def test_progress_is_read_and_the_end_is_remembered(monkeypatch, tmp_path):
    code = f"from pathlib import Path; from {kernel_cache.__name__} import write_record; "
    code += f"[write_record(Path({str(tmp_path)!r}), part) for part in {prepare.READY}]; "
    code += "print('1/4 tree'); print('noise'); print('x/y z'); print('4/4 tick', flush=True)"
    compilation, lines = run_child(monkeypatch, tmp_path, code)
    assert (compilation.done, compilation.total, compilation.label) == (4, 4, "tick")
    assert compilation.fraction == 1.0
    assert compilation.error == ""
    assert len(lines) == 2
    compilation, lines = run_child(monkeypatch, tmp_path, "raise SystemExit('not again')")
    assert compilation.is_finished
    assert lines == []


def test_one_announcement_names_all_steps_their_time_here_and_shows_lines(monkeypatch, tmp_path, capsys):
    """Through a pipe too: what is compiled, how long it takes on this machine, how far it is."""
    monkeypatch.setattr(kernel_compilation, "machine_slowness", lambda: 2.0)
    monkeypatch.setattr(progress_line, "LOG_INTERVAL", 0.05)
    code = "import time; print('550/1101 tick', flush=True); time.sleep(1.5); print('1101/1101 ready')"
    monkeypatch.setattr(jit, "CACHED", True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(kernel_compilation, "COMPILE_COMMAND", [sys.executable, "-c", code])
    compilation, lines = kernel_compilation.KernelCompilation(steps=["whole", "first", "balls"]), []
    compilation.wait_with_progress(lines.append)
    assert lines == [
        "Setup: compiling the physics and the whole tick and the tick of balls takes about 2 min on this "
        "machine, only once for this version.",
        "Setup done.",
    ]
    assert compilation.label == "ready"
    assert "Setup: 50 %, about 5 s left" in capsys.readouterr().err.splitlines()


def test_a_failed_compilation_is_reported_and_not_recorded(monkeypatch, tmp_path):
    compilation, lines = run_child(monkeypatch, tmp_path, "raise SystemExit('no room left')")
    assert compilation.error == "no room left"
    assert "no room left" in lines[-1]
    assert not prepare.ready()


def test_a_child_that_hangs_is_ended_with_the_game(monkeypatch, tmp_path):
    compilation = started(monkeypatch, tmp_path, "import time; time.sleep(600)")
    assert not compilation.is_finished
    compilation.stop()
    compilation.join(300.0)
    assert compilation.is_finished


@pytest.mark.full
@pytest.mark.parametrize("what", [["--all"], ["--steps", "balls"]])
def test_the_compiling_programs_end_with_a_parent_that_is_killed(tmp_path, what):
    """Each has the pipe of the parent's standard error, which ends with the last of them."""
    code = (
        "import os, signal, subprocess, sys, time\n"
        f"command = [sys.executable, '-m', {prepare.MODULE!r}, {prepare.CHILD!r}, *{what!r}]\n"
        "subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)\n"
        "time.sleep(4.0)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = {**os.environ, "WALKER_CACHE": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run([sys.executable, "-c", code], env=env, stderr=subprocess.PIPE, check=False, timeout=9)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, b"")


WALK = f"""
from {warm_up_kernels.__module__} import warm_up_kernels
from {make_world.__module__} import make_world
from game.level import load
import numba.core.event as event, sys
compiled = []
class Listener(event.Listener):
    def on_start(self, event): pass
    def on_end(self, event): compiled.append(event.data["dispatcher"].py_func.__name__)
with event.install_listener("numba:compile", Listener()):
    warm_up_kernels(make_world(load(sys.argv[1])))
print("compiled:", *sorted(set(compiled)))
"""


@pytest.mark.full
def test_nothing_is_compiled_after_prepare(environment, level_file, tmp_path):
    """Neither in the first tick nor in the first frame: the types prepared are the types used."""
    env = {**environment, "WALKER_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
    compiled_kernels.first_stage(tmp_path / "cache")
    walk = [sys.executable, "-c", WALK, str(level_file)]
    done = subprocess.run(walk, env=env, check=True, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip() == "compiled:"
