"""Graph of a level: the places that bots reached, the timed edges between them, and the files that keep it.

It has ways by lifts, ladders, water, pads, teleports and turned gravity too. It answers the route that the game shows,
the distance of the environments, and what a way goes through. Graphs of slow levels are shipped, others are made once
and kept in the user's cache.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ... import shipped
from ...core import atomic_files, user_folders
from ...core.file_reading import read_at_most
from ...core.vectors import Flags, Floats, Indices
from ..replay.fingerprint import level_hash
from .places import Points, cell_indices, cell_keys_of, pairs_in_cells

if TYPE_CHECKING:
    from ...level import Level

# Kinds of edges. STEP: onto or off a mover that stands at a stop, HOP: where it moves, LEAP: by a jump or a fall.
# RIDE: on a mover. FLY: pads, teleports, bounces, turned gravity.
WALK, DROP, JUMP, LEAP, SWIM, CLIMB, STEP, HOP, RIDE, FLY = range(10)
MIN_SECONDS = 1.0 / 60.0  # of an edge
RIM_RISE = 0.6  # m up or down to the places around one that is not at a rim
VERSION = 4  # of the files
MAX_FILE_BYTES = 1 << 26
FOLDER = "routes"  # in the user's cache


@dataclass(frozen=True)
class ReachGraph:
    """Places of a level and the ways between them, sorted by the place they start at.

    points (n,3): feet, m. ups (n,3): unit vectors along which a body stands there. speed: of a sprint, m/s.
    source, target (m,): indices of places. seconds (m,): of each edge; one into the reach of a mover, or onto it, has
    half its period besides, whatever the clock. kinds (m,): see above. unfinished: why the bots gave up before they had
    tried everything; empty where they did not.
    """

    points: Points
    ups: Floats
    speed: float
    source: Indices
    target: Indices
    seconds: Floats
    kinds: Indices
    unfinished: str = ""

    @cached_property
    def sorted_keys(self) -> tuple[Indices, Indices]:
        """Cell keys of the places in order, and the places in that order."""
        keys = cell_keys_of(self.points)
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def near(self, points: Points) -> tuple[Indices, Indices]:
        """(i, place) of the places in the cell of each point i and in its 26 neighbours."""
        return pairs_in_cells(points, *self.sorted_keys)

    @cached_property
    def empty_sides(self) -> Indices:
        """(n,) how many of the eight cells around a place have no place: walls and edges."""
        i, j = self.near(self.points)
        cells = cell_indices(self.points)
        aside = np.array(((1, 2), (0, 2), (0, 1)))[np.abs(self.ups).argmax(axis=1)]  # the axes across up
        step = np.take_along_axis(cells[j] - cells[i], aside[i], axis=1) + 1
        rise = ((self.points[j] - self.points[i]) * self.ups[i]).sum(axis=1)
        level = (np.abs(rise) < RIM_RISE) & ((self.ups[i] * self.ups[j]).sum(axis=1) > 0.99)
        known: Flags = np.zeros((len(self.points), 9), np.bool_)
        known[i[level], (3 * step[:, 0] + step[:, 1])[level]] = True
        return np.asarray(9 - known.sum(axis=1))

    @property
    def is_rim(self) -> Flags:
        """(n,) whether a place is at a wall or an edge: more than one of the eight cells around it has no place."""
        return self.empty_sides > 1

    def to_bytes(self) -> bytes:
        """The content of a file; see `graph_from_bytes`."""
        data = io.BytesIO()
        columns: dict[str, Any] = {
            "points": np.round(self.points * 100.0).astype(np.int32),
            "ups": np.round(self.ups * 30000.0).astype(np.int16),
            "speed": np.float64(self.speed),
            "count": np.bincount(self.source, minlength=len(self.points)).astype(np.uint16),
            "target": (self.target - self.source).astype(np.int32),
            "sixtieths": np.clip(np.round(self.seconds * 60.0), 1, 65535).astype(np.uint16),
            "kinds": self.kinds.astype(np.uint8),
        }
        np.savez_compressed(data, **columns)
        return data.getvalue()


def graph_from_bytes(data: bytes) -> ReachGraph:
    """The graph of `to_bytes`. ValueError for other content."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            points, ups, speed, count, target, seconds, kinds = (
                file[name] for name in ("points", "ups", "speed", "count", "target", "sixtieths", "kinds")
            )
        source = np.repeat(np.arange(len(count)), count)
        target = target + source
        graph = ReachGraph(
            points / 100.0, ups / 30000.0, float(speed), source, target, seconds / 60.0, kinds.astype(np.int64)
        )
    except (KeyError, ValueError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise ValueError("these bytes are not a graph of a level") from error
    n, m = len(count), len(source)
    shapes = graph.points.shape, graph.ups.shape, target.shape, graph.seconds.shape, graph.kinds.shape
    is_within = m == 0 or (target.min() >= 0 and target.max() < n and seconds.min() > 0 and kinds.max() <= FLY)
    if shapes != ((n, 3), (n, 3), (m,), (m,), (m,)) or not is_within or not graph.speed > 0.0:
        raise ValueError("these bytes are not a graph of a level")
    return graph


def join_places(points: Points, ups: Floats, speed: float, edges: Iterable[tuple[NDArray[Any], ...]]) -> ReachGraph:
    """A graph of edges (source, target, seconds, kind) in blocks, the fastest where several connect two places."""
    source, target, seconds, kinds = (np.concatenate(blocks) for blocks in zip(*edges, strict=True))
    order = np.lexsort((seconds, target, source))
    source, target, seconds, kinds = (column[order] for column in (source, target, seconds, kinds))
    first = np.ones(len(source), np.bool_)
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    first &= source != target
    return ReachGraph(
        points, ups, speed, source[first], target[first], np.maximum(seconds[first], MIN_SECONDS), kinds[first]
    )


def file_name(level: Level) -> str:
    """Name of the file of a level's graph: by what a walk can notice of the level, and the version."""
    return f"{level_hash(level)}-{VERSION}.npz"


def kept_graph(level: Level) -> ReachGraph | None:
    """The graph of a level that is shipped, or was kept; None where there is none."""
    name = file_name(level)
    for folder in (shipped("levels") / "graphs", _kept_folder()):
        try:
            return graph_from_bytes(read_at_most(folder / name, MAX_FILE_BYTES))
        except (OSError, ValueError):
            continue
    return None


def keep_graph(level: Level, graph: ReachGraph) -> Path:
    """Write a graph into the folder of the user's cache; the path. OSError where that fails."""
    path = _kept_folder() / file_name(level)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.write_atomic(path, graph.to_bytes())
    return path


def _kept_folder() -> Path:
    return user_folders.cache_folder() / FOLDER
