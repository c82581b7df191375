"""Shards of random walks: a level, a body, a seed and an index, from which the walk follows to the bit.

A long run is many shards. They run in the processes of this machine, or on the workers of a Dask scheduler, to which
the levels travel with all their files. Number and order of processes and workers change no result.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import os
import pickle
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from ..core.angles import DEGREES_PER_HEADING_UNIT, degrees_from_heading
from ..core.arguments import as_integer
from ..core.errors import UserError, error_reason
from ..core.jobs import map_in_processes
from ..core.walker_settings import WALKER_PRESETS, preset_settings
from ..level import Level, load
from ..level.format.command_spans import BUTTONS
from ..physics import WalkerSettings
from ..sim import History, World
from ..sim.replay.fingerprint import component_versions
from ..sim.replay.replay_file import FAILURE_MEASURE, FAILURE_NOTE
from ..sim.replay.verifier import command_of
from .failures import KINDS, NO_GAP, Failure, FuzzReport, describe_failure_measure
from .random_walks import HELD, walk_and_check
from .walk_routes import MeshRoute, WalkRoute, WorldRoute

LEVEL_BODY = "level"  # the body that the level gives
BODY_NAMES = (LEVEL_BODY, *WALKER_PRESETS)
SHARD_TICKS = 20_000  # most ticks of a shard
LEVEL_FOLDER = "level"  # of the level's own file in a copy; the level may name files beside this folder too
MAX_KEPT_LEVELS = 8  # loaded levels that a process keeps
WAIT_SECONDS = 10.0  # for an answer of the scheduler, and for its first worker
Progress = Callable[[float], None]  # receives the fraction that is done


STOPPED_STATUS = 4  # exit status of a run that stopped before its end


class FuzzError(UserError):
    """A process, scheduler or worker that cannot go on."""

    def __init__(self, message: str, code: int = STOPPED_STATUS) -> None:
        super().__init__(message, code)


@dataclass(frozen=True)
class LevelCopy:
    """A level for processes and machines that do not have it. name: of the level, for people. file: name of the level
    file. files: contents by path relative to its folder."""

    name: str
    file: str
    files: Mapping[str, bytes] = field(repr=False)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the names and contents of all files, in hexadecimal."""
        found = hashlib.sha256(self.file.encode())
        for name, data in sorted(self.files.items()):
            found.update(f"\0{name}\0{len(data)}\0".encode() + data)
        return found.hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest)


def copy_level(level: Level, name: str, text: str | None = None) -> LevelCopy:
    """The copy of a loaded level. text: of a level without a file.

    UserError for a file that is too far from the level, or that cannot be read. A file that is missing is left out.
    """
    path = Path(os.path.realpath(level.path))
    files = {path.name: text.encode()} if text is not None else {}
    for other in dict.fromkeys(Path(os.path.realpath(one)) for one in (path, *level.files)):
        relative = Path(os.path.relpath(other, path.parent)).as_posix()
        if relative.startswith("../../"):
            raise UserError(f"{other}: this file is too far from its level; copy it into the folder of the level")
        try:
            files.setdefault(relative, other.read_bytes())
        except FileNotFoundError:
            continue
        except OSError as error:
            raise UserError(f"{other}: {error_reason(error)}") from None
    return LevelCopy(name, path.name, files)


@lru_cache(MAX_KEPT_LEVELS)
def load_copy(copy: LevelCopy) -> Level:
    """The level of a copy, which is unpacked into a temporary folder. A process keeps the last ones."""
    with tempfile.TemporaryDirectory(prefix="walker-level-") as folder:
        for name, data in copy.files.items():
            path = Path(os.path.normpath(Path(folder) / LEVEL_FOLDER / PurePosixPath(name)))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        level = load(Path(folder) / LEVEL_FOLDER / copy.file)
        level.mesh  # noqa: B018 - cooked while the files are there
        return level


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


def run_in_processes(shards: Sequence[Shard], processes: int, progress: Progress) -> list[FuzzReport]:
    """The reports of all shards. FuzzError where a process is killed."""
    try:
        mapped = map(run_shard, shards) if processes == 1 else map_in_processes(run_shard, shards, processes)
        return _collect(mapped, len(shards), progress)
    except BrokenProcessPool:
        raise FuzzError("a process was killed; is there enough memory? Use fewer processes with -n") from None


