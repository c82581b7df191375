"""Tick log: commands and display values of recorded ticks, packed into rows of 60 bytes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...core.angles import HEADING_UNITS_PER_TURN
from ...physics import Command

if TYPE_CHECKING:
    from ...core.vectors import Point
    from ..events import Event

Rows = NDArray[np.void]
TICK_ROW = np.dtype(
    [
        ("forward", "f8"), ("strafe", "f8"), ("feet", "f8", 3), ("heading", "i4"), ("event_bits", "u4"),
        ("speed", "f4"), ("pitch", "i2"), ("buttons", "u1"), ("flags", "u1"),
    ]
)  # fmt: skip
BUTTONS = ("jump", "crouch", "sprint", "use")  # bits of `buttons`
# Bits of `flags`.
BLOCKED = 1
GROUNDED = 2
COMPLETED = 4
CHUNK_TICKS = 4096
EVENT_BYTES = 400  # estimate of the memory of an event, and of the entry of its tick


@dataclass(slots=True)
class RewindTick:
    """One recorded tick.

    state       of the world before it; None where it follows from an earlier one
    feet        at its end, m
    speed       of the walker's own velocity, m/s
    event_bits  events of the trace
    blocked     a wall or ceiling stopped the walker
    events      of the world
    """

    command: Command
    state: bytes | None
    feet: Point
    speed: float = 0.0
    event_bits: int = 0
    blocked: bool = False
    grounded: bool = True
    events: tuple[Event, ...] = ()


class TickLog:
    """Rows of ticks by number. Numbers rise by one for each tick; `first` is the oldest, `end` one past the newest.

    events  the world's events, by the number of their tick; most ticks have none
    """

    def __init__(self) -> None:
        self.first = self.end = 0
        self.events: dict[int, tuple[Event, ...]] = {}
        self._event_count = 0  # in all ticks
        self._chunks: deque[Rows] = deque()
        self._base = 0  # number of the first row of the first chunk

    def __len__(self) -> int:
        return self.end - self.first

    @property
    def memory(self) -> int:
        """Bytes of the rows, and an estimate of that of the events."""
        return len(self._chunks) * CHUNK_TICKS * TICK_ROW.itemsize + EVENT_BYTES * self._event_count

    def append(self, command: Command, feet: Point) -> None:
        """Add a tick that is about to run."""
        if self.end - self._base == len(self._chunks) * CHUNK_TICKS:
            self._chunks.append(np.zeros(CHUNK_TICKS, TICK_ROW))
        buttons = sum(1 << bit for bit, name in enumerate(BUTTONS) if getattr(command, name))
        heading = command.heading
        if not -(2**31) <= heading < 2**31:
            heading %= HEADING_UNITS_PER_TURN
        row = (command.forward, command.strafe, feet, heading, 0, 0.0, command.pitch, buttons, GROUNDED)
        self._chunks[-1][(self.end - self._base) % CHUNK_TICKS] = row
        self.end += 1

    def complete(
        self, feet: Point, speed: float, event_bits: int, blocked: bool, grounded: bool, events: tuple[Event, ...]
    ) -> None:
        """Write the result of the newest tick."""
        row = self._chunks[-1][(self.end - 1 - self._base) % CHUNK_TICKS]
        row["feet"] = feet
        row["speed"] = speed
        row["event_bits"] = event_bits
        row["flags"] = BLOCKED * blocked | GROUNDED * grounded | COMPLETED
        if not isinstance(events, tuple) or len(events):
            self.events[self.end - 1] = events
            self._event_count += _count(events)

    def _row(self, number: int) -> Rows:
        chunk, place = divmod(number - self._base, CHUNK_TICKS)
        row: Rows = self._chunks[chunk][place]
        return row

    def command(self, number: int) -> Command:
        forward, strafe, _, heading, _, _, pitch, buttons, _ = self._row(number).item()
        return Command(forward, strafe, heading, pitch, *(bool(buttons >> bit & 1) for bit in range(len(BUTTONS))))

    def is_completed(self, number: int) -> bool:
        """Whether the tick was run to its end; not so the tick in progress, and one that an error ended."""
        return bool(int(self._row(number)["flags"]) & COMPLETED)

    def tick(self, number: int, state: bytes | None) -> RewindTick:
        """A tick as an object. state: of the world before it, where it is kept."""
        row = self._row(number)
        x, y, z = row["feet"].tolist()
        flags = int(row["flags"])
        return RewindTick(
            self.command(number), state, (x, y, z), float(row["speed"]), int(row["event_bits"]),
            bool(flags & BLOCKED), bool(flags & GROUNDED), self.events.get(number, ()),
        )  # fmt: skip

    def rows(self, first: int, end: int) -> Rows:
        """A copy of the rows of the ticks `first` to `end` - 1."""
        parts = []
        while first < end:
            chunk, place = divmod(first - self._base, CHUNK_TICKS)
            count = min(end - first, CHUNK_TICKS - place)
            parts.append(self._chunks[chunk][place : place + count])
            first += count
        return np.concatenate(parts) if parts else np.zeros(0, TICK_ROW)

    def drop_before(self, number: int) -> None:
        self._drop_events([each for each in self.events if each < number] if self.events else [])
        self.first = number
        while self._chunks and self._base + CHUNK_TICKS <= number:
            self._chunks.popleft()
            self._base += CHUNK_TICKS

    def _drop_events(self, numbers: list[int]) -> None:
        for number in numbers:
            self._event_count -= _count(self.events.pop(number))

    def drop_from(self, number: int) -> None:
        self._drop_events([each for each in self.events if each >= number])
        self.end = number
        while self._chunks and self._base + (len(self._chunks) - 1) * CHUNK_TICKS >= number:
            self._chunks.pop()


def _count(events: tuple[Event, ...]) -> int:
    return len(events) if isinstance(events, tuple) else 1
