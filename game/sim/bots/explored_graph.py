"""The graph that bots make of a level, from the places that they reached."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Indices
from ...physics import rules
from ...physics.character.rows import state_flag, state_row
from ...physics.character.state import STATE_ROW
from ..batched_world import BatchedRuns
from .exploration import LevelExploration
from .mover_phases import NONE
from .moves import FULL_TURN, RUN, move_command_columns
from .places import CELL_SIZE, PHASE_BITS, Label, Points, Support, cell_keys_of, feet_of
from .reach_graph import (
    CLIMB,
    DROP,
    FLY,
    HOP,
    JUMP,
    LEAP,
    RIDE,
    STEP,
    SWIM,
    WALK,
    ReachGraph,
    graph_from_bytes,
    join_places,
    keep_graph,
    kept_graph,
)
from .search import BotSearch

if TYPE_CHECKING:
    from ...level import Level

JUMP_SECONDS = 1.0  # s that a jump counts more than it lasts: a person aims
MAX_CELLS_APART = 2.0 * CELL_SIZE  # m between the places of a step on foot, along each axis
DROP_HEIGHT = 1.0  # m of a step down that is a drop
BACK_TICKS = 40  # of a run to the next place, within which it arrives if it does
LEAP_SECONDS = 0.35  # s beside the fall, of a run off an edge; what flies longer without a jump is thrown


def explored_graph(search: BotSearch) -> ReachGraph:
    """The graph of what bots reached. Places in reach of a mover count once for all its phases; on a mover they are
    where it is at each phase."""
    settings, phases, places = search.settings, search.phases, search.places
    speed = max(settings.sprint_speed, settings.walk_speed)
    place_of: dict[Label, int] = {}
    for label, place in sorted(places.place_of.items()):
        place_of.setdefault(_without_phase(label), place)
    labels = list(place_of)
    number = {label: k for k, label in enumerate(labels)}
    chosen = list(place_of.values())
    points, ups = places.feet()[chosen], places.floats[chosen, state_row.UP : state_row.UP + 3]

    def is_moving(label: Label) -> bool:
        return label.rides and not phases.rests(label.mover, label.phase)

    rows = [
        (a, b, edge.jumps, edge.ticks, is_moving(label) or is_moving(other))
        for label, entered in search.entered.items()
        for other, edge in entered.items()
        if (a := number.get(_without_phase(label))) is not None and (b := number.get(_without_phase(other))) is not None
    ]
    source, target, jumps, ticks, hops = np.array(rows, np.int64).reshape(-1, 5).T
    mover = np.array([label.mover for label in labels], np.int64)
    is_wet = np.zeros(len(labels), np.bool_)
    rides = np.array([label.rides for label in labels], np.bool_)
    support = np.array([label.support for label in labels], np.int64)

    # What kind of way it is
    offset = points[target] - points[source]
    rise = (offset * ups[source]).sum(axis=1)
    plan = np.sqrt(np.maximum((offset * offset).sum(axis=1) - rise * rise, 0.0))
    is_far = np.abs(offset).max(axis=1) > MAX_CELLS_APART
    falls = np.sqrt(2.0 * np.maximum(-rise, 0.0) / max(settings.gravity, 0.1)) + LEAP_SECONDS  # s
    leaps = is_far & (plan < speed * falls) & (rise < settings.step_height)
    kinds = np.where(is_far | (rise > plan + settings.step_height), FLY, WALK)
    kinds[leaps], kinds[(leaps | ~is_far) & (rise < -np.maximum(DROP_HEIGHT, plan / 2.0))] = JUMP, DROP
    kinds[jumps > 0] = JUMP
    kinds[(ups[source] * ups[target]).sum(axis=1) < 0.99] = FLY
    swims, climbs = support == Support.WATER, support == Support.LADDER
    for zone in (one for one in search.level.all_zones if one.facts.is_water):  # who comes out has dry feet first
        wet = zone.contains_points(points) if zone.mover < 0 else swims
        is_wet = wet | is_wet
    swims &= is_wet
    kinds[rides[source] | rides[target]] = RIDE
    kinds[swims[source] | swims[target]] = SWIM
    kinds[(climbs[source] | climbs[target]) & ~is_far] = CLIMB
    kinds[swims[source] & ~(swims | climbs)[target] & (rise > settings.step_height)] = JUMP  # onto a bank
    changes = (rides[source] | rides[target]) & ((rides[source] != rides[target]) | (mover[source] != mover[target]))
    kinds[changes] = np.where((jumps > 0) | is_far, LEAP, np.where(hops > 0, HOP, STEP))[changes]

    seconds = ticks * settings.dt + JUMP_SECONDS * (kinds == JUMP)
    seconds = np.where(kinds == WALK, np.maximum(seconds, np.linalg.norm(offset, axis=1) / speed), seconds)
    half_periods = np.array([*(phases.mean_wait(k) for k in range(len(phases))), 0.0])  # the last one for NONE
    seconds += np.where(mover[source] != mover[target], half_periods[mover[target]], 0.0)
    blocks = [(source, target, seconds, kinds)]

    # Bots that come in with a speed drift past some ways on foot, which are known in the other direction alone
    plain = np.array([label.context == 0 for label in labels], np.bool_)
    known = np.isin(source * len(labels) + target, target * len(labels) + source)
    single = np.flatnonzero((kinds == WALK) & ~known & plain[source] & plain[target])
    source, target = target[single], source[single]
    ticks = _ticks_on_foot(search, np.array(chosen, np.int64)[source], points[target])
    source, target, ticks = source[ticks > 0], target[ticks > 0], ticks[ticks > 0]
    blocks.append((source, target, ticks * settings.dt, np.full(len(ticks), WALK)))
    return join_places(points, ups, speed, blocks)


def _ticks_on_foot(search: BotSearch, places: Indices, ends: Points) -> Indices:
    """(n,) ticks of a run on foot from rest at each place straight to the cell of its end (n,3); 0 where it does not
    arrive."""
    batched, table = search.batched, search.places
    floats, arrived = table.floats[places], np.zeros(len(places), np.int64)
    floats.view(STATE_ROW)["velocity"] = 0.0
    batch = BatchedRuns.empty(len(places), table.flags.shape[1], table.starts.shape[1])
    batched.begin(batch, np.arange(len(places)), floats, table.counts[places, rules.TICK])
    cells, rows = cell_keys_of(ends), np.arange(len(places))
    for tick in range(1, BACK_TICKS + 1):
        offset = ends[rows] - feet_of(batch.states[rows])
        heading = np.rint(np.arctan2(-offset[:, 0], -offset[:, 2]) * FULL_TURN / math.tau).astype(np.int64) % FULL_TURN
        zeros = np.zeros(len(rows), np.int64)
        batched.step(batch, rows, move_command_columns(zeros + RUN, heading, zeros, zeros - 1))
        flags = batch.states.view(np.int64)[rows, state_row.FLAGS]
        stands = (flags & state_flag.GROUNDED != 0) & (batch.runs.counts[rows, rules.BITS] & rules.DIED == 0)
        there = stands & (cell_keys_of(feet_of(batch.states[rows])) == cells[rows])
        arrived[rows[there]] = tick
        rows = rows[stands & ~there]
    return arrived


def _without_phase(label: Label) -> Label:
    return label if label.rides or label.mover == NONE else Label(label.cell, label.context & ~PHASE_BITS)


def make_graph(level: Level) -> ReachGraph:
    """The graph of a level: bots explore it, for a second to half a minute. It has the rounded values of its file."""
    exploration = LevelExploration(level)
    exploration.explore()
    graph = graph_from_bytes(explored_graph(exploration.search).to_bytes())
    return replace(graph, unfinished=exploration.unfinished)


def known_graph(level: Level) -> ReachGraph:
    """The graph of a level: the kept one, else a new one, which is kept in the user's cache if the bots finished it.

    RuntimeWarning where it cannot be kept.
    """
    graph = kept_graph(level)
    if graph is None:
        graph = make_graph(level)
        try:
            if not graph.unfinished:
                keep_graph(level, graph)
        except OSError as error:
            message = f"the walkable distances of {level.name} cannot be kept, and are found again next time: {error}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
    return graph
