"""Timeline and key strip of the replay mode. The timeline has speed and ground contact from the recorded states, and
restarts as marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.time_format import format_time
from ...core.vectors import Floats
from ...render import Timeline
from ..input.actions import ReplayAction
from .rewind_timeline import Columns, Marks, build_columns

if TYPE_CHECKING:
    from ..input.player_input import HeldActions

SPEED_TEXTS = ("1/8", "1/4", "1/2", "1", "2", "4")  # multiples of real time
CAMERA_TEXTS = {"eye": "Eye", "behind": "Behind", "outside": "Outside", "fixed": "Fixed"}


def state_columns(velocities: Floats, grounded: Any, palette: str) -> Columns:
    """Columns of speed (0..1) and colour: on the ground or in the air. velocities (n, 3): m/s; grounded (n,) bool."""
    return build_columns(np.linalg.norm(velocities, axis=1), np.asarray(grounded, np.bool_), None, palette)


class ReplayTimeline:
    """Timeline of the whole replay. restarts: fractions (0..1) of its duration (s)."""

    def __init__(self, duration: float, columns: Columns, restarts: Sequence[float]) -> None:
        self._duration = duration
        self._columns = columns
        self._marks: Marks = tuple((at, "restart") for at in restarts)

    def at(self, seconds: float, detail: str, marks: Marks) -> Timeline:
        """The timeline with the cursor at a time (s). detail: speed or state beside the time; marks: more marks."""
        label = "   ·   ".join(filter(None, (format_time(seconds), detail)))
        return Timeline(
            self._columns,
            seconds / self._duration,
            label,
            tuple(sorted((*self._marks, *marks))),
            format_time(0.0),
            format_time(self._duration),
        )


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
    """(key, meaning) pairs. speed: index of `SPEED_TEXTS`; ghost: "on" or "off", empty where there is none to show."""
    play = "Pause" if is_moving else "From the start" if is_finished else "Play"
    strip = [
        (held.labels(ReplayAction.TOGGLE), play),
        (held.labels(ReplayAction.STEP_BACK, ReplayAction.STEP_FORWARD), "5 s" if is_moving else "1 step"),
        (held.labels(ReplayAction.FASTER, ReplayAction.SLOWER), f"Speed {SPEED_TEXTS[speed]} ×"),
        (held.describe(ReplayAction.NEXT_CAMERA), f"Camera: {CAMERA_TEXTS[camera]}"),
    ]
    if ghost:
        strip.append((held.labels(ReplayAction.TOGGLE_GHOST), f"Ghost: {ghost}"))
    if not held.uses_gamepad:
        strip += [
            (held.labels(ReplayAction.MARK_START, ReplayAction.MARK_END), "Movie from, to"),
            (held.describe(ReplayAction.KEEP_MOVIE), "Keep the movie"),
            (held.labels(ReplayAction.HELP), "Help"),
        ]
    return (*strip, (held.labels(ReplayAction.BACK), "Back"))
