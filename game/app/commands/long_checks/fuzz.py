"""`fuzz`: long random walks through levels, with a check of every tick, in shards."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....core.time_format import format_count
from ..argument_types import parse_integer
from . import sharded_command, worker_options

if TYPE_CHECKING:
    from pathlib import Path

    from ....cluster.level_files import LevelFiles
    from ....cluster.shards import Shard
    from ....level import Level

HELD_STATUS = 0
FAILED_STATUS = 1
DEFAULT_TICKS = 1_000_000
DEFAULT_SHARD_TICKS = 20_000
MAX_TOTAL_TICKS = 10**13
MAX_SHARD_TICKS = 10_000_000
MAX_SHARDS = 5_000_000
MAX_SEED = 2**31 - 1
FAILURES_FOLDER = "failures"  # for replays, in the folder of results

SUMMARY = "walk at random through levels, and check every tick"
HELP = f"""\
Walk at random through levels and models, and check every tick with code that shares nothing with the walker: walls
that were crossed, gaps that are too small, places where the walker is stuck or trembles (docs/cluster.md).

The walks are cut into shards, which run on all processors of this machine, or with --scheduler on the workers of a Dask
scheduler. The results are the same to the bit, however many there are. -o keeps them in a folder. An interrupted run
goes on there with the same command.

exit status: {HELD_STATUS} all checks held
             {FAILED_STATUS} a walk failed a check, or parts of a level are left out because of errors in it
             {sharded_command.WRONG_INPUT_STATUS} a level, an option or the folder cannot be used
             {worker_options.STOPPED_STATUS} {worker_options.STOPPED_HELP}
             74 standard output cannot be written
             130 interrupted with Ctrl-C; the same command with -o goes on"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "levels",
        nargs="+",
        metavar="LEVEL",
        help="a level file, the name of a shipped level (such as demo), a model (.glb, .gltf, .obj, .map), or a folder "
        "of levels",
    )
    parser.add_argument(
        "--ticks",
        type=parse_integer(1, MAX_TOTAL_TICKS, "number of ticks"),
        default=DEFAULT_TICKS,
        metavar="N",
        help=f"ticks of all walks together, rounded up to whole shards: at least one for each level and body (default: "
        f"{DEFAULT_TICKS})",
    )
    parser.add_argument(
        "--seed", type=parse_integer(0, MAX_SEED, "seed"), default=1, metavar="S", help="seed of the walks (default: 1)"
    )
    parser.add_argument(
        "--body",
        action="append",
        metavar="NAME",
        help="body that walks: level (the level's own, the default), slim, round, heavy, moon or quake; repeat it for "
        "several",
    )
    parser.add_argument(
        "--shard-ticks",
        type=parse_integer(1, MAX_SHARD_TICKS, "number of ticks"),
        default=DEFAULT_SHARD_TICKS,
        metavar="N",
        help=f"ticks of a shard (default: {DEFAULT_SHARD_TICKS})",
    )
    sharded_command.add_folder_options(parser)
    worker_options.add_worker_options(parser, None)


def run(options: argparse.Namespace) -> int:
    """Run the walks and report; the exit status."""
    from ....cluster import fuzz_plan
    from ....cluster.shards import run_conditions
    from ....reports.json_documents import format_document

    worker_options.check_worker_options(options)
    bodies = _chosen_bodies(options)
    levels = sharded_command.read_levels(options.levels, models=True)
    files = [one for one, _ in levels]
    _check_shard_count(options, len(files), len(bodies))
    conditions = run_conditions(options.any_processor)
    shards = fuzz_plan.fuzz_shards(
        sharded_command.level_bodies(levels), bodies, options.seed, options.ticks, options.shard_ticks, conditions
    )
    left_out = _print_left_out(levels)
    inputs = {
        "command": "fuzz",
        "levels": sharded_command.level_inputs(files),
        "bodies": bodies,
        "seed": options.seed,
        "shard_ticks": options.shard_ticks,
        "ticks": len(shards) * options.shard_ticks,
    }
    shown_levels = [{**one, "left_out": left_out.get(one["name"], 0)} for one in inputs["levels"]]
    rows: list[dict[str, Any]] = []
    replays = FailureReplays(levels)

    def make_document(results: Iterable[Mapping[str, Any]]) -> str:
        names = {one.digest: one.shown_name for one in files}
        make_replay = None if options.output is None else replays.make
        rows.extend(fuzz_plan.fuzz_rows(names, shards, results, make_replay))
        failures = fuzz_plan.failure_count(rows)
        result = {"levels": shown_levels, "conditions": conditions, "walks": rows, "failures": failures}
        status = FAILED_STATUS if failures or left_out else HELD_STATUS
        return format_document("fuzz", {"status": status, **inputs, **result})

    sharded_command.run_command(options, files, shards, inputs, options.shard_ticks, make_document, replays.files)
    failures = fuzz_plan.failure_count(rows)
    if not options.json:
        _print_rows(rows, failures, len(left_out), [options.output / path for path in replays.files])
    return FAILED_STATUS if failures or left_out else HELD_STATUS


