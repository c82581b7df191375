"""Walks of plots and comparisons: a walk table with a name, of a file or a replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.vectors import Floats
from ..level import Level
from ..sim.replay.replay_file import FAILURE_NOTE, ReplayPart
from ..sim.replay.walk_table import WalkTable, join_tables

MIN_FALL = 1.0  # m of a fall that charts show at least
FALL_SHARE = 0.25  # of the range of heights: so much of a fall is shown in charts


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


def walk_of_table(name: str, table: WalkTable, level: Level) -> DrawnWalk:
    """The walk of a table without stance. Its feet are those of the upright body."""
    settings = level.player
    return DrawnWalk(
        name, replace(table, feet=table.position - (0.0, settings.radii[1], 0.0)), settings.ticks_per_second
    )


def walk_of_part(name: str, part: ReplayPart) -> DrawnWalk:
    """The recorded walk of one part of a replay, which has ticks."""
    table = join_tables([chunk.table for chunk in part.chunks])
    note = str(part.head.get("note") or "")
    failure = note.removeprefix(FAILURE_NOTE) if note.startswith(FAILURE_NOTE) else ""
    return DrawnWalk(name, replace(table, tick=table.tick - part.chunks[0].first), part.ticks_per_second, failure)


def chart_heights(walks: Sequence[DrawnWalk]) -> tuple[str, list[Floats]]:
    """Title and values (m) of the chart of heights: of the feet, or of the centres where one walk has no stance."""
    if all(walk.table.has_stance for walk in walks):
        return "Height of the feet (m)", [walk.table.feet[:, 1] for walk in walks]
    return "Height of the centre of the body (m)", [walk.table.position[:, 1] for walk in walks]


def walked_places(walks: Sequence[DrawnWalk]) -> Floats:
    """(n,3): feet that are not below all the ground on which the walks stand, so that falls are left out. All feet
    where no tick is on ground."""
    feet = np.concatenate([walk.table.feet for walk in walks])
    grounded = np.concatenate([walk.table.grounded for walk in walks])
    places: Floats = feet[feet[:, 1] >= feet[grounded, 1].min()] if grounded.any() else feet
    return places


def lowest_of_chart(places: Floats) -> float:
    """Least height (m) of a chart, so that a fall off the level does not flatten it. places: `walked_places`."""
    low, high = float(places[:, 1].min()), float(places[:, 1].max())
    return low - max(MIN_FALL, FALL_SHARE * (high - low))
