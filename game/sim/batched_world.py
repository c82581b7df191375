"""Batched world: many runs through one level, a tick of all of them at a time.

Each row has the bits of a `World` of its own, from its start to its end: the tick that reaches the goal, or the first
in which the walker respawns. Teleports are no end. Levels with balls or golf are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.vectors import Floats, Indices
from ..physics import Crowd
from ..physics.character.rows import command_row, state_row
from ..physics.numerics.arrays import Bytes
from ..physics.rules import BITS, DIED, GOAL_REACHED, GOALS, TICK, ZONES, Runs, apply_rules, begin_runs, make_runs
from .world import World

if TYPE_CHECKING:
    from ..level import Level

RUNNING, REACHED, RESPAWNED = range(3)  # outcome of a row


@dataclass(slots=True)
class BatchedRuns:
    """N runs, each in a level of its own choice.

    states (N, state_row.WIDTH): of the walkers. A row that respawned keeps its state and clock of before that tick.
    """

    states: Floats
    runs: Runs

    @classmethod
    def empty(cls, count: int, targets: int, movers: int) -> BatchedRuns:
        """So many rows, all at zero, for levels with at most so many targets and movers."""
        return cls(np.zeros((count, state_row.WIDTH)), make_runs(count, targets, movers))

    @property
    def clocks(self) -> Indices:
        """(N,): ticks of the worlds."""
        return self.runs.counts[:, TICK]

    @property
    def mover_clocks(self) -> Indices:
        """(N, M): ticks since the movers of each row were set off, or since tick 0; a copy."""
        return self.clocks[:, None] - self.runs.starts

    @property
    def reached(self) -> Bytes:
        """(N, T): flags of the targets."""
        return self.runs.targets

    @property
    def outcomes(self) -> Bytes:
        """(N,): RUNNING, REACHED or RESPAWNED; a copy."""
        bits = self.runs.counts[:, BITS]
        outcomes: Bytes = np.where(bits & DIED, RESPAWNED, np.where(bits & GOAL_REACHED, REACHED, RUNNING))
        return outcomes.astype(np.uint8)


class BatchedWorld:
    """The level of many runs. Picklable; any number of threads may use it at once."""

    def __init__(
        self, level: Level, threads: int | None = None, world: World | None = None, ignores_balls: bool = False
    ) -> None:
        """ValueError for a level with balls or golf, unless it `ignores_balls`. threads: as of `Crowd`. world: of the
        level, at a spawn and with the settings of the walkers; it is never stepped. None: a new one."""
        self.world = World(level) if world is None else world
        if not ignores_balls and (self.world.balls or self.world.golf is not None):
            raise ValueError(
                f"level '{level.name}' has balls or golf, which are not batched: use a single environment for it"
            )
        self.crowd = Crowd(self.world.walker, level.mesh, threads, self.world.environment)

    def begin(self, batch: BatchedRuns, rows: Indices, states: Floats, clocks: Indices) -> None:
        """Begin rows (n,) again, with these states and clocks."""
        batch.states[rows] = states
        begin_runs(self.world.rules, batch.runs, rows, states, clocks)

    def step(self, batch: BatchedRuns, rows: NDArray[np.int64], columns: Floats) -> None:
        """One tick of the rows (n,) of `batch` that still run. columns: their commands (`command_columns`)."""
        running = batch.runs.counts[rows, BITS] & (DIED | GOAL_REACHED) == 0
        if not running.all():
            rows, columns = rows[running], columns[running]
        columns[:, command_row.LATER] = batch.clocks[rows]
        before, after = batch.states[rows], np.empty((len(rows), state_row.WIDTH))
        starts = batch.runs.starts[rows] if self.world.has_waiting_movers else None
        apply = apply_rules()

        def apply_batch(first: int, end: int) -> None:
            own = slice(first, end)
            apply(
                self.world.rules, batch.runs, before[own], after[own], columns[own], rows[own], ZONES | GOALS,
                DIED | GOAL_REACHED, DIED, False, 0,
            )  # fmt: skip

        self.crowd._step_arrays(before, columns, after, starts, apply_batch)
        batch.states[rows] = after
