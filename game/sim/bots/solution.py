"""Walks to the goal: from what a search knows, in legs where the goal waits for targets."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass

from . import moves
from .moves import BotWalk
from .places import Label
from .search import Arrival, BotSearch, TargetKind

MAX_LEG_TICKS = 1_000_000  # walked for one leg
LEG_BOTS = 256  # at once


@dataclass(frozen=True, slots=True)
class Solution:
    """A walk from a start of a search to the goal.

    walk, tick  the walk, and the tick of the world at its end
    missing     numbers of the level's targets that it does not reach; the goal may wait for them
    ticks       that bots walked to find it
    """

    walk: BotWalk
    tick: int
    missing: tuple[int, ...]
    ticks: int


def ticks_left(entered: Mapping[Label, Mapping[Label, int]], ends: Mapping[Label, int]) -> dict[Label, int]:
    """Ticks from each label to the nearest of `ends`, each of which has some left itself: Dijkstra's algorithm along
    the reversed edges."""
    entered_from: dict[Label, list[tuple[Label, int]]] = {}
    for label, others in entered.items():
        for other, ticks in others.items():
            entered_from.setdefault(other, []).append((label, ticks))
    left: dict[Label, int] = {}
    heap = [(ticks, label) for label, ticks in ends.items()]
    heapq.heapify(heap)
    while heap:
        ticks, label = heapq.heappop(heap)
        if label in left:
            continue
        left[label] = ticks
        for other, more in entered_from.get(label, ()):
            if other not in left:
                heapq.heappush(heap, (ticks + more, other))
    return left


def find_solution(search: BotSearch, start: int = 0) -> Solution | None:
    """The walk from a start to the goal; None where the search has found none.

    Where the goal waits for targets, the nearest one by what is known is next. Each leg is a search of its own from the
    end of the last one, so that clock and movers are those of the walk.
    """
    goal = next((m for m, target in enumerate(search.targets) if target.kind == TargetKind.GOAL), None)
    if goal is None or (start, goal) not in search.arrivals:
        return None
    arrival = search.arrivals[start, goal]
    level_goal = search.level.goal
    if level_goal is None or level_goal.after != "targets":
        return Solution(search.walk_through(arrival.attempt), arrival.tick, (), 0)
    numbers = {m: target.number for m, target in enumerate(search.targets) if target.kind == TargetKind.TARGET}
    remaining = [m for m in numbers if (start, m) in search.arrivals]
    missing = tuple(number for m, number in numbers.items() if m not in remaining)
    fields = {m: ticks_left(search.entered, {search.arrivals[start, m].label: 0}) for m in (*remaining, goal)}
    walk: list[moves.HeldKeys] = []
    state, run = search.places.floats[start], search.places.run(start)
    label, walked = search.places.labels[start], 0
    while True:
        remaining = [m for m in remaining if not run.targets[numbers[m]]]
        aim = min(remaining, key=lambda m: (fields[m].get(label, 1 << 30), m), default=goal)
        leg = BotSearch(search.batched, search.targets, fields[aim], LEG_BOTS)
        first = leg.add_start_of_run(state, run)
        leg.run(MAX_LEG_TICKS, lambda leg, aim=aim, first=first: (first, aim) in leg.arrivals)  # type: ignore[misc]
        walked += leg.ticks
        found: Arrival | None = leg.arrivals.get((first, aim))
        if found is None:
            return None
        walk += leg.walk_through(found.attempt)
        if aim == goal:
            return Solution(moves.merge_equal_steps(walk), found.tick, missing, walked)
        state, run, label = found.floats, found.run, found.label
        if not run.targets[numbers[aim]]:
            return None  # at the border of the target, by rounding
