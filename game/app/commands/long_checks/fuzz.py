"""`fuzz`: long random walks through levels, with a check of every tick, in shards."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..argument_types import LEVELS_HELP
from . import sharded_command, worker_options

if TYPE_CHECKING:
    from ....level import Finding, Level

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
             {FAILED_STATUS} a walk failed a check, or parts of a level are left out because of errors in it
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
        help=f"ticks of all walks together, rounded up to whole shards: at least one for each level and body (default: "
        f"{DEFAULT_TICKS})",
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
    from ...launch.world_setup import print_status

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
    pairs = len(files) * len(bodies)
    if note := describe_rounding(options.ticks, pairs, count, options.shard_ticks):
        print_status(note)
    left_out = {files.shown_name: missing for files, level in levels if (missing := missing_parts(level))}
    for name, missing in left_out.items():
        print_status(describe_missing(name, missing))
    inputs = {
        "command": "fuzz",
        "levels": sharded_command.level_inputs(files),
        "bodies": bodies,
        "seed": options.seed,
        "shard_ticks": options.shard_ticks,
        "ticks": len(shards) * options.shard_ticks,
    }
    shown_levels = [{**one, "left_out": len(left_out.get(one["name"], ()))} for one in inputs["levels"]]
    rows: list[dict[str, Any]] = []

    def make_document(results: Iterable[Mapping[str, Any]]) -> str:
        rows.extend(fuzz_plan.fuzz_rows({one.digest: one.shown_name for one in files}, shards, results))
        failures = fuzz_plan.failure_count(rows)
        result = {"levels": shown_levels, "conditions": conditions, "walks": rows, "failures": failures}
        status = FAILED_STATUS if failures or left_out else HELD_STATUS
        return format_document("fuzz", {"status": status, **inputs, **result})

    sharded_command.run_command(options, files, shards, inputs, options.shard_ticks, make_document)
    failures = fuzz_plan.failure_count(rows)
    if not options.json:
        for row in rows:
            print(describe_row(row))
        print(describe_total(sum(row["ticks"] for row in rows), failures, len(left_out)))
    return FAILED_STATUS if failures or left_out else HELD_STATUS


def describe_gap(gap: float, limit: float) -> str:
    """The least gap and its limit, both in hundredths of the radii."""
    return f"{100.0 * gap:.3f} % of the radii (limit {100.0 * limit:.3f} %)"


def missing_parts(level: Level) -> list[Finding]:
    """The errors of a level because of which parts of it are left out."""
    return [finding for finding in level.findings if finding.severity == "dropped"]


def describe_missing(name: str, missing: Sequence[Finding]) -> str:
    """One line about a level that is walked without some parts."""
    count = "1 error" if len(missing) == 1 else f"{len(missing)} errors"
    return f"{name}: failed: parts of this level are left out ({count}); see `walker check`; the first: {missing[0]}"


def describe_rounding(ticks: int, pairs: int, count: int, shard_ticks: int) -> str:
    """One line where whole shards take more than twice the ticks that were asked for; else empty."""
    total = pairs * count * shard_ticks
    if total <= 2 * ticks:
        return ""
    walks = "1 level and body" if pairs == 1 else f"each of {pairs} levels and bodies"
    return f"at least {shard_ticks} ticks for {walks}: {total} ticks; a smaller --shard-ticks makes them fewer"


def describe_total(ticks: int, failures: int, levels_left_out: int) -> str:
    """The last line."""
    text = f"{failures} failed a check" if failures else "all checks held"
    if levels_left_out:
        text += f", but parts of {levels_left_out} {'level' if levels_left_out == 1 else 'levels'} are left out"
    return f"{ticks} ticks: {text}"


def describe_row(row: Mapping[str, Any]) -> str:
    """One line about the walks of a body in a level."""
    failed = [
        f"{count} {kind} (first: shard {row['first'][kind]['shard']}, tick {row['first'][kind]['tick']})"
        for kind, count in row["failures"].items()
        if count
    ]
    gap = "" if row["worst_gap"] is None else f"  least gap {describe_gap(row['worst_gap'], row['gap_limit'])}"
    found = ", ".join(failed) or "nothing failed"
    others = f"{row['lost']} put back, {row['left']} left the level"
    return f"{row['level']:24} {row['body']:8} {row['ticks']:9} ticks{gap}  {found}; {others}"