def run_on_scheduler(shards: Sequence[Shard], address: str, progress: Progress) -> list[FuzzReport]:
    """The reports of all shards, from the workers of a Dask scheduler. Dask runs the shards of a worker that dies on
    another one. FuzzError in one sentence where the run cannot begin or go on. Needs the extra `[fuzz]`."""
    try:
        import distributed
        from distributed.scheduler import KilledWorker
    except ImportError:
        cure = "install it: pip install 'ellipsoid-walker[fuzz]'"
        raise FuzzError(f"--scheduler needs the package distributed; {cure}") from None
    for name in ("distributed", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # each failure has a sentence
    try:
        with warnings.catch_warnings(), contextlib.ExitStack() as stack:
            warnings.simplefilter("ignore")  # a difference of versions that matters is found by `run_shard`
            try:
                asyncio.run(_probe(address))
                client = stack.enter_context(distributed.Client(address, timeout=WAIT_SECONDS, set_as_default=False))
            except Exception as error:  # Dask passes on what its reading of other bytes raises
                cure = "start one with `dask scheduler`, or correct the address, such as tcp://10.0.0.5:8786"
                reason = str(error).partition("\n")[0][:200] or type(error).__name__
                raise FuzzError(f"{address}: no Dask scheduler answers there ({reason}); {cure}") from None
            try:
                client.wait_for_workers(1, timeout=WAIT_SECONDS)
            except TimeoutError:
                cure = f"start one on each machine with `dask worker {address}`"
                raise FuzzError(f"{address}: the scheduler has no workers; {cure}") from None
            calls = [pickle.dumps((run_shard, shard)) for shard in shards]
            return _collect(client.get_executor(pure=False).map(_remote_call(), calls), len(calls), progress)
    except ModuleNotFoundError as error:
        raise FuzzError(f"{address}: a worker cannot load this package ({error}); install it there") from None
    except KilledWorker:
        raise FuzzError(f"{address}: several workers died in the same shard; do they have enough memory?") from None
    except (OSError, TimeoutError, asyncio.CancelledError, distributed.client.FutureCancelledError):
        raise FuzzError(f"{address}: the connection to the scheduler was lost") from None


def _collect(mapped: Iterable[FuzzReport], count: int, progress: Progress) -> list[FuzzReport]:
    """The reports, as they arrive."""
    reports: list[FuzzReport] = []
    for report in mapped:
        reports.append(report)
        progress(len(reports) / count)
    return reports


async def _probe(address: str) -> None:
    """Ask who answers. A Client would wait for a silent server without end."""
    from distributed.core import rpc
    from distributed.security import Security

    arguments = Security().get_connection_args("client")
    async with asyncio.timeout(WAIT_SECONDS), rpc(address, connection_args=arguments) as server:
        if (await server.identity())["type"] != "Scheduler":
            raise ValueError("it is no scheduler")


def _remote_call() -> Callable[[bytes], Any]:
    """A function that calls a pickled function with its argument. It is local, so that it travels by value: the
    scheduler, which unpacks what it is sent, need not have this package."""

    def remote_call(data: bytes) -> Any:
        import pickle

        function, argument = pickle.loads(data)
        return function(argument)

    return remote_call


def fuzz_rows(
    shards: Sequence[Shard], reports: Iterable[FuzzReport], levels: Mapping[LevelCopy, Level]
) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """A row of JSON values for each level and body, and the replay of the first failure of each kind by its path in the
    folder of results. levels: of which replays are made. A model has no level file that a replay could name."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    replays: dict[str, bytes] = {}
    for shard, report in zip(shards, reports, strict=True):
        row = rows.setdefault(
            (shard.level.digest, shard.body),
            {"level": shard.level.name, "body": shard.body, "ticks": 0, "failures": dict.fromkeys(KINDS, 0),
             "first": {}, "worst_gap": None, "gap_limit": 0.5 * shard.settings.skin, "lost": 0, "left": 0},
        )  # fmt: skip
        for name in ("ticks", "lost", "left"):
            row[name] += getattr(report, name)
        if report.worst_gap < NO_GAP:
            worst = row["worst_gap"]
            row["worst_gap"] = report.worst_gap if worst is None else min(worst, report.worst_gap)
        for kind, ticks in report.failing.items():
            row["failures"][kind] += len(ticks)
            if not ticks or kind in row["first"]:
                continue
            case = next(case for case in report.cases if case.kind == kind)
            level, replay = levels.get(shard.level), None
            if level is not None and level.path.is_file():
                stem = f"{level.path.stem}-{shard.body}-{kind.replace(' ', '_')}-{shard.level.digest[:8]}"
                replay = f"failures/{stem}.replay"
                replays[replay] = failure_replay(level, shard.settings, case)
            row["first"][kind] = {"shard": shard.index, "tick": case.tick, **_describe_case(case), "replay": replay}
    return list(rows.values()), replays


def _describe_case(case: Failure) -> dict[str, Any]:
    """The place of a failure, its measure, and the command that was held, in the words of a commands file."""
    command = command_of(case.command[0])
    words = {
        "forward": command.forward,
        "strafe": command.strafe,
        "heading": degrees_from_heading(command.heading),
        "pitch": command.pitch * DEGREES_PER_HEADING_UNIT,
        "keys": [name for name in BUTTONS if getattr(command, name)],
    }
    position = case.state["position"][0].tolist()  # of the body before the failure, m
    return {"position": position, "value": case.value, "bound": case.bound, "unit": case.unit, "command": words}


def failure_replay(level: Level, settings: WalkerSettings, case: Failure) -> bytes:
    """A replay file of a failure: its command, held for five seconds from the state before it. ValueError for a level
    without a file."""
    world = World(level, settings)
    world.tick = case.clock
    world.walker_state = world.walker.state(case.state[0])
    command = command_of(case.command[0])
    measure = describe_failure_measure(case.value, case.bound, case.unit)
    note = f"{FAILURE_NOTE}{case.kind}" + (f"{FAILURE_MEASURE}{measure}" if measure else "")
    history = History(world)
    history.run([command] * HELD)
    return history.data(note=note)
