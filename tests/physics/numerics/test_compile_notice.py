"""What a user reads while he waits for kernels to compile, and that he reads nothing else."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from numba.core import event

from game.core import notices
from game.physics.numerics import compile_notice
from game.physics.numerics.compile_notice import CompileNotice, describe_wait
from game.physics.numerics.jit import CACHE_FOLDER, CACHED


@pytest.fixture
def notice(monkeypatch):
    """A notice that is printed after 0.05 s, and hears numba."""
    monkeypatch.setattr(compile_notice, "NOTICE_SECONDS", 0.05)
    monkeypatch.setattr(compile_notice, "ready", lambda: False)
    monkeypatch.setattr(notices, "show", notices.print_notice)  # the pytest plugin shows them elsewhere
    notice, silent = CompileNotice(), compile_notice.NOTICE.is_silent
    compile_notice.NOTICE.is_silent = True  # the one of this process hears the same
    try:
        with event.install_listener("numba:compile", notice):
            yield notice
    finally:
        compile_notice.NOTICE.is_silent = silent


def compile_for(seconds, module="game.physics.mesh.bvh", inner=None):
    """What numba tells its listeners about a function that compiles."""
    function = SimpleNamespace(__module__=module.replace("game", compile_notice.PACKAGE.partition(".")[0]))
    with event.trigger_event("numba:compile", data={"dispatcher": SimpleNamespace(py_func=function)}):
        time.sleep(seconds)
        if inner is not None:
            compile_for(inner)


def test_a_long_wait_is_explained_once(notice, capsys):
    compile_for(0.2, inner=0.1)
    compile_for(0.2)
    with notice.waiting("the whole tick", 30):
        compile_for(0.2)
    assert capsys.readouterr().err.splitlines() == [
        describe_wait(compile_notice.PHYSICS, compile_notice.PHYSICS_SECONDS),
        describe_wait("the whole tick", 30),
    ]
    assert 0.0 < notice.seconds < 0.5  # processor time; this test sleeps


@pytest.mark.full
def test_after_the_first_stage_the_wait_is_said_to_be_short(notice, capsys, monkeypatch):
    monkeypatch.setattr(compile_notice, "ready", lambda: True)
    compile_for(0.2, inner=0.1)
    assert capsys.readouterr().err.splitlines() == [describe_wait(compile_notice.MORE, compile_notice.MORE_SECONDS)]


def test_many_short_compilations_are_one_long_wait(notice, capsys):
    for _ in range(20):
        compile_for(0.01)
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.full
def test_short_waits_and_the_users_own_kernels_are_silent(notice, capsys):
    compile_for(0.001)
    compile_for(0.2, module="game_of_mine.physics")
    compile_for(0.2, module="gamephysics")
    time.sleep(0.1)
    assert capsys.readouterr().err == ""
    assert notice.seconds < 0.01


def test_a_process_that_shows_its_own_progress_is_silent(notice, capsys, monkeypatch):
    notice.is_silent = True
    compile_for(0.1)
    notice.is_silent = False
    monkeypatch.setattr("sys.stderr", None)  # as in a Windows program without a console
    compile_for(0.1)
    monkeypatch.undo()
    assert capsys.readouterr().err == ""


def test_the_line_names_duration_and_folder():
    """What it says of a cache that is kept, or without the JIT of one that is not."""
    kept = f"only once; the kernels are kept in {CACHE_FOLDER}"
    lost = f"at every start, because {CACHE_FOLDER} cannot be written; set WALKER_CACHE to another folder"
    line = describe_wait("the physics", 20)
    assert line == f"ellipsoid-walker: compiling the physics takes about 20 s, {kept if CACHED else lost}"
