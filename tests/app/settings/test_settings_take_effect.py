"""Every setting does at once what its sentence says: measured in a running game, changed, and measured again."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from game.app.audio import sound_player
from game.app.audio.sounds import Rumble, SoundCue, strongest_effect
from game.app.display.display_settings import DisplaySettings, effective_quality
from game.app.input.gamepad import GamepadInput, GamepadManager
from game.app.settings.settings_table import OPTIONS_BY_NAME, Settings
from game.level import load
from game.physics import rules
from game.render import Hud
from game.render.hud.arrangement import arrange_hud
from game.render.hud.primitives import RoundedBox, TextRun
from tests.app.display.test_display_settings import Window
from tests.support.player import Player
from tests.support.until import repeat_until

STAIRS = """\
format: 1
spawn: {at: [0, 0, 8], facing: north}
pieces:
  - floor: {from: [-20, -20], to: [20, 20]}
  - stairs: {at: [0, 0, 2], facing: north, steps: 8, rise: 0.18, run: 0.30, width: 6}
  - box: {from: [-3, 0, -9], to: [3, 1.44, -0.4]}
goal: {at: [0, 0, 19], radius: 0.5}
"""
SIZE = (1280, 720)


@pytest.fixture
def player():
    player = Player.in_level(load(text=STAIRS))
    player.wait(0.2)
    return player


def apart(player, seconds, key="W"):
    """How much the eye's height over the feet differs while a key is held."""
    heights = []
    player.game.key_pressed(key)
    for _ in range(round(seconds * 60)):
        shown = player.wait(1 / 60)
        heights.append(shown.view.eye[1] - player.game.session.pose().feet[1])
    player.game.key_released(key)
    return max(heights) - min(heights)


def on_the_stairs(player):
    player.hold("W", 1.0)
    return apart(player, 0.6)


def on_the_flat(player):
    player.hold("S", 0.5)
    return apart(player, 1.0, "D")


def landing(player):
    player.hold("SPACE", 0.1)
    repeat_until(lambda: player.game.session.world.walker_state.grounded, lambda: player.wait(1 / 60))
    return apart(player, 0.5, "F7")


def moving(player):
    """All that moves the eye by itself, with a head bob asked for: in play, and behind the title."""
    player.game.push_mode("title")
    seen = [player.wait(0.5).view for _ in range(3)]
    player.game.current_mode.run_action("continue")
    flown = math.dist((*seen[0].eye, seen[0].yaw), (*seen[-1].eye, seen[-1].yaw))
    player.game.settings = player.game.settings.with_value("head_bob", 1.0)
    return np.array((on_the_flat(player), landing(player), flown))


def crouched(player):
    """How tall the body is once the key of crouching has come and gone."""
    player.hold("C", 0.1)
    player.wait(0.5)
    return 2.0 * player.game.session.world.walker_state.radii[1]


def pace(player):
    player.game.key_pressed("LSHIFT")
    player.wait(0.05)
    player.game.key_released("LSHIFT")
    player.hold("S", 1.0)
    player.game.key_pressed("D")
    player.wait(0.5)
    speed = math.hypot(*player.game.session.world.walker_state.velocity)
    player.game.key_released("D")
    return speed


def turned(player):
    """Degrees to the right and up that the mouse turns by 10 pixels."""
    look = player.game.input.view
    look._after_capture = False
    yaw, pitch = look.yaw, look.pitch
    player.game.mouse_moved(10, 10)
    return (((yaw - look.yaw + 32768) % 65536 - 32768) * 360 / 65536, (look.pitch - pitch) * 360 / 65536)


def padded(right=(0.0, 0.0), left=(0.0, 0.0)):
    """Degrees that a gamepad's right stick turns in a twentieth of a second, and what its left one asks for."""

    def measure(player):
        pad, look = GamepadInput(player.game), player.game.input.view
        yaw, pitch = look.yaw, look.pitch
        pad.stick(False, *right)
        pad.stick(True, *left)
        pad.update(0.05)
        across = ((yaw - look.yaw + 32768) % 65536 - 32768) * 360 / 65536
        return across, (look.pitch - pitch) * 360 / 65536, player.game.input.held.stick[1]

    return measure


