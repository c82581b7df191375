"""The switch from interpreted to compiled calls: when it comes, that it changes no bit, and what it waits for."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from game.physics import Walker
from game.physics.character.tick import run as tick_run
from game.physics.numerics import background_compile, jit, kernel_cache, staged_kernel
from game.physics.numerics.staged_kernel import StagedKernel
from tests.support import staged_walk

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def walks():
    """Hash of the compiled walk, by number of ticks."""
    walker, room = Walker(), staged_walk.world()
    state = walker.spawn(room, (0.0, 0.0, 0.0))
    walks = {n: walker.run(state, staged_walk.rows(walker, n), room) for n in (staged_walk.CALLS, staged_walk.RUN)}
    return {n: hashlib.sha256(states.tobytes()).hexdigest() for n, states in walks.items()}


def walk_while_compiling(way: str, cache: Path, **environment: str):
    """What `staged_walk` prints, with a cache that holds all kernels except the marker of the whole tick."""
    kernels = cache / "kernels" / jit.CACHE_FOLDER.name
    shutil.copytree(jit.CACHE_FOLDER, kernels, ignore=shutil.ignore_patterns("*.lock", "*.wanted"))
    kernel_cache.record_file(kernels, jit.COMPLETE).unlink()
    env = {**os.environ, jit.CACHE_VARIABLE: str(cache), "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-W", "always::ResourceWarning", "-m", "tests.support.staged_walk", way]
    done = subprocess.run(command, env=env, cwd=cache, capture_output=True, text=True, timeout=300, check=True)
    assert done.stderr == ""  # nothing was compiled here, and the switch is silent
    return json.loads(done.stdout)


@pytest.mark.full
@pytest.mark.jit
def test_a_real_compiler_makes_all_walkers_switch_with_the_same_bits(walks, tmp_path):
    found = walk_while_compiling("calls", tmp_path)
    assert found["hashes"] == [walks[staged_walk.CALLS]] * 3
    assert found["same to the end"]
    assert found["interpreted"] > 20
    assert found["compiled"] == [True, True, True]
    assert found["children"] == 1
    assert found["left"] == []  # not even as a zombie


@pytest.mark.jit
def test_a_run_switches_between_two_of_its_ticks(walks, tmp_path):
    """Turned off, no compiler starts; what another process has compiled is still used."""
    found = walk_while_compiling("run", tmp_path, **{background_compile.VARIABLE: "0"})
    assert found["hashes"] == [walks[staged_walk.RUN]]
    assert found["compiled"]
    assert tick_run.PORTION <= found["interpreted"] < staged_walk.RUN
    assert found["children"] == 0


PLACE, MEMORY = SimpleNamespace(arrays="place"), "memory"


class Kernel:
    """A kernel that counts its calls: compiled ones return first, interpreted ones count up."""

    def __init__(self):
        self.loads, self.calls, self.on_load = [], [], lambda: None

    def __call__(self, *arguments):
        self.calls.append(("compiled", *arguments))
        return arguments[-1]

    def py_func(self, *arguments):
        self.calls.append(("interpreted", *arguments))
        return arguments[-1]

    def typeof_pyval(self, value):
        return type(value)

    def compile(self, signature):
        self.on_load()
        self.loads.append(signature)


@pytest.fixture
def staged(monkeypatch, tmp_path):
    """A StagedKernel of a Kernel, with an empty cache folder and a compiler that is only asked."""
    for module in (background_compile, jit):
        monkeypatch.setattr(module, "CACHE_FOLDER", tmp_path)
        monkeypatch.setattr(module, "CACHED", True)
    monkeypatch.setattr(jit.numba.config, "DISABLE_JIT", 0)
    staged = StagedKernel(Kernel(), background_compile.WHOLE)
    staged.asked = 0

    def ask():
        staged.asked += 1

    staged.compiler.keep_running = ask
    monkeypatch.setattr(tick_run, "whole_tick", staged)
    monkeypatch.setattr(tick_run, "run_whole_tick", staged.kernel)
    return staged


def test_the_compiler_is_asked_for_after_a_second_of_interpreted_ticks(staged):
    for staged.seconds in (0.0, 0.3, 0.9):
        staged.call(1)
        assert staged.asked == 0
    staged.seconds = 1.01
    staged.call(1)
    staged.call(1)
    assert staged.asked == 1  # and not in each tick
    staged.seconds += 2.0 * staged_kernel.CHECK_SECONDS
    staged.call(1)
    assert staged.asked == 2
    assert {stage for stage, _ in staged.kernel.calls} == {"interpreted"}


def test_loading_happens_in_a_thread_and_ticks_go_on_meanwhile(staged):
    gate = threading.Event()
    staged.kernel.on_load = gate.wait
    background_compile.record_compiled(staged.part)
    for k in range(5):
        staged.call(k)
        staged.seconds += 1.0
    assert [stage for stage, _ in staged.kernel.calls] == ["interpreted"] * 5
    gate.set()
    staged._loader.result()
    staged.call(6)
    assert staged.kernel.calls[-1] == ("compiled", 6)
    assert staged.kernel.loads == [(int,)]
    assert staged.asked == 0


def test_a_damaged_cache_leaves_the_ticks_interpreted(staged):
    def fail():
        raise EOFError("half a file")

    staged.kernel.on_load = fail
    background_compile.record_compiled(staged.part)
    for k in range(5):
        staged.call(k)
        staged.seconds += 1.0
        staged._loader.result()
    assert not staged.is_loaded


def run_in_stages(first, end):
    return tick_run.run_ticks_in_stages(PLACE, "zones", MEMORY, first, end)


def test_a_very_long_run_compiles_at_once_and_records_it(staged):
    ticks = tick_run.MIN_TICKS_TO_COMPILE
    assert run_in_stages(0, ticks - 1) == ticks - 1
    assert not staged.is_loaded
    staged.kernel.calls.clear()
    assert run_in_stages(0, ticks) == ticks
    assert staged.kernel.calls == [("compiled", PLACE, "zones", MEMORY, 0, ticks)]
    assert background_compile.is_compiled(staged.part)


def test_only_long_calls_wait_for_the_compiler(staged):
    """A loop of steps may be a game: it never stands still."""
    staged.seconds = staged_kernel.PATIENCE_SECONDS + 1.0
    assert run_in_stages(0, 1) == 1
    assert not staged.is_loaded
    assert staged.asked == 1
    staged.seconds += 1.0
    assert run_in_stages(0, 2) == 2
    assert staged.is_loaded


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_has_neither_the_request_nor_the_time(staged):
    staged.seconds = 5.0
    assert staged.compiler._wanted.acquire(shared=True)
    child = os.fork()
    if child == 0:
        os._exit(int(staged.seconds != 0.0 or staged.compiler._wanted.descriptor is not None))
    assert os.waitpid(child, 0)[1] == 0
    assert staged.seconds == 5.0
    assert not background_compile._wanted_lock(staged.part).acquire()  # this process still holds it


def test_the_pages_state_the_thresholds():
    decision = " ".join((ROOT / "docs/decisions/0003-two-stages-of-compiling.md").read_text(encoding="utf-8").split())
    assert f"starts after {staged_kernel.START_SECONDS:g} s in interpreted ticks" in decision
    assert f"A `run` of {tick_run.MIN_TICKS_TO_COMPILE:_} ticks or more".replace("_", " ") in decision
    assert f"interpreted for {staged_kernel.PATIENCE_SECONDS:g} s of processor time" in decision
    assert f"{1.0 / background_compile.POLL_SECONDS:g} times a second".replace("5", "five") in decision
    for page in ("decisions/0003-two-stages-of-compiling.md", "physics.md"):
        assert f"{background_compile.VARIABLE}=0" in (ROOT / "docs" / page).read_text(encoding="utf-8")
