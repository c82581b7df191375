"""Course: a level prepared for environments, with its start places, rays and distances."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.vectors import Floats, Indices
from ..level.format.schema.zones import RunRole
from ..physics.character.layout import state_row
from ..physics.character.state import as_floats
from ..physics.mesh.layout import ray_row
from ..physics.numerics.arrays import Bytes
from ..sim.batched_world import BatchedWorld
from ..sim.generator.integer_hash import below
from ..sim.world import World
from . import observation
from .options import ANYWHERE, SPAWN, WALKABLE
from .progress import Progress, straight_progress, walkable_progress

if TYPE_CHECKING:
    from ..level import Level
    from .options import Options

MAX_STARTS = 512  # start places of a level with starts="anywhere"
START_SEARCH = 4  # places that are tried for each of them
KEPT_COURSES = 128
MAX_RANDOM_CLOCK = 60 * 60  # ticks
ROWS_IN_BLOCK = 64  # rows that a thread observes at a time
LEVEL_DRAW, START_DRAW, CLOCK_DRAW, HEADING_DRAW = range(4)  # numbers of the draws of an episode


class Course:
    """A level with what environments ask of it, whose options may differ. Picklable; for any number of threads.

    starts (S, state_row.WIDTH): states at the start places. can_wait (S,): whether the clock may start later there.
    """

    def __init__(self, level: Level, distance: str, starts: str) -> None:
        """ValueError for a level without a goal, or without a way to it."""
        self.level = level
        self.world = World(level)
        progress = walkable_progress if distance == WALKABLE else straight_progress
        self.progress: Progress = progress(level)
        movers = None if self.world.environment is None else self.world.environment.movers
        mesh = level.mesh
        self._bodies = [(-1, (mesh.nodes, mesh.links, mesh.triangles12))] if len(mesh) else []
        self._motions = (np.zeros((0, 1)), np.zeros((0, 1))) if movers is None else (movers.motions, movers.keys)
        for index, mover in enumerate(movers or ()):
            if len(mover.mesh):
                self._bodies.append((index, (mover.mesh.nodes, mover.mesh.links, mover.mesh.triangles12)))
        self.starts = self._find_starts(distance, starts)
        reach = max(self.world.settings.radii)
        self.can_wait = np.array(
            [movers is None or not movers.reach(row[:3], reach) for row in self.starts.tolist()], np.bool_
        )

    @property
    def rate(self) -> float:
        """Ticks a second."""
        return self.world.settings.ticks_per_second

    def _find_starts(self, distance: str, starts: str) -> Floats:
        world, level = self.world, self.level
        if starts == SPAWN:
            return as_floats(world.walker_state.row())
        if starts != ANYWHERE:
            worlds = [World(level, spawn=spawn.name) for spawn in level.spawns]
            return np.concatenate([as_floats(one.walker_state.row()) for one in worlds])
        if distance != WALKABLE:
            raise ValueError('starts="anywhere" needs distance="walkable", which knows where one can stand')
        progress = self.progress
        places = np.flatnonzero(np.isfinite(progress.seconds).all(axis=0) & (progress.seconds[-1] > 0.0))
        order = np.argsort(below(1 << 30, 0, np.arange(len(places))), kind="stable")[: START_SEARCH * MAX_STARTS]
        movers = None if world.environment is None else world.environment.movers
        kept: list[Floats] = []
        for place in places[order].tolist():
            feet = progress.points[place].tolist()
            frame = world._up_and_north_at(feet)
            try:
                state = world.walker.spawn(level.mesh, feet, 0, *frame, around=world.environment)
            except ValueError:
                continue
            is_safe = state.grounded and not state.sliding and feet[1] > level.kill_height
            is_safe = is_safe and (movers is None or not movers.reach(state.position, max(state.radii)))
            in_zone = any(
                zone.facts.role in (RunRole.KILL, RunRole.TELEPORT)
                and (zone.contains(state.feet) or zone.contains(state.position))
                for zone in level.all_zones
            )
            left, known = np.full(1, np.inf), np.full(1, -1)
            row = as_floats(state.row())
            flags = np.zeros((1, len(level.targets)), np.uint8)
            progress.measure(level, row, np.zeros(1, np.int64), flags, left, known)
            if is_safe and not in_zone and np.isfinite(left[0]):
                kept.append(row)
            if len(kept) == MAX_STARTS:
                break
        if not kept:
            raise ValueError(f"level '{level.name}' has no place to start from; use starts=\"spawns\"")
        return np.concatenate(kept)

    def draw_starts(self, options: Options, seeds: Indices, episodes: Indices) -> tuple[Floats, Indices]:
        """(states (n, state_row.WIDTH), clocks (n,)) at the start of episodes of these seeds and numbers."""
        chosen = below(len(self.starts), seeds, episodes, START_DRAW)
        states = self.starts[chosen]
        clocks = np.zeros(len(seeds), np.int64)
        if options.random_clock:
            clocks = np.where(self.can_wait[chosen], below(MAX_RANDOM_CLOCK, seeds, episodes, CLOCK_DRAW), 0)
        if options.starts == ANYWHERE:
            headings = below(HEADING_UNITS_PER_TURN, seeds, episodes, HEADING_DRAW)
            states.view(np.int64)[:, state_row.HEADING] = headings
        return states, clocks

    def observe(
        self, options: Options, states: Floats, rows: Indices, clocks: Indices, reached: Bytes, places: Indices, out:
        observation.Observations, out_rows: Indices, first: int, end: int,
    ) -> None:  # fmt: skip
        """Write the observations of rows[first:end] of states (N, state_row.WIDTH) into out[out_rows[first:end]]."""
        directions, limit = options.directions, float(options.ray_range)
        ahead = self.progress.ahead if options.show_path else self.progress.ahead[:0]
        table = np.empty(((end - first) * len(directions), ray_row.WIDTH))
        observation.write_rays(states, rows, first, directions, self.world.settings.eye, limit, table)
        if len(table) and self._bodies:
            distances = observation.cast_distances(self._bodies, *self._motions, table, clocks[rows[first:end]])
        else:
            distances = np.full(len(table), limit)
        observation.write_observations(
            states, rows[first:end], 0, reached, self.progress.spheres, ahead, places, distances, limit, out,
            out_rows[first:end],
        )  # fmt: skip


def make_courses(options: Options) -> list[Course]:
    """A course for each level; the last ones are kept for the same Level objects. ValueError for a level that does not
    fit the options."""
    return [_kept_course(ById(level), options.distance, options.starts) for level in options.levels()]


class ById:
    """A key that is equal only for the same object."""

    def __init__(self, value: Level) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ById) and other.value is self.value


@lru_cache(maxsize=KEPT_COURSES)
def _kept_course(key: ById, distance: str, starts: str) -> Course:
    return Course(key.value, distance, starts)


def batched_worlds(courses: list[Course], threads: int | None) -> list[BatchedWorld]:
    """The batched world of each course. ValueError for a level with balls or golf."""
    return [BatchedWorld(course.level, threads) for course in courses]