def walked(player):
    """Metres ahead with W, and with Z."""
    far = []
    for key in ("W", "Z"):
        before = player.feet[2]
        player.hold(key, 0.5)
        far.append(round(before - player.feet[2]))
    return far


def loud(player):
    by = sound_player.volume_function(player.game.settings)
    return by("land"), by("step_stone_1"), by("outdoors"), by("music")


def laid(player):
    """A menu as it is drawn: its layout."""
    player.game.pause()
    player.game.key_pressed("DOWN")
    hud = player.wait(1 / 60).hud
    player.game.resume()
    assert hud != Hud()
    return arrange_hud(hud, SIZE).items


def letters(player):
    """Size of the letters of the rows, which is that of most lines."""
    sizes = [item.size for item in laid(player) if isinstance(item, TextRun)]
    return max(sizes, key=sizes.count)


def widest(player):
    return max(item.width for item in laid(player) if isinstance(item, RoundedBox) and item.width < SIZE[0])


def through(player):
    """How much of the world shows through what stands behind the menu's letters."""
    covers = [item.colour[3] for item in laid(player) if isinstance(item, RoundedBox) and 150.0 < item.height < SIZE[1]]
    return 1.0 - max(covers)


def accents(player):
    return {item.colour[:3] for item in laid(player)}


def across(player):
    """Degrees that a picture of 16:9 shows from side to side."""
    up = math.tan(math.radians(player.wait(1 / 60).view.fov_degrees / 2))
    return 2.0 * math.degrees(math.atan(16 / 9 * up))


def shown_on(player):
    """Full screen, vsync, and seconds between two frames, of a window that follows the game."""
    window = Window()
    displaying = DisplaySettings(window)
    displaying.update(player.game.settings)
    starts = [displaying.frame_wait(10.0, 0.004, player.game.settings) for _ in range(2)]
    return window.fullscreen, ("vsync", False) not in window.did, starts[-1]


def outlined(player):
    """Layers of lines over the world."""
    player.game.jobs.finish()
    overlay = player.wait(1 / 60).overlay
    return 0 if overlay is None else len(overlay.lines)


def captioned(player):
    """Labels after the sound of a launch pad."""
    update = player.game.update_mode

    def launch(now, seconds):
        update(now, seconds)
        player.game.feedback.sound_cues.append(SoundCue("launch"))

    player.game.update_mode = launch
    shown = player.wait(1 / 60)
    del player.game.update_mode
    return tuple(label.text for label in shown.hud.labels)


@dataclass(frozen=True)
class Effect:
    """A setting's other value; what is measured at first, and with it."""

    other: Any
    measure: Any
    usual: Any
    then: Any


def near(value, tolerance=1e-6):
    return lambda found, _=None: found == pytest.approx(value, abs=tolerance)


def over(value):
    return lambda found, _=None: found > value


def is_(value):
    return lambda found, _=None: found == value


def times(factor):
    return lambda found, first: found == pytest.approx(factor * first, rel=0.05)


def tapped(key, action):
    """Whether an action lasts after its key has come and gone."""

    def measure(player):
        player.hold(key, 0.05)
        player.wait(0.05)
        return action in player.game.input.held.active

    return measure


def ticks_of_a_second(player):
    before = player.tick
    player.wait(1.0)
    return player.tick - before


def goes_back(player):
    """Whether the way back goes on after its key was released."""
    player.wait(1.0)
    player.hold("BACKSPACE", 0.1)
    player.wait(0.05)
    tick = player.tick
    player.wait(0.1)
    goes = player.tick < tick
    player.game.key_pressed("ESCAPE")
    return goes


def turned_by_keys(player):
    """Degrees in half a second."""
    yaw = player.game.input.view.yaw
    player.game.input.held.bindings = player.game.input.held.bindings.bind("turn_left", 0, "J")
    player.hold("J", 0.5)
    return (player.game.input.view.yaw - yaw) % 65536 * 360 / 65536


