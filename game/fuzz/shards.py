"""Shards of random walks: a level, a body, a seed and an index, from which the walk follows to the bit.

A long run is many shards. They can run in any order, in other processes and on other machines.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.angles import DEGREES_PER_HEADING_UNIT, degrees_from_heading
from ..core.arguments import as_integer
from ..core.walker_settings import WALKER_PRESETS, preset_settings
from ..level import Level
from ..level.format.command_spans import BUTTONS
from ..physics import WalkerSettings
from ..sim import Recorder, World
from ..sim.replay.fingerprint import component_versions
from ..sim.replay.replay_file import FAILURE_MEASURE, FAILURE_NOTE
from .failure_kinds import KINDS, describe_failure_measure, failure_unit
from .held_commands import HELD
from .level_copy import FuzzError, LevelCopy, load_copy
from .random_walks import Failure, FuzzReport, walk_and_check
from .walk_routes import MeshRoute, WalkRoute, WorldRoute, commands_of_rows

LEVEL_BODY = "level"  # the body that the level gives
BODY_NAMES = (LEVEL_BODY, *WALKER_PRESETS)
SHARD_TICKS = 20_000  # most ticks of a shard
NO_GAP = 9.0  # ellipsoid space: the least gap where no surface is near


def run_conditions() -> dict[str, str]:
    """Versions and kind of machine that results depend on."""
    versions = component_versions()
    return {"package": versions["game"], **{name: versions[name] for name in ("rules", "numpy", "numba", "machine")}}


@dataclass(frozen=True, slots=True)
class Shard:
    """One part of a run. body: of BODY_NAMES, with its settings. index: from 0, for each level and body. conditions: of
    `run_conditions`, without which the result would differ."""

    level: LevelCopy
    body: str
    settings: WalkerSettings
    seed: int
    index: int
    ticks: int
    conditions: Mapping[str, str]


def make_shards(levels: Mapping[LevelCopy, Level], bodies: Sequence[str], seed: int, ticks: int) -> list[Shard]:
    """Shards of equal length for all levels and bodies, those of one pair together, with `ticks` in total, rounded
    up."""
    pairs = len(levels) * len(bodies)
    count = max(1, math.ceil(ticks / (pairs * SHARD_TICKS)))
    each = max(1, math.ceil(ticks / (pairs * count)))
    conditions = run_conditions()
    return [
        Shard(copy, body, level.player if body == LEVEL_BODY else preset_settings(body), seed, index, each, conditions)
        for copy, level in levels.items()
        for body in bodies
        for index in range(count)
    ]


def run_shard(shard: Shard) -> FuzzReport:
    """The report of a shard. FuzzError where this process has other versions, or the level no place to begin."""
    for name, value in run_conditions().items():
        if shard.conditions[name] != value:
            wanted = shard.conditions[name]
            raise FuzzError(f"a worker has {name} {value}, not {wanted}; install the same versions on it, or stop it")
    level = load_copy(shard.level)
    try:
        return walk_shard(level, shard.body, shard.settings, shard.seed, shard.index, shard.ticks)
    except ValueError as error:
        cure = "choose another --body, or leave this level out"
        raise FuzzError(f"{shard.level.name}: the body '{shard.body}': {error}; {cure}") from None


def needs_world(level: Level) -> bool:
    """Whether a level has movers or zones, so that a bare mesh is not the whole of it."""
    return bool(level.movers or level.all_zones)


def walk_shard(
    level: Level, body: str, settings: WalkerSettings, seed: int, index: int, ticks: int = SHARD_TICKS
) -> FuzzReport:
    """Walk one shard and check every tick. The same arguments give the same bits in each process.

    body: name of the settings, which takes part in the seed. A level with movers or zones is walked as a `World`,
    another one as a bare mesh. ValueError where the level has no place to begin.
    """
    stream = [as_integer(seed, "seed", 0), as_integer(index, "index", 0), zlib.crc32(body.encode())]
    route: WalkRoute = WorldRoute(level, settings) if needs_world(level) else MeshRoute(level.mesh, settings)
    return walk_and_check(route, as_integer(ticks, "ticks", 1), stream)


def fuzz_rows(
    shards: Sequence[Shard],
    reports: Iterable[FuzzReport],
    make_replay: Callable[[Shard, Failure], str | None],
) -> list[dict[str, Any]]:
    """A row of JSON values for each level and body. make_replay: called with the first failure of each kind; gives the
    path of its replay, or None."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for shard, report in zip(shards, reports, strict=True):
        row = rows.setdefault(
            (shard.level.digest, shard.body),
            {
                "level": shard.level.name,
                "body": shard.body,
                "ticks": 0,
                "failures": dict.fromkeys(KINDS, 0),
                "first": {},
                "worst_gap": None,
                "gap_limit": 0.5 * shard.settings.skin,
                "lost": 0,
                "left": 0,
            },
        )
        for name in ("ticks", "lost", "left"):
            row[name] += getattr(report, name)
        if report.worst_gap < NO_GAP:
            row["worst_gap"] = min(report.worst_gap, row["worst_gap"] or NO_GAP)
        for kind, ticks in report.failing.items():
            row["failures"][kind] += len(ticks)
            if ticks and kind not in row["first"]:
                case = next(case for case in report.cases if case.kind == kind)
                row["first"][kind] = {
                    "shard": shard.index, "tick": case.tick, **_describe_case(case), "replay": make_replay(shard, case)
                }  # fmt: skip
    return list(rows.values())


def _describe_case(case: Failure) -> dict[str, Any]:
    """Position of the body before a failure, m; the measured value and its bound, with their unit; and the command that
    was held, in the words of a commands file, with the view in degrees."""
    (command,) = commands_of_rows(case.command)
    return {
        "position": case.state["position"][0].tolist(),
        "value": case.value,
        "bound": case.bound,
        "unit": failure_unit(case.kind, case.bound, float(case.state["falling"][0])),
        "command": {
            "forward": command.forward,
            "strafe": command.strafe,
            "heading": degrees_from_heading(command.heading),
            "pitch": command.pitch * DEGREES_PER_HEADING_UNIT,
            "keys": [name for name in BUTTONS if getattr(command, name)],
        },
    }


def failure_replay(level: Level, settings: WalkerSettings, case: Failure) -> bytes:
    """A replay file of a failure: its command, held for five seconds from the state before it. ValueError for a level
    without a file."""
    world = World(level, settings)
    data = bytearray()
    world.tick = world.triggers.tick = case.clock
    world.walker_state = world.walker.state(case.state[0])
    (command,) = commands_of_rows(case.command)
    unit = failure_unit(case.kind, case.bound, float(case.state["falling"][0]))
    measure = describe_failure_measure(case.value, case.bound, unit)
    note = f"{FAILURE_NOTE}{case.kind}" + (f"{FAILURE_MEASURE}{measure}" if measure else "")
    recorder = Recorder(world, data.extend, note)
    for _ in range(HELD):
        world.step(command)
        recorder.stepped(command)
    recorder.close()
    return bytes(data)
