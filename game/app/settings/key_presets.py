"""Key presets: keyboard layouts, and layouts for one hand, for the mouse alone, and for a touchpad."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyPreset:
    """A preset: the keys that differ from the defaults of the actions.

    toggles            held actions that toggle in this preset, whatever their setting says
    double_tap_sprint  whether pressing forward twice quickly sprints until forward ends
    """

    label: str
    keys: Mapping[str, tuple[str, str]]
    toggles: frozenset[str] = frozenset()
    double_tap_sprint: bool = False


PRESETS: Mapping[str, KeyPreset] = {
    "qwerty": KeyPreset("W A S D (QWERTY)", {}),
    "azerty": KeyPreset("Z Q S D (AZERTY)", {"forward": ("Z", "UP"), "left": ("Q", "LEFT")}),
    "dvorak": KeyPreset(
        ", A O E (Dvorak)",
        {
            "forward": ("COMMA", "UP"),
            "back": ("O", "DOWN"),
            "left": ("A", "LEFT"),
            "right": ("E", "RIGHT"),
            "crouch": ("CTRL", "J"),
            "use": ("MOUSE_LEFT", "PERIOD"),
            "restart": ("P", ""),
            "fly": ("U", ""),
            "third_person": ("K", ""),
        },
    ),
    "arrows": KeyPreset(
        "Arrow keys",
        {
            "forward": ("UP", ""),
            "back": ("DOWN", ""),
            "left": ("LEFT", ""),
            "right": ("RIGHT", ""),
            "jump": ("SPACE", "RCTRL"),
            "crouch": ("END", "C"),
            "use": ("MOUSE_LEFT", "DELETE"),
        },
    ),
    "mouse": KeyPreset(
        "Mouse only",
        {
            "forward": ("MOUSE_RIGHT", "W"),
            "back": ("MOUSE_4", "S"),
            "left": ("A", ""),
            "right": ("D", ""),
            "jump": ("MOUSE_LEFT", "SPACE"),
            "crouch": ("WHEEL_DOWN", "C"),
            "sprint": ("MOUSE_5", "SHIFT"),
            "use": ("WHEEL_UP", "E"),
            "menu": ("MOUSE_MIDDLE", ""),
        },
        double_tap_sprint=True,
    ),
    "left_hand": KeyPreset(
        "Keyboard, left hand",
        {
            "forward": ("W", ""),
            "back": ("S", ""),
            "left": ("Q", ""),
            "right": ("E", ""),
            "turn_left": ("A", ""),
            "turn_right": ("D", ""),
            "look_up": ("R", ""),
            "look_down": ("F", ""),
            "crouch": ("C", "LCTRL"),
            "sprint": ("LSHIFT", ""),
            "use": ("X", "MOUSE_LEFT"),
            "auto_walk": ("Z", ""),
            "restart": ("T", ""),
            "fly": ("G", ""),
            "rewind": ("_1", "BACKSPACE"),
        },
    ),
    "right_hand": KeyPreset(
        "Keyboard, right hand",
        {
            "forward": ("UP", ""),
            "back": ("DOWN", ""),
            "left": ("COMMA", ""),
            "right": ("PERIOD", ""),
            "turn_left": ("LEFT", ""),
            "turn_right": ("RIGHT", ""),
            "look_up": ("PAGEUP", ""),
            "look_down": ("PAGEDOWN", ""),
            "jump": ("RCTRL", "SPACE"),
            "crouch": ("END", ""),
            "sprint": ("RSHIFT", ""),
            "use": ("DELETE", "MOUSE_LEFT"),
            "auto_walk": ("SLASH", ""),
            "restart": ("P", ""),
            "fly": ("L", ""),
            "third_person": ("O", ""),
            "menu": ("HOME", ""),
        },
    ),
    "touchpad": KeyPreset(
        "Touchpad",
        {
            "forward": ("W", "UP"),
            "back": ("S", "DOWN"),
            "left": ("A", ""),
            "right": ("D", ""),
            "turn_left": ("LEFT", ""),
            "turn_right": ("RIGHT", ""),
            "look_up": ("PAGEUP", ""),
            "look_down": ("PAGEDOWN", ""),
            "auto_walk": ("MOUSE_LEFT", "X"),
            "jump": ("SPACE", "MOUSE_RIGHT"),
            "use": ("E", ""),
        },
        toggles=frozenset({"crouch", "sprint", "use"}),
    ),
}
