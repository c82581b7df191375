"""Timeline of a replay: speed and ground contact from the recorded states, and restarts as marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from ...core.time_format import format_time
from ...core.vectors import Floats
from ...render import Timeline
from .rewind_timeline import Columns, Marks, build_columns


def state_columns(velocities: Floats, grounded: Any, palette: str) -> Columns:
    """Columns of speed (0..1) and colour: on the ground or in the air. velocities (n, 3): m/s; grounded (n,) bool."""
    return build_columns(np.linalg.norm(velocities, axis=1), np.asarray(grounded, np.bool_), None, palette)


class RecordedStates(Protocol):
    """Length and states of a replay; see `ReplayPlayer`."""

    @property
    def ticks(self) -> int: ...

    @property
    def duration(self) -> float: ...

    def column(self, name: str) -> Any: ...


class ReplayTimeline:
    """Timeline of the whole replay. ranges: ticks (first, end) between restarts."""

    def __init__(self, player: RecordedStates, ranges: Sequence[tuple[int, int]], palette: str) -> None:
        self._duration = player.duration
        self._columns = state_columns(player.column("velocity"), player.column("grounded"), palette)
        self._marks: Marks = tuple((first / player.ticks, "restart") for first, _ in ranges[1:])

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
