"""What bots met in a level, as findings that its author can act on: each with a walk that shows it again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...level.format.findings import Finding
from ...physics import WalkerState
from ...physics.character.state import States
from . import moves, near_misses, reachability
from .exploration import TICKS, Progress, Walking
from .finding_messages import Words
from .minimise import Cutter, Shows
from .moves import Walk
from .near_misses import Near
from .reachability import Blank, Edge, Trap
from .search import Key, Mark, Points, feet_of, keys
from .standable_cells import Spots

if TYPE_CHECKING:
    from ...level import Level

MOST = 12  # findings of one kind that are told; the others are counted
SEEN = 1.2  # metres: a walk that ends so near to what is in the way shows it
FALLING = 60.0  # m/s: the speed limit of a fall
PAUSE = 30  # ticks of standing at the end of a walk, so that one sees where it ended
TRAPS = 2_000_000  # ticks, at most, of looking for ways out


@dataclass(frozen=True, slots=True)
class Told:
    """One finding of the bots.

    at        where (m)
    commands  the text of a commands file that walks there from the spawn; empty where nothing can be shown
    spawn     the spawn that the walk begins at, where that is not the first
    trail     (n,3): the feet on that walk
    spread    (n,3): all the places that the finding is about
    """

    kind: str
    finding: Finding
    at: tuple[float, float, float]
    commands: str = ""
    spawn: str = ""
    trail: Points = field(default_factory=lambda: np.zeros((0, 3)))
    spread: Points = field(default_factory=lambda: np.zeros((0, 3)))


@dataclass(frozen=True, slots=True)
class Walked:
    """What came of it.

    marks    goal, targets, exits, other spawns; with the ticks of the best try, or None
    reached  (n,3): feet, one for each cell that was stood in
    spots    where one could stand, by the geometry; seen (spots,): whether somebody came near
    best     (n,3): the feet on the quickest way to the goal; empty where there is none
    whole    nothing was left to try
    """

    told: tuple[Told, ...]
    more: dict[str, int]
    marks: tuple[tuple[Mark, int | None], ...]
    reached: Points
    spots: Spots | None
    seen: np.ndarray
    best: Points
    ticks: int
    tries: int
    whole: bool


def look(
    level: Level, ticks: int = TICKS, seed: int = 1, progress: Progress | None = None, threads: int | None = None
) -> Walked:
    """Let bots walk a level and tell what they met. Same level, ticks and seed: same findings."""
    walking = Walking(level, ticks, seed, progress, threads)
    walking.explore()
    return judged(walking)


def judged(walking: Walking) -> Walked:
    """The findings of what has been walked. ValueError never: what cannot be shown again is left out. Ctrl-C ends
    it: what has been told by then stands, and `walking.broken_off` says so."""
    return _Judging(walking).walked()


class _Judging:
    def __init__(self, walking: Walking) -> None:
        self.walking, self.level, self.search = walking, walking.level, walking.search
        self.words = Words(walking.level)
        self._zones = [area for area in walking.level.areas if area.kind != "checkpoint"]
        self.told: list[Told] = []
        self.more: dict[str, int] = {}
        self._explained: set[int] = set()  # marks that a finding about the ground they lie on names

    def walked(self) -> Walked:
        search, spots = self.search, self.walking.spots
        try:
            self._judge()
        except KeyboardInterrupt:
            self.walking.whole, self.walking.broken_off = False, True
        marks = tuple((mark, search.reached_at(k)) for k, mark in enumerate(search.marks))
        reached = search.places.feet()[sorted(search.places.at.values())]
        seen = spots.near(search.mesh, search.places) if spots is not None else np.zeros(0, np.bool_)
        self.walking.say("done", 1.0)
        told = tuple(sorted(self.told, key=lambda one: (one.finding.file, one.finding.line, one.finding.column)))
        whole = self.walking.whole
        return Walked(told, self.more, marks, reached, spots, seen, self._best(), search.ticks, search.tries, whole)

    def _judge(self) -> None:
        """Look into everything that was met; each finding is kept as it is found."""
        search, spots = self.search, self.walking.spots
        self.walking.say("looking for ways out", 0.8)
        traps = reachability.traps(search, TRAPS) if self.walking.whole else []
        blanks = reachability.blanks(search, spots) if self.walking.whole and spots is not None else []
        self.walking.say("showing what was found", 0.85)
        edges = reachability.edges(self.level, search)
        jobs: list[Callable[[], None]] = [partial(self._edge, edge) for edge in edges]
        jobs += [partial(self._trap, trap) for trap in traps]
        jobs += [partial(self._stuck, traps), *(partial(self._blank, blank) for blank in blanks), self._marks]
        for k, job in enumerate(jobs):
            job()
            self.walking.say("showing what was found", 0.85 + 0.15 * (k + 1) / len(jobs))

    def _best(self) -> Points:
        for (start, number), made in self.search.reached.items():
            if self.search.marks[number].kind == "goal" and start == 0:
                return self._feet(self.search.walk_of(made), 0)
        return np.zeros((0, 3))

    # ---- telling

    def _start(self, place: int) -> tuple[str, WalkerState]:
        start = self.search.places.start[place]
        return self.walking.starts.get(start, ("", self.walking.world.walker_state))

    def _feet(self, walk: Walk, place: int) -> Points:
        _, state = self._start(place)
        return feet_of(self._cutter(state).states(walk)) if walk else np.array([state.feet])

    def _cutter(self, state: WalkerState) -> Cutter:
        return Cutter(self.search.walker, self.level.mesh, state)

    def _tell(
        self,
        kind: str,
        origin: int | None,
        make: Callable[[], Finding],
        at: tuple[float, float, float],
        place: int,
        walk: Walk,
        shows: Shows,
        spread: Points,
        still: int = PAUSE,
    ) -> None:
        """Keep a finding if its walk, written down, read again and walked from the spawn, shows it."""
        if origin is not None and self.words.silent(kind, origin):
            return
        if sum(one.kind == kind for one in self.told) >= MOST:
            self.more[kind] = self.more.get(kind, 0) + 1
            return
        name, state = self._start(place)
        cutter = self._cutter(state)
        if not shows(cutter.states(walk, still)):
            return
        for tried in (cutter.cut(walk, shows, still), walk):
            heading = tried[-1].heading if tried else state.heading
            whole = moves.joined([*tried, moves.Step(still, heading)])
            text = moves.text(whole, self._facing(name))
            rows = moves.script(whole, self._facing(name)).rows(self.search.walker, self._facing(name))
            states = self.search.walker.run(state, rows, self.level.mesh)
            if shows(states):
                break
        else:
            return
        finding = make()
        self.told.append(Told(kind, finding, at, self._headed(finding, name) + text, name, feet_of(states), spread))

    def _facing(self, spawn: str) -> int:
        return next((one.heading for one in self.level.spawns if one.name == spawn), self.walking.world.start.heading)

    def _headed(self, finding: Finding, spawn: str) -> str:
        lines = [f"# {finding.where}: {finding.message}" if finding.where else f"# {finding.message}"]
        if spawn:
            lines.append(f"# begins at the spawn '{spawn}'")
        return "\n".join(lines) + "\n"

    # ---- kinds

    def _edge(self, edge: Edge) -> None:
        """One can fall out of the level."""
        level, search = self.level, self.search
        kill, mesh = level.kill_height, level.mesh

        def shows(states: States) -> bool:
            found = reachability.crossed(search, states)
            if found is None or not (feet_of(states)[:, 1] < kill).any():
                return False
            return reachability.origin_of(level, found[0]) in edge.origins

        high = max(0.0, float(mesh.nodes[0, 4]) - kill)
        still = round(60 * (math.sqrt(2.0 * high / 9.81) + high / FALLING)) + 30
        origin = min(edge.origins)
        self._tell(
            "fall", origin, lambda: self.words.fall(edge, origin), self._point(edge.crossed[0]),
            edge.soonest.made.place, search.walk_of(edge.soonest.made), shows, edge.crossed, still,
        )  # fmt: skip

    def _trap(self, trap: Trap) -> None:
        """One can get in, and not out."""
        search = self.search
        feet = search.places.feet()
        spread = feet[[search.places.at[key] for key in sorted(trap.keys)]]
        if any(zone.holds(place) for zone in self._zones for place in spread.tolist()):
            return  # water, a pad or a ladder may lead out
        at = self._point(feet[trap.place])
        carried = reachability.support(search, feet[trap.place : trap.place + 1])
        origin = reachability.origin_of(self.level, int(carried[0])) if carried[0] >= 0 else None

        def shows(states: States) -> bool:
            last = states[-1:]
            inside = bool(last["grounded"][0]) and int(keys(feet_of(last))[0]) in trap.keys
            return inside and (not trap.stuck or reachability.is_stuck(search, search.walker.state(last)))

        kind = "stuck" if trap.stuck else "pit"
        deep = self._depth(trap)
        self._tell(
            kind, origin, lambda: self.words.trap(kind, origin, at, trap.area, deep), at, trap.place,
            search.walk_to(trap.place), shows, spread,
        )  # fmt: skip

    def _depth(self, trap: Trap) -> float:
        """How far down one came into it (m)."""
        feet = self.search.places.feet()
        made = self.search.places.made[trap.place]
        while made is not None and self.search.places.key[made.place] in trap.keys:
            made = self.search.places.made[made.place]
        return float(feet[made.place][1] - feet[trap.place][1]) if made is not None else 0.0

    def _stuck(self, traps: list[Trap]) -> None:
        """Where a wanderer did not get away: looked at with all ways of moving."""
        search = self.search
        inside: set[Key] = set().union(*(trap.keys for trap in traps)) if traps else set()
        seen: list[Points] = []
        feet = search.places.feet()
        for place in self.walking.stayed:
            state = search.walker.state(search.places.states[place])
            near = any(float(np.linalg.norm(feet[place] - other)) < SEEN for other in seen)
            if near or search.places.key[place] in inside or not reachability.is_stuck(search, state):
                continue
            seen.append(feet[place])
            at = self._point(feet[place])
            carried = reachability.support(search, feet[place : place + 1])
            origin = reachability.origin_of(self.level, int(carried[0])) if carried[0] >= 0 else None

            def shows(states: States, centre: Points = feet[place]) -> bool:
                last = states[-1:]
                near = float(np.linalg.norm(feet_of(last)[0] - centre)) < SEEN
                return near and reachability.is_stuck(search, search.walker.state(last))

            make = partial(self.words.trap, "stuck", origin, at, 0.0, 0.0)
            self._tell(
                "stuck", origin, make, at, place, search.walk_to(place), shows, feet[place : place + 1]
            )

    def _blank(self, blank: Blank) -> None:
        """Ground that nobody came to; told where it is missed by little, or looks as if one should come there."""
        search, spots = self.search, self.walking.spots
        assert spots is not None
        feet = spots.feet[blank.spots]
        inside = set(spots.key[blank.spots].tolist())
        marks = self._marks_in(feet)
        near = near_misses.missed(search, spots, blank, blank.meant or bool(marks))
        numbers, counts = np.unique(
            reachability.origins_of(self.level, spots.triangle[blank.spots]), return_counts=True
        )
        ground = int(numbers[np.argmax(counts)])
        if self.words.silent("unreached", ground):
            return
        before = len(self.told)
        if near is not None:
            self._near(near, ground, blank.area, feet, inside, marks)
        elif blank.meant:
            place, _ = self._beside(feet)
            at = self._point(feet[np.argmin(np.linalg.norm(feet - feet.mean(axis=0), axis=1))])
            make = partial(self.words.unreached, ground, at, blank.area, self._named(marks))
            shows = self._ends_at(search.places.feet()[place], inside)
            self._tell("unreached", ground, make, at, place, search.walk_to(place), shows, feet)
        if len(self.told) > before:
            self._explained |= marks

    def _marks_in(self, feet: Points) -> set[int]:
        """The marks that lie among some spots."""
        found = set()
        for number, mark in enumerate(self.search.marks):
            near = np.linalg.norm(feet - np.array(mark.at), axis=1).min() < mark.radius + 0.6
            if near and not self._reached(number):
                found.add(number)
        return found

    def _reached(self, number: int) -> bool:
        """Whether somebody came to a mark: from the first spawn, or from any where exits lead into other levels and
        one may come back by them."""
        starts = {0, *self.walking.starts} if self.level.exits else {0}
        return any(self.search.reached_at(number, start) is not None for start in starts)

    def _named(self, marks: set[int]) -> str:
        names = [self.words.name(self.search.marks[number]) for number in sorted(marks)]
        return f", with {', '.join(names)}" if names else ""

    def _near(self, near: Near, ground: int, area: float, feet: Points, inside: set[Key], marks: set[int]) -> None:
        origins = [reachability.origin_of(self.level, triangle) for triangle in near.triangles if triangle >= 0]
        origin = max(origins, default=ground)
        if any(self.words.silent(near.kind, one) for one in origins):
            return
        spots = self.walking.spots
        assert spots is not None
        first = int(np.argmin(np.linalg.norm(spots.feet - np.array(near.beyond), axis=1)))
        ground = reachability.origin_of(self.level, int(spots.triangle[first]))
        self._tell(
            near.kind, origin, lambda: self.words.near(near, origin, ground, area, self._named(marks)), near.at,
            near.place, near.walk,
            self._ends_at(np.array(near.at), inside), feet,
        )  # fmt: skip

    def _ends_at(self, point: Points, inside: set[Key]) -> Shows:
        def shows(states: States) -> bool:
            end = feet_of(states[-1:])
            away = end[0] - point
            return float(np.hypot(away[0], away[2])) < SEEN and int(keys(end)[0]) not in inside

        return shows

    def _beside(self, feet: Points) -> tuple[int, float]:
        """The place reached that is nearest to some spots."""
        found = [reachability.nearest(self.search, one) for one in feet[:: max(1, len(feet) // 64)]]
        return min(found, key=lambda pair: (pair[1], pair[0]))

    def _marks(self) -> None:
        """Goal, targets, exits and spawns that nobody came to."""
        search = self.search
        if not self.walking.whole or self.level.movers or self._zones:  # who tries it out rides and swims nowhere
            return
        for number, mark in enumerate(search.marks):
            if self._reached(number) or number in self._explained or (mark.kind == "spawn" and self.level.exits):
                continue
            main = sorted(k for k in search.places.at.values() if search.places.start[k] == 0)
            feet = search.places.feet()[main]
            nearest = int(np.argmin(np.linalg.norm(feet - np.array(mark.at), axis=1)))
            place = main[nearest]
            away = float(np.linalg.norm(feet[nearest] - np.array(mark.at)))
            ends = feet[nearest]
            make = partial(self.words.mark, mark, number, away, search.tries)
            self._tell(
                mark.kind, None, make, mark.at, place, search.walk_to(place), self._ends_at(ends, set()),
                np.array([mark.at]),
            )  # fmt: skip

    @staticmethod
    def _point(feet: Points) -> tuple[float, float, float]:
        x, y, z = feet.tolist()
        return x, y, z
