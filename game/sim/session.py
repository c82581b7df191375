"""Session: fixed ticks in step with a clock that the caller reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.angles import HEADING_UNITS_PER_TURN, wrap_heading
from ..core.arguments import as_callable, as_instance, as_number
from ..core.vectors import Point
from ..physics import Command, WalkerState
from .events import Event, Respawned
from .exclusive_access import ExclusiveAccess, exclusive
from .replay.history import History
from .world import World

MAX_CATCH_UP_LIMIT = 3600.0  # s: the largest limit that a caller may choose
MIN_SPEED = 0.05  # of the clock: slower ones would look like a standstill
MAX_CATCH_UP_SECONDS = 0.25  # s of ticks that one call runs at most: more would delay the next frame further


@dataclass(frozen=True, slots=True)
class BodyPose:
    """Pose of the body between two ticks: m, and a fractional `heading` (65536 to the turn)."""

    feet: Point
    centre: Point
    radii: Point
    heading: float
    grounded: bool
    up: Point = (0.0, 1.0, 0.0)
    north: Point = (0.0, 0.0, -1.0)  # direction of heading 0


class SessionObserver(Protocol):
    """Observer of the ticks, restarts and returns of a session; called after each."""

    def stepped(self, command: Command, events: tuple[Event, ...]) -> None:
        """A tick with this command is done."""

    def restarted(self) -> None:
        """The world was restarted at its spawn."""

    def returned(self, event: Respawned) -> None:
        """The walker was put back to its checkpoint or respawn place."""


class Session:
    """Advances a world in fixed ticks in step with a clock.

    Time beyond the catch-up limit is dropped and counted in `dropped_seconds`; it is never played faster later. For one
    thread at a time, as its world.
    """

    def __init__(self, world: World, catch_up: float = MAX_CATCH_UP_SECONDS) -> None:
        self._access = ExclusiveAccess()
        self.world = as_instance(world, World, "world")
        catch_up = as_number(catch_up, "catch_up", 0.0, MAX_CATCH_UP_LIMIT)
        self.tick_seconds = 1.0 / world.settings.ticks_per_second
        self.catch_up = max(catch_up, self.tick_seconds)
        self.dropped_seconds = 0.0
        self._speed = 1.0
        self.history: History | None = None  # records the ticks
        self.observers: list[SessionObserver] = []
        self.previous: WalkerState = world.walker_state
        self.current: WalkerState = world.walker_state
        self._last_reading: float | None = None
        self._accumulator = 0.0

    @property
    def speed(self) -> float:
        """Seconds of the world for a second of the clock, 0.05 to 1. It does not change what a tick computes."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._speed = as_number(value, "speed", MIN_SPEED, 1.0)

    @exclusive
    def advance(self, clock_seconds: float, sample: Callable[[], Command | None]) -> list[Event]:
        """Run the ticks that are due at this clock reading (seconds); their events.

        sample: gives the command of each tick, or None to stop. The first reading after the start or `pause` only sets
        the clock; a reading that went back adds nothing.
        """
        as_number(clock_seconds, "clock_seconds")
        as_callable(sample, "sample")
        if self._last_reading is not None:
            self._accumulator += self._speed * max(0.0, clock_seconds - self._last_reading)
        self._last_reading = clock_seconds
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

    @property
    def next_tick_end(self) -> float:
        """Clock reading (s) at which the next tick ends, for input that acts in the tick of its time."""
        return (self._last_reading or 0.0) - (self._accumulator - self.tick_seconds) / self._speed

    @exclusive
    def tick(self, command: Command) -> tuple[Event, ...]:
        """Run one tick, independently of the clock."""
        self.previous = self.current
        if self.history is not None and self.history.world is not self.world:
            self.history = self.history.succeed(self.world)
        events = self.world.step(command) if self.history is None else self.history.step(command)
        self.current = self.world.walker_state
        for observer in self.observers:
            observer.stepped(command, events)
        if any(isinstance(event, Respawned) for event in events):
            self.previous = self.current
        return events

    def pause(self) -> None:
        """Forget the last clock reading, so that the time until the next `advance` does not count."""
        self._last_reading = None

    @exclusive
    def restart(self) -> Respawned:
        """Restart the world at its spawn."""
        respawned = self.world.restart()
        if self.history is not None:
            self.history.restarted()
        for observer in self.observers:
            observer.restarted()
        self.reset_interpolation()
        return respawned

    @exclusive
    def return_to_checkpoint(self) -> Respawned:
        """Put the walker back to its checkpoint or respawn place."""
        returned = self.world.return_to_checkpoint()
        if self.history is not None:
            self.history.returned()
        for observer in self.observers:
            observer.returned(returned)
        self.reset_interpolation()
        return returned

    @exclusive
    def reset_interpolation(self) -> None:
        """Show the present state without interpolation, after it was set from outside (`World.restore`)."""
        self.previous = self.current = self.world.walker_state
        self._accumulator = 0.0

    @exclusive
    def show_replayed_tick(self, previous: WalkerState, alpha: float) -> None:
        """Interpolate at `alpha` (0..1) between `previous` and the world's state, the two ends of a replayed tick."""
        alpha = as_number(alpha, "alpha")
        self.previous = as_instance(previous, WalkerState, "previous")
        self.current = self.world.walker_state
        self._accumulator = min(max(alpha, 0.0), 1.0) * self.tick_seconds

    @property
    def alpha(self) -> float:
        """Position of the clock between the previous and the current tick, 0..1."""
        return min(self._accumulator / self.tick_seconds, 1.0)

    def movers(self) -> NDArray[np.float64] | None:
        """(K, 3, 4) poses of the moving platforms at the time of `pose`; None where there are none."""
        if self.world.environment is None or self.world.environment.movers is None:
            return None
        return self.world.mover_poses(max(0.0, self.world.tick - 1 + self.alpha))

    def pose(self) -> BodyPose:
        """Interpolated pose of the body, one tick behind the clock, so that both ends are known."""
        before, now = self.previous, self.current
        alpha = self.alpha
        turn = wrap_heading(now.heading - before.heading)
        centre = interpolate_point(before.position, now.position, alpha)
        feet = interpolate_point(before.feet, now.feet, alpha)
        if before.up != now.up:  # gravity turned: the body rotates about its centre
            x, y, z = (middle - now.radii[1] * axis for middle, axis in zip(centre, now.up, strict=True))
            feet = (x, y, z)
        return BodyPose(
            feet=feet,
            centre=centre,
            radii=now.radii,
            heading=(before.heading + turn * alpha) % HEADING_UNITS_PER_TURN,
            grounded=before.grounded and now.grounded,
            up=now.up,
            north=now.north,
        )


def interpolate_point(a: Point, b: Point, alpha: float) -> Point:
    """Linear interpolation from a (0) to b (1); exactly a where a equals b."""
    return (a[0] + (b[0] - a[0]) * alpha, a[1] + (b[1] - a[1]) * alpha, a[2] + (b[2] - a[2]) * alpha)
