"""The last seconds as a line along the foot: how fast one was, on what, and what happened when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...physics.character.layout import tick_event
from ...render import Timeline
from ...render.hud.palette import DEFAULT_PALETTE, contact_colour
from ...sim.events import BallStruck, CheckpointReached, GoalReached, HoledOut, Respawned, TargetReached

if TYPE_CHECKING:
    from ...sim import RewindBuffer

COLUMN_COUNT = 200
FULL_SCALE_SPEED = 8.0  # m/s, of the highest column
AIRBORNE_COLOUR = "ceiling"  # whose colour nothing else in the lane has
EVENT_LETTERS: tuple[tuple[type, str], ...] = (
    (GoalReached, "goal"), (HoledOut, "in"), (CheckpointReached, "checkpoint"), (TargetReached, "target"),
    (Respawned, "respawn"), (BallStruck, "stroke"),
)  # fmt: skip
Columns = tuple[tuple[float, tuple[float, float, float]], ...]
Marks = tuple[tuple[float, str], ...]


def speed_columns(ring: RewindBuffer, palette: str = DEFAULT_PALETTE) -> Columns:
    """How fast (0..1), and the colour: a wall held it back, it was in the air, or neither."""
    count = min(COLUMN_COUNT, len(ring))
    moments = list(ring)
    made = []
    for n in range(count):
        some = moments[n * len(moments) // count : (n + 1) * len(moments) // count]
        fast = max(moment.speed for moment in some) / FULL_SCALE_SPEED
        held = any(moment.blocked for moment in some)
        air = sum(not moment.grounded for moment in some) * 2 > len(some)
        colour = contact_colour("wall" if held else AIRBORNE_COLOUR if air else "walkable", palette)
        made.append((round(min(fast, 1.0), 3), colour))
    return tuple(made)


def event_marks(ring: RewindBuffer) -> Marks:
    """Where something happened, and a word or letter for it."""
    made: list[tuple[float, str]] = []
    for k, moment in enumerate(ring):
        word = next(
            (word for kind, word in EVENT_LETTERS if any(isinstance(event, kind) for event in moment.events)), ""
        )
        if not word and moment.event_bits & tick_event.JUMPED:
            word = "jump"
        if word:
            made.append(((k + 0.5) / len(ring), word))
    return tuple(made)


def build_timeline(ring: RewindBuffer, at: float, columns: Columns, marks: Marks) -> Timeline:
    """The line with the place `at` (ticks from the oldest) marked on it."""
    rate = ring.world.settings.ticks_per_second
    away = (len(ring) - at) / rate
    label = "now" if away < 0.5 / rate else f"{away:.2f} s ago"
    return Timeline(columns, at / len(ring), label, marks, f"{len(ring) / rate:.0f} s ago", "now")
