"""What a user reads while he waits for kernels to compile, and that he reads nothing else."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from numba.core import event

from game.core import notice_stream
from game.physics.numerics import compile_notice
from game.physics.numerics.compile_notice import CompileNotice, describe_wait


@pytest.fixture
def notice(monkeypatch):
    """A notice that is printed after 0.05 s, and hears numba."""
    monkeypatch.setattr(compile_notice, "NOTICE_SECONDS", 0.05)
    monkeypatch.setattr(compile_notice.NOTICE, "is_silent", True)
    monkeypatch.setattr(notice_stream, "REPLACEMENTS", [])  # of pytest itself, where the package is installed
    notice = CompileNotice()
    with event.install_listener("numba:compile", notice):
        yield notice


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


def test_many_short_compilations_are_one_long_wait(notice, capsys):
    for _ in range(20):
        compile_for(0.01)
    assert len(capsys.readouterr().err.splitlines()) == 1


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


def test_the_line_names_duration_and_folder(monkeypatch):
    monkeypatch.setattr(compile_notice, "CACHE_FOLDER", "/home/me/kernels")
    monkeypatch.setattr(compile_notice, "CACHED", True)
    assert describe_wait("the physics", 20) == (
        "ellipsoid-walker: compiling the physics takes about 20 s, only once; the kernels are kept in /home/me/kernels"
    )
    monkeypatch.setattr(compile_notice, "CACHED", False)
    assert describe_wait("the physics", 20) == (
        "ellipsoid-walker: compiling the physics takes about 20 s, at every start, because /home/me/kernels cannot be "
        "written; set WALKER_CACHE to another folder"
    )
