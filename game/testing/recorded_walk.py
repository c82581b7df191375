"""Recorded walk: positions, events and touched faces of a world, tick by tick, for the expectations of a test."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..core.vectors import Flags, Floats
from ..physics import Command
from ..sim import World
from ..sim.events import Event, Respawned

FIRST_CAPACITY = 1024  # ticks


@dataclass(frozen=True, slots=True)
class WalkInput:
    """Input of one tick: a command, and whether the world restarts at its spawn ahead of it, or the walker returns to
    its checkpoint."""

    command: Command
    restart: bool = False
    returns: bool = False


class TouchedFace(NamedTuple):
    """Surface of a touched triangle, and kind and label of its piece."""

    surface: str
    kind: str
    label: str


@dataclass(slots=True)
class WalkEvent:
    """An event of the world in a tick of the walk. Ticks of a walk count from 1 and go on after a restart."""

    tick: int
    event: Event


@dataclass(slots=True)
class RecordedWalk:
    """Recording of a walk of `ticks` ticks. Row 0 of an array is the state before the first tick, row t after tick t.

    feet: (ticks + 1, 3) m. grounded: (ticks + 1,). relocated: (ticks + 1,), whether a respawn, teleport or restart
    moved the body in that tick. clocks: (ticks + 1,), ticks of the world. touched: `touched_faces` of each tick; empty
    if they are not recorded. start: state of the world before the first tick.
    """

    world: World
    records_touches: bool = False
    ticks: int = 0
    events: list[WalkEvent] = field(default_factory=list)
    inputs: list[WalkInput] = field(default_factory=list)
    touched: list[frozenset[TouchedFace]] = field(default_factory=list)
    _feet: Floats = field(default_factory=lambda: np.zeros((FIRST_CAPACITY, 3)))
    start: bytes = b""
    _digest: hashlib._Hash = field(init=False)
    _grounded: Flags = field(default_factory=lambda: np.zeros(FIRST_CAPACITY, np.bool_))
    _relocated: Flags = field(default_factory=lambda: np.zeros(FIRST_CAPACITY, np.bool_))
    clocks: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = self.world.state()
        self._digest = hashlib.sha256(self.start)
        if self.records_touches:
            self.touched.append(frozenset())
        self._write_row()

    @property
    def feet(self) -> Floats:
        return self._feet[: self.ticks + 1]

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
    def hash(self) -> str:
        """Hash of all states so far, equal to `WalkResult.hash` of the same walk."""
        digest = self._digest.copy()
        digest.update(self.world.state())
        return digest.hexdigest()[:16]

    def step(self, given: WalkInput) -> None:
        """Advance the world by one tick and record it."""
        relocated = given.restart or given.returns
        self.ticks += 1
        if given.restart:
            self.events.append(WalkEvent(self.ticks, self.world.restart()))
        if given.returns:
            self.events.append(WalkEvent(self.ticks, self.world.return_to_checkpoint()))
        for event in self.world.step(given.command):
            relocated |= isinstance(event, Respawned)
            self.events.append(WalkEvent(self.ticks, event))
        self.inputs.append(given)
        if self.records_touches:
            self.touched.append(touched_faces(self.world))
        self._digest.update(self.world.walker_state.to_bytes())
        self._write_row()
        self._relocated[self.ticks] = relocated

    def _write_row(self) -> None:
        if self.ticks == len(self._feet):
            for name in ("_feet", "_grounded", "_relocated"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate((old, np.zeros_like(old))))
        state = self.world.walker_state
        self._feet[self.ticks], self._grounded[self.ticks] = state.feet, state.grounded
        self.clocks.append(self.world.tick)


def touched_faces(world: World) -> frozenset[TouchedFace]:
    """Faces of the level and of its movers that the body touched in the last tick."""
    if world.trace is None:
        return frozenset()
    level = world.level
    touched = {(contact.mover, contact.triangle) for contact in (*world.trace.contacts, *world.trace.stops)}
    faces: set[TouchedFace] = set()
    for number, triangle in touched:
        if number >= 0:
            mover = level.movers[number]
            surface = mover.surfaces[int(mover.surface_index[triangle])].name
            faces.add(TouchedFace(surface, "mover", f'mover "{mover.name}"'))
            continue
        piece = level.quad_piece(int(level.quad_index[triangle]))
        faces.add(TouchedFace(level.surfaces[int(level.surface_index[triangle])].name, piece.kind, piece.label))
    return frozenset(faces)
