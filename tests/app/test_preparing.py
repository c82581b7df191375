"""Compiling ahead: in a child, with progress, kept for the next start; and what is said where that fails."""

from __future__ import annotations

import os
import sys

from game.app import preparing
from game.physics import jit


def test_the_cache_is_where_physics_looks_for_it():
    assert jit.CACHE_FOLDER.is_relative_to(preparing.cache_base())


def test_a_cache_that_cannot_be_written_is_replaced_and_told(monkeypatch):
    monkeypatch.setenv(preparing.CACHE_VARIABLE, "/dev/null/cache")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "0")
    told = preparing.secure_cache()
    assert told is not None
    assert "/dev/null/cache cannot be written" in told
    assert preparing.writable(preparing.cache_base())
    assert preparing.secure_cache() is None


def run_child(monkeypatch, tmp_path, code):
    """A Preparation whose child runs `code` instead of the compiler."""
    monkeypatch.setattr(jit, "CACHED", True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(preparing, "CHILD", [sys.executable, "-c", code])
    preparation, said = preparing.Preparation(), []
    preparation.wait(said.append)
    return preparation, said


def test_progress_is_read_and_the_end_is_remembered(monkeypatch, tmp_path):
    code = "print('1/4 tree'); print('noise'); print('x/y z'); print('4/4 tick', flush=True)"
    preparation, said = run_child(monkeypatch, tmp_path, code)
    assert (preparation.done, preparation.total, preparation.label) == (4, 4, "tick")
    assert preparation.fraction == 1.0
    assert preparation.error == ""
    assert len(said) == 2
    assert os.listdir(tmp_path) == [preparing.MARK]
    preparation, said = run_child(monkeypatch, tmp_path, "raise SystemExit('not again')")
    assert preparation.finished
    assert said == []


def test_a_child_that_fails_is_told_and_not_remembered(monkeypatch, tmp_path):
    preparation, said = run_child(monkeypatch, tmp_path, "raise SystemExit('no room left')")
    assert preparation.error == "no room left"
    assert "no room left" in said[-1]
    assert os.listdir(tmp_path) == []


def test_a_child_that_hangs_is_ended_with_the_game(monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "CACHED", True)
    monkeypatch.setattr(jit, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(preparing, "CHILD", [sys.executable, "-c", "import time; time.sleep(600)"])
    preparation = preparing.Preparation()
    assert not preparation.finished
    preparation.stop()
    preparation._reader.join(5.0)
    assert preparation.finished


def test_without_a_cache_nothing_is_started(monkeypatch):
    monkeypatch.setattr(jit, "CACHED", False)
    preparation = preparing.Preparation()
    assert preparation.finished
    assert preparation.fraction == 0.0
