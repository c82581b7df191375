"""Gamepads by the events of pyglet's own controllers, made of controls that the test moves."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from game.app.game import Game
from game.app.input import gamepad
from game.app.input.gamepad import (
    REPEAT_DELAY,
    REPEAT_INTERVAL,
    GamepadInput,
    GamepadManager,
    apply_stick_response,
)
from game.app.settings.settings_table import Settings
from game.sim import World
from game.text.key_symbols import plain_text
from tests.support.player import Player

BUTTONS = ("a", "b", "x", "y", "back", "start", "leftshoulder", "rightshoulder", "leftstick", "rightstick")
AXES = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger")
ARROWS = ("dpup", "dpdown", "dpleft", "dpright")


class Controllers:
    """A machine with gamepads: pyglet's Controller over a device that only the test has."""

    def __init__(self):
        self.plugged, self.handlers = [], {}

    def push_handlers(self, **handlers):
        self.handlers = handlers

    def get_controllers(self):
        return [one.controller for one in self.plugged]

    def plug(self, one):
        self.plugged.append(one)
        self.handlers["on_connect"](one.controller)

    def pull(self, one):
        self.plugged.remove(one)
        self.handlers["on_disconnect"](one.controller)


class FakeGamepad:
    """One gamepad, and hands on it."""

    def __init__(self, is_available=True):
        pytest.importorskip("pyglet").options.shadow_window = False  # its input asks for windows, but for no display
        try:
            from pyglet.input import base
        except (ImportError, AttributeError) as error:  # some of X11's libraries are there, others are not
            pytest.skip(f"pyglet's input needs the system's libraries: {error}")
        from pyglet.input.controller import Relation

        self.buttons = {name: base.Button(name) for name in (*BUTTONS, *ARROWS)}
        self.axes = {name: base.AbsoluteAxis(name, -32768, 32767) for name in AXES[:4]}
        self.axes |= {name: base.AbsoluteAxis(name, 0, 255) for name in AXES[4:]}
        mapping = {"guid": "0", "name": "Test pad"}
        mapping |= {name: Relation("button", at) for at, name in enumerate(self.buttons)}
        mapping |= {name: Relation("axis", at) for at, name in enumerate(self.axes)}
        controls = [*self.buttons.values(), *self.axes.values()]

        def open_device(window, exclusive):
            if not is_available:
                raise OSError("another program has it")

        device = SimpleNamespace(get_controls=lambda: controls, open=open_device, close=lambda: None, id_product=None)
        self.controller = base.Controller(device, mapping)

    def press(self, name):
        self.buttons[name].value = 1

    def release(self, name):
        self.buttons[name].value = 0

    def tap(self, name):
        self.press(name)
        self.release(name)

    def lean(self, stick, right, up):
        self.axes[f"{stick}x"].value = round(right * 32767.5 - 0.5)
        self.axes[f"{stick}y"].value = round(-up * 32767.5 - 0.5)

    def pull(self, name, fraction):
        self.axes[name].value = round(fraction * 255)


class Playing(Player):
    """A player with a gamepad."""

    def __init__(self, level, settings=None, pad=None):
        super().__init__(Game(level, settings or Settings(), "low"), World(level))
        self.machine = Controllers()
        self.device = FakeGamepad() if pad is None else pad
        self.machine.plugged.append(self.device)
        self.gamepads = GamepadManager(GamepadInput(self.game), self.machine)

    def wait(self, seconds, frame=1 / 60):
        for _ in range(round(seconds / frame)):
            self.gamepads.update(frame, True)
            super().wait(frame, frame)
        return self.shown


@pytest.fixture
def player(floor_level):
    return Playing(floor_level)


# ---- what a stick asks for


