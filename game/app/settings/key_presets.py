"""Key presets: keyboard layouts, and layouts for one hand, for the mouse alone, and for a touchpad."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..input.actions import PlayAction


@dataclass(frozen=True, slots=True)
class KeyPreset:
    """A preset: the keys that differ from the defaults of the actions.

    toggles            held actions that toggle in this preset, whatever their setting says
    double_tap_sprint  whether pressing forward twice quickly sprints until forward ends
    """

    label: str
    keys: Mapping[PlayAction, tuple[str, str]]
    toggles: frozenset[PlayAction] = frozenset()
    double_tap_sprint: bool = False


PRESETS: Mapping[str, KeyPreset] = {
    "qwerty": KeyPreset("W A S D (QWERTY)", {}),
    "azerty": KeyPreset("Z Q S D (AZERTY)", {PlayAction.FORWARD: ("Z", "UP"), PlayAction.LEFT: ("Q", "LEFT")}),
    "dvorak": KeyPreset(
        ", A O E (Dvorak)",
        {
            PlayAction.FORWARD: ("COMMA", "UP"),
            PlayAction.BACK: ("O", "DOWN"),
            PlayAction.LEFT: ("A", "LEFT"),
            PlayAction.RIGHT: ("E", "RIGHT"),
            PlayAction.CROUCH: ("CTRL", "J"),
            PlayAction.USE: ("MOUSE_LEFT", "PERIOD"),
            PlayAction.RESTART: ("P", ""),
            PlayAction.FLY: ("U", ""),
            PlayAction.THIRD_PERSON: ("K", ""),
        },
    ),
    "arrows": KeyPreset(
        "Arrow keys",
        {
            PlayAction.FORWARD: ("UP", ""),
            PlayAction.BACK: ("DOWN", ""),
            PlayAction.LEFT: ("LEFT", ""),
            PlayAction.RIGHT: ("RIGHT", ""),
            PlayAction.JUMP: ("SPACE", "RCTRL"),
            PlayAction.CROUCH: ("END", "C"),
            PlayAction.USE: ("MOUSE_LEFT", "DELETE"),
        },
    ),
    "mouse": KeyPreset(
        "Mouse only",
        {
            PlayAction.FORWARD: ("MOUSE_RIGHT", "W"),
            PlayAction.BACK: ("MOUSE_4", "S"),
            PlayAction.LEFT: ("A", ""),
            PlayAction.RIGHT: ("D", ""),
            PlayAction.JUMP: ("MOUSE_LEFT", "SPACE"),
            PlayAction.CROUCH: ("WHEEL_DOWN", "C"),
            PlayAction.SPRINT: ("MOUSE_5", "SHIFT"),
            PlayAction.USE: ("WHEEL_UP", "E"),
            PlayAction.MENU: ("MOUSE_MIDDLE", ""),
        },
        double_tap_sprint=True,
    ),
    "left_hand": KeyPreset(
        "Keyboard, left hand",
        {
            PlayAction.FORWARD: ("W", ""),
            PlayAction.BACK: ("S", ""),
            PlayAction.LEFT: ("Q", ""),
            PlayAction.RIGHT: ("E", ""),
            PlayAction.TURN_LEFT: ("A", ""),
            PlayAction.TURN_RIGHT: ("D", ""),
            PlayAction.LOOK_UP: ("R", ""),
            PlayAction.LOOK_DOWN: ("F", ""),
            PlayAction.CROUCH: ("C", "LCTRL"),
            PlayAction.SPRINT: ("LSHIFT", ""),
            PlayAction.USE: ("X", "MOUSE_LEFT"),
            PlayAction.AUTO_WALK: ("Z", ""),
            PlayAction.RESTART: ("T", ""),
            PlayAction.FLY: ("G", ""),
            PlayAction.REWIND: ("_1", "BACKSPACE"),
        },
    ),
    "right_hand": KeyPreset(
        "Keyboard, right hand",
        {
            PlayAction.FORWARD: ("UP", ""),
            PlayAction.BACK: ("DOWN", ""),
            PlayAction.LEFT: ("COMMA", ""),
            PlayAction.RIGHT: ("PERIOD", ""),
            PlayAction.TURN_LEFT: ("LEFT", ""),
            PlayAction.TURN_RIGHT: ("RIGHT", ""),
            PlayAction.LOOK_UP: ("PAGEUP", ""),
            PlayAction.LOOK_DOWN: ("PAGEDOWN", ""),
            PlayAction.JUMP: ("RCTRL", "SPACE"),
            PlayAction.CROUCH: ("END", ""),
            PlayAction.SPRINT: ("RSHIFT", ""),
            PlayAction.USE: ("DELETE", "MOUSE_LEFT"),
            PlayAction.AUTO_WALK: ("SLASH", ""),
            PlayAction.RESTART: ("P", ""),
            PlayAction.FLY: ("L", ""),
            PlayAction.THIRD_PERSON: ("O", ""),
            PlayAction.MENU: ("HOME", ""),
        },
    ),
    "touchpad": KeyPreset(
        "Touchpad",
        {
            PlayAction.FORWARD: ("W", "UP"),
            PlayAction.BACK: ("S", "DOWN"),
            PlayAction.LEFT: ("A", ""),
            PlayAction.RIGHT: ("D", ""),
            PlayAction.TURN_LEFT: ("LEFT", ""),
            PlayAction.TURN_RIGHT: ("RIGHT", ""),
            PlayAction.LOOK_UP: ("PAGEUP", ""),
            PlayAction.LOOK_DOWN: ("PAGEDOWN", ""),
            PlayAction.AUTO_WALK: ("MOUSE_LEFT", "X"),
            PlayAction.JUMP: ("SPACE", "MOUSE_RIGHT"),
            PlayAction.USE: ("E", ""),
        },
        toggles=frozenset({PlayAction.CROUCH, PlayAction.SPRINT, PlayAction.USE}),
    ),
}
