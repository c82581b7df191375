"""What a user reads while he waits for kernels to compile, and that he reads nothing else."""

import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from numba.core import event

from game.core import notices
from game.physics.numerics import background_compile
from game.physics.numerics.background_compile import CompileNotice, describe_wait
from game.physics.numerics.jit import CACHE_FOLDER, CACHED
from tests.support.until import wait_until


@pytest.fixture
def lines(monkeypatch):
    """The lines that are shown, as they come; the pytest plugin of the package shows them elsewhere."""
    lines = []
    monkeypatch.setattr(notices, "show", lambda line: (lines.append(line), notices.print_notice(line)))
    return lines


@pytest.fixture
def notice(monkeypatch, lines):
    """A notice that is printed after 0.05 s, and hears numba."""
    monkeypatch.setattr(background_compile, "NOTICE_SECONDS", 0.05)
    monkeypatch.setattr(background_compile, "ready", lambda: False)
    wait_until(has_no_timer)  # of an earlier test
    notice, silent = CompileNotice(), background_compile.NOTICE.is_silent
    background_compile.NOTICE.is_silent = True  # the one of this process hears the same
    try:
        with event.install_listener("numba:compile", notice):
            yield notice
    finally:
        background_compile.NOTICE.is_silent = silent


@contextmanager
def compiling(module="game.physics.mesh.bvh"):
    """What numba tells its listeners about a function that compiles."""
    function = SimpleNamespace(__module__=module.replace("game", background_compile.PACKAGE.partition(".")[0]))
    with event.trigger_event("numba:compile", data={"dispatcher": SimpleNamespace(py_func=function)}):
        yield


def has_no_timer():
    return not any(isinstance(thread, threading.Timer) for thread in threading.enumerate())


def test_a_long_wait_is_explained_once(notice, lines, capsys):
    with compiling(), compiling():
        wait_until(lambda: lines)
    wait_until(has_no_timer)
    with compiling():
        assert has_no_timer()
    with notice.waiting("the whole tick", 30):
        wait_until(lambda: len(lines) == 2)
    expected = [
        describe_wait(background_compile.PHYSICS, background_compile.PHYSICS_SECONDS),
        describe_wait("the whole tick", 30),
    ]
    assert capsys.readouterr().err.splitlines() == lines == expected
    assert notice.seconds > 0.0


def test_short_waits_and_the_users_own_kernels_are_silent(notice, lines, monkeypatch):
    for module in ("game_of_mine.physics", "gamephysics"):
        with compiling(module):
            assert has_no_timer()
    assert notice.seconds == 0.0
    monkeypatch.setattr(background_compile, "NOTICE_SECONDS", 3600.0)
    with compiling():
        assert not has_no_timer()
    wait_until(has_no_timer)
    assert lines == []


def test_a_process_that_shows_its_own_progress_is_silent(notice, lines, capsys, monkeypatch):
    notice.is_silent = True
    with compiling():
        assert has_no_timer()
    notice.is_silent = False
    monkeypatch.setattr("sys.stderr", None)  # as in a Windows program without a console
    with compiling():
        wait_until(lambda: lines)
    monkeypatch.undo()
    assert capsys.readouterr().err == ""


def test_the_line_names_duration_and_folder():
    """What it says of a cache that is kept, or without the JIT of one that is not."""
    kept = f"only once for this version; the kernels are kept in {CACHE_FOLDER}"
    lost = f"at every start, because {CACHE_FOLDER} cannot be written; set WALKER_CACHE to another folder"
    line = describe_wait("the physics", 20)
    assert line == f"ellipsoid-walker: compiling the physics takes about 20 s, {kept if CACHED else lost}"
