"""Gamepads: sticks walk and look, buttons are keys; they may be connected and disconnected at any time.

`GamepadInput` turns the state of a gamepad into input of the game; `GamepadManager` passes it the events of pyglet.
"""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..settings.mode_names import MENU_MODES

if TYPE_CHECKING:
    from ..game import Game
    from ..settings.settings_table import Settings

BUTTON_KEYS: Mapping[str, str] = {
    "a": "PAD_A", "b": "PAD_B", "x": "PAD_X", "y": "PAD_Y", "back": "PAD_BACK", "start": "PAD_START",
    "guide": "PAD_GUIDE", "leftshoulder": "PAD_LB", "rightshoulder": "PAD_RB", "leftstick": "PAD_LS",
    "rightstick": "PAD_RS", "lefttrigger": "PAD_LT", "righttrigger": "PAD_RT",
}  # fmt: skip
DPAD_KEYS = ("PAD_UP", "PAD_DOWN", "PAD_LEFT", "PAD_RIGHT")
PRESS_THRESHOLD = 0.5  # of a trigger's travel
RELEASE_THRESHOLD = 0.35  # of a trigger's travel
STICK_PRESS_THRESHOLD = 0.6  # of the left stick as an arrow key
STICK_RELEASE_THRESHOLD = 0.4  # of the left stick as an arrow key
RESPONSE_CURVE = 2.0  # exponent of the right stick, which makes it finer near the centre
VERTICAL_SPEED = 2.0 / 3.0  # of the view, over its horizontal speed
REPEAT_DELAY = 0.4  # s until a held arrow repeats
REPEAT_INTERVAL = 0.12  # s between repeats
MAX_STEP_SECONDS = 0.05  # s, longest time step of one frame


def apply_stick_response(x: float, y: float, dead: float, curve: float = 1.0) -> tuple[float, float]:
    """Response of a stick at (right, up), each -1 to 1: same direction, length 0 to 1.

    It is zero within the radial dead zone `dead`; beyond, ((|stick| - dead) / (1 - dead)) ** curve.
    """
    lean = math.hypot(x, y)
    if not lean > dead:
        return 0.0, 0.0
    wanted = min((lean - dead) / (1.0 - dead), 1.0) ** curve
    return x / lean * wanted, y / lean * wanted


