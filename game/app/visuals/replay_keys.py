"""Keys of the replay mode, as the strip along the bottom shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.time_format import format_time
from ..input.actions import ReplayAction

if TYPE_CHECKING:
    from ..input.player_input import HeldActions

SPEED_TEXTS = ("1/8", "1/4", "1/2", "1", "2", "4")  # multiples of real time
CAMERA_TEXTS = {"eye": "Eye", "behind": "Behind", "outside": "Outside", "fixed": "Fixed"}


def state_text(speed: int, is_moving: bool, is_finished: bool) -> str:
    """What the replay does, beside the time: its speed where that is not the usual one."""
    if not is_moving:
        return "End" if is_finished else "Paused"
    return "" if SPEED_TEXTS[speed] == "1" else f"{SPEED_TEXTS[speed]} ×"


def end_texts(seconds: float, has_menu: bool, held: HeldActions) -> tuple[str, str]:
    """Message at the end of a run of so many seconds, and what can be done. has_menu: whether Esc opens a menu."""
    back = f"{held.describe(ReplayAction.BACK)}: {'menu' if has_menu else 'back'}"
    again = f"{held.describe(ReplayAction.TOGGLE)}: from the start"
    return f"End of the run   ·   {format_time(seconds)}", f"{again}   ·   {back}"


def key_strip(
    is_moving: bool, is_finished: bool, speed: int, camera: str, ghost: str, held: HeldActions
) -> tuple[tuple[str, str], ...]:
    """(key, meaning) pairs. speed: index of `SPEED_TEXTS`; ghost: name, empty where there is none to show."""
    play = "Pause" if is_moving else "From the start" if is_finished else "Play"
    strip = [
        (held.labels(ReplayAction.TOGGLE), play),
        (held.labels(ReplayAction.STEP_BACK, ReplayAction.STEP_FORWARD), "5 s" if is_moving else "1 step"),
        (held.labels(ReplayAction.FASTER, ReplayAction.SLOWER), f"Speed {SPEED_TEXTS[speed]} ×"),
        (held.describe(ReplayAction.NEXT_CAMERA), f"Camera: {CAMERA_TEXTS[camera]}"),
    ]
    if ghost:
        strip.append((held.labels(ReplayAction.NEXT_GHOST), f"Ghost: {ghost}"))
    if not held.uses_gamepad:
        strip += [
            (held.labels(ReplayAction.MARK_START, ReplayAction.MARK_END), "Movie from, to"),
            (held.describe(ReplayAction.KEEP_MOVIE), "Keep the movie"),
            (held.labels(ReplayAction.HELP), "Help"),
        ]
    return (*strip, (held.labels(ReplayAction.BACK), "Back"))