def _chosen_bodies(options: argparse.Namespace) -> list[str]:
    """The bodies that walk. UserError for an unknown one."""
    from ....cluster import fuzz_plan
    from ...launch.level_lookup import UserError

    bodies = list(dict.fromkeys(options.body or [fuzz_plan.LEVEL_BODY]))
    for body in bodies:
        if body not in fuzz_plan.BODY_NAMES:
            raise UserError(f"--body: '{body[:40]}' is not one of {', '.join(fuzz_plan.BODY_NAMES)}")
    return bodies


def _check_shard_count(options: argparse.Namespace, levels: int, bodies: int) -> None:
    """Say where whole shards take many more ticks than were asked for. UserError for too many shards."""
    from ....cluster import fuzz_plan
    from ...launch.level_lookup import UserError
    from ...launch.world_setup import print_status

    pairs = levels * bodies
    count = fuzz_plan.shard_count(options.ticks, pairs, options.shard_ticks)
    if count * pairs > MAX_SHARDS:
        raise UserError(f"--ticks {options.ticks}: more than {MAX_SHARDS} shards; use a larger --shard-ticks")
    if note := describe_rounding(options.ticks, pairs, count, options.shard_ticks):
        print_status(note)


def _print_left_out(levels: Sequence[tuple[LevelFiles, Level]]) -> dict[str, int]:
    """Say which parts of levels are left out because of errors; their number, by the name of the level."""
    from ...launch.level_lookup import describe_missing_parts, missing_parts, printable_text
    from ...launch.world_setup import print_status

    for files, level in levels:
        if line := describe_missing_parts(files.shown_name, level):
            print_status(printable_text(f"failed: {line}"))
    return {files.shown_name: len(missing) for files, level in levels if (missing := missing_parts(level))}


def _print_rows(rows: Sequence[dict[str, Any]], failures: int, left_out: int, replays: Sequence[Path]) -> None:
    """Print a line for each walk, the sum, and how to watch the first failure."""
    from ...launch.level_lookup import printable_name, printable_text
    from .failure_lines import row_lines

    width = max(24, *(len(row["level"]) for row in rows))
    for row in rows:
        for line in row_lines(row, width):
            print(printable_text(line))
    print(describe_total(sum(row["ticks"] for row in rows), failures, left_out))
    if replays:
        print(f"watch the first: walker replay {printable_name(str(replays[0]))} --show")


class FailureReplays:
    """Replays of the first failures, by their path in the folder of results. levels: of the run, with their files."""

    def __init__(self, levels: Sequence[tuple[LevelFiles, Level]]) -> None:
        self.files: dict[str, bytes] = {}
        self._levels = {files.digest: (files, level) for files, level in levels}

    def make(self, shard: Shard, kind: str, arrays: Mapping[str, Any]) -> str | None:
        """Make the replay of the first failure of a kind in a shard; its path. None for a model, which has no level
        file that a replay could name."""
        from ....cluster.fuzzing.failure_replays import failure_replay
        from ....sim.replay.fingerprint import settings_from_values
        from ...launch.world_setup import ensure_compiled

        files, level = self._levels[shard.level]
        if files.text is not None:
            return None
        if not self.files:
            ensure_compiled()
        path = f"{FAILURES_FOLDER}/{shard.name}-{kind.replace(' ', '_')}-{files.digest[:8]}.replay"
        self.files[path] = failure_replay(level, settings_from_values(shard.fields["settings"]), arrays, kind)
        return path


def describe_rounding(ticks: int, pairs: int, count: int, shard_ticks: int) -> str:
    """One line where whole shards take more than twice the ticks that were asked for; else empty."""
    total = pairs * count * shard_ticks
    if total <= 2 * ticks:
        return ""
    walks = "1 level and body" if pairs == 1 else f"each of {pairs} levels and bodies"
    least = f"at least {format_count(shard_ticks, 'tick')} for {walks}"
    return f"{least}: {format_count(total, 'tick')}; a smaller --shard-ticks makes them fewer"


def describe_total(ticks: int, failures: int, levels_left_out: int) -> str:
    """The last line."""
    text = f"{format_count(failures, 'tick')} failed a check" if failures else "all checks held"
    if levels_left_out:
        text += f"; parts of {format_count(levels_left_out, 'level')} are left out"
    return f"{format_count(ticks, 'tick')}: {text}"
