"""Walks of plots and comparisons: a walk table with a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.vectors import Floats
from ..sim.replay.replay_file import FAILURE_NOTE, ReplayPart
from ..sim.replay.walk_table import WalkTable, join_tables


@dataclass(frozen=True, slots=True)
class DrawnWalk:
    """A walk of a plot or a comparison. name: in legends; table: ticks from the start of the walk; failure: in words,
    of a replay whose first tick failed."""

    name: str
    table: WalkTable
    ticks_per_second: float
    failure: str = ""

    @property
    def seconds(self) -> Floats:
        """(T,): end of each tick from the start of the walk, s."""
        seconds: Floats = self.table.tick / self.ticks_per_second
        return seconds

    @property
    def speed(self) -> Floats:
        """(T,): horizontal speed, m/s."""
        speed: Floats = np.hypot(self.table.velocity[:, 0], self.table.velocity[:, 2])
        return speed


def walk_of_part(name: str, part: ReplayPart) -> DrawnWalk:
    """The recorded walk of one part of a replay, which has ticks."""
    table = join_tables([chunk.table for chunk in part.chunks])
    note = str(part.head.get("note") or "")
    failure = note.removeprefix(FAILURE_NOTE) if note.startswith(FAILURE_NOTE) else ""
    return DrawnWalk(name, replace(table, tick=table.tick - part.chunks[0].first), part.ticks_per_second, failure)


def walked_places(walks: Sequence[DrawnWalk]) -> Floats:
    """(n,3): feet that are not below all the ground on which the walks stand, so that falls are left out. All feet
    where no tick is on ground."""
    feet = np.concatenate([walk.table.feet for walk in walks])
    grounded = np.concatenate([walk.table.grounded for walk in walks])
    places: Floats = feet[feet[:, 1] >= feet[grounded, 1].min()] if grounded.any() else feet
    return places
