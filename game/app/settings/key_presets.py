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


def _keys(lines: str) -> dict[PlayAction, tuple[str, str]]:
    """Keys of actions from `ACTION KEY [KEY]`, one a part between commas."""
    parts = (part.split() for part in lines.split(","))
    return {PlayAction[action]: (first, second[0] if second else "") for action, first, *second in parts}


PRESETS: Mapping[str, KeyPreset] = {
    "qwerty": KeyPreset("W A S D (QWERTY)", {}),
    "azerty": KeyPreset("Z Q S D (AZERTY)", _keys("FORWARD Z UP, LEFT Q LEFT")),
    "dvorak": KeyPreset(
        ", A O E (Dvorak)",
        _keys(
            "FORWARD COMMA UP, BACK O DOWN, LEFT A LEFT, RIGHT E RIGHT, CROUCH CTRL J, USE MOUSE_LEFT PERIOD, "
            "RESTART P, FLY U, THIRD_PERSON K"
        ),
    ),
    "arrows": KeyPreset(
        "Arrow keys",
        _keys("FORWARD UP, BACK DOWN, LEFT LEFT, RIGHT RIGHT, JUMP SPACE RCTRL, CROUCH END C, USE MOUSE_LEFT DELETE"),
    ),
    "mouse": KeyPreset(
        "Mouse only",
        _keys(
            "FORWARD MOUSE_RIGHT W, BACK MOUSE_4 S, LEFT A, RIGHT D, JUMP MOUSE_LEFT SPACE, CROUCH WHEEL_DOWN C, "
            "SPRINT MOUSE_5 SHIFT, USE WHEEL_UP E, MENU MOUSE_MIDDLE"
        ),
        double_tap_sprint=True,
    ),
    "left_hand": KeyPreset(
        "Keyboard, left hand",
        _keys(
            "FORWARD W, BACK S, LEFT Q, RIGHT E, TURN_LEFT A, TURN_RIGHT D, LOOK_UP R, LOOK_DOWN F, CROUCH C LCTRL, "
            "SPRINT LSHIFT, USE X MOUSE_LEFT, AUTO_WALK Z, RESTART T, FLY G, REWIND _1 BACKSPACE"
        ),
    ),
    "right_hand": KeyPreset(
        "Keyboard, right hand",
        _keys(
            "FORWARD UP, BACK DOWN, LEFT COMMA, RIGHT PERIOD, TURN_LEFT LEFT, TURN_RIGHT RIGHT, LOOK_UP PAGEUP, "
            "LOOK_DOWN PAGEDOWN, JUMP RCTRL SPACE, CROUCH END, SPRINT RSHIFT, USE DELETE MOUSE_LEFT, AUTO_WALK SLASH, "
            "RESTART P, FLY L, THIRD_PERSON O, MENU HOME"
        ),
    ),
    "touchpad": KeyPreset(
        "Touchpad",
        _keys(
            "FORWARD W UP, BACK S DOWN, LEFT A, RIGHT D, TURN_LEFT LEFT, TURN_RIGHT RIGHT, LOOK_UP PAGEUP, "
            "LOOK_DOWN PAGEDOWN, AUTO_WALK MOUSE_LEFT X, JUMP SPACE MOUSE_RIGHT, USE E"
        ),
        toggles=frozenset({PlayAction.CROUCH, PlayAction.SPRINT, PlayAction.USE}),
    ),
}
