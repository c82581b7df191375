"""Answers about the goal after an exploration: whether bots reach it from each spawn, and how long movers keep them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .exploration import LevelExploration, unused_zones
from .mover_waits import wait_for_movers, wait_ticks
from .search import CellKey, TargetKind, cell_keys_of


@dataclass(frozen=True, slots=True)
class GoalAnswer:
    """What bots found out about the goal from one spawn.

    spawn     its name; empty where the level has one spawn
    ticks     of the fastest walk in the static mesh; None where there is none, or where it begins at another spawn
    wait      ticks at the spawn until movers and zones let this walk through; None where no wait is enough
    distance  m from the goal to the nearest place that was reached
    is_reached  whether bots reach the goal, also by way of another spawn
    """

    spawn: str
    ticks: int | None
    wait: int | None = 0
    distance: float = 0.0
    is_reached: bool = False


def goal_answers(exploration: LevelExploration) -> tuple[GoalAnswer, ...]:
    """The answer for each spawn that has room, the first spawn first; none where the level has no goal."""
    search, level = exploration.search, exploration.level
    goal = next((k for k, target in enumerate(search.targets) if target.kind == TargetKind.GOAL), None)
    if goal is None:
        return ()
    at, radius = np.array(search.targets[goal].at), search.targets[goal].radius
    start_places = {name: place for place, (name, _) in exploration.starts.items()}
    start_places[exploration.world.start.name] = 0
    answers = []
    for spawn in level.spawns:
        key = int(cell_keys_of(np.array([spawn.feet]))[0])
        start = start_places.get(spawn.name)
        if start is not None:
            key = search.places.cell_keys[start]
        elif key not in search.places.place_by_cell:
            continue  # no room, or not explored
        ticks = None if start is None else search.ticks_to_target(goal, start)
        wait: int | None = 0
        if ticks is not None and (level.movers or unused_zones(level)):
            assert start is not None
            walk = wait_for_movers(level, spawn.name, search.walk_through(search.best_attempts[start, goal]))
            wait = None if walk is None else wait_ticks(walk)
        places = [search.places.place_by_cell[one] for one in sorted(_cells_reached_from(exploration, key))]
        distance = float(np.linalg.norm(search.places.feet()[places] - at, axis=1).min())
        name = spawn.name if len(level.spawns) > 1 else ""
        answers.append(GoalAnswer(name, ticks, wait, distance, ticks is not None or distance < radius))
    return tuple(answers)


def _cells_reached_from(exploration: LevelExploration, key: CellKey) -> set[CellKey]:
    """The cells on the ways of bots from a cell on."""
    reached, pending = {key}, [key]
    while pending:
        new = exploration.search.entered_cells.get(pending.pop(), {}).keys() - reached
        reached |= new
        pending += new
    return reached & exploration.search.places.place_by_cell.keys()