def caught(player):
    """Feet after a fall out of the level, from a place beside the spawn."""
    player.hold("S", 0.2)
    player.wait(1.0)
    world = player.game.session.world
    safe = player.feet
    world.walker_state = world.walker_state.replace(position=(60.0, -500.0, 0.0))
    world._runs.counts[0, rules.FALL_TICK] = world.tick  # for the level's rules a second fall: back to the spawn
    player.wait(0.2)
    return math.dist(player.feet, safe)


def spun(player):
    """Degrees that a turn of the ground turns the view."""
    yaw = player.game.input.view.yaw
    player.game.session.world.platform_turn = 1000
    player.wait(0.05)
    return round(player.game.input.view.yaw - yaw)


def rolls(player):
    """Whether the view is still on its way after gravity has turned."""
    camera, session = player.game.cameras.first_person, player.game.session
    pose = session.pose()
    camera.update_from_session(session, 1 / 60, player.game.settings)
    camera.update(replace(pose, up=(0.0, 0.0, 1.0), north=(0.0, 1.0, 0.0)), 1 / 60)
    active = camera.up_transition.is_active
    camera.snap(pose)
    return active


COURSE = """
format: 1
spawn: {at: [0, 0.1, 1], facing: north}
surfaces: {grass: {texture: grass, roll: 0.1}}
golf: {holes: [{tee: [0, 0], cup: [0, -25]}], bounds: [[-30, -5, -40], [30, 30, 10]]}
pieces:
  - terrain: {from: [-30, -40], to: [30, 10], formula: "0 * x", surface: grass, cups: [{at: [0, -25], radius: 0.15}]}
"""


def follows(player):
    """Metres from the player's eye to that of the picture, a second after a stroke."""
    golfer = Player.in_level(load(text=COURSE), ball_camera=player.game.settings.ball_camera)
    golfer.hold("E", 1.45)
    return math.dist(golfer.wait(1.2).view.eye, golfer.feet)


def shakes(player):
    """Strength of the strong motor when a gamepad's player lands."""
    played = []
    pad = SimpleNamespace(rumble_play_strong=lambda *what: played.append(what), rumble_play_weak=lambda *what: None)
    pads = GamepadManager(
        GamepadInput(player.game), SimpleNamespace(push_handlers=lambda **_: None, get_controllers=list)
    )
    pads._open.append(pad)
    player.game.input.held.uses_gamepad = True
    Rumble().play(pads.rumbling, strongest_effect([SoundCue("land", 1.0)], player.game.settings.rumble))
    return played[0][0] if played else 0.0


