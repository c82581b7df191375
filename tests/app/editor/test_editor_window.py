"""Looking and editing in a real window, with real key and mouse events."""

from __future__ import annotations

import pytest

from game.level.edit import backup_path
from tests.support.until import wait_until

pytestmark = pytest.mark.full


def wait_for(path, data):
    """Until a file holds these bytes."""
    wait_until(lambda: path.exists() and path.read_bytes() == data)


def test_pick_move_undo_and_open_the_line(play, level_file, tmp_path):
    before = level_file.read_bytes()
    called = tmp_path / "called.txt"
    editor = tmp_path / "code"
    editor.write_text(f'#!/bin/sh\necho "$@" > {called}\n')
    editor.chmod(0o755)
    with play(env={"VISUAL": str(editor)}) as game:
        game.ready()
        game.press("F2")
        game.xdotool("click", 1)
        game.turns(3)
        game.press("Up")
        north = before.replace(b"from: [-20, -10], to: [20, -10]", b"from: [-20, -10.5], to: [20, -10.5]")
        assert north != before
        wait_for(level_file, north)
        game.wait_for("Level reloaded")
        game.press("e")
        wait_for(called, f"-g {level_file}:6:5\n".encode())
        game.press("z")
        wait_for(level_file, before)
        game.press("y")
        wait_for(level_file, north)
        game.press("F2")
        end = game.quit_by_menu()
    assert end["feet"] == pytest.approx((0.0, 0.0, 0.0), abs=0.02)
    assert backup_path(level_file).read_bytes() == before
    assert level_file.read_bytes() == north
