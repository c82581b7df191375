"""One shard of a long random walk: a level, a body, and a start and commands that follow from a seed and an index."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from ...core.arguments import as_integer
from ...level import Level
from ...physics import WalkerSettings
from ...physics.character.command import COMMAND_ROW
from ...physics.character.state import STATE_ROW
from .failure_kinds import KINDS
from .random_walks import FuzzReport, walk_and_check
from .walk_routes import MeshRoute, WalkRoute, WorldRoute

FUZZ_TICKS = 20_000  # of a shard
MAX_TICKS_LISTED = 20  # of each kind


def needs_world(level: Level) -> bool:
    """Whether a level has movers or zones, so that a bare mesh is not the whole of it."""
    return bool(level.movers or level.all_zones)


def fuzz_shard(
    level: Level, body: str, settings: WalkerSettings, seed: int, index: int, ticks: int = FUZZ_TICKS
) -> dict[str, Any]:
    """Walk one shard and check every tick. The same arguments give the same bytes in each process.

    body: name of the settings, which takes part in the seed. Returns arrays, see `report_arrays`. ValueError where the
    level has no place to begin.
    """
    return report_arrays(walk_shard(level, body, settings, seed, index, ticks))


def walk_shard(
    level: Level, body: str, settings: WalkerSettings, seed: int, index: int, ticks: int = FUZZ_TICKS
) -> FuzzReport:
    """The report of `fuzz_shard`. A level with movers or zones is walked as a `World`, another one as a bare mesh."""
    stream = [as_integer(seed, "seed", 0), as_integer(index, "index", 0), zlib.crc32(body.encode())]
    ticks = as_integer(ticks, "ticks", 1)
    route: WalkRoute = WorldRoute(level, settings) if needs_world(level) else MeshRoute(level.mesh, settings)
    return walk_and_check(route, ticks, stream)


def report_arrays(report: FuzzReport) -> dict[str, Any]:
    """Arrays of a report. The order of kinds is that of KINDS; C failures keep their state and command.

    ticks, left, lost (1,) i8; worst_gap (1,) f8, ellipsoid space; counts (kinds,) i8: failing ticks of each kind.
    first_ticks (kinds, 20) i8: the first of them, -1 where there are no more.
    case_kind (C,) i8: index into KINDS; case_tick, case_clock (C,) i8: tick of the shard and of the world at its start;
    case_value, case_bound (C,) f8, see `failure_kinds`; case_state (C,) state rows before the tick; case_command (C,)
    command rows.
    """
    first_ticks = np.full((len(KINDS), MAX_TICKS_LISTED), -1, np.int64)
    for number, kind in enumerate(KINDS):
        listed = report.failing[kind][:MAX_TICKS_LISTED]
        first_ticks[number, : len(listed)] = listed
    cases = report.cases
    return {
        "ticks": np.array([report.ticks], np.int64),
        "left": np.array([report.left], np.int64),
        "lost": np.array([report.lost], np.int64),
        "worst_gap": np.array([report.worst_gap], np.float64),
        "counts": np.array([len(report.failing[kind]) for kind in KINDS], np.int64),
        "first_ticks": first_ticks,
        "case_kind": np.array([KINDS.index(case.kind) for case in cases], np.int64),
        "case_tick": np.array([case.tick for case in cases], np.int64),
        "case_clock": np.array([case.clock for case in cases], np.int64),
        "case_value": np.array([case.value for case in cases], np.float64),
        "case_bound": np.array([case.bound for case in cases], np.float64),
        "case_state": np.concatenate([np.zeros(0, STATE_ROW), *(case.state for case in cases)]),
        "case_command": np.concatenate([np.zeros(0, COMMAND_ROW), *(case.command for case in cases)]),
    }
