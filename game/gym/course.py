"""Course: a level prepared for environments, with its start places, rays and distances."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..core.vectors import Floats, Indices, Vector
from ..physics import Command
from ..physics.character.rows import state_row
from ..physics.character.state import STATE_ROW, as_floats
from ..physics.mesh.bvh import cast_rays
from ..physics.mesh.rows import ray_mode, ray_row
from ..physics.numerics.arrays import Bytes
from ..physics.query.rays import NO_RAYS, allocate_ray_columns
from ..sim import Respawned
from ..sim.generator.integer_hash import below
from ..sim.level_rules import up_and_north_at
from ..sim.replay.fingerprint import level_hash
from ..sim.world import World
from . import observation
from .options import ANYWHERE, SPAWN, WALKABLE
from .progress import make_progress

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
        self.progress = make_progress(level, is_walkable=distance == WALKABLE)
        self.movers = None if self.world.environment is None else self.world.environment.movers
        self.starts = self._find_starts(distance, starts)
        self.can_wait = np.array([not self._is_near_mover(row[:3]) for row in self.starts.tolist()], np.bool_)

    @cached_property
    def level_hash(self) -> str:
        """Hash of what a walk can notice of the level."""
        return level_hash(self.level)

    @property
    def rate(self) -> float:
        """Ticks a second."""
        return self.world.settings.ticks_per_second

    def _is_near_mover(self, centre: Vector) -> bool:
        return self.movers is not None and self.movers.reach(centre, max(self.world.settings.radii))

    def _find_starts(self, distance: str, starts: str) -> Floats:
        world, level, tried = self.world, self.level, World(self.level)
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
        kept: list[Floats] = []
        for place in places[order].tolist():
            feet = progress.graph.points[place].tolist()
            frame = up_and_north_at(level.zones, feet, level.player.radii[1])
            try:
                state = world.walker.spawn(level.mesh, feet, 0, *frame, around=world.environment)
            except ValueError:
                continue
            if not state.grounded or state.sliding or self._is_near_mover(state.position):
                continue
            tried.begin_at(state, 0)
            if any(isinstance(event, Respawned) for event in tried.step(Command())):
                continue  # zones that kill or teleport
            left, row = np.full(1, np.inf), as_floats(state.row())
            flags = np.zeros((1, len(level.targets)), np.uint8)
            progress.measure(level, row, np.zeros(1, np.int64), flags, left, np.full(1, -1))
            if np.isfinite(left[0]):
                kept.append(row)
            if len(kept) == MAX_STARTS:
                break
        if not kept:
            raise ValueError(f"level '{level.name}' has no place to start from; use starts=\"spawns\"")
        return np.concatenate(kept)

    def world_at(self, state: Floats, clock: int, world: World | None = None) -> World:
        """The world, default a new one, begun at a state (state_row.WIDTH,) and a tick."""
        world = World(self.level) if world is None else world
        world.begin_at(world.walker.state(state.view(STATE_ROW)), clock)
        return world

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
        self, options: Options, states: Floats, rows: Indices, clocks: Indices, reached: Bytes, places: Indices,
        out: observation.Observations,
    ) -> None:  # fmt: skip
        """Write the observations of rows (n,) of states (N, state_row.WIDTH) into those rows of out (N, D). clocks
        (N, M or more): of the movers."""
        directions, limit = options.directions, float(options.ray_range)
        ahead = self.progress.ahead if options.show_path else self.progress.ahead[:0]
        table = np.empty((len(rows) * len(directions), ray_row.WIDTH))
        observation.write_rays(states, rows, directions, self.world.settings.eye, limit, table)
        columns = allocate_ray_columns(len(table))
        mesh, distances, rules = self.level.mesh, columns[2], self.world.rules
        cast_rays(mesh.nodes, mesh.links, mesh.triangles12, table, 0.0, ray_mode.NEAREST, columns, NO_RAYS)
        for index, mover in enumerate(self.movers or ()):
            observation.cast_at_mover(
                table, clocks[rows, index], rules.motions, rules.keys, index, mover.mesh.nodes, mover.mesh.links,
                mover.mesh.triangles12, distances,
            )  # fmt: skip
        observation.write_observations(
            states, rows, reached, self.progress.spheres, ahead, places, distances, limit, out
        )


def make_courses(options: Options) -> list[Course]:
    """A course for each level; the last ones are kept for the same Level objects. ValueError for a level that does not
    fit the options."""
    return [_kept_course(level, options.distance, options.starts) for level in options.levels()]


_kept_course = lru_cache(maxsize=KEPT_COURSES)(Course)
