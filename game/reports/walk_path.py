"""Paths of walks for plots and comparisons: the feet and the speed at each tick, from tables, replays and worlds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.vectors import Floats
from ..level import Level
from ..sim.replay.replay_file import ReplayPart
from ..sim.walk_table import WalkTable

MAX_STEP_TO_GROUND = 0.5  # m below the feet of the upright body: ground under a body on a slope or an edge
MIN_SUPPORTED = 0.5  # of the ticks on the ground; lifts carry walkers where the level itself has no ground


@dataclass(frozen=True, slots=True)
class WalkPath:
    """One walk. feet (T,3): lowest point of the body after each tick, m; speed (T,): horizontal, m/s; seconds (T,):
    end of each tick from the start of the walk; centre_heights (T,): of the centre of the body, m; has_stance: whether
    the source tells how high the body is, so that the feet are exact."""

    name: str
    feet: Floats
    speed: Floats
    seconds: Floats
    centre_heights: Floats | None = None
    has_stance: bool = True


def _make_path(
    name: str,
    feet: NDArray[np.float64],
    velocity: NDArray[np.float64],
    seconds: Floats,
    centres: NDArray[np.float64],
    has_stance: bool = True,
) -> WalkPath:
    return WalkPath(name, feet, np.hypot(velocity[:, 0], velocity[:, 2]), seconds, centres[:, 1], has_stance)


def chart_heights(walks: Sequence[WalkPath]) -> tuple[str, list[Floats]]:
    """Title and values (m) of the chart of heights: of the feet, or of the centres where one walk has no stance."""
    if all(walk.has_stance for walk in walks):
        return "Height of the feet (m)", [walk.feet[:, 1] for walk in walks]
    heights = [walk.feet[:, 1] if walk.centre_heights is None else walk.centre_heights for walk in walks]
    return "Height of the centre of the body (m)", heights


def path_of_table(name: str, table: WalkTable, level: Level) -> WalkPath:
    """The path of a table, which has no stance. Its feet are those of the upright body, or the ground where that is
    nearer below the centre: there the body crouches. In the air a crouched body looks upright."""
    settings = level.player
    reach = np.minimum(_ground_distances(table, level, settings.radii[1]), settings.radii[1])
    feet = table.position - reach[:, None] * np.array((0.0, 1.0, 0.0))
    seconds = table.tick / settings.ticks_per_second
    return _make_path(name, feet, table.velocity, seconds, table.position, False)


def supported_share(table: WalkTable, level: Level) -> float:
    """Share (0..1) of the ticks on the ground in which the level has ground below the body; 1 without such ticks."""
    grounded = table.grounded
    if not grounded.any():
        return 1.0
    distances = _ground_distances(table, level, level.player.radii[1] + MAX_STEP_TO_GROUND)
    return float(np.isfinite(distances[grounded]).mean())


def _ground_distances(table: WalkTable, level: Level, limit: float) -> Floats:
    """(T,): distance (m) from each centre down to the level, infinite beyond the limit."""
    if not len(level.mesh):
        return np.full(len(table.position), np.inf)
    hits = level.mesh.raycast(table.position, np.array((0.0, -1.0, 0.0)), limit)
    return np.where(np.asarray(hits.triangle) >= 0, np.asarray(hits.distance, np.float64), np.inf)


def path_of_part(name: str, part: ReplayPart) -> WalkPath:
    """The recorded path of one part of a replay; empty for a part without ticks."""
    if not part.chunks:
        return path_of_states(name, [], part.ticks_per_second)
    rows = np.concatenate([chunk.states[1:] for chunk in part.chunks])
    ticks = np.concatenate([np.arange(chunk.first, chunk.end) for chunk in part.chunks]) + 1.0
    seconds = (ticks - part.chunks[0].first) / part.ticks_per_second
    return _make_path(name, feet_of_rows(rows), rows["velocity"], seconds, np.asarray(rows["position"], np.float64))


def feet_of_rows(rows: NDArray[np.void]) -> Floats:
    """(n,3): lowest points of the bodies of state rows; the centres in the layout of another version."""
    position: Floats = np.asarray(rows["position"], np.float64)
    names = rows.dtype.names or ()
    return position - rows["radii"][:, 1:2] * rows["up"] if "radii" in names and "up" in names else position


def path_of_states(
    name: str, states: Iterable[tuple[ArrayLike, ArrayLike, ArrayLike]], ticks_per_second: float
) -> WalkPath:
    """The path of (feet, velocity, centre) after each tick."""
    rows = np.array(list(states), np.float64).reshape(-1, 3, 3)
    feet, velocity, centres = rows[:, 0], rows[:, 1], rows[:, 2]
    seconds = np.asarray((np.arange(len(feet)) + 1.0) / ticks_per_second, np.float64)
    return _make_path(name, feet, velocity, seconds, centres)
