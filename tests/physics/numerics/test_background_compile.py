"""The background compiler: one for a cache folder, ended with the last process that waits for it, and turned off."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from game.core.file_lock import FileLock
from game.physics.numerics import background_compile, jit, kernel_cache
from game.physics.numerics.background_compile import BALLS, WHOLE, BackgroundCompiler, sole_compiler
from tests.support.child_processes import is_running
from tests.support.until import wait_until

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(not jit.CACHED, reason="without the JIT nothing is compiled")

COMPILER = """
import os, sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from game.physics.numerics import background_compile
def compile():
    Path({folder!r}, f"compiler-{{os.getpid()}}").write_text("")
    time.sleep(600)
background_compile.run_compiler("whole", compile)
"""
WAITER = """
import os, signal, sys, time
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background of a shell
from game.physics.character.tick.run import whole_tick
from game.physics.numerics import background_compile
background_compile._command = lambda part: [sys.executable, "-c", {compiler!r}]
background_compile.CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
whole_tick.compiler.keep_running()
child = os.fork()
if child == 0:
    time.sleep(600)  # a worker that was forked, and does not wait for the compiler
Path({folder!r}, f"waiting-{{os.getpid()}}-{{child}}").write_text("")
asked, end = 0, time.monotonic() + 600
while time.monotonic() < end:
    whole_tick.compiler.keep_running()
    time.sleep(0.05)
    asked += 1
    if asked == 10:
        Path({folder!r}, f"asked-often-{{os.getpid()}}").write_text("")
"""


def parent_of(process_id):
    """Process id of the parent."""
    return int(Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.full
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_three_processes_share_a_compiler_that_ends_with_the_last_of_them(tmp_path):
    """Killed, interrupted or ended, and also where a forked child lives on."""
    compiler = COMPILER.format(root=str(ROOT), folder=str(tmp_path))
    code = WAITER.format(compiler=compiler, folder=str(tmp_path))
    env = {**os.environ, jit.CACHE_VARIABLE: str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    env.pop(background_compile.VARIABLE, None)
    waiting = [
        subprocess.Popen([sys.executable, "-c", code], env=env, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(3)
    ]
    found: list[int] = []
    try:
        wait_until(lambda: list(tmp_path.glob("compiler-*")))
        wait_until(lambda: len(list(tmp_path.glob("asked-often-*"))) == 3)  # by then a second one would be there
        found = [int(path.name.split("-")[1]) for path in tmp_path.glob("compiler-*")]
        assert len(found) == 1
        assert os.getpriority(os.PRIO_PROCESS, found[0]) > 0
        waiting.sort(key=lambda process: process.pid != parent_of(found[0]))
        for process, end in zip(waiting, (signal.SIGINT, signal.SIGKILL, signal.SIGKILL), strict=True):
            assert is_running(found[0])
            if end == signal.SIGINT:
                os.killpg(process.pid, end)  # Ctrl-C in the terminal of the process that started the compiler
            else:
                process.send_signal(end)
            process.wait(30.0)
            time.sleep(2.0 * background_compile.POLL_SECONDS)
        wait_until(lambda: not is_running(found[0]))
    finally:
        forked = [int(path.name.split("-")[2]) for path in tmp_path.glob("waiting-*")]
        for process_id in (*forked, *found, *(process.pid for process in waiting if process.poll() is None)):
            if is_running(process_id):
                os.kill(process_id, signal.SIGKILL)


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Commands of the compilers that were started, in an empty cache folder. They end at once."""
    started = []

    def start(command, **named):
        started.append(command)
        return popen([sys.executable, "-S", "-c", "raise SystemExit(1)"], **named)

    popen = subprocess.Popen
    monkeypatch.setattr(background_compile.subprocess, "Popen", start)
    for module in (background_compile, jit):
        monkeypatch.setattr(module, "CACHE_FOLDER", tmp_path)
        monkeypatch.setattr(module, "CACHED", True)
    monkeypatch.delenv(background_compile.VARIABLE, raising=False)
    return started


def test_a_compiler_that_fails_is_started_twice_at_most(started):
    compiler = BackgroundCompiler(WHOLE)
    for _ in range(5):
        compiler.keep_running()
        if compiler._child is not None:
            compiler._child.wait()
    assert len(started) == background_compile.MAX_STARTS
    compiler.release()


@pytest.mark.full
def test_the_command_finds_the_package_from_anywhere(tmp_path):
    command = background_compile._command("nothing")
    (tmp_path / "game").mkdir()  # a folder of the user's own
    (tmp_path / "game" / "__init__.py").write_text("raise SystemExit('the wrong package')")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={})
    assert (done.returncode, done.stderr) == (2, "--background nothing: expected one of whole, balls\n")


@pytest.mark.parametrize("value", ["0", "off", " No ", "false"])
def test_the_environment_variable_turns_background_compiling_off(value, started, monkeypatch):
    monkeypatch.setenv(background_compile.VARIABLE, value)
    BackgroundCompiler(WHOLE).keep_running()
    assert started == []


def test_no_background_compiler_starts_where_it_is_of_no_use(started, monkeypatch, tmp_path):
    holder = FileLock(tmp_path / "balls.lock")
    assert holder.acquire()
    BackgroundCompiler(BALLS).keep_running()  # another compiler runs
    holder.release()
    background_compile.record_compiled(BALLS)
    BackgroundCompiler(BALLS).keep_running()  # compiled meanwhile
    for program in ("", None, "/opt/blender/blender", "/opt/my-frozen-game"):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", program)
            BackgroundCompiler(WHOLE).keep_running()
    with monkeypatch.context() as patch:
        patch.setattr(background_compile, "CACHED", False)  # a folder that cannot be written, or no JIT
        BackgroundCompiler(WHOLE).keep_running()
    shutil.rmtree(tmp_path)
    BackgroundCompiler(WHOLE).keep_running()
    assert started == []


def test_a_process_waits_for_the_one_that_compiles(started, monkeypatch, tmp_path):
    other = FileLock(tmp_path / "whole.lock")
    assert other.acquire()
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        assert not FileLock(tmp_path / "whole.wanted").acquire()  # so the other compiler goes on
        if len(waits) == 2:
            background_compile.record_compiled(WHOLE)

    monkeypatch.setattr(background_compile, "sleep", sleep)
    with sole_compiler(WHOLE) as compiles:
        assert not compiles
    assert len(waits) == 2
    kernel_cache.record_file(tmp_path, jit.COMPLETE).unlink()

    monkeypatch.setattr(background_compile, "sleep", lambda seconds: other.release())
    with sole_compiler(WHOLE) as compiles:  # the other one was killed
        assert compiles
        assert not other.acquire()
    assert other.acquire()
    other.release()


def test_without_file_locks_a_process_compiles_for_itself(started, tmp_path):
    """Here no file can have the names of the locks."""
    for name in ("whole.lock", "whole.wanted"):
        (tmp_path / name).mkdir()
    BackgroundCompiler(WHOLE).keep_running()
    with sole_compiler(WHOLE) as compiles:
        assert compiles
    assert started == []


def test_locks_exclude_and_share(tmp_path):
    first, second, third = (FileLock(tmp_path / "lock") for _ in range(3))
    assert first.acquire(shared=True)
    assert second.acquire(shared=True)
    assert not third.acquire()
    first.release()
    assert not third.acquire()
    second.release()
    assert third.acquire()
    assert not first.acquire(shared=True)
    third.release()
