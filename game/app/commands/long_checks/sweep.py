"""`sweep`: one walk with many values of the walker's settings, measured."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...launch.level_lookup import UserError, printable_name, printable_text
from ...launch.world_setup import print_status
from ..argument_types import LEVELS_HELP, parse_level, parse_ticks
from . import sharded_command, worker_options

DEFAULT_METRICS = ("goal_time",)
MANY_WALKS = 10_000  # whose preparation takes seconds
BOT_TICKS = 1_000_000  # that the bots of one walk may take together
WALKS_FOLDER = "walks"  # for the walks of bots, in the folder of results
SUMMARY = "vary settings of the walker, and measure a walk"
HELP = f"""\
Walk with each value, or combination of values, of some settings of the walker (docs/settings.md), and measure the
walks. The walk is that of a commands file, or one of a bot that looks for the goal.

  walker sweep demo --bot goal --vary step_height=0.1:0.5:9 --metric goal_time
  walker sweep levels --commands walk.commands --vary gravity=1.62,9.81 --vary jump_height=1:2:3 --metric distance

Metrics: goal_time (s), reached, goal_distance (m), max_speed, mean_speed (m/s), distance (m), final_x, final_height,
final_z, highest, lowest (m), air_time (s), falls, targets, walk_time (s).

With --bot the table ends with the outcome: reached, missed (among movers and zones), unreachable (nothing was
left to try), gave up (--ticks were used up) or no room (at the spawn). The time of a bot is not the least possible one.

Each walk is a shard; -o keeps the results in a folder, where the same command goes on with an interrupted run.

exit status: 0 all walks are measured, also where none reaches the goal
             {sharded_command.WRONG_INPUT_STATUS} a level, the commands, a setting, a metric or the folder is wrong
             {worker_options.STOPPED_STATUS} {worker_options.STOPPED_HELP}
             74 standard output cannot be written
             130 interrupted with Ctrl-C; the same command with -o goes on"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("levels", type=parse_level, nargs="+", metavar="LEVEL", help=LEVELS_HELP)
    walks = parser.add_mutually_exclusive_group(required=True)
    walks.add_argument("--commands", type=Path, metavar="FILE", help="commands file (docs/commands.md)")
    walks.add_argument("--bot", choices=("goal",), help="goal: a bot looks for a walk to the goal with each body")
    parser.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="SETTING=VALUES",
        help="LOW:HIGH:COUNT evenly spaced values, or a list such as 0.1,0.3; repeat it for combinations",
    )
    parser.add_argument(
        "--metric", action="append", metavar="NAME", help="metric to print; repeat it for several (default: goal_time)"
    )
    parser.add_argument(
        "--ticks",
        type=parse_ticks,
        metavar="N",
        help="length of the walk (default: that of the commands file); with --bot: most ticks of each of the two "
        f"searches for one walk, all bots together (default: {BOT_TICKS})",
    )
    sharded_command.add_folder_options(parser)
    worker_options.add_worker_options(parser, None)


def run(options: argparse.Namespace) -> int:
    """Run the walks and print the table; the exit status."""
    from ....cluster import sweep_plan
    from ....cluster.errors import ClusterError
    from ....cluster.shards import run_conditions
    from ....reports.json_documents import format_document

    worker_options.check_worker_options(options)
    metrics = list(dict.fromkeys(options.metric or DEFAULT_METRICS))
    try:
        sweep_plan.check_metrics(metrics)
        variations = [sweep_plan.parse_variation(text) for text in options.vary]
        points = sweep_plan.grid(variations)
    except ClusterError as error:
        raise UserError(str(error)) from None
    commands = None if options.commands is None else _read_commands(options.commands)
    ticks = options.ticks if commands is not None or options.ticks is not None else BOT_TICKS
    levels = sharded_command.read_levels(options.levels, models=False)
    _check_goals(options, levels, metrics)
    files = [one for one, _ in levels]
    conditions = run_conditions(options.any_processor)
    if len(levels) * len(points) >= MANY_WALKS:
        print_status(f"preparing {len(levels) * len(points)} walks")
    try:
        shards = sweep_plan.sweep_shards(sharded_command.level_bodies(levels), points, commands, ticks, conditions)
    except ClusterError as error:
        raise UserError(str(error)) from None
    inputs = {
        "command": "sweep",
        "levels": sharded_command.level_inputs(files),
        "commands": commands,
        "bot": options.bot,
        "ticks": ticks,
        "vary": [
            {"setting": one.setting, "values": ["inf" if value == float("inf") else value for value in one.values]}
            for one in variations
        ],
    }
    rows: list[dict[str, Any]] = []
    bot_walks: dict[str, bytes] = {}

    def make_document(results: Iterable[Mapping[str, Any]]) -> str:
        rows.extend(sweep_plan.sweep_rows([one.shown_name for one in files], points, results))
        for number, row in enumerate(rows):
            if row["walk"] is not None:
                bot_walks[f"{WALKS_FOLDER}/{number:07d}-{shards[number].name}.commands"] = row["walk"].encode()
        return format_document("sweep", {"status": 0, **inputs, "conditions": conditions, "rows": rows})

    sharded_command.run_command(options, files, shards, inputs, 0, make_document, bot_walks)
    if not options.json:
        for line in table_lines(rows, metrics):
            print(line)
    return 0


def _read_commands(path: Path) -> str:
    """Text of a commands file; UserError where it cannot be read or has mistakes."""
    from ...launch.world_setup import read_script

    read_script(path)
    return path.read_text(encoding="utf-8-sig")


def _check_goals(options: argparse.Namespace, levels: Sequence[tuple[Any, Any]], metrics: Sequence[str]) -> None:
    """UserError for a level without a goal where the bot or a metric needs one, or whose goal bots cannot open."""
    needs = "--bot goal" if options.bot else next((f"--metric {one}" for one in metrics if one.startswith("goal")), "")
    for files, level in levels:
        if needs and level.goal is None:
            cure = "add `goal` to the level" + ("" if options.bot else ", or choose another --metric, such as distance")
            raise UserError(f"{printable_name(files.path)}: {needs} needs a goal, and this level has none; {cure}")
        if options.bot and level.goal.after:
            waits = f"the goal waits for all {level.goal.after}, which bots do not collect"
            raise UserError(f"{printable_name(files.path)}: {waits}; use --commands in place of --bot goal")


def table_lines(rows: Sequence[Mapping[str, Any]], metrics: Sequence[str]) -> list[str]:
    """The table on the terminal: level (where there are several), settings, metrics, and outcome (where bots walked, or
    a body has no room); `-` where there is none."""
    from ....cluster.sweep_walks import METRICS

    has_levels = len({row["level"] for row in rows}) > 1
    names = list(rows[0]["settings"])
    units = [f"{name} ({METRICS[name][0]})" if METRICS[name][0] else name for name in metrics]
    has_outcomes = any(row["walk"] is not None or row["outcome"] == "no room" for row in rows)
    table = [[*(["level"] if has_levels else []), *names, *units, *(["outcome"] if has_outcomes else [])]]
    for row in rows:
        values = [*row["settings"].values(), *(row["metrics"][name] for name in metrics)]
        cells = ["-" if value is None else value if isinstance(value, str) else f"{value:.6g}" for value in values]
        outcome = [row["outcome"]] if has_outcomes else []
        table.append([*([printable_text(row["level"])] if has_levels else []), *cells, *outcome])
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
