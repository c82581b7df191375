"""Walks of plots and comparisons: a walk table with a name, of a file or a replay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.angles import RADIANS_PER_HEADING_UNIT
from ..core.vectors import Floats
from ..level import Level
from ..sim.replay.replay_file import FAILURE_MEASURE, FAILURE_NOTE, ReplayPart
from ..sim.replay.walk_table import WalkTable, join_tables

MAX_STEP_TO_GROUND = 0.5  # m below the feet of the upright body: ground under a body on a slope or an edge
OUTLINE_FIELDS = {"up", "north", "heading", "radii"}  # of bodies from above
OUTLINE_POINTS = 40
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
class DrawnWalk:
    """A walk of a plot or a comparison. name: in legends; table: ticks from the start of the walk; failure: of a replay
    that starts with one."""

    name: str
    table: WalkTable
    ticks_per_second: float
    failure: FailedBody | None = None

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


def chart_heights(walks: Sequence[DrawnWalk]) -> tuple[str, list[Floats]]:
    """Title and values (m) of the chart of heights: of the feet, or of the centres where one walk has no stance."""
    if all(walk.table.has_stance for walk in walks):
        return "Height of the feet (m)", [walk.table.feet[:, 1] for walk in walks]
    return "Height of the centre of the body (m)", [walk.table.position[:, 1] for walk in walks]


def walk_of_table(name: str, table: WalkTable, level: Level) -> DrawnWalk:
    """The walk of a table without stance. Its feet are those of the upright body, or the ground where that is nearer
    below the centre: there the body crouches. In the air a crouched body looks upright."""
    settings = level.player
    reach = np.minimum(_ground_distances(table, level, settings.radii[1]), settings.radii[1])
    feet = table.position - reach[:, None] * np.array((0.0, 1.0, 0.0))
    return DrawnWalk(name, replace(table, feet=feet), settings.ticks_per_second)


def supported_share(table: WalkTable, level: Level) -> float:
    """Share (0..1) of the ticks on the ground in which the level has ground below the body; 1 without such ticks."""
    grounded = table.grounded
    if not grounded.any():
        return 1.0
    distances = _ground_distances(table, level, level.player.radii[1] + MAX_STEP_TO_GROUND)
    return float(np.isfinite(distances[grounded]).mean())


def _ground_distances(table: WalkTable, level: Level, limit: float) -> Floats:
    """(T,): distance (m) from each centre down to the level, infinite beyond the limit."""
    hits = level.mesh.raycast(table.position, np.array((0.0, -1.0, 0.0)), limit)
    return np.where(np.asarray(hits.triangle) >= 0, np.asarray(hits.distance, np.float64), np.inf)


def walk_of_part(name: str, part: ReplayPart) -> DrawnWalk:
    """The recorded walk of one part of a replay, which has ticks."""
    table = join_tables([chunk.table for chunk in part.chunks])
    walk = DrawnWalk(name, replace(table, tick=table.tick - part.chunks[0].first), part.ticks_per_second)
    note = str(part.head.get("note") or "")
    before, after = part.chunks[0].states[:2]
    if not note.startswith(FAILURE_NOTE) or not set(before.dtype.names or ()) >= OUTLINE_FIELDS:
        return walk
    kind, _, measure = note.removeprefix(FAILURE_NOTE).partition(FAILURE_MEASURE)
    return replace(walk, failure=FailedBody(kind, body_outline(before), body_outline(after), measure))


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