class GamepadInput:
    """Gamepad as input of a game: buttons press keys, sticks walk and look."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.is_connected = False  # whether a gamepad is connected
        self.was_used = False  # whether it has been used
        self._left_stick = self._right_stick = (0.0, 0.0)
        self._pressed: set[str] = set()  # buttons that are down
        self._repeating_arrow = ""
        self._repeat_in = 0.0
        self._is_held_since_play = False  # an arrow or the stick, when a menu opened over play

    def button(self, name: str, down: bool) -> None:
        """A button (`PAD_A`) went down or up."""
        if down and name not in self._pressed:
            self.was_used = self.game.input.held.uses_gamepad = True
            self._pressed.add(name)
            self.game.key_pressed(name)
            if name in DPAD_KEYS:
                self._repeating_arrow = name
                self._repeat_in = REPEAT_DELAY
        elif not down and name in self._pressed:
            self._pressed.discard(name)
            self.game.key_released(name)

    def trigger(self, name: str, fraction: float) -> None:
        """A trigger (`PAD_LT`) is pulled by a fraction 0 to 1."""
        self._axis_key(name, fraction)

    def dpad(self, x: float, y: float) -> None:
        """The directional pad points right (1) or left (-1), up (1) or down (-1)."""
        for name, value in (("PAD_LEFT", -x), ("PAD_RIGHT", x), ("PAD_UP", y), ("PAD_DOWN", -y)):
            self._axis_key(name, value)

    def _axis_key(self, name: str, value: float) -> None:
        if value >= PRESS_THRESHOLD:
            self.button(name, True)
        elif value <= RELEASE_THRESHOLD:
            self.button(name, False)

    def stick(self, left: bool, x: float, y: float) -> None:
        """A stick is at (x right, y up), each -1 to 1."""
        if math.hypot(x, y) > self.game.settings.pad_dead_zone:
            self.was_used = self.game.input.held.uses_gamepad = True
        if left:
            self._left_stick = (x, y)
        else:
            self._right_stick = (x, y)

    def update(self, seconds: float) -> None:
        """Advance by a frame of `seconds`: walk, look, or repeat an arrow key in a menu."""
        game = self.game
        settings = self.game.settings
        if not self.was_used:
            return
        if game.mode in MENU_MODES:
            game.input.held.stick = (0.0, 0.0)
            self._navigate(seconds)
            return
        self._repeating_arrow = ""
        self._is_held_since_play = bool(self._held_arrow())
        game.input.held.stick = apply_stick_response(*self._left_stick, settings.pad_dead_zone)
        if game.wants_mouse:
            across, up = stick_turn_rate(*self._right_stick, settings)
            seconds = min(seconds, MAX_STEP_SECONDS)
            game.input.view.rotate_by_degrees(across * seconds, up * seconds)

    def _held_arrow(self) -> str:
        """The arrow key that the pad or the left stick holds; empty for none."""
        x, y = self._left_stick
        leaning = max(abs(x), abs(y))
        across, along = ("PAD_RIGHT" if x > 0 else "PAD_LEFT"), ("PAD_UP" if y > 0 else "PAD_DOWN")
        arrow = across if abs(x) > abs(y) else along
        held = next((name for name in DPAD_KEYS if name in self._pressed), "")
        if leaning >= STICK_PRESS_THRESHOLD or (leaning > STICK_RELEASE_THRESHOLD and arrow == self._repeating_arrow):
            held = arrow
        return held

    def _navigate(self, seconds: float) -> None:
        """Left stick as arrow keys in menus, with repeat. What was held when the menu opened does nothing until it is
        let go."""
        held = self._held_arrow()
        if not held:
            self._repeating_arrow = ""
            self._is_held_since_play = False
        elif self._is_held_since_play:
            return
        elif held != self._repeating_arrow:
            self._repeating_arrow = held
            self._repeat_in = REPEAT_DELAY
            self.game.key_pressed(held)
        else:
            self._repeat_in -= min(seconds, MAX_STEP_SECONDS)
            if self._repeat_in <= 0.0:
                self._repeat_in = REPEAT_INTERVAL
                self.game.key_pressed(held)

    def release_all(self) -> None:
        """Release everything: the gamepad is disconnected, or the window has no focus."""
        self._left_stick = self._right_stick = (0.0, 0.0)
        self._repeating_arrow = ""
        self.game.input.held.stick = (0.0, 0.0)
        for name in tuple(self._pressed):
            self.button(name, False)


def stick_turn_rate(x: float, y: float, settings: Settings) -> tuple[float, float]:
    """Angular speed of the view (degrees/s to the right and up) by the right stick."""
    across, up = apply_stick_response(x, y, settings.pad_dead_zone, RESPONSE_CURVE)
    speed = settings.pad_speed
    return across * (-speed if settings.pad_invert_x else speed), (
        up * VERTICAL_SPEED * (-speed if settings.pad_invert_y else speed)
    )


class GamepadManager:
    """Passes the events of pyglet's controllers to a `GamepadInput`.

    manager        replaces pyglet's ControllerManager in tests
    is_available   False while the window has no focus: events are ignored
    """

    def __init__(self, pad: GamepadInput, manager: Any = None) -> None:
        self.pad = pad
        self.is_available = True
        self._open: list[Any] = []
        self._manager = _create_manager() if manager is None else manager
        if self._manager is not None:
            self._manager.push_handlers(on_connect=self.connected, on_disconnect=self.disconnected)
            for controller in self._manager.get_controllers():
                self._open_controller(controller)

    def connected(self, controller: Any) -> None:
        if self._open_controller(controller):
            self.pad.game.feedback.show_message("Gamepad", f"{controller.name or 'A gamepad'} is ready")

    def _open_controller(self, controller: Any) -> bool:
        try:
            controller.open()
        except Exception:  # any error of the system: in use, or no permission
            return False
        controller.push_handlers(self)
        self._open.append(controller)
        self.pad.is_connected = True
        return True

    def disconnected(self, controller: Any) -> None:
        """A gamepad was disconnected: release its keys, and pause a game that was played with it."""
        if controller not in self._open:
            return
        self._open.remove(controller)
        self.pad.is_connected = bool(self._open)
        self.pad.release_all()
        if self.pad.was_used and not self._open:
            self.pad.was_used = False
            self.pad.game.pause("The gamepad was disconnected.")
        self.pad.game.feedback.show_message("Gamepad", "Disconnected")

    def update(self, seconds: float, active: bool) -> None:
        """Advance by a frame. active: whether the window has the focus."""
        if self.is_available and not active:
            self.pad.release_all()
        self.is_available = active
        if active:
            self.pad.update(seconds)

    @property
    def rumbling(self) -> tuple[Any, ...]:
        """The controllers that may rumble: those that are open, while the player uses them."""
        return tuple(self._open) if self.is_available and self.pad.game.input.held.uses_gamepad else ()

    # pyglet's controller events

    def on_button_press(self, controller: Any, button: str) -> None:
        if self.is_available and button in BUTTON_KEYS:
            self.pad.button(BUTTON_KEYS[button], True)

    def on_button_release(self, controller: Any, button: str) -> None:
        if button in BUTTON_KEYS:
            self.pad.button(BUTTON_KEYS[button], False)

    def on_stick_motion(self, controller: Any, stick: str, vector: Any) -> None:
        if self.is_available:
            self.pad.stick(stick == "leftstick", float(vector.x), float(vector.y))

    def on_dpad_motion(self, controller: Any, vector: Any) -> None:
        if self.is_available:
            self.pad.dpad(float(vector.x), float(vector.y))

    def on_trigger_motion(self, controller: Any, trigger: str, value: float) -> None:
        if self.is_available and trigger in BUTTON_KEYS:
            self.pad.trigger(BUTTON_KEYS[trigger], float(value))

    def close(self) -> None:
        for controller in self._open:
            with contextlib.suppress(Exception):
                controller.close()
        self._open = []


def _create_manager() -> Any:
    """pyglet's ControllerManager; None on a system without input devices."""
    if sys.platform.startswith("linux") and not all(map(_is_readable, ("/dev/input", "/proc/bus/input/devices"))):
        return None
    try:
        from pyglet.input import ControllerManager

        return ControllerManager()
    except Exception:  # any error of the system: the game is played by keys
        return None


def _is_readable(path: str) -> bool:
    try:
        return Path(path).exists()
    except OSError:
        return False
