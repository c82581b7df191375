"""Photo mode: the world stands still, the controls act, and leaving it brings everything back to the bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from game.app.audio.sound_cue import SoundCue
from game.app.display.still_image import photograph
from game.app.game import Game
from game.app.input.gamepad import GamepadInput
from game.app.modes.photo import MAX_DISTANCE, PhotoMode
from game.app.settings.settings_file import Settings
from game.app.visuals.puffs import MAX_SECONDS
from game.level import load
from game.render import Renderer, Scene
from game.text.key_symbols import plain_text
from tests.support import gl
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
@pytest.mark.full
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


@pytest.mark.full
def test_the_camera_stays_near_the_body() -> None:
    player = Photographer()
    for key in ("S", "SPACE", "D"):
        player.hold(key, 20.0)
    centre = player.game.session.pose().centre
    assert math.dist(player.shown.view.eye, centre) <= MAX_DISTANCE + 1e-6
    assert math.dist(player.shown.view.eye, centre) > MAX_DISTANCE - 0.1


@pytest.mark.full
def test_roll_turns_the_picture_and_not_the_direction() -> None:
    player = Photographer()
    level = player.shown.view.basis()
    player.hold("Y", 1.0)
    rolled = player.shown.view.basis()
    assert np.allclose(rolled[2], level[2], atol=1e-6)
    angle = math.degrees(math.acos(float(rolled[1] @ level[1])))
    assert angle == pytest.approx(player.mode.controls.roll, abs=1e-3)
    assert 20.0 < angle < 40.0
    assert float(rolled[0] @ rolled[1]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.full
def test_zoom_body_size_and_hud() -> None:
    player = Photographer()
    fov = player.shown.view.fov_degrees
    player.game.scrolled(3)
    player.wait(1 / 60)
    assert player.shown.view.fov_degrees == pytest.approx(fov - 9.0)
    player.game.scrolled(-1000)
    assert player.mode.controls.fov == 100.0
    player.hold("S", 2.0)
    assert any(one.visor for one in player.shown.ellipsoids)
    assert player.shown.body is not None
    player.press("B")
    assert not any(one.visor for one in player.shown.ellipsoids)
    assert player.shown.body is None
    assert player.shown.hud.key_strip
    player.press("H")
    assert not player.shown.hud.key_strip
    assert not player.shown.hud.cards
    player.press("X", "RETURN", "F12")
    assert player.game.screen.requests == ["photo2", "photo2"]


@pytest.mark.full
def test_time_of_day_moves_the_sun_on_an_arc_from_its_place() -> None:
    player = Photographer()
    sky = player.game.level.sky
    assert player.shown.sun is None
    controls = player.mode.controls
    controls.hours = 1e-9
    height, azimuth = player.mode.sun_position()
    assert (height, azimuth % 360.0) == (pytest.approx(sky.sun_height), pytest.approx(sky.sun_from % 360.0))
    heights = []
    for hours in (0.0, 2.0, 4.0, 6.0, 6.5):
        controls.hours = hours
        heights.append(player.mode.sun_position()[0])
    assert heights == sorted(heights, reverse=True)
    assert heights[3] == pytest.approx(0.0, abs=1e-6)
    controls.hours = 3.0
    evening = player.mode.sun_position()
    controls.hours = -3.0
    assert player.mode.sun_position()[0] == pytest.approx(evening[0])
    player.hold("M", 30.0)
    assert controls.hours == 6.5
    assert "stays" in player.shown.hud.cards[0].note
    player.press("R")
    assert player.shown.sun is None


@pytest.mark.full
def test_keys_that_turn_the_view_turn_the_camera() -> None:
    player = Photographer(preset="left_hand")
    yaw, pitch = player.shown.view.yaw, player.shown.view.pitch
    player.hold("A", 0.5)
    player.hold("R", 0.2)
    assert ("Home", "Reset") in player.shown.hud.key_strip
    assert player.shown.view.yaw > yaw + 0.3
    assert player.shown.view.pitch > pitch + 0.1


@pytest.mark.full
def test_the_photo_mode_opens_from_the_pause_menu_and_a_lost_focus_pauses() -> None:
    player = Photographer()
    player.game.pause()
    assert player.game.mode == "paused"
    assert "movie" in [row.name for row in player.game.menu.rows]
    player.choose("photo")
    assert player.game.mode == "photo"


@pytest.mark.full
def test_keys_of_photo_mode_do_nothing_in_play_later() -> None:
    player = Photographer()
    player.game.key_pressed("W")
    player.game.key_pressed("SPACE")
    player.press("ESCAPE")
    position = player.game.world.walker_state.position
    player.wait(0.5)
    assert math.dist(player.game.world.walker_state.position[::2], position[::2]) < 1e-3
    assert player.game.world.walker_state.grounded


@pytest.mark.full
def test_the_picture_has_no_hud_and_the_next_frame_is_as_before() -> None:
    context = gl.context()
    player = Photographer()
    renderer = Renderer(context, Scene.from_level(player.game.level), "low")
    try:
        size = (160, 90)
        renderer.render(player.before, size)
        frame = renderer.image()
        renderer.scale = 0.5  # as dynamic resolution leaves it
        picture = photograph(renderer, player.shown, size, 2)
        assert picture.shape == (180, 320, 3)
        assert renderer.scale == 0.5
        without = photograph(renderer, player.shown, size, 1)
        renderer.scale = renderer.quality.scale
        renderer.render(player.shown, size)
        assert (renderer.image() != without).any(), "the mode itself shows its keys"
        player.hold("M", 2.0)
        dusk = photograph(renderer, player.shown, size, 1)
        assert np.abs(dusk.astype(int) - without).mean() > 2.0, "another time of day is another picture"
        renderer.render(player.before, size)
        assert (renderer.image() == frame).all(), "light and shadows are as before"
    finally:
        renderer.release()
        context.release()


@pytest.mark.full
def test_a_gamepad_takes_the_picture_and_leaves_with_the_buttons_of_the_strip() -> None:
    player = Photographer()
    pad = GamepadInput(player.game)
    pad.button("PAD_RIGHT", True)
    pad.button("PAD_RIGHT", False)
    assert any(request.startswith("photo") for request in player.game.screen.requests)
    player.wait(1 / 60)
    strip = [(plain_text(key), meaning) for key, meaning in player.shown.hud.key_strip]
    assert strip == [("Pad right", "Take the picture"), ("Pad A", "Up"), ("Pad B", "Down"), ("Pad Start", "Back")]
    pad.button("PAD_START", True)
    assert player.game.mode == "playing"


def test_the_field_of_view_is_that_of_the_settings_and_the_left_button_takes_the_picture() -> None:
    player = Photographer()
    rows = {row.label: row.value for row in player.shown.hud.cards[0].rows}
    assert rows["Field of view"] == "90°"
    player.game.left_pressed()
    assert player.game.screen.requests == ["photo1"]
    assert ("Enter or Left mouse", "Take the picture") in player.shown.hud.key_strip
