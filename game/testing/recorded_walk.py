"""Recorded walk: positions, events and contacts of a world, tick by tick, for the expectations of a level test."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from ..core.vectors import Flags, Floats
from ..physics import Command
from ..sim import World
from ..sim.events import Event, Respawned

FIRST_CAPACITY = 1024  # ticks


@dataclass(frozen=True, slots=True)
class WalkInput:
    """Input of one tick: a command, and whether the world restarts at its spawn ahead of it."""

    command: Command
    restart: bool = False


@dataclass(slots=True)
class WalkEvent:
    """An event of the world in a tick of the walk. Ticks of a walk count from 1 and go on after a restart."""

    tick: int
    event: Event


@dataclass(slots=True)
class RecordedWalk:
    """States of a walk of `ticks` ticks. Row 0 of an array is the state before the first tick, row t that after tick t.

    feet, centre: (ticks + 1, 3) m; grounded: (ticks + 1,); jumps_place (ticks + 1,): whether the body was put elsewhere
    in that tick (respawn, teleport, restart), so that its displacement is no movement.
    surfaces: for each tick the names of the surfaces in contact; empty where they are not recorded.
    """

    world: World
    records_surfaces: bool = False
    ticks: int = 0
    events: list[WalkEvent] = field(default_factory=list)
    inputs: list[WalkInput] = field(default_factory=list)
    surfaces: list[frozenset[str]] = field(default_factory=list)
    _feet: Floats = field(default_factory=lambda: np.zeros((FIRST_CAPACITY, 3)))
    _centre: Floats = field(default_factory=lambda: np.zeros((FIRST_CAPACITY, 3)))
    _grounded: Flags = field(default_factory=lambda: np.zeros(FIRST_CAPACITY, np.bool_))
    _relocated: Flags = field(default_factory=lambda: np.zeros(FIRST_CAPACITY, np.bool_))

    def __post_init__(self) -> None:
        if self.records_surfaces:
            self.surfaces.append(frozenset())
        self._write_row()

    @property
    def feet(self) -> Floats:
        return self._feet[: self.ticks + 1]

    @property
    def centre(self) -> Floats:
        return self._centre[: self.ticks + 1]

    @property
    def grounded(self) -> Flags:
        return self._grounded[: self.ticks + 1]

    @property
    def relocated(self) -> Flags:
        return self._relocated[: self.ticks + 1]

    @property
    def ticks_per_second(self) -> float:
        return float(self.world.settings.ticks_per_second)

    @property
    def path_hash(self) -> str:
        """Sixteen hexadecimal digits of the SHA-256 of the centre (three little-endian doubles) before the first tick
        and after each."""
        return hashlib.sha256(np.ascontiguousarray(self.centre, "<f8").tobytes()).hexdigest()[:16]

    def step(self, given: WalkInput) -> None:
        """Advance the world by one tick and record it."""
        relocated = given.restart
        self.ticks += 1
        if given.restart:
            self.events.append(WalkEvent(self.ticks, self.world.restart()))
        for event in self.world.step(given.command):
            relocated |= isinstance(event, Respawned)
            self.events.append(WalkEvent(self.ticks, event))
        self.inputs.append(given)
        if self.records_surfaces:
            self.surfaces.append(surfaces_in_contact(self.world))
        self._write_row()
        self._relocated[self.ticks] = relocated

    def _write_row(self) -> None:
        if self.ticks == len(self._feet):
            for name in ("_feet", "_centre", "_grounded", "_relocated"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate((old, np.zeros_like(old))))
        state = self.world.walker_state
        self._feet[self.ticks], self._centre[self.ticks] = state.feet, state.position
        self._grounded[self.ticks] = state.grounded


def surfaces_in_contact(world: World) -> frozenset[str]:
    """Names of the surfaces that the body touched at the end of the last tick, on the level and on its movers."""
    if world.trace is None:
        return frozenset()
    level, names = world.level, set()
    for contact in world.trace.contacts:
        body = level if contact.mover < 0 else level.movers[contact.mover]
        names.add(body.surfaces[int(body.surface_index[contact.triangle])].name)
    return frozenset(names)
