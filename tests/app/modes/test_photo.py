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


class Photographer:
    """A game without window in photo mode, after two seconds of play."""

    def __init__(self, third_person: bool = False, preset: str = "qwerty") -> None:
        self.game, self.now = Game(load("levels/surfaces.yaml"), Settings(keys=preset), ""), 0.0
        self.game.start(self.game.make_world())
        self.game.cameras.third_person.enabled = third_person
        self.hold("W", 2.0)
        self.play(0.5)
        self.before = self.shot
        self.press("F10")
        self.play(1 / 60)

    @property
    def mode(self) -> PhotoMode:
        mode = self.game.current_mode
        assert isinstance(mode, PhotoMode)
        return mode

    def play(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds * 60))):
            self.now += 1 / 60
            self.shot = self.game.advance_frame(self.now, 16 / 9)

    def press(self, key: str) -> None:
        self.game.key_pressed(key)
        self.game.key_released(key)

    def hold(self, key: str, seconds: float) -> None:
        self.game.key_pressed(key)
        self.play(seconds)
        self.game.key_released(key)


def use_everything(player: Photographer) -> None:
    for key, seconds in (("S", 2.0), ("SPACE", 1.0), ("T", 0.7), ("M", 2.0)):
        player.hold(key, seconds)
    player.game.mouse_moved(60, 25)
    player.game.mouse_moved(60, 25)
    player.game.scrolled(5)
    player.press("B")
    player.press("X")
    player.press("H")
    player.play(0.5)


@pytest.mark.parametrize("third_person", [False, True])
@pytest.mark.full
def test_leaving_brings_everything_back(third_person: bool) -> None:
    player = Photographer(third_person)
    game, world = player.game, player.game.world
    state, void, timer = world.state(), game.runs.time_trial.void_reason, game.runs.time_trial.run.seconds
    recorded = game.runs.time_trial.recorder.seconds
    use_everything(player)
    assert world.state() == state
    player.press("ESCAPE")
    assert game.mode == "playing"
    player.now -= 1 / 60  # the frame of the moment at which the mode was entered
    game.clock.now = None
    player.play(1 / 60)
    after = player.shot
    assert world.state() == state
    assert (game.runs.time_trial.void_reason, game.runs.time_trial.run.seconds) == (void, timer)
    assert game.runs.time_trial.recorder.seconds == recorded
    assert after.view == player.before.view
    assert after.time == pytest.approx(player.before.time, abs=1e-9)
    assert after.sun is None
    assert after.body == player.before.body
    assert after.ellipsoids == player.before.ellipsoids
    assert after.hud.timer == player.before.hud.timer
    player.play(1.0)
    assert world.tick > 0
    assert game.runs.time_trial.void_reason == ""


def test_the_world_stands_still_and_water_too() -> None:
    player = Photographer()
    tick, time = player.game.world.tick, player.shot.time
    player.play(3.0)
    assert player.game.world.tick == tick
    assert player.shot.time == pytest.approx(time, abs=1e-9)


def test_drops_stay_in_the_picture_that_stands_still() -> None:
    player = Photographer()
    puffs = player.game.feedback.puffs
    puffs.update([SoundCue("splash")], (0.0, 0.0, 0.0), (0.0, 0.9, 0.0), player.shot.time)
    player.play(1.0)
    count = len(player.shot.particles)
    assert count > 10
    player.play(2.0 * MAX_SECONDS)
    assert len(player.shot.particles) == count
    player.press("F10")
    player.play(1.1 * MAX_SECONDS)
    assert not len(player.shot.particles)


@pytest.mark.full
def test_the_camera_stays_near_the_body() -> None:
    player = Photographer()
    for key in ("S", "SPACE", "D"):
        player.hold(key, 20.0)
    centre = player.game.session.pose().centre
    assert math.dist(player.shot.view.eye, centre) <= MAX_DISTANCE + 1e-6
    assert math.dist(player.shot.view.eye, centre) > MAX_DISTANCE - 0.1


