"""Timeline of a replay: speed and ground contact from the recorded states, and restarts as marks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.time_format import format_time
from ...core.vectors import Floats
from ...render import Timeline
from .rewind_timeline import Columns, Marks, build_columns


def state_columns(velocities: Floats, grounded: Any, palette: str) -> Columns:
    """Columns of speed (0..1) and colour: on the ground or in the air. velocities (n, 3): m/s; grounded (n,) bool."""
    return build_columns(np.linalg.norm(velocities, axis=1), np.asarray(grounded, np.bool_), None, palette)


def replay_timeline(columns: Columns, marks: Marks, fraction: float, duration: float, detail: str) -> Timeline:
    """The timeline with the cursor at a fraction (0..1). duration: s; detail: speed or state beside the time."""
    label = "   ·   ".join(filter(None, (format_time(fraction * duration), detail)))
    return Timeline(columns, fraction, label, marks, format_time(0.0), format_time(duration))