def test_the_dead_zone_is_radial_and_the_response_reaches_one():
    rng = np.random.default_rng(6)
    for _ in range(500):
        angle, dead, curve = rng.uniform(-math.pi, math.pi), rng.uniform(0.05, 0.6), rng.uniform(1.0, 3.0)
        x, y = math.cos(angle), math.sin(angle)
        inside = dead * rng.uniform(0.0, 0.9999)
        assert apply_stick_response(inside * x, inside * y, dead, curve) == (0.0, 0.0)
        part = rng.uniform(0.01, 1.3)
        lean = dead + part * (1.0 - dead)
        right, up = apply_stick_response(lean * x, lean * y, dead, curve)
        assert math.hypot(right, up) == pytest.approx(min(part, 1.0) ** curve)
        assert math.atan2(up, right) == pytest.approx(angle)
    assert apply_stick_response(0.0, 0.0, 0.2) == (0.0, 0.0)
    assert apply_stick_response(math.nan, 0.0, 0.2) == (0.0, 0.0)


# ---- in the game


@pytest.mark.parametrize("frame", [1 / 30, 1 / 60, 1 / 144])
@pytest.mark.full
def test_the_right_stick_turns_as_fast_as_is_set_at_any_frame_rate(player, frame):
    player.game.settings = Settings(pad_speed=90.0, pad_dead_zone=0.2)
    player.device.lean("right", 1.0, 0.0)
    player.wait(1.0, frame)
    assert player.game.input.view.yaw == pytest.approx(65536 * 0.75, abs=5)
    half = 0.2 + 0.5 * 0.8
    player.device.lean("right", 0.0, half)
    player.wait(1.0, frame)
    assert player.game.input.view.pitch == pytest.approx(60.0 * 0.25 * 65536 / 360, rel=1e-3), (
        "half the way, by its square"
    )


def test_a_late_frame_turns_no_further_than_a_short_one(player):
    player.device.lean("right", 1.0, 0.0)
    player.gamepads.update(5.0, True)
    assert (-player.game.input.view.yaw) % 65536 <= 180.0 * 0.0501 * 65536 / 360


def test_buttons_and_triggers_are_keys(player):
    player.device.press("a")
    player.wait(0.15)
    assert player.feet[1] > 0.2
    player.device.release("a")
    player.wait(1.0)
    player.device.pull("lefttrigger", 1.0)
    player.device.lean("left", 0.0, 1.0)
    player.wait(0.5)
    assert player.game.session.world.walker_state.velocity[2] == pytest.approx(-6.5, abs=0.01)
    player.device.pull("lefttrigger", 0.45)
    assert "sprint" in player.game.input.held.active, "let go a little it stays pressed"
    player.device.pull("lefttrigger", 0.2)
    assert "sprint" not in player.game.input.held.active
    player.device.press("b")
    player.wait(0.1)
    assert player.game.input.held.active == {"crouch"}
    player.device.release("b")
    player.device.tap("back")
    assert player.tick == 0


def test_the_menu_by_a_gamepad_alone(player):
    game = player.game
    player.device.tap("start")
    assert game.mode == "paused"
    ticks = player.tick
    first = game.menu.selected
    player.device.tap("dpdown")
    assert game.menu.selected == first + 2, "the row between them is greyed"
    player.device.lean("left", 0.0, 1.0)
    player.wait(0.1)
    assert game.menu.selected == first
    player.device.lean("left", 0.0, 0.0)
    player.wait(0.1)
    assert player.tick == ticks, "in a menu nothing walks"
    player.device.tap("a")
    assert game.mode == "playing"
    player.device.tap("start")
    player.device.tap("b")
    assert game.mode == "playing"
    assert game.input.held.active == frozenset(), "what chose in the menu does not act in the game"


@pytest.mark.sample(1)
@pytest.mark.parametrize("by", ["dpad", "stick"])
def test_an_arrow_that_is_held_repeats(player, by):
    game = player.game
    player.device.tap("start")
    pressed = []
    game.key_pressed = pressed.append
    if by == "dpad":
        player.device.press("dpdown")
    else:
        player.device.lean("left", 0.1, -0.9)
    player.wait(REPEAT_DELAY + 2.5 * REPEAT_INTERVAL)
    assert pressed == ["PAD_DOWN"] * 4
    if by == "dpad":
        player.device.release("dpdown")
    else:
        player.device.lean("left", 0.0, -0.3)
    player.wait(1.0)
    assert len(pressed) == 4


