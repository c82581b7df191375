"""Gamepads by the events of pyglet's own controllers, made of controls that the test moves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from game.app.game import Game
from game.app.input import gamepad
from game.app.input.gamepad import REPEAT_DELAY, REPEAT_INTERVAL, GamepadInput, GamepadManager
from game.app.menus.pages import PausePage
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


# ---- in the game


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


@pytest.mark.parametrize("by", ["dpad", "stick"])
def test_a_direction_that_is_held_when_a_page_opens_moves_no_choice(player, by):
    menu_page = PausePage({})
    press = {"dpad": lambda: player.device.press("dpdown"), "stick": lambda: player.device.lean("left", 0.1, -0.9)}[by]
    release = {"dpad": lambda: player.device.release("dpdown"), "stick": lambda: player.device.lean("left", 0, 0)}[by]
    press()
    player.wait(0.3)
    player.game.push_mode("paused", menu_page)
    player.wait(REPEAT_DELAY + 2.5 * REPEAT_INTERVAL)
    assert player.game.menu.selected == 0
    release()
    player.wait(0.1)
    press()
    player.wait(0.1)
    assert player.game.menu.selected == 1


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
