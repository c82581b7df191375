"""Compiling ahead: in a child, with progress, kept for the next start; and what is said where that fails."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from game.app.launch import kernel_compilation, progress_line
from game.app.launch.progress_line import MAX_LINE_WIDTH, ProgressLine, describe_progress, describe_seconds
from game.app.launch.world_setup import make_world
from game.app.startup import warm_up_kernels
from game.core import user_folders
from game.core.jobs import Jobs, start_resource_tracker
from game.physics import prepare
from game.physics.numerics import jit
from tests.support import compiled_kernels
from tests.support.child_processes import child_processes, needs_proc, processes_with
from tests.support.until import wait_until

ROOT = Path(__file__).resolve().parents[3]


def test_an_unwritable_cache_is_replaced_with_a_message(monkeypatch):
    monkeypatch.setenv(user_folders.CACHE_VARIABLE, "/dev/null/cache")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    told = kernel_compilation.ensure_cache_folder()
    assert told is not None
    assert "/dev/null/cache is not writable" in told
    assert kernel_compilation.is_writable(user_folders.cache_folder())
    assert kernel_compilation.ensure_cache_folder() is None


# Jobs in place of the compiler


def compile_half_and_wait(steps, report=lambda told: None):
    report((0.5, "tick"))
    time.sleep(1.5)
    report((1.0, "ready"))


def fail(steps, report):
    raise OSError("no room left")


def end(steps, report):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def compiling(monkeypatch):
    """A function that compiles steps by another function; the lines that it prints."""
    monkeypatch.setattr(jit, "CACHED", True)

    def compile_by(function, missing):
        lines = []
        monkeypatch.setattr(prepare, "compile_steps", function)
        monkeypatch.setattr(prepare, "missing_steps", lambda steps: [step for step in missing if step in steps])
        kernel_compilation.compile_steps(["whole", "first", "balls"], lines.append)
        return lines

    return compile_by


def test_one_announcement_names_all_steps_their_time_here_and_shows_lines(compiling, monkeypatch, capsys):
    """Through a pipe too: what is compiled, how long it takes on this machine, how far it is."""
    monkeypatch.setattr(kernel_compilation, "machine_slowness", lambda: 2.0)
    monkeypatch.setattr(progress_line, "LOG_INTERVAL", 0.05)
    assert compiling(compile_half_and_wait, ["first", "whole", "balls"]) == [
        "Setup: compiling the physics and the whole tick and the tick of balls takes about 2 min on this "
        "machine, only once for this version.",
        "Setup done.",
    ]
    assert any(line.startswith("Setup: 50 %, about ") for line in capsys.readouterr().err.splitlines())


@pytest.mark.parametrize(("function", "reason"), [(fail, "no room left"), (end, "its process crashed or was killed")])
def test_a_failed_compilation_is_reported_and_what_is_compiled_starts_nothing(compiling, function, reason):
    lines = compiling(function, ["first"])
    assert lines[1:] == [f"Setup failed ({reason}); the physics compiles while it runs."]
    assert compiling(function, []) == []


def test_the_whole_tick_compiles_at_once_after_the_first_step(monkeypatch):
    """The game is slow until it is there."""
    monkeypatch.setattr(prepare, "ready", lambda: False)
    monkeypatch.setattr(prepare, "is_compiled", lambda step: False)
    steps = ["first", "whole", "shapes", "balls"]
    assert prepare.missing_steps(sorted(steps)) == list(prepare.EXPECTED_STEPS) == steps


@pytest.mark.parametrize("arguments", [["nonsense"], ["first", "nonsense"], ["--all", "nonsense"]])
def test_prepare_refuses_an_unknown_step_in_a_sentence(arguments, monkeypatch, capsys):
    monkeypatch.setattr(prepare, "compile_steps", lambda *_: pytest.fail("nothing is compiled"))
    assert prepare.main(arguments) == 2
    assert capsys.readouterr() == ("", "nonsense: expected --all, or some of first, whole, shapes, balls\n")


@needs_proc
def test_the_game_goes_on_after_the_first_step_and_the_compiler_ends_after_the_last(monkeypatch):
    monkeypatch.setattr(jit, "CACHED", True)
    monkeypatch.setattr(prepare, "missing_steps", lambda steps: [step for step in ("first", "whole") if step in steps])
    monkeypatch.setattr(prepare, "compile_steps", compile_half_and_wait)
    start_resource_tracker()
    before = child_processes()
    with Jobs() as jobs:
        compilation = kernel_compilation.KernelCompilation(jobs, is_game=True)
        wait_until(lambda: jobs.update() or compilation.is_finished)
        assert (compilation.fraction, compilation.error) == (1.0, "")
        assert child_processes() - before, "it compiles the whole tick"
        wait_until(lambda: jobs.update() or not child_processes() - before)


KILLED = f"""
import os, signal, sys, time
from {Jobs.__module__} import Jobs
from {kernel_compilation.__name__} import KernelCompilation

if __name__ == "__main__":
    jobs = Jobs()
    compilation = KernelCompilation(jobs, sys.argv[1:], is_game=True)
    end = time.monotonic() + 60.0
    while compilation.fraction == 0.0 and time.monotonic() < end:
        jobs.update()
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_proc
@pytest.mark.full
@pytest.mark.parametrize("step", ["first", "balls"])
def test_the_compiling_processes_end_with_a_game_that_is_killed(tmp_path, step):
    script, scratch = tmp_path / "killed.py", tmp_path / "scratch"
    script.write_text(KILLED)
    scratch.mkdir()
    env = {**os.environ, "TMPDIR": str(scratch), "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "0"}
    env["WALKER_CACHE"] = str(tmp_path)
    done = subprocess.run([sys.executable, str(script), step], env=env, check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: not processes_with(f"TMPDIR={scratch}"))
    assert not list(scratch.iterdir())


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


# The line of progress


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_and_a_log_has_each():
    for stream, expected in ((Terminal(), "\r\x1b[2Ka\r\x1b[2K" + "b" * MAX_LINE_WIDTH + "\r\x1b[2K"),
                             (io.StringIO(), "a\n" + "b" * 200 + "\n")):  # fmt: skip
        with contextlib.redirect_stderr(stream):
            line = ProgressLine()
            line.show("a")
            line.show("b" * 200)
            line.clear()
        assert stream.getvalue() == expected


def test_progress_tells_what_is_left_once_that_can_be_told():
    assert describe_progress("x", 0.01, 5.0) == "x: 1 %"
    assert describe_progress("x", 0.25, 10.0) == "x: 25 %, about 30 s left"
    assert describe_progress("x", 1.0, 10.0) == "x: 100 %"
    assert [describe_seconds(seconds) for seconds in (1.0, 62.0, 100.0, 200.0)] == ["5 s", "60 s", "2 min", "3 min"]
