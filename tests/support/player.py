"""A simulated player for tests of the game without a window."""

from __future__ import annotations

from game.app.game import Game
from game.app.settings.mode_names import ARRIVING, LEAVING
from game.app.settings.settings_file import Settings
from game.sim import World
from tests.support.until import repeat_until

ASPECT = 16 / 9


def make_walks_differ(monkeypatch, after=0):
    """Add 1 mm to x in each tick after this one, as if this version of the physics gave other results than recorded."""
    real = World.step

    def step(self, command):
        events = real(self, command)
        if self.tick > after:
            x, y, z = self.walker_state.position
            self.walker_state = self.walker_state.replace(position=(x + 0.001, y, z))
        return events

    monkeypatch.setattr(World, "step", step)


class Player:
    """Turns the clock and presses keys."""

    def __init__(self, game, world=None):
        self.game, self.now = game, 100.0
        self.shown = game.advance_frame(self.now, ASPECT)
        game.start(game.make_world() if world is None else world)
        game.cameras.hero_camera.stop()  # the view of the start has tests of its own
        self.shown = game.advance_frame(self.now, ASPECT)

    @classmethod
    def in_level(cls, level, **settings):
        """A player of a level with these settings."""
        return cls(Game(level, Settings(**settings), "low"))

    def wait(self, seconds, frame=1 / 60):
        for _ in range(round(seconds / frame)):
            self.now += frame
            self.shown = self.game.advance_frame(self.now, ASPECT)
        return self.shown

    def hold(self, key, seconds):
        self.game.key_pressed(key)
        self.wait(seconds)
        self.game.key_released(key)

    def press(self, *keys):
        """Press and release each key, and show a frame after it."""
        for key in keys:
            self.game.key_pressed(key)
            self.game.key_released(key)
            self.wait(1 / 60)

    def choose(self, *names):
        """Choose rows of the open menu by their names, page after page."""
        menu = self.game.menu
        for name in names:
            menu.select([row.name for row in menu.rows].index(name))
            self.game.key_pressed("RETURN")

    def wait_for(self, condition, seconds=30.0, frame=1 / 60):
        """Wait until the condition holds."""
        repeat_until(condition, lambda: self.wait(frame, frame), round(seconds / frame))

    def arrive(self):
        """Wait until a journey to another level is over, whatever comes of it."""
        repeat_until(lambda: self.game.mode not in (LEAVING, ARRIVING), lambda: self.wait(1 / 60))

    @property
    def feet(self):
        return self.game.session.world.walker_state.feet

    @property
    def tick(self):
        return self.game.session.world.tick
