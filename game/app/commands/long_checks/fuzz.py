"""`fuzz`: long random walks through levels, with a check of every tick, in shards."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

from ..argument_types import LEVELS_HELP
from . import sharded_command, worker_options

HELD_STATUS, FAILED_STATUS = 0, 1
DEFAULT_TICKS, DEFAULT_SHARD_TICKS = 1_000_000, 20_000
MAX_TOTAL_TICKS, MAX_SHARD_TICKS = 10**13, 10_000_000
MAX_SHARDS = 5_000_000
MAX_SEED = 2**31 - 1

SUMMARY = "walk at random through levels, and check every tick"
HELP = f"""\
Walk at random through levels and models, and check every tick with code that shares nothing with the walker: walls
that were crossed, gaps that are too small, places where the walker is stuck or trembles (docs/cluster.md).

The walks are cut into shards, which run on all processors of this machine, or with --scheduler on the workers of a Dask
scheduler. The results are the same to the bit, however many there are. -o keeps them in a folder. An interrupted run
goes on there with the same command.

exit status: {HELD_STATUS} all checks held
             {FAILED_STATUS} a walk failed a check
             {sharded_command.WRONG_INPUT_STATUS} a level, an option or the folder cannot be used
             {worker_options.STOPPED_STATUS} {worker_options.STOPPED_HELP}
             130 interrupted with Ctrl-C; the same command with -o goes on"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `fuzz`."""
    parser.add_argument(
        "levels", nargs="+", metavar="LEVEL", help=f"{LEVELS_HELP}, or a model (.glb, .gltf, .obj, .map)"
    )
    parser.add_argument(
        "--ticks",
        type=_parse_total,
        default=DEFAULT_TICKS,
        metavar="N",
        help=f"ticks of all walks together, rounded up to whole shards (default: {DEFAULT_TICKS})",
    )
    parser.add_argument("--seed", type=_parse_seed, default=1, metavar="S", help="seed of the walks (default: 1)")
    parser.add_argument(
        "--body",
        action="append",
        metavar="NAME",
        help="body that walks: level (the level's own, the default), slim, round, heavy, moon or quake; repeat it for "
        "several",
    )
    parser.add_argument(
        "--shard-ticks",
        type=_parse_shard_ticks,
        default=DEFAULT_SHARD_TICKS,
        metavar="N",
        help=f"ticks of a shard (default: {DEFAULT_SHARD_TICKS})",
    )
    sharded_command.add_folder_options(parser)
    worker_options.add_worker_options(parser, None)


def _parse_integer(text: str, low: int, high: int, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and low <= int(text[:20]) <= high):
        raise argparse.ArgumentTypeError(f"'{text[:40]}' is not a {what} from {low} to {high}")
    return int(text)


def _parse_total(text: str) -> int:
    return _parse_integer(text, 1, MAX_TOTAL_TICKS, "number of ticks")


def _parse_seed(text: str) -> int:
    return _parse_integer(text, 0, MAX_SEED, "seed")


def _parse_shard_ticks(text: str) -> int:
    return _parse_integer(text, 1, MAX_SHARD_TICKS, "number of ticks")


def run(options: argparse.Namespace) -> int:
    """Run the walks and report; the exit status."""
    from ....cluster import fuzz_plan
    from ....cluster.shards import run_conditions
    from ....reports.json_documents import format_document
    from ...launch.level_lookup import UserError

    worker_options.check_worker_options(options)
    bodies = list(dict.fromkeys(options.body or [fuzz_plan.LEVEL_BODY]))
    for body in bodies:
        if body not in fuzz_plan.BODIES:
            raise UserError(f"--body: '{body[:40]}' is not one of {', '.join(fuzz_plan.BODIES)}")
    levels = sharded_command.read_levels(options.levels, models=True)
    files = [one for one, _ in levels]
    count = fuzz_plan.shard_count(options.ticks, len(files) * len(bodies), options.shard_ticks)
    if count * len(files) * len(bodies) > MAX_SHARDS:
        raise UserError(f"--ticks {options.ticks}: more than {MAX_SHARDS} shards; use a larger --shard-ticks")
    conditions = run_conditions(options.any_processor)
    shards = fuzz_plan.fuzz_shards(
        sharded_command.level_bodies(levels), bodies, options.seed, options.ticks, options.shard_ticks, conditions
    )
    inputs = {
        "command": "fuzz",
        "levels": sharded_command.level_inputs(files),
        "bodies": bodies,
        "seed": options.seed,
        "shard_ticks": options.shard_ticks,
        "ticks": len(shards) * options.shard_ticks,
    }
    rows: list[dict[str, Any]] = []

    def make_document(results: Iterable[Mapping[str, Any]]) -> str:
        rows.extend(fuzz_plan.fuzz_rows({one.digest: one.shown_name for one in files}, shards, results))
        failures = fuzz_plan.failure_count(rows)
        result = {"conditions": conditions, "walks": rows, "failures": failures}
        return format_document("fuzz", {"status": FAILED_STATUS if failures else HELD_STATUS, **inputs, **result})

    sharded_command.run_command(options, files, shards, inputs, options.shard_ticks, make_document)
    failures = fuzz_plan.failure_count(rows)
    if not options.json:
        for row in rows:
            print(describe_row(row))
        ticks = sum(row["ticks"] for row in rows)
        print(f"{ticks} ticks: {f'{failures} failed a check' if failures else 'all checks held'}")
    return FAILED_STATUS if failures else HELD_STATUS


def describe_row(row: Mapping[str, Any]) -> str:
    """One line about the walks of a body in a level."""
    failed = [
        f"{count} {kind} (first: shard {row['first'][kind]['shard']}, tick {row['first'][kind]['tick']})"
        for kind, count in row["failures"].items()
        if count
    ]
    gap = "" if row["worst_gap"] is None else f"  least gap {row['worst_gap']:.6f}"
    found = ", ".join(failed) or "nothing failed"
    others = f"{row['lost']} put back, {row['left']} left the level"
    return f"{row['level']:24} {row['body']:8} {row['ticks']:9} ticks{gap}  {found}; {others}"
