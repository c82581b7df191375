"""A simulated player for tests of the game without a window."""

from __future__ import annotations

ASPECT = 16 / 9


def records(folder):
    return sorted(folder.glob("*.replay"))


class Player:
    """Turns the clock and presses keys."""

    def __init__(self, game, world=None):
        self.game, self.now = game, 100.0
        self.shown = game.advance_frame(self.now, ASPECT)
        game.start(game.make_world() if world is None else world)
        self.shown = game.advance_frame(self.now, ASPECT)

    def wait(self, seconds, frame=1 / 60):
        for _ in range(round(seconds / frame)):
            self.now += frame
            self.shown = self.game.advance_frame(self.now, ASPECT)
        return self.shown

    def hold(self, key, seconds):
        self.game.key_pressed(key)
        self.wait(seconds)
        self.game.key_released(key)

    @property
    def feet(self):
        return self.game.session.world.walker_state.feet

    @property
    def tick(self):
        return self.game.session.world.tick
