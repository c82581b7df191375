"""One-handed layouts and the touchpad: each jumps, uses, pauses and walks by its own events alone."""

from __future__ import annotations

import pytest

from game.app.input.actions import LEFT_RIGHT_KEYS
from game.app.input.gamepad import GamepadInput
from game.app.settings.mode_names import PAUSED, PLAYING
from game.level import load
from tests.support.player import Player

LEFT_HAND = frozenset("QWERTASDFGZXCVB") | {f"_{digit}" for digit in range(1, 6)}
LEFT_HAND |= {"TAB", "LSHIFT", "LCTRL", "SPACE", "ESCAPE", "F1", "F2", "F3", "F4", "F5", "CAPSLOCK"}
RIGHT_HAND = frozenset("YUIOPHJKLNM") | {"COMMA", "PERIOD", "SLASH", "RSHIFT", "RCTRL", "SPACE", "RETURN", "BACKSPACE"}
RIGHT_HAND |= {"UP", "DOWN", "LEFT", "RIGHT", "HOME", "END", "PAGEUP", "PAGEDOWN", "DELETE", "INSERT", "F12"}
MOUSE = frozenset({"MOUSE_LEFT", "MOUSE_RIGHT", "MOUSE_MIDDLE", "WHEEL_UP", "WHEEL_DOWN"})  # no side buttons
PAD = frozenset({"PAD_DOWN", "PAD_A", "PAD_B", "PAD_LT", "PAD_RT", "PAD_BACK", "PAD_START"})
TOUCHPAD = LEFT_HAND | {"MOUSE_LEFT", "MOUSE_RIGHT", "LEFT", "RIGHT", "UP", "DOWN"}
LAYOUTS = {"qwerty": PAD, "mouse": MOUSE, "left_hand": LEFT_HAND, "right_hand": RIGHT_HAND, "touchpad": TOUCHPAD}


class Hand:
    """A player with some keys, a mouse or a gamepad. Every event goes the way that the window sends it."""

    def __init__(self, layout, allowed):
        self.player = Player.in_level(load("levels/demo.yaml"), keys=layout)
        self.game, self.allowed = self.player.game, allowed
        self.player.wait(0.1)

    def key(self, action):
        bound = self.game.input.held.bindings
        for key in bound.keys_of(action):
            for physical in LEFT_RIGHT_KEYS.get(key, (key,)):
                if physical in self.allowed:
                    return physical
        raise AssertionError(f"{action} has no key of this hand")

    def send(self, key, pressed):
        assert key in self.allowed, key
        game = self.game
        if key.startswith("WHEEL"):
            if pressed:
                game.scrolled(1.0 if key == "WHEEL_UP" else -1.0)
        elif key.startswith("MOUSE"):
            game.mouse_button(key[6:], pressed)
            if key == "MOUSE_LEFT" and pressed:
                game.left_pressed()
            else:
                (game.key_pressed if pressed else game.key_released)(key)
        else:
            (game.key_pressed if pressed else game.key_released)(key)

    def tap(self, key, seconds=1 / 60):
        self.send(key, True)
        self.player.wait(seconds)
        self.send(key, False)
        self.player.wait(1 / 60)

    def set(self, action, on):
        """Hold an action, or stop it: by a toggle where the layout has one."""
        if on == (action in self.game.input.held.active):
            return
        if action == "forward" and "MOUSE_LEFT" in self.game.input.held.bindings.keys_of("auto_walk"):
            self.tap("MOUSE_LEFT")
            return
        key = self.key(action)
        toggles = key.startswith("WHEEL") or action in self.game.settings.toggled_actions
        self.send(key, toggles or on)
        if toggles:
            self.send(key, False)

    def menu(self):
        return self.key("menu") if any(self.game.input.held.bindings.keys_of("menu")) else "ESCAPE"


class PadHand(Hand):
    """A stick walks; the state of the gamepad is read before each frame."""

    def __init__(self, layout, allowed):
        super().__init__(layout, allowed)
        self.pad = GamepadInput(self.game)
        one_frame = self.game.advance_frame

        def advance_frame(now, aspect):
            self.pad.update(1 / 60)
            return one_frame(now, aspect)

        self.game.advance_frame = advance_frame

    def send(self, key, pressed):
        assert key in self.allowed, key
        if key in ("PAD_LT", "PAD_RT"):
            self.pad.trigger(key, float(pressed))
        else:
            self.pad.button(key, pressed)

    def set(self, action, on):
        if action == "forward":
            self.pad.stick(True, 0.0, float(on))
        else:
            super().set(action, on)

    def menu(self):
        return "PAD_START"


@pytest.mark.parametrize("layout", list(LAYOUTS))
@pytest.mark.sample(1)
def test_a_layout_jumps_uses_pauses_and_walks(layout):
    hand = (PadHand if layout == "qwerty" else Hand)(layout, LAYOUTS[layout])
    player, game = hand.player, hand.game
    # jump
    jump = hand.key("jump")
    hand.tap(jump, 0.1)
    player.wait(0.1)
    assert player.feet[1] > 0.2
    player.wait(1.0)
    # use reaches the commands
    seen = []
    real = game.current_mode.next_command
    game.current_mode.next_command = lambda: seen.append(real()) or seen[-1]
    hand.set("use", True)
    player.wait(0.1)
    hand.set("use", False)
    player.wait(0.1)
    assert seen[3].use
    assert not seen[-1].use
    # pause, and go on
    hand.tap(hand.menu())
    assert game.mode == PAUSED
    hand.tap(hand.menu())
    assert game.mode == PLAYING
    # walk
    before = player.feet[2]
    hand.set("forward", True)
    player.wait(0.5)
    hand.set("forward", False)
    assert player.feet[2] < before - 1.0
