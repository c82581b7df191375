"""Paths of walks for plots and comparisons: the feet and the speed at each tick, from tables, replays and worlds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.vectors import Floats
from ..core.walker_settings import WalkerSettings
from ..sim.replay.replay_file import ReplayPart
from ..sim.walk_table import WalkTable


@dataclass(frozen=True, slots=True)
class WalkPath:
    """One walk. feet (T,3): lowest point of the body after each tick, m; speed (T,): horizontal, m/s; seconds (T,):
    end of each tick from the start of the walk."""

    name: str
    feet: Floats
    speed: Floats
    seconds: Floats


def _make_path(name: str, feet: NDArray[np.float64], velocity: NDArray[np.float64], seconds: Floats) -> WalkPath:
    return WalkPath(name, feet, np.hypot(velocity[:, 0], velocity[:, 2]), seconds)


def path_of_table(name: str, table: WalkTable, settings: WalkerSettings) -> WalkPath:
    """The path of a table, which has no stance: the feet are those of the upright body."""
    feet = table.position - np.array((0.0, settings.radii[1], 0.0))
    return _make_path(name, feet, table.velocity, table.tick / settings.ticks_per_second)


def path_of_part(name: str, part: ReplayPart) -> WalkPath:
    """The recorded path of one part of a replay; empty for a part without ticks."""
    if not part.chunks:
        return path_of_states(name, [], part.ticks_per_second)
    rows = np.concatenate([chunk.states[1:] for chunk in part.chunks])
    ticks = np.concatenate([np.arange(chunk.first, chunk.end) for chunk in part.chunks]) + 1.0
    return _make_path(
        name, feet_of_rows(rows), rows["velocity"], (ticks - part.chunks[0].first) / part.ticks_per_second
    )


def feet_of_rows(rows: NDArray[np.void]) -> Floats:
    """(n,3): lowest points of the bodies of state rows; the centres in the layout of another version."""
    position: Floats = np.asarray(rows["position"], np.float64)
    names = rows.dtype.names or ()
    return position - rows["radii"][:, 1:2] * rows["up"] if "radii" in names and "up" in names else position


def path_of_states(name: str, states: Iterable[tuple[ArrayLike, ArrayLike]], ticks_per_second: float) -> WalkPath:
    """The path of (feet, velocity) after each tick."""
    pairs = list(states)
    feet = np.array([feet for feet, _ in pairs], np.float64).reshape(-1, 3)
    velocity = np.array([velocity for _, velocity in pairs], np.float64).reshape(-1, 3)
    seconds = np.asarray((np.arange(len(feet)) + 1.0) / ticks_per_second, np.float64)
    return _make_path(name, feet, velocity, seconds)
