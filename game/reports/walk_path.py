"""Paths of walks for plots and comparisons: the feet and the speed at each tick, from tables, replays and worlds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..core.vectors import Flags, Floats
from ..level import Level
from ..sim.replay.replay_file import FAILURE_MEASURE, FAILURE_NOTE, ReplayPart
from ..sim.walk_table import WalkTable

MAX_STEP_TO_GROUND = 0.5  # m below the feet of the upright body: ground under a body on a slope or an edge
OUTLINE_FIELDS, OUTLINE_POINTS = {"up", "north", "heading", "radii"}, 40  # of bodies from above
MIN_SUPPORTED = 0.5  # of the ticks on the ground; lifts carry walkers where the level itself has no ground


@dataclass(frozen=True, slots=True)
class FailedBody:
    """Body at the failing tick at the start of a walk. kind: of the failure; outline, after (n,3): the body before and
    after the tick from above, at the height of the feet, m; measure: what the failure measured, empty where the replay
    does not tell it; command: the one that it held, in words."""

    kind: str
    outline: Floats
    after: Floats
    measure: str = ""
    command: str = ""


@dataclass(frozen=True, slots=True)
class WalkPath:
    """One walk. feet (T,3): lowest point of the body after each tick, m; speed (T,): horizontal, m/s; seconds (T,):
    end of each tick from the start of the walk; centre_heights (T,): of the centre of the body, m; has_stance: whether
    the source tells how high the body is, so that the feet are exact; grounded (T,): whether the body stands on
    ground, where the source tells it; failure: of a replay that starts with one."""

    name: str
    feet: Floats
    speed: Floats
    seconds: Floats
    centre_heights: Floats | None = None
    has_stance: bool = True
    grounded: Flags | None = None
    failure: FailedBody | None = None


def _make_path(
    name: str,
    feet: NDArray[np.float64],
    velocity: NDArray[np.float64],
    seconds: Floats,
    centres: NDArray[np.float64],
    has_stance: bool = True,
    grounded: Flags | None = None,
) -> WalkPath:
    speed = np.hypot(velocity[:, 0], velocity[:, 2])
    return WalkPath(name, feet, speed, seconds, centres[:, 1], has_stance, grounded)


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
    return _make_path(name, feet, table.velocity, seconds, table.position, False, table.grounded)


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
    centres = np.asarray(rows["position"], np.float64)
    path = _make_path(name, feet_of_rows(rows), rows["velocity"], seconds, centres, grounded=rows["grounded"])
    note = str(part.head.get("note") or "")
    first = part.chunks[0].states[0]
    if not note.startswith(FAILURE_NOTE) or not set(rows.dtype.names or ()) >= OUTLINE_FIELDS:
        return path
    kind, _, measure = note.removeprefix(FAILURE_NOTE).partition(FAILURE_MEASURE)
    return replace(path, failure=FailedBody(kind, body_outline(first), body_outline(rows[0]), measure))


def body_outline(row: np.void) -> Floats:
    """(n,3): the silhouette of a body from above, at the height of its feet. It is the ellipse x' M^-1 x = 1 with the
    sum M of r^2 a a' over the half axes r along a, in the plane."""
    up, north = np.asarray(row["up"], np.float64), np.asarray(row["north"], np.float64)
    angle = float(row["heading"]) * RADIANS_PER_HEADING_UNIT
    ahead = math.cos(angle) * north + math.sin(angle) * np.cross(up, north)  # heading 90 degrees is west
    axes = np.stack([np.cross(ahead, up), up, ahead]) * np.asarray(row["radii"], np.float64)[:, None]
    spread = axes[:, [0, 2]].T @ axes[:, [0, 2]]
    turns = np.linspace(0.0, math.tau, OUTLINE_POINTS, endpoint=False)
    flat = np.stack([np.cos(turns), np.sin(turns)], axis=1) @ np.linalg.cholesky(spread).T
    feet = np.asarray(row["position"], np.float64) - float(row["radii"][1]) * up
    outline: Floats = np.stack([feet[0] + flat[:, 0], np.full(len(flat), feet[1]), feet[2] + flat[:, 1]], axis=1)
    return outline


def feet_of_rows(rows: NDArray[np.void]) -> Floats:
    """(n,3): lowest points of the bodies of state rows; the centres in the layout of another version."""
    position: Floats = np.asarray(rows["position"], np.float64)
    names = rows.dtype.names or ()
    return position - rows["radii"][:, 1:2] * rows["up"] if "radii" in names and "up" in names else position


def path_of_states(
    name: str,
    states: Iterable[tuple[ArrayLike, ArrayLike, ArrayLike]],
    ticks_per_second: float,
    grounded: ArrayLike | None = None,
) -> WalkPath:
    """The path of (feet, velocity, centre) after each tick. grounded (T,): whether the body stands on ground."""
    rows = np.array(list(states), np.float64).reshape(-1, 3, 3)
    feet, velocity, centres = rows[:, 0], rows[:, 1], rows[:, 2]
    seconds = np.asarray((np.arange(len(feet)) + 1.0) / ticks_per_second, np.float64)
    flags = None if grounded is None else np.asarray(grounded, np.bool_)
    return _make_path(name, feet, velocity, seconds, centres, grounded=flags)