EFFECTS = {
    "walk": Effect("toggle", tapped("S", "back"), is_(False), is_(True)),
    "jump": Effect("toggle", tapped("SPACE", "jump"), is_(False), is_(True)),
    "use": Effect("toggle", tapped("E", "use"), is_(False), is_(True)),
    "rewind_key": Effect("toggle", goes_back, is_(False), is_(True)),
    "turn_speed": Effect(240.0, turned_by_keys, near(60.0, 0.1), near(120.0, 0.1)),
    "game_speed": Effect(0.5, ticks_of_a_second, near(60, 1), near(30, 1)),
    "no_fail": Effect(True, caught, over(0.5), near(0.0, 0.05)),
    "gravity_view": Effect("cut", rolls, is_(True), is_(False)),
    "platform_view": Effect(False, spun, is_(1000), is_(0)),
    "rumble": Effect(1.0, shakes, near(0.4), near(0.8)),
    "borderless": Effect(True, shown_on, near((False, True, 0.004)), near((True, True, 0.004))),
    "vsync": Effect(False, shown_on, near((False, True, 0.004)), near((False, False, 0.004))),
    "frame_cap": Effect("60", shown_on, near((False, True, 0.004)), near((False, True, 1 / 60))),
    "quality": Effect(
        "high",
        lambda player: effective_quality(player.game.settings, Settings(), "medium", "low"),
        is_("medium"),
        is_("high"),
    ),
    "fov": Effect(110.0, across, near(90.0), near(110.0)),
    "interface_scale": Effect(1.5, widest, over(200.0), times(1.5)),
    "trial_clock": Effect(False, lambda player: player.wait(0.1).hud.timer, is_("0:00.00"), is_("")),
    "goal_marker": Effect(False, lambda player: len(player.wait(0.1).hud.markers), is_(1), is_(0)),
    "hints": Effect(False, lambda player: "to move" in player.wait(0.1).hud.hint, is_(True), is_(False)),
    "ball_camera": Effect(False, follows, over(2.5), near(1.6, 0.2)),
    "reduce_motion": Effect(True, moving, lambda found: (found > 0.01).all(), lambda found, _: (found < 1e-9).all()),
    "head_bob": Effect(1.0, on_the_flat, near(0.0, 1e-9), over(0.02)),
    "step_smoothing": Effect(False, on_the_stairs, over(0.1), near(0.0, 1e-9)),
    "crouch": Effect("toggle", crouched, near(1.8, 1e-3), near(1.1, 1e-3)),
    "sprint": Effect("toggle", pace, near(4.0, 0.01), near(6.5, 0.01)),
    "text_size": Effect(1.5, letters, over(10), times(1.5)),
    "high_contrast": Effect(True, through, over(0.1), near(0.0, 0.05)),
    "outlines": Effect(True, outlined, is_(0), over(2)),
    "captions": Effect(True, captioned, is_(()), is_(("Launch pad",))),
    "palette": Effect("safe", accents, lambda found: len(found) > 2, lambda found, _: (1.00, 0.76, 0.36) not in found),
    "sensitivity": Effect(0.24, turned, near((1.2, 1.2)), near((2.4, 2.4))),
    "invert_x": Effect(True, turned, near((1.2, 1.2)), near((-1.2, 1.2))),
    "invert_y": Effect(True, turned, near((1.2, 1.2)), near((1.2, -1.2))),
    "pad_dead_zone": Effect(0.5, padded(left=(0.0, 0.6)), near((0, 0, 0.5)), near((0, 0, 0.2))),
    "pad_speed": Effect(360.0, padded((1.0, 0.0)), near((9, 0, 0)), near((18, 0, 0))),
    "pad_invert_x": Effect(True, padded((1.0, 0.0)), near((9, 0, 0)), near((-9, 0, 0))),
    "pad_invert_y": Effect(True, padded((0.0, 1.0)), near((0, 6, 0)), near((0, -6, 0))),
    "keys": Effect("azerty", walked, is_([2, 0]), is_([0, 2])),
    "master": Effect(0.5, loud, near((0.7, 0.7, 0.5, 0.2)), near((0.35, 0.35, 0.25, 0.1))),
    "sound": Effect(0.35, loud, near((0.7, 0.7, 0.5, 0.2)), near((0.35, 0.7, 0.5, 0.2))),
    "footsteps": Effect(0.35, loud, near((0.7, 0.7, 0.5, 0.2)), near((0.7, 0.35, 0.5, 0.2))),
    "ambience": Effect(0.25, loud, near((0.7, 0.7, 0.5, 0.2)), near((0.7, 0.7, 0.25, 0.2))),
    "music": Effect(0.4, loud, near((0.7, 0.7, 0.5, 0.2)), near((0.7, 0.7, 0.5, 0.4))),
}


ELSEWHERE = {"ghost"}  # needs a best run: tests/app/runs/test_time_trial.py


def test_every_setting_has_a_test_of_its_effect():
    assert set(EFFECTS) | ELSEWHERE == set(OPTIONS_BY_NAME)


@pytest.mark.parametrize("name", list(EFFECTS))
@pytest.mark.sample(6)
def test_a_setting_takes_effect_at_once(player, name):
    effect = EFFECTS[name]
    first = effect.measure(player)
    assert effect.usual(first), f"at first: {first}"
    player.game.restart()
    player.game.settings = Settings().with_value(name, effect.other)
    assert getattr(player.game.settings, name) == effect.other
    player.wait(0.1)
    found = effect.measure(player)
    assert effect.then(found, first), f"with {effect.other}: {found}"
