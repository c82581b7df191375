"""The order in which bots explore a level: to all sides, from the other spawns, aimed jumps, and without a plan."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ...physics import WalkerState
from ..world import World
from . import moves, reachability, standable_cells
from .random_walk import wander
from .search import Mark, Search, keys
from .standable_cells import Spots

if TYPE_CHECKING:
    from ...level import Level

TICKS = 12_000_000  # that all bots together walk in one level, at most
WANDERERS, FEWEST, ROUNDS = 256, 24, 30  # bots without a plan, at the end: they find where one gets stuck
REGIONS, AIMED, NEAREST = 40, 240, 5  # regions not reached, spots aimed for in each, places each is aimed for from
FAR = 6.0  # metres: further away no jump goes
LIFT = 1.6  # metres: higher none does
SLIDING = 300  # places beside ground not reached from where bots go sideways to all sides
ROUNDS_OF_JUMPS = 3
BREATH = 50_000  # ticks between two words about how far it is

Progress = Callable[[str, float, int], None]  # (what is done, part of the whole, places found)


class Walking:
    """Bots in one level.

    search, spots   what they reached, and what there is to reach
    starts          places where bots set out that are not the first spawn's, with that spawn's name
    stayed          places where one without a plan did not get away
    whole           nothing was left to try when they stopped
    broken_off      somebody stopped them, or those who judged
    """

    def __init__(
        self,
        level: Level,
        ticks: int = TICKS,
        seed: int = 1,
        progress: Progress | None = None,
        threads: int | None = None,
    ) -> None:
        """ValueError, in words, where the first spawn has no room."""
        self.level, self.most, self.seed = level, ticks, seed
        self.world = World(level)
        self.search = Search(self.world.walker, level.mesh, level.kill_height, marks(level), threads)
        self.spots: Spots | None = None
        self.starts: dict[int, tuple[str, WalkerState]] = {}
        self.stayed: list[int] = []
        self.whole = self.broken_off = False
        self._progress = progress
        self._part = 0.0
        self._asked: set[tuple[int, int, int]] = set()

    def explore(self) -> None:
        """Walk everywhere. Where it is broken off, what was found so far stands."""
        search = self.search
        search.set_out(self.world.walker_state)
        self.say("looking at the ground", 0.0)
        self.spots = standable_cells.find(
            self.level.mesh, self.world.settings, reachability.solid(self.level), reachability.block(self.level)
        )
        self._run("walking", 0.02, 0.55)
        self._other_spawns()
        for k in range(ROUNDS_OF_JUMPS):
            if not self._aim(self.spots):
                break
            self._run("jumping", 0.55 + 0.05 * k, 0.6 + 0.05 * k)
        if search.ticks < self.most:
            self.say("wandering", 0.7)
            known = sorted(search.places.at.values())
            count = min(max(len(known) // 8, FEWEST), WANDERERS)
            some = {known[k * len(known) // count] for k in range(count)}
            self.stayed = wander(search, sorted(some), ROUNDS, self.seed)
        self.whole = self._run("walking", 0.75, 0.8)

    def say(self, stage: str, part: float) -> None:
        """Tell how far it is; the part never falls."""
        self._part = max(self._part, part)
        if self._progress is not None:
            self._progress(stage, self._part, len(self.search.places.at))

    def _run(self, stage: str, begin: float, end: float) -> bool:
        search, total = self.search, max(1, len(self.spots or ()))
        last = search.ticks

        def progress(_: Search) -> None:
            nonlocal last
            if search.ticks - last > BREATH:
                last = search.ticks
                done = min(1.0, max(len(search.places.at) / total, search.ticks / self.most))
                self.say(stage, begin + (end - begin) * done)

        self.say(stage, begin)
        return search.run(self.most, progress)

    def _other_spawns(self) -> None:
        """Bots set out from the spawns too that nobody came to from the first one."""
        for spawn in self.level.spawns[1:]:
            try:
                state = World(self.level, spawn=spawn.name).walker_state
            except ValueError:
                continue  # no room there: `check` says so
            if int(keys(np.array([state.feet]))[0]) not in self.search.places.at:
                self.starts[self.search.set_out(state)] = spawn.name, state
                self._run("walking", 0.55, 0.55)

    def _aim(self, ground: Spots) -> bool:
        """Ask for moves towards ground that nobody came to; whether there are any that were not tried."""
        numbers = np.array(sorted(self.search.places.at.values()))
        reached = self.search.places.feet()[numbers]
        asked: set[tuple[int, int, int]] = set()
        beside: set[int] = set()
        for group in ground.regions(~ground.near(self.search.mesh, self.search.places))[:REGIONS]:
            for spot in group[:: max(1, len(group) // AIMED)]:
                x, y, z = ground.feet[spot].tolist()
                apart = np.hypot(reached[:, 0] - x, reached[:, 2] - z)
                lift = y - reached[:, 1]
                fits = np.flatnonzero((apart < FAR) & (lift < LIFT))
                order = np.argsort(apart[fits] + np.maximum(lift[fits], 0.0), kind="stable")[:NEAREST]
                beside.update(numbers[fits[order]].tolist())
                for k in fits[order].tolist():
                    way = math.atan2(reached[k, 0] - x, reached[k, 2] - z) / (2.0 * math.pi)
                    heading = round(way * 256) * (moves.TURN // 256) % moves.TURN
                    asked |= {(int(numbers[k]), kind, heading) for kind in range(len(moves.MOVES))}
        for place in sorted(beside)[:: max(1, len(beside) // SLIDING)]:  # along walls, until they fit into a gap
            asked |= {(place, moves.SIDE, k * (moves.TURN // 16)) for k in range(16)}
        new = sorted(asked - self._asked)
        self._asked |= asked
        for place, kind, heading in new:
            self.search.ask(place, kind, heading)
        return bool(new)


def marks(level: Level) -> tuple[Mark, ...]:
    """What is to be reached in a level: goal, targets, exits, and the spawns but the first."""
    found = []
    if level.goal is not None:
        found.append(Mark("goal", "the goal", level.goal.at, level.goal.radius))
    for number, target in enumerate(level.targets):
        found.append(Mark("target", target.name or f"target {number + 1}", target.at, target.radius, body=True))
    found += [Mark("exit", f"the exit to {way.name}", way.at, way.radius) for way in level.exits]
    found += [Mark("spawn", spawn.name, spawn.feet, 1.0) for spawn in level.spawns[1:]]
    return tuple(found)
