"""Until the first frame nothing is collected as garbage; what is there then is left alone from then on."""

from __future__ import annotations

import gc
from itertools import pairwise
from types import SimpleNamespace

import pytest
from numba.core.dispatcher import Dispatcher

from game.app import startup
from game.app.commands import play
from game.app.game import Game
from game.app.modes.hud_builder import build_hud
from game.app.settings.settings_table import Settings
from game.app.startup import StartupSequence
from game.app.visuals.screen import LoadingBar
from game.physics.character.tick import run
from game.physics.numerics import jit


@pytest.fixture(autouse=True)
def as_before():
    yield
    jit.use_compiled()
    gc.enable()
    gc.unfreeze()


def test_the_collector_begins_with_the_second_frame_that_can_be_played(capsys):
    menus, level = SimpleNamespace(is_opening=False), SimpleNamespace(name="Yard")
    screen = SimpleNamespace(is_compiling=False)
    game = SimpleNamespace(session=object(), menus=menus, level=level, screen=screen)
    sequence = StartupSequence(game, SimpleNamespace(is_finished=True), 1.0)
    gc.disable()
    gc.unfreeze()
    sequence.update(1.5)
    assert not gc.isenabled()
    sequence.update(1.75)
    assert gc.isenabled()
    assert gc.get_freeze_count() > 1000
    assert "Playing Yard: first playable frame after 0.75 s." in capsys.readouterr().err
    gc.unfreeze()
    sequence.update(2.0)
    assert gc.get_freeze_count() == 0


def test_without_a_window_the_garbage_collector_stays_on(monkeypatch, level_file):
    found = []
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(play, "play_headless", lambda *given: found.append(gc.isenabled()))
    play.run(SimpleNamespace(level=str(level_file), ghost=None, report=None))
    assert found == [True]


def test_leaving_before_the_first_frame_turns_the_garbage_collector_on(monkeypatch, level_file):
    from game.app import startup

    found = []

    def broken(*given):
        found.append(gc.isenabled())
        raise KeyboardInterrupt

    monkeypatch.setenv("DISPLAY", ":4711")
    monkeypatch.setattr(startup, "play_in_window", broken)
    with pytest.raises(KeyboardInterrupt):
        play.run(SimpleNamespace(level=str(level_file), ghost=None, report=None))
    assert found == [False]
    assert gc.isenabled()


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
    compilation.is_finished = True
    sequence.update(101.0)
    game.advance_frame(101.0, 1.6)
    assert isinstance(run.run_ticks, Dispatcher)
    assert watched == [101.0]


@pytest.mark.parametrize(("is_compiling", "text"), [(True, "Setup..."), (False, "Loading...")])
def test_only_a_start_that_compiles_is_called_the_first(is_compiling, text):
    compilation = SimpleNamespace(
        is_compiling=is_compiling, fraction=0.0, is_finished=False, print_status=lambda print_line: None
    )
    level = SimpleNamespace(balls=(), play=None, golf=None)
    screen, clock = SimpleNamespace(is_compiling=False), SimpleNamespace(frame_count=0)
    menus = SimpleNamespace(is_opening=False)
    game = SimpleNamespace(session=None, screen=screen, menus=menus, level=level, clock=clock)
    StartupSequence(game, compilation, 1.0).update(1.5)
    assert game.screen.progress_label == text


@pytest.mark.parametrize("seconds", [0.0, 30.0, 3600.0])
def test_a_loading_bar_moves_in_every_frame_and_is_full_only_at_the_end(seconds):
    bar = LoadingBar(80.0)
    bar.update(seconds)
    seen = [bar.update(0.5, 1.0 if step > 100 else 0.5) for step in range(200)]
    assert all(a < b < 1.0 for a, b in pairwise(seen))
    assert seen[0] >= 0.5


def test_the_bar_of_a_level_that_loads_moves(floor_level):
    game = Game(floor_level, Settings(), "low")
    game.start(game.make_world())
    game.screen.fade.waiting_for = "Loading Yard"
    seen = []
    for _ in range(3):
        game.screen.fade.bar.update(0.1)
        seen.append(build_hud(game, game.current_mode).progress)
    assert 0.0 < seen[0] < seen[1] < seen[2] < 1.0


def test_the_bar_goes_on_while_the_kernels_of_balls_compile(monkeypatch):
    """It stood at 100 % for that time."""
    balls = SimpleNamespace(is_finished=False, fraction=0.0)
    monkeypatch.setattr(startup, "KernelCompilation", lambda steps: balls)
    walker = SimpleNamespace(is_compiling=False, fraction=1.0, is_finished=True, print_status=lambda print_line: None)
    level = SimpleNamespace(balls=(1,), play=None, golf=None)
    clock = SimpleNamespace(frame_count=1)
    game = SimpleNamespace(
        session=None,
        screen=SimpleNamespace(is_compiling=False),
        menus=SimpleNamespace(is_opening=False),
        level=level,
        clock=clock,
    )
    sequence = StartupSequence(game, walker, 1.0)
    seen = []
    for step in range(4):
        balls.fraction = step / 10
        sequence.update(1.0 + step)
        seen.append(game.screen.progress)
    assert game.screen.progress_label == "Setup..."
    assert 0.5 < seen[1] < seen[2] < seen[3] < 0.8


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
