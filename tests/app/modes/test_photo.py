"""Photo mode: the world stands still, and leaving it brings everything back to the bit."""

from __future__ import annotations

import pytest

from game.app.audio.sounds import SoundCue
from game.app.game import Game
from game.app.modes.photo import PhotoMode
from game.app.settings.settings_file import Settings
from game.app.visuals.puffs import MAX_SECONDS
from game.level import load
from tests.support.player import Player


class Photographer(Player):
    """A player in photo mode, after two seconds of play."""

    def __init__(self, third_person: bool = False, preset: str = "qwerty") -> None:
        super().__init__(Game(load("levels/surfaces.yaml"), Settings(keys=preset), ""))
        self.game.cameras.third_person.enabled = third_person
        self.hold("W", 2.0)
        self.before = self.wait(0.5)
        self.press("F10")

    @property
    def mode(self) -> PhotoMode:
        mode = self.game.current_mode
        assert isinstance(mode, PhotoMode)
        return mode


def use_everything(player: Photographer) -> None:
    for key, seconds in (("S", 2.0), ("SPACE", 1.0), ("T", 0.7), ("M", 2.0)):
        player.hold(key, seconds)
    player.game.mouse_moved(60, 25)
    player.game.mouse_moved(60, 25)
    player.game.scrolled(5)
    player.press("B", "X", "H")


@pytest.mark.parametrize("third_person", [False, True])
@pytest.mark.sample(1)
def test_leaving_brings_everything_back(third_person: bool) -> None:
    player = Photographer(third_person)
    game, world = player.game, player.game.world
    state, void, timer = world.state(), game.runs.time_trial.void_reason, game.runs.time_trial.run.seconds
    recorded = game.session.history.end
    use_everything(player)
    assert world.state() == state
    game.key_pressed("ESCAPE")
    assert game.mode == "playing"
    player.now -= 1 / 60  # the frame of the moment at which the mode was entered
    game.clock.now = None
    player.wait(1 / 60)
    after = player.shown
    assert world.state() == state
    assert (game.runs.time_trial.void_reason, game.runs.time_trial.run.seconds) == (void, timer)
    assert game.session.history.end == recorded
    assert after.view == player.before.view
    assert after.time == pytest.approx(player.before.time, abs=1e-9)
    assert after.sun is None
    assert after.body == player.before.body
    assert after.ellipsoids == player.before.ellipsoids
    assert after.hud.timer == player.before.hud.timer
    player.wait(1.0)
    assert world.tick > 0
    assert game.runs.time_trial.void_reason == ""


def test_drops_stay_in_the_picture_that_stands_still() -> None:
    player = Photographer()
    puffs = player.game.feedback.puffs
    puffs.update([SoundCue("splash")], (0.0, 0.0, 0.0), (0.0, 0.9, 0.0), player.shown.time)
    player.wait(1.0)
    count = len(player.shown.particles)
    assert count > 10
    player.wait(2.0 * MAX_SECONDS)
    assert len(player.shown.particles) == count
    player.press("F10")
    player.wait(1.1 * MAX_SECONDS)
    assert not len(player.shown.particles)


def test_the_field_of_view_is_that_of_the_settings_and_the_left_button_takes_the_picture() -> None:
    player = Photographer()
    rows = {row.label: row.value for row in player.shown.hud.cards[0].rows}
    assert rows["Field of view"] == "90°"
    player.game.left_pressed()
    assert player.game.screen.requests == ["photo1"]
    assert ("Enter or Left mouse", "Take the picture") in player.shown.hud.key_strip
