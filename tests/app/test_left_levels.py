"""Levels that were left: nothing of them stays, neither objects nor OpenGL resources."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import pytest

from game.app.display.level_renderer import LevelRenderer
from game.app.game import Game
from game.app.settings.mode_names import LEAVING, PLAYING
from game.app.settings.settings_file import Settings
from game.level import Exit, load
from tests.support import gl
from tests.support.player import Player
from tests.support.until import repeat_until, wait_until

YARD = """\
format: 1
name: Yard
spawn: {at: [0, 0, 0], facing: north}
pieces:
  - floor: {from: [-9, -9], to: [9, 9]}
  - wall: {from: [-9, -8], to: [9, -8], height: 4}
goal: {at: [0, 0, -1.2], radius: 0.5}
"""


@pytest.fixture
def levels(tmp_path):
    """Two small levels."""
    paths = [tmp_path / "first.yaml", tmp_path / "second.yaml"]
    for path in paths:
        path.write_text(YARD)
    return paths


class DrawnPlayer(Player):
    """A player whose frames are drawn."""

    def __init__(self, path):
        self.context = gl.context()
        game = Game(load(path), Settings(), "low")
        self.drawn = LevelRenderer(self.context, game, software=True)
        super().__init__(game)

    def draw(self, seconds=1 / 60):
        shot = self.wait(seconds)
        self.drawn.update("low").render(shot, (32, 18))

    def press(self, *keys):
        for key in keys:
            self.game.key_pressed(key)
            self.wait(1 / 60)
            self.game.key_released(key)
            self.draw()

    def to_play(self):
        repeat_until(lambda: self.game.mode == PLAYING, lambda: self.press("ESCAPE"), 12)

    def travel(self, path):
        self.game.push_mode(LEAVING, Exit((0.0, 0.0, 0.0), 0.0, str(path), path, path.stem, ""))
        wait_until(lambda: self.draw() or (self.game.level.path == path and self.game.mode == PLAYING))
        self.draw()

    def parts(self):
        """Weak references to what a level needs."""
        session, renderer = self.game.session, self.drawn.renderer
        world = session.world
        parts = (session, world, world.level, session.history, renderer.scene, self.game.current_mode)
        return [weakref.ref(part) for part in parts]

    def close(self):
        self.drawn.close()
        self.game.close()
        remaining = gl.count_objects(self.context)
        del remaining["Program"]  # the driver keeps the one in use until another is used
        assert +remaining == Counter()
        self.context.release()


def test_nothing_of_a_level_stays_after_it_was_left(levels):
    player = DrawnPlayer(levels[0])
    left, gl_objects = [], []
    try:
        for path in (levels[1], levels[0], levels[1]):
            player.hold("W", 0.1)
            player.press("V", "F2")
            player.press("F2")
            player.to_play()
            parts = player.parts()
            player.travel(path)
            gc.collect()
            left += [type(part()).__name__ for part in parts if part() is not None]
            gl_objects.append(gl.count_objects(player.context))
    finally:
        player.close()
    assert left == []
    assert gl_objects[2] == gl_objects[1]
    assert gl_objects[0]["Buffer"] > 10
