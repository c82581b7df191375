"""Graphs of walkable distances: made from what bots reached, and kept in the user's cache."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core import atomic_files, user_folders
from ...core.file_reading import read_at_most
from ...core.vectors import Floats
from ...physics.character.rows import state_row
from ..replay.fingerprint import level_hash
from .exploration import LevelExploration
from .mover_phases import NONE
from .places import CELL_SIZE, PHASE_BITS, Label, Points, Support
from .search import BotSearch
from .walkable_distance import CARRIED, JUMP, WALK, WalkGraph, graph_from_bytes

if TYPE_CHECKING:
    from ...level import Level

VERSION = 2  # of the kept graphs
JUMP_SECONDS = 1.0  # s that a jump counts more than it lasts: a person aims
MIN_SECONDS = 1.0 / 60.0  # of an edge
MAX_CELLS_APART = 2.0 * CELL_SIZE  # m between the places of a step on foot, along each axis
MAX_FILE_BYTES = 1 << 26
FOLDER = "routes"  # in the user's cache


def make_walk_graph(points: Points, ups: Floats, speed: float, edges: Iterable[tuple[NDArray[Any], ...]]) -> WalkGraph:
    """A graph of edges (source, target, seconds, kind) in blocks, the fastest where several connect two places."""
    columns = [np.concatenate([np.asarray(block[k]) for block in edges]) for k in range(4)]
    source, target, seconds, kinds = columns
    order = np.lexsort((seconds, target, source))
    source, target, seconds, kinds = (column[order] for column in (source, target, seconds, kinds))
    first = np.ones(len(source), np.bool_)
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    first &= source != target
    return WalkGraph(
        points, ups, speed, source[first], target[first], np.maximum(seconds[first], MIN_SECONDS), kinds[first]
    )


def explored_graph(search: BotSearch) -> WalkGraph:
    """The graph of what bots reached.

    Places in reach of a mover count once for all its phases; on a mover they are where it is at each phase. A step into
    the reach of a mover, or onto it, costs half its period besides, whatever the clock.
    """
    settings, phases = search.settings, search.phases
    speed = max(settings.sprint_speed, settings.walk_speed)
    place_of: dict[Label, int] = {}
    for label, place in sorted(search.places.place_of.items()):
        place_of.setdefault(_without_phase(label), place)
    labels = list(place_of)
    number = {label: k for k, label in enumerate(labels)}
    floats = search.places.floats[list(place_of.values())]
    points, ups = search.places.feet()[list(place_of.values())], floats[:, state_row.UP : state_row.UP + 3]
    rows = [
        (a, b, ticks)
        for label, entered in search.entered.items()
        for other, ticks in entered.items()
        if (a := number.get(_without_phase(label))) is not None and (b := number.get(_without_phase(other))) is not None
    ]
    source, target, ticks = np.array(rows, np.int64).reshape(-1, 3).T
    mover = np.array([label.mover for label in labels], np.int64)
    on_foot = np.array([label.support == Support.GROUND and not label.rides for label in labels], np.bool_)
    is_carried = ~(on_foot[source] & on_foot[target]) | ((ups[source] * ups[target]).sum(axis=1) < 0.99)
    offset = points[target] - points[source]
    rise = np.abs((offset * ups[source]).sum(axis=1))
    plan = np.sqrt(np.maximum((offset * offset).sum(axis=1) - rise * rise, 0.0))
    is_jump = ~is_carried & ((np.abs(offset).max(axis=1) > MAX_CELLS_APART) | (rise > plan + settings.step_height))
    walks = ~is_carried & ~is_jump
    seconds = ticks * settings.dt + JUMP_SECONDS * is_jump
    seconds = np.where(walks, np.maximum(seconds, np.linalg.norm(offset, axis=1) / speed), seconds)
    half_periods = np.array([*(phases.mean_wait(k) for k in range(len(phases))), 0.0])  # the last one for NONE
    seconds += np.where(mover[source] != mover[target], half_periods[mover[target]], 0.0)
    kinds = np.where(is_carried, CARRIED, np.where(is_jump, JUMP, WALK))
    return make_walk_graph(points, ups, speed, [(source, target, seconds, kinds)])


def _without_phase(label: Label) -> Label:
    return label if label.rides or label.mover == NONE else Label(label.cell, label.context & ~PHASE_BITS)


def make_graph(level: Level) -> WalkGraph:
    """The graph of a level: bots explore it, for a second to half a minute."""
    exploration = LevelExploration(level)
    exploration.explore()
    return explored_graph(exploration.search)


def file_name(level: Level) -> str:
    """Name of the file of a level's graph: by what a walk can notice of the level, and the version."""
    return f"{level_hash(level)}-{VERSION}.npz"


def kept_graph(level: Level) -> WalkGraph | None:
    """The graph of a level that was kept; None where there is none."""
    try:
        return graph_from_bytes(read_at_most(_kept_folder() / file_name(level), MAX_FILE_BYTES))
    except (OSError, ValueError):
        return None


def known_graph(level: Level) -> WalkGraph:
    """The graph of a level: the kept one, else a new one, which is kept in the user's cache.

    A new one has the same rounded places and times as in its file. RuntimeWarning where it cannot be kept.
    """
    graph = kept_graph(level)
    if graph is None:
        graph = make_graph(level)
        try:
            keep_graph(level, graph)
        except OSError as error:
            message = f"the walkable distances of {level.name} cannot be kept, and are found again next time: {error}"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        graph = graph_from_bytes(graph.to_bytes())
    return graph


def keep_graph(level: Level, graph: WalkGraph) -> Path:
    """Write a graph into the folder of the user's cache; the path. OSError where that fails."""
    path = _kept_folder() / file_name(level)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.write_atomic(path, graph.to_bytes())
    return path


def _kept_folder() -> Path:
    return user_folders.cache_folder() / FOLDER