@pytest.mark.full
def test_roll_turns_the_picture_and_not_the_direction() -> None:
    player = Photographer()
    level = player.shot.view.basis()
    player.hold("Y", 1.0)
    rolled = player.shot.view.basis()
    assert np.allclose(rolled[2], level[2], atol=1e-6)
    angle = math.degrees(math.acos(float(rolled[1] @ level[1])))
    assert angle == pytest.approx(player.mode.controls.roll, abs=1e-3)
    assert 20.0 < angle < 40.0
    assert float(rolled[0] @ rolled[1]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.full
def test_zoom_body_size_and_hud() -> None:
    player = Photographer()
    fov = player.shot.view.fov_degrees
    player.game.scrolled(3)
    player.play(1 / 60)
    assert player.shot.view.fov_degrees == pytest.approx(fov - 9.0)
    player.game.scrolled(-1000)
    assert player.mode.controls.fov == 100.0
    player.hold("S", 2.0)
    assert any(one.visor for one in player.shot.ellipsoids)
    assert player.shot.body is not None
    player.press("B")
    player.play(1 / 60)
    assert not any(one.visor for one in player.shot.ellipsoids)
    assert player.shot.body is None
    assert player.shot.hud.key_strip
    player.press("H")
    player.play(1 / 60)
    assert not player.shot.hud.key_strip
    assert not player.shot.hud.cards
    player.press("X")
    player.press("RETURN")
    player.press("F12")
    assert player.game.screen.requests == ["photo2", "photo2"]


@pytest.mark.full
def test_time_of_day_moves_the_sun_on_an_arc_from_its_place() -> None:
    player = Photographer()
    sky = player.game.level.sky
    assert player.shot.sun is None
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
    assert "stays" in player.shot.hud.cards[0].note
    player.press("R")
    player.play(1 / 60)
    assert player.shot.sun is None


@pytest.mark.full
def test_keys_that_turn_the_view_turn_the_camera() -> None:
    player = Photographer(preset="left_hand")
    yaw, pitch = player.shot.view.yaw, player.shot.view.pitch
    player.hold("A", 0.5)
    player.hold("R", 0.2)
    assert ("Home", "Reset") in player.shot.hud.key_strip
    assert player.shot.view.yaw > yaw + 0.3
    assert player.shot.view.pitch > pitch + 0.1


@pytest.mark.full
def test_the_photo_mode_opens_from_the_pause_menu_and_a_lost_focus_pauses() -> None:
    player = Photographer()
    player.game.pause()
    assert player.game.mode == "paused"
    names = [row.name for row in player.game.menu.rows]
    assert {"photo", "movie"} <= set(names)
    for _ in range(names.index("photo")):
        player.press("DOWN")
    player.press("RETURN")
    assert player.game.mode == "photo"


@pytest.mark.full
def test_keys_of_photo_mode_do_nothing_in_play_later() -> None:
    player = Photographer()
    player.game.key_pressed("W")
    player.game.key_pressed("SPACE")
    player.press("ESCAPE")
    position = player.game.world.walker_state.position
    player.play(0.5)
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
        picture = photograph(renderer, player.shot, size, 2)
        assert picture.shape == (180, 320, 3)
        assert renderer.scale == 0.5
        without = photograph(renderer, player.shot, size, 1)
        renderer.scale = renderer.quality.scale
        renderer.render(player.shot, size)
        assert (renderer.image() != without).any(), "the mode itself shows its keys"
        player.hold("M", 2.0)
        dusk = photograph(renderer, player.shot, size, 1)
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
    player.play(1 / 60)
    strip = [(plain_text(key), meaning) for key, meaning in player.shot.hud.key_strip]
    assert strip == [("Pad right", "Take the picture"), ("Pad A", "Up"), ("Pad B", "Down"), ("Pad Start", "Back")]
    pad.button("PAD_START", True)
    assert player.game.mode == "playing"


def test_the_field_of_view_is_that_of_the_settings_and_the_left_button_takes_the_picture() -> None:
    player = Photographer()
    rows = {row.label: row.value for row in player.shot.hud.cards[0].rows}
    assert rows["Field of view"] == "90°"
    player.game.left_pressed()
    assert player.game.screen.requests == ["photo1"]
    assert ("Enter or Left mouse", "Take the picture") in player.shot.hud.key_strip
