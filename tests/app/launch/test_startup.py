"""The start of the game: in Python until the kernels are compiled, with what was wrong with the settings said."""

from __future__ import annotations

import ctypes
import gc
from types import SimpleNamespace

import pytest
from numba.core.dispatcher import Dispatcher

from game.app.game import Game
from game.app.launch.memory import limit_allocator, return_memory
from game.app.settings.settings_table import Settings
from game.app.startup import StartupSequence
from game.physics.character.tick import run
from game.physics.numerics import jit


@pytest.fixture(autouse=True)
def as_before():
    yield
    jit.use_compiled()
    gc.enable()
    gc.unfreeze()


def test_play_begins_with_kernels_in_python_and_goes_on_with_compiled_ones(floor_level, monkeypatch):
    """Until then no file is watched: the process that loads levels would compile too."""
    monkeypatch.setattr(run.whole_tick, "is_due", lambda *_, **__: False)  # as where it is not compiled
    monkeypatch.setattr(run.whole_tick, "is_loaded", False)
    compilation = SimpleNamespace(
        is_compiling=True, fraction=0.1, is_finished=False, print_status=lambda print_line: None
    )
    game, watched = Game(floor_level, Settings(), "low"), []
    game.hot_reload = SimpleNamespace(update=watched.append, cards=(), dropped_findings=())
    sequence = StartupSequence(game, compilation, 1.0)
    for frame in range(4):
        sequence.update(100.0 + frame / 60)
        game.advance_frame(100.0 + frame / 60, 1.6)
    assert game.session is not None
    assert (isinstance(run.run_ticks, Dispatcher), watched) == (False, [])
    shown = game.advance_frame(100.1, 1.6).hud
    assert (shown.progress, shown.progress_label) == (pytest.approx(0.1, abs=0.01), "Setup 10%")
    compilation.is_finished = True
    sequence.update(101.0)
    assert not isinstance(run.run_ticks, Dispatcher), "a thread loads the kernels first"
    game.jobs.finish()
    sequence.update(101.1)
    assert game.advance_frame(101.1, 1.6).hud.progress is None
    assert isinstance(run.run_ticks, Dispatcher)
    assert watched == [101.1]


def test_damaged_settings_are_said_on_the_screen(floor_level):
    note = "The settings file was damaged (fov must be a number)."
    compilation = SimpleNamespace(
        is_compiling=False, fraction=0.0, is_finished=True, print_status=lambda print_line: None
    )
    for title in (True, False):
        game = Game(floor_level, Settings(), "low")
        game.advance_frame(100.0, 1.6)
        sequence = StartupSequence(game, compilation, 1.0, title=title)
        sequence.notes = [note]
        sequence.update(100.1)
        game.cameras.hero_camera.stop()
        shown = game.advance_frame(100.2, 1.6).hud
        assert note in (shown.panel.text if title else shown.message_detail)
        assert "Settings" in (shown.panel.title if title else shown.message)


def test_memory_is_freed_and_returned_where_the_system_has_another_allocator(monkeypatch):
    calls = []
    gnu = SimpleNamespace(mallopt=lambda *values: calls.append(values), malloc_trim=lambda pad: calls.append(pad))

    def fails(error):
        def load(name):
            raise error

        return load

    for load in (fails(TypeError()), fails(OSError()), lambda name: SimpleNamespace(), lambda name: gnu):
        monkeypatch.setattr(ctypes, "CDLL", load)
        limit_allocator()
        gc.freeze()
        return_memory()
        assert gc.get_freeze_count()
    assert calls == [(-3, 1 << 20), (-8, 2), 0]
