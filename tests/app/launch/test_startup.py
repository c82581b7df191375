"""Until the first frame nothing is collected as garbage; what is there then is left alone from then on."""

from __future__ import annotations

import gc
from types import SimpleNamespace

import pytest

from game.app.commands import play
from game.app.startup import StartupSequence


@pytest.fixture(autouse=True)
def as_before():
    yield
    gc.enable()
    gc.unfreeze()


def test_the_collector_begins_with_the_second_frame_that_can_be_played(capsys):
    menus, level = SimpleNamespace(is_opening=False), SimpleNamespace(name="Yard")
    game = SimpleNamespace(session=object(), menus=menus, level=level)
    startup = StartupSequence(game, SimpleNamespace(), 1.0)
    gc.disable()
    gc.unfreeze()
    startup.update(1.5)
    assert not gc.isenabled()
    startup.update(1.75)
    assert gc.isenabled()
    assert gc.get_freeze_count() > 1000
    assert "Playing Yard: first playable frame after 0.75 s." in capsys.readouterr().err
    gc.unfreeze()
    startup.update(2.0)
    assert gc.get_freeze_count() == 0


def test_without_a_window_the_garbage_collector_stays_on(monkeypatch, level_file):
    from game.app.commands.play import headless

    found = []
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(headless, "play_headless", lambda *given: found.append(gc.isenabled()) or 0)
    assert play.run(SimpleNamespace(level=str(level_file), ghost=None, report=None)) == 0
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


@pytest.mark.parametrize(("is_compiling", "text"), [(True, "First-time setup..."), (False, "Loading...")])
def test_only_a_start_that_compiles_is_called_the_first(is_compiling, text):
    compilation = SimpleNamespace(
        is_compiling=is_compiling, fraction=0.0, is_finished=False, print_status=lambda print_line: None
    )
    game = SimpleNamespace(session=None, screen=SimpleNamespace(), menus=SimpleNamespace(is_opening=False))
    StartupSequence(game, compilation, 1.0).update(1.5)
    assert game.screen.progress_label == text