def test_a_late_frame_repeats_no_arrow(player):
    player.device.tap("start")
    pressed = []
    player.game.key_pressed = pressed.append
    player.device.press("dpdown")
    player.gamepads.update(3.0, True)
    player.gamepads.update(3.0, True)
    player.device.release("dpdown")
    player.wait(1.0)
    assert pressed == ["PAD_DOWN"]


def test_a_stick_between_two_arrows_does_not_flicker(player):
    player.device.tap("start")
    pressed = []
    player.game.key_pressed = pressed.append
    for lean in (0.65, 0.55, 0.62, 0.58, 0.5, 0.45):
        player.device.lean("left", 0.0, lean)
        player.wait(1 / 60)
    assert pressed == ["PAD_UP"]


def test_help_and_hint_match_the_input_device(player):
    game = player.game
    assert "W A S D" in plain_text(player.wait(0.1).hud.hint)
    player.device.lean("left", 0.0, 0.5)
    hint = plain_text(player.wait(0.1).hud.hint)
    assert hint == "Left stick to move   ·   Right stick to look   ·   Pad up for help"
    player.device.tap("dpup")
    assert ("Pad A", "Jump, swim up") in player.wait(0.1).hud.panel.keys
    player.device.tap("b")
    assert game.mode == "playing"
    game.key_pressed("D")
    assert "W A S D" in plain_text(player.wait(0.1).hud.hint)


# ---- plugged in and out


def test_a_gamepad_connected_later_works(floor_level):
    player = Playing(floor_level)
    player.machine.pull(player.device)
    assert not player.gamepads.pad.is_connected
    assert player.game.mode == "playing", "one that nobody has touched is no reason to pause"
    pad = FakeGamepad()
    player.machine.plug(pad)
    assert player.wait(0.1).hud.message_detail == "Test pad is ready"
    pad.lean("left", 0.0, 1.0)
    player.wait(0.5)
    assert player.feet[2] < -1.0


def test_a_disconnected_gamepad_releases_its_keys_and_pauses(player):
    player.device.lean("left", 0.0, 1.0)
    player.device.lean("right", 1.0, 0.0)
    player.device.press("b")
    player.wait(0.3)
    player.machine.pull(player.device)
    assert player.game.mode == "paused"
    player.game.resume()
    player.wait(0.5)
    place, yaw = player.feet, player.game.input.view.yaw
    player.wait(0.5)
    assert (player.feet, player.game.input.view.yaw, player.game.input.held.active) == (place, yaw, frozenset())


def test_events_without_window_focus_are_ignored(player):
    player.device.press("b")
    player.device.lean("left", 0.0, 1.0)
    player.wait(0.2)
    player.gamepads.update(0.01, False)
    assert player.game.input.held.active == frozenset()
    assert player.game.input.held.stick == (0.0, 0.0)
    place = player.feet
    player.device.release("b")
    player.device.press("a")
    player.device.lean("right", 1.0, 0.0)
    player.gamepads.update(0.01, True)
    Player.wait(player, 0.3)
    assert player.feet[1] < 0.02
    assert player.feet[2] > place[2] - 0.2
    assert player.game.input.view.yaw == 0.0
    player.device.release("a")
    player.device.press("a")
    player.wait(0.1)
    assert player.feet[1] > 0.1


def test_an_unreadable_gamepad_and_no_gamepad_are_no_errors(floor_level, monkeypatch):
    player = Playing(floor_level, pad=FakeGamepad(is_available=False))
    assert not player.gamepads.pad.is_connected
    player.wait(0.1)
    monkeypatch.setattr(gamepad.sys, "platform", "linux")
    monkeypatch.setattr(gamepad, "_is_readable", lambda path: False)
    none = GamepadManager(GamepadInput(player.game))
    none.update(0.1, True)
    none.close()
    player.gamepads.close()
