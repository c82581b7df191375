"""Rewind timeline: speed, ground contact and events of the last seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...physics.character.layout import tick_event
from ...render import Timeline
from ...render.colour_palettes import DEFAULT_PALETTE
from ...render.hud.palette import contact_colour
from ...sim.events import BallStruck, CheckpointReached, GoalReached, HoledOut, Respawned, TargetReached

if TYPE_CHECKING:
    from ...sim import RewindBuffer

COLUMN_COUNT = 200
FULL_SCALE_SPEED = 8.0  # m/s of a full column
AIRBORNE_COLOUR = "ceiling"  # kind of contact whose colour the columns do not use otherwise
EVENT_LETTERS: tuple[tuple[type, str], ...] = (
    (GoalReached, "goal"), (HoledOut, "in"), (CheckpointReached, "checkpoint"), (TargetReached, "target"),
    (Respawned, "respawn"), (BallStruck, "stroke"),
)  # fmt: skip
Columns = tuple[tuple[float, tuple[float, float, float]], ...]
Marks = tuple[tuple[float, str], ...]


def speed_columns(buffer: RewindBuffer, palette: str = DEFAULT_PALETTE) -> Columns:
    """Columns of speed (0..1) and colour: blocked by a wall, in the air, or on the ground."""
    count = min(COLUMN_COUNT, len(buffer))
    moments = list(buffer)
    columns = []
    for n in range(count):
        group = moments[n * len(moments) // count : (n + 1) * len(moments) // count]
        speed = max(moment.speed for moment in group) / FULL_SCALE_SPEED
        is_blocked = any(moment.blocked for moment in group)
        is_airborne = sum(not moment.grounded for moment in group) * 2 > len(group)
        colour = contact_colour("wall" if is_blocked else AIRBORNE_COLOUR if is_airborne else "walkable", palette)
        columns.append((round(min(speed, 1.0), 3), colour))
    return tuple(columns)


def event_marks(buffer: RewindBuffer) -> Marks:
    """Positions (0..1) of events, and a word for each."""
    marks: list[tuple[float, str]] = []
    for k, moment in enumerate(buffer):
        word = next(
            (word for kind, word in EVENT_LETTERS if any(isinstance(event, kind) for event in moment.events)), ""
        )
        if not word and moment.event_bits & tick_event.JUMPED:
            word = "jump"
        if word:
            marks.append(((k + 0.5) / len(buffer), word))
    return tuple(marks)


def build_timeline(buffer: RewindBuffer, at: float, columns: Columns, marks: Marks) -> Timeline:
    """The timeline with the position `at` (ticks from the oldest) marked."""
    rate = buffer.world.settings.ticks_per_second
    age = (len(buffer) - at) / rate
    label = "now" if age < 0.5 / rate else f"{age:.2f} s ago"
    return Timeline(columns, at / len(buffer), label, marks, f"{len(buffer) / rate:.0f} s ago", "now")
