"""Recorded walk: rows, inputs, events and touched faces of a world, tick by tick, for the expectations of a test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from ..core.vectors import Flags, Floats
from ..sim import World
from ..sim.events import Respawned
from ..sim.replay.walk_table import WalkRecorder
from ..sim.tick_input import TickInput


class TouchedFace(NamedTuple):
    """Surface of a touched triangle, and kind and label of its piece."""

    surface: str
    kind: str
    label: str


class TestedWalk(WalkRecorder):
    """Walk of a level test.

    start        state of the world before the first tick
    inputs       of each tick
    relocations  ticks in which a respawn, teleport or restart moved the body
    touched      `touched_faces` before the first tick and of each; empty if they are not recorded
    """

    __test__ = False  # no class of pytest tests

    def __init__(self, world: World, inputs: Iterator[TickInput], ticks: int, records_touches: bool = False) -> None:
        """Walk `ticks` ticks of the inputs."""
        super().__init__(world, ticks)
        self.start = world.state()
        self.inputs = list(itertools.islice(inputs, ticks))
        self.touched: list[frozenset[TouchedFace]] = [frozenset()] if records_touches else []
        restarts = {k + 1 for k, given in enumerate(self.inputs) if given.restart}
        begins = [k for k, given in enumerate(self.inputs) if k == 0 or given.restart or given.returns]
        for first, end in itertools.pairwise((*begins, len(self.inputs))):
            self.events += [(first + 1, event) for event in self.inputs[first].begin(world)]
            commands = [given.command for given in self.inputs[first:end]]
            if not records_touches:
                self.walked(*world.run(commands))
                continue
            for command in commands:
                self.stepped(world.step(command))
                self.touched.append(touched_faces(world))
        self.relocations = sorted(restarts | {tick for tick, event in self.events if isinstance(event, Respawned)})

    @property
    def feet(self) -> Floats:
        """(ticks + 1, 3): feet before the first tick and after each, m."""
        return self.table.feet

    @property
    def grounded(self) -> Flags:
        """(ticks + 1,): whether the body stands on ground, as of `feet`."""
        return self.table.grounded

    @property
    def ticks_per_second(self) -> float:
        return float(self.world.settings.ticks_per_second)


def touched_faces(world: World) -> frozenset[TouchedFace]:
    """Faces of the level and of its movers that the body touched in the last tick."""
    if world.trace is None:
        return frozenset()
    level = world.level
    touched = {(contact.mover, contact.triangle) for contact in (*world.trace.contacts, *world.trace.stops)}
    faces: set[TouchedFace] = set()
    for number, triangle in touched:
        if number >= len(level.movers):  # a ball
            continue
        if number >= 0:
            mover = level.movers[number]
            surface = mover.surfaces[int(mover.surface_index[triangle])].name
            faces.add(TouchedFace(surface, "mover", f'mover "{mover.name}"'))
            continue
        piece = level.quad_piece(int(level.quad_index[triangle]))
        faces.add(TouchedFace(level.surfaces[int(level.surface_index[triangle])].name, piece.kind, piece.label))
    return frozenset(faces)
