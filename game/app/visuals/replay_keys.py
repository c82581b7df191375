"""Keys of the replay mode, as the strip along the bottom and the help page show them."""

from __future__ import annotations

from typing import Protocol

from ...core.key_symbols import key_symbol
from ...core.time_format import format_time
from ..input.actions import PlayAction

SPEED_TEXTS = ("1/8", "1/4", "1/2", "1", "2", "4")  # multiples of real time
CAMERA_TEXTS = {"eye": "Eye", "behind": "Behind", "outside": "Outside", "fixed": "Fixed"}


class BoundKeys(Protocol):
    """Keys of the actions, as they are bound."""

    uses_gamepad: bool

    def describe(self, action: PlayAction) -> str: ...


def play_key(pad: bool) -> str:
    """The key that plays and pauses."""
    return "Pad A" if pad else "Space"


def back_key(pad: bool) -> str:
    """The key that leaves the replay."""
    return "Pad B" if pad else "Esc"


def state_text(speed: int, is_moving: bool, is_finished: bool) -> str:
    """What the replay does, beside the time: its speed where that is not the usual one."""
    if not is_moving:
        return "End" if is_finished else "Paused"
    return "" if SPEED_TEXTS[speed] == "1" else f"{SPEED_TEXTS[speed]} ×"


def end_texts(seconds: float, has_menu: bool, pad: bool) -> tuple[str, str]:
    """Message at the end of a run of so many seconds, and what can be done. has_menu: whether Esc opens a menu."""
    back = f"{key_symbol(back_key(pad))}: {'menu' if has_menu else 'back'}"
    again = f"{key_symbol(play_key(pad))}: from the start"
    return f"End of the run   ·   {format_time(seconds)}", f"{again}   ·   {back}"


def key_strip(
    is_moving: bool, is_finished: bool, speed: int, camera: str, ghost: str, held: BoundKeys
) -> tuple[tuple[str, str], ...]:
    """(key, meaning) pairs. speed: index of `SPEED_TEXTS`; ghost: name, empty where there is none to show."""
    play = "Pause" if is_moving else "From the start" if is_finished else "Play"
    pad = held.uses_gamepad
    strip = [
        (play_key(pad), play),
        ("Pad left Pad right" if pad else "Left Right", "5 s" if is_moving else "1 step"),
        ("Pad up Pad down" if pad else "Up Down", f"Speed {SPEED_TEXTS[speed]} ×"),
        (held.describe(PlayAction.THIRD_PERSON), f"Camera: {CAMERA_TEXTS[camera]}"),
    ]
    if ghost:
        strip.append(("Left shoulder" if pad else "G", f"Ghost: {ghost}"))
    if not pad:
        strip += [("S E", "Movie from, to"), (held.describe(PlayAction.MOVIE), "Keep the movie"), ("F1", "Help")]
    return (*strip, (back_key(pad), "Back"))
