"""Graphs of walkable distances: made by bots and a recorded walk, shipped with levels, and kept in the user's cache."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ... import shipped
from ...core import atomic_files, user_folders
from ...core.file_reading import read_at_most
from ...core.vectors import Floats
from ...physics.character.state import States
from .. import command_script
from ..events import Respawned, RespawnReason
from ..level_rules import DEFAULT_UP_NORTH, up_and_north_at
from ..replay.fingerprint import level_hash
from ..tick_input import TickInput
from ..world import World
from .exploration import LevelExploration
from .nearby_points import nearby_pairs
from .search import Points, cell_indices, pack_cells, unpack_cells
from .walkable_distance import CARRIED, JOIN_DISTANCE, JUMP, WALK, WalkGraph, graph_from_bytes, is_clear

if TYPE_CHECKING:
    from ...level import Level

VERSION = 1  # of the kept graphs
JUMP_SECONDS = 1.0  # s that a jump counts more than it lasts: a person aims
MAX_STEP = 1.0  # m in a tick: a body that moved further was put there
SAMPLE_TICKS = 10  # between two places of a recorded walk, at most
MIN_SECONDS = 1.0 / 60.0  # of an edge
MAX_FILE_BYTES = 1 << 26
SHIPPED_FOLDER = "routes"  # in the folder of the levels


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


def explored_graph(exploration: LevelExploration) -> WalkGraph:
    """The graph of what bots reached. Places where gravity turns are left out."""
    search = exploration.search
    settings = exploration.world.settings
    speed = max(settings.sprint_speed, settings.walk_speed)
    by_cell = search.places.place_by_cell
    keys = np.array(sorted(by_cell), np.int64)
    points = search.places.feet()[[by_cell[key] for key in keys.tolist()]]
    zones = None if exploration.world.environment is None else exploration.world.environment.zones
    high = settings.radii[1]
    good = np.array(
        [up_and_north_at(zones, feet, high)[0] == DEFAULT_UP_NORTH[0] for feet in points.tolist()], np.bool_
    )
    keys, points = keys[good], points[good]
    number = {key: k for k, key in enumerate(keys.tolist())}
    rows = [
        (number[cell], number[entered], ticks)
        for cell, cells in search.entered_cells.items()
        if cell in number
        for entered, ticks in cells.items()
        if entered in number
    ]
    source, target, ticks = np.array(rows, np.int64).reshape(-1, 3).T
    offset = points[target] - points[source]
    plan, rise = np.hypot(offset[:, 0], offset[:, 2]), np.abs(offset[:, 1])
    apart = np.abs(unpack_cells(keys[target]) - unpack_cells(keys[source]))[:, ::2].max(axis=1, initial=0)
    is_jump = (apart > 1) | (rise > plan + settings.step_height)
    seconds = np.maximum(ticks * settings.dt, np.linalg.norm(offset, axis=1) / speed) + JUMP_SECONDS * is_jump
    ups = np.tile(DEFAULT_UP_NORTH[0], (len(points), 1))
    return make_walk_graph(points, ups, speed, [(source, target, seconds, np.where(is_jump, JUMP, WALK))])


def with_walk(graph: WalkGraph, level: Level, inputs: Iterable[TickInput], begin: bytes | None = None) -> WalkGraph:
    """The graph and the places of a walk in the moving world. begin: the state of the world at its start; None: at the
    first spawn."""
    world = World(level)
    if begin is not None:
        world.restore(begin)
    rows: list[States] = [world.walker_state.row()]
    breaks = [True]
    for given in inputs:
        events = given.step(world)
        rows.append(world.walker_state.row())
        breaks.append(
            given.restart or any(isinstance(e, Respawned) and e.reason != RespawnReason.TELEPORTED for e in events)
        )
    return with_states(graph, level, np.concatenate(rows), breaks)


def with_states(graph: WalkGraph, level: Level, states: States, breaks: Sequence[bool] = ()) -> WalkGraph:
    """The graph and the places of walker states (n,), one for each tick, joined where nothing is between them.

    breaks (n,): whether the walker was put there, which is no way; none: where it moved more than a metre in a tick.
    """
    feet = states["position"] - states["radii"][:, 1:2] * states["up"]
    if not len(breaks):
        breaks = [True, *(np.linalg.norm(np.diff(feet, axis=0), axis=1) > MAX_STEP).tolist()]
    carried = (states["mover"] > 0) | ~states["grounded"] | states["swimming"] | states["climbing"]
    cells = pack_cells(cell_indices(feet))
    kept = [0]
    for k in range(1, len(states)):
        is_due = k - kept[-1] >= SAMPLE_TICKS and np.linalg.norm(feet[k] - feet[kept[-1]]) > 0.1
        if cells[k] != cells[kept[-1]] or breaks[k] or is_due or k == len(states) - 1:
            kept.append(k)
    places = np.array(kept)
    count = len(graph.points)
    new = count + np.arange(len(places))
    points, ups = np.concatenate([graph.points, feet[places]]), np.concatenate([graph.ups, states["up"][places]])
    broken = np.array([any(breaks[a + 1 : b + 1]) for a, b in itertools.pairwise(kept)], np.bool_)
    lifted = np.array([carried[a : b + 1].any() for a, b in itertools.pairwise(kept)], np.bool_)
    ticks = np.diff(places)
    going = ~broken
    on_foot = going & ~lifted
    seconds = ticks * level.player.dt
    blocks: list[tuple[NDArray[Any], ...]] = [
        (graph.source, graph.target, graph.seconds, graph.kinds),
        (new[:-1][going], new[1:][going], seconds[going], np.where(lifted, CARRIED, WALK)[going]),
        (new[1:][on_foot], new[:-1][on_foot], seconds[on_foot], np.full(on_foot.sum(), WALK)),
    ]
    standing = np.flatnonzero(~carried[places])
    for i, j in nearby_pairs(points[new[standing]], points, JOIN_DISTANCE):
        one = new[standing[i]]
        usable = (one != j) & ((j < count) | np.isin(j, new[standing]))
        one, j = one[usable], j[usable]
        usable = np.linalg.norm(points[one] - points[j], axis=1) <= JOIN_DISTANCE
        usable &= (ups[one] * ups[j]).sum(axis=1) > 0.99
        one, j = one[usable], j[usable]
        rise = np.abs(((points[one] - points[j]) * ups[one]).sum(axis=1))
        clear = is_clear(level.mesh, points[one], points[j], ups[one]) & (rise <= level.player.step_height)
        one, j = one[clear], j[clear]
        along = np.linalg.norm(points[one] - points[j], axis=1) / graph.speed
        kinds = np.full(len(one), WALK)
        blocks += [(one, j, along, kinds), (j, one, along, kinds)]
    return make_walk_graph(points, ups, graph.speed, blocks)


def empty_graph(level: Level) -> WalkGraph:
    """A graph without places, for the body of a level."""
    none = np.zeros(0, np.int64)
    speed = max(level.player.sprint_speed, level.player.walk_speed)
    return WalkGraph(np.zeros((0, 3)), np.zeros((0, 3)), speed, none, none, np.zeros(0), none)


def commands_inputs(level: Level) -> list[TickInput]:
    """The inputs of the recorded walk beside a level, its `.commands`; none where there is no valid one."""
    try:
        script = command_script.read_script(level.path.with_suffix(".commands"))
    except (OSError, ValueError):
        return []
    commands = script.commands(level.spawns[0].heading)
    return [TickInput(command) for _, command in zip(range(script.ticks), commands, strict=False)]


def make_graph(level: Level) -> WalkGraph:
    """The graph of a level: bots explore it (4 to 80 s), and its recorded walk is added."""
    exploration = LevelExploration(level)
    exploration.explore()
    return with_walk(explored_graph(exploration), level, commands_inputs(level))


def file_name(level: Level) -> str:
    """Name of the file of a level's graph: by what a walk can notice of the level, and the version."""
    return f"{level_hash(level)}-{VERSION}.npz"


def kept_graph(level: Level) -> WalkGraph | None:
    """The graph of a level that is shipped or was kept; None where there is none."""
    name = file_name(level)
    for folder in (shipped("levels") / SHIPPED_FOLDER, _kept_folder()):
        try:
            return graph_from_bytes(read_at_most(folder / name, MAX_FILE_BYTES))
        except (OSError, ValueError):
            continue
    return None


def known_graph(level: Level) -> WalkGraph:
    """The graph of a level: the shipped or kept one, else a new one, which is kept in the user's cache.

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


def keep_graph(level: Level, graph: WalkGraph, folder: Path | None = None) -> Path:
    """Write a graph into a folder, by default that of the user's cache; the path. OSError where that fails."""
    path = (_kept_folder() if folder is None else folder) / file_name(level)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.write_atomic(path, graph.to_bytes())
    return path


def _kept_folder() -> Path:
    return user_folders.cache_folder() / SHIPPED_FOLDER
