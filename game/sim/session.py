"""Real time cut into fixed ticks: the clock's readings are handed in, none is taken here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..physics import Command, WalkerState
from .events import Event, Point, Respawned
from .replay.recorder import Recorder
from .replay.rewind import RewindBuffer
from .world import World

MAX_CATCH_UP_SECONDS = 0.25  # the most that one call makes good: more would make the next frame late, and so on
FULL_TURN = 65536


@dataclass(frozen=True, slots=True)
class BodyPose:
    """The body between two ticks: metres, and a fractional `heading` (65536 to the turn)."""

    feet: Point
    centre: Point
    radii: Point
    heading: float
    grounded: bool
    up: Point = (0.0, 1.0, 0.0)
    north: Point = (0.0, 0.0, -1.0)  # where a heading of 0 looks


class SessionObserver(Protocol):
    """Is told of what a session does to its world, after it is done."""

    def stepped(self, command: Command, events: tuple[Event, ...]) -> None:
        """A tick was made with this command."""

    def restarted(self) -> None:
        """The world began again at its spawn."""


class Session:
    """Advances a world in step with a clock that the caller reads.

    Time beyond the catch-up cap is left out and counted in `dropped` (seconds), never played faster later.
    """

    def __init__(self, world: World, catch_up: float = MAX_CATCH_UP_SECONDS) -> None:
        self.world = world
        self.tick_seconds = 1.0 / world.settings.ticks_per_second
        self.catch_up = max(catch_up, self.tick_seconds)
        self.dropped_seconds = 0.0
        self.recorder: Recorder | None = None  # told of every tick
        self.observers: list[SessionObserver] = []  # so are these
        self.rewind_buffer: RewindBuffer | None = None  # told before and after
        self.previous: WalkerState = world.walker_state
        self.current: WalkerState = world.walker_state
        self._last_reading: float | None = None
        self._accumulator = 0.0

    def advance(self, reading: float, sample: Callable[[], Command | None]) -> list[Event]:
        """Run the ticks that are due at this clock reading (seconds); `sample` gives each tick's command, or None
        where there is none: no more ticks then.

        The first reading after the start or `pause` only sets the clock; one that went back adds nothing.
        """
        if not math.isfinite(reading):
            raise ValueError("the clock's reading is not a finite number")
        if self._last_reading is not None:
            self._accumulator += max(0.0, reading - self._last_reading)
        self._last_reading = reading
        if self._accumulator > self.catch_up:
            self.dropped_seconds += self._accumulator - self.catch_up
            self._accumulator = self.catch_up
        events: list[Event] = []
        while self._accumulator >= self.tick_seconds:
            command = sample()
            if command is None:
                self._accumulator = 0.0
                break
            self._accumulator -= self.tick_seconds
            events.extend(self.tick(command))
        return events

    def tick(self, command: Command) -> tuple[Event, ...]:
        """Run one tick whatever the clock says."""
        self.previous = self.current
        if self.rewind_buffer is not None:
            self.rewind_buffer.begin_tick(self.world, command)
        events = self.world.step(command)
        self.current = self.world.walker_state
        if self.rewind_buffer is not None:
            self.rewind_buffer.end_tick(events)
        if self.recorder is not None:
            self.recorder.stepped(command)
        for watcher in self.observers:
            watcher.stepped(command, events)
        if any(isinstance(event, Respawned) for event in events):
            self.previous = self.current
        return events

    def pause(self) -> None:
        """Forget the clock's last reading: the time until the next `advance` does not count."""
        self._last_reading = None

    def restart(self) -> Respawned:
        """Begin again at the spawn."""
        respawned = self.world.restart()
        if self.recorder is not None:
            self.recorder.restarted()
        for watcher in self.observers:
            watcher.restarted()
        self.reset_interpolation()
        return respawned

    def reset_interpolation(self) -> None:
        """The world's state was set from outside (restore): show that, from nothing before it."""
        self.previous = self.current = self.world.walker_state
        self._accumulator = 0.0
        if self.rewind_buffer is not None:
            self.rewind_buffer.mark_discontinuity()

    def show_replayed_tick(self, previous: WalkerState, alpha: float) -> None:
        """The world was brought to the end of a tick that began with `previous`: stand `alpha` (0..1) of the way."""
        self.previous, self.current = previous, self.world.walker_state
        self._accumulator = min(max(alpha, 0.0), 1.0) * self.tick_seconds

    @property
    def alpha(self) -> float:
        """How far the clock stands between the previous and the current tick, 0 to 1."""
        return min(self._accumulator / self.tick_seconds, 1.0)

    def movers(self) -> NDArray[np.float64] | None:
        """(K, 3, 4) poses of the movers at the moment that `pose` shows; None where there are none."""
        movers = None if self.world.around is None else self.world.around.movers
        return None if movers is None else movers.poses(max(0.0, self.world.tick - 1 + self.alpha))

    def pose(self) -> BodyPose:
        """The body where the clock stands: one tick behind, so that it is always between two known states."""
        before, now, alpha = self.previous, self.current, self.alpha
        turn = (now.heading - before.heading + FULL_TURN // 2) % FULL_TURN - FULL_TURN // 2
        centre = interpolate_point(before.position, now.position, alpha)
        feet = interpolate_point(before.feet, now.feet, alpha)
        if before.up != now.up:  # gravity turned: the body turned about its middle
            x, y, z = (middle - now.radii[1] * way for middle, way in zip(centre, now.up, strict=True))
            feet = (x, y, z)
        return BodyPose(
            feet=feet,
            centre=centre,
            radii=now.radii,
            heading=(before.heading + turn * alpha) % FULL_TURN,
            grounded=before.grounded and now.grounded,
            up=now.up,
            north=now.north,
        )


def interpolate_point(a: Point, b: Point, alpha: float) -> Point:
    """The point from a (0) to b (1); a itself, to the last bit, where a equals b."""
    return (
        a[0] + (b[0] - a[0]) * alpha,
        a[1] + (b[1] - a[1]) * alpha,
        a[2] + (b[2] - a[2]) * alpha,
    )
