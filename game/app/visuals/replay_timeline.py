"""Timeline of a replay: its length, and the position with speed or state."""

from __future__ import annotations

from ...core.time_format import format_time
from ...render import Timeline
from .rewind_timeline import Columns, Marks


def replay_timeline(columns: Columns, marks: Marks, fraction: float, duration: float, detail: str) -> Timeline:
    """The timeline with the cursor at a fraction (0..1). duration: s; detail: speed or state beside the time."""
    label = "   ·   ".join(filter(None, (format_time(fraction * duration), detail)))
    return Timeline(columns, fraction, label, marks, format_time(0.0), format_time(duration))
