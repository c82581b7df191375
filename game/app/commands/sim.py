"""`sim`: simulate a commands file in a level without a window, and optionally write one row per tick."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.errors import error_reason
from ..launch import standard_output
from ..launch.level_lookup import UserError, level_files, printable_name
from ..launch.output_check import refuse_input
from ..launch.world_setup import load_ready_level, make_world, read_script
from .argument_types import GOAL_MISSED_STATUS, GOAL_STATUS_HELP, add_output_option, add_script_arguments

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ...sim.replay.walk_table import WalkTable

SUMMARY = "simulate a commands file in a level, without a window"
HELP = f"""\
Simulate the commands of a file (format: docs/commands.md) in a level, without a window, and print the
result. After the last line of the file the player stands still.

-o writes one row per tick; the format follows from the file name:
  .npz    NumPy arrays position (T,3), velocity (T,3), heading (T,), grounded (T,), tick (T,)
  .csv    the same as a table
  .jsonl  the same, one JSON object per line
  .parquet  the columns of the csv (needs pyarrow: python -m pip install pyarrow)
Units: metres, metres per second; headings: 65536 per turn, counter-clockwise from north (-Z).

{GOAL_STATUS_HELP};
             2 a file cannot be read, or the output cannot be written"""


def add_options(parser: argparse.ArgumentParser) -> None:
    add_script_arguments(parser)
    add_output_option(parser, "write one row per tick: .npz, .csv, .jsonl or .parquet")
    standard_output.add_json_option(parser)
    parser.add_argument(
        "--technique",
        metavar="NAME",
        help="use a published method instead (docs/lab.md): guide, article, sliding, probes, repair, mended; "
        "or walker, the game's own",
    )
    parser.add_argument(
        "--mended",
        default="",
        metavar="DEFECTS",
        help="with --technique guide: the defects to fix, such as turn,inside,margin,slide,single",
    )


def run(options: argparse.Namespace) -> int:
    """Simulate, write the rows, print the summary; the exit status."""
    from ...sim import headless_run
    from .walk_summary import summarise_headless_walk

    if options.output is not None:
        check_table_output(options.output)
        refuse_input(options.output, (options.commands, options.level))
    script = read_script(options.commands)
    if options.technique is None and options.mended:
        raise UserError("--mended needs --technique guide")
    level = load_ready_level(options.level)
    refuse_input(options.output, level_files(level))
    world = make_world(level) if options.technique is None else _reference_controller_world(level, options)
    result = headless_run.run_walk(world, script, options.ticks)
    if options.output is not None:
        save_table_output(result, options.output)
    status = GOAL_MISSED_STATUS if result.goal == headless_run.GoalOutcome.MISSED else 0
    with standard_output.text_output(options.json):
        for line in summarise_headless_walk(result):
            print(line)
    if options.json:
        from ...reports.documents import sim_fields

        standard_output.print_document("sim", sim_fields(result, level, status, options.output))
    return status


def check_table_output(path: Path) -> None:
    """UserError for an output of a walk that cannot be written as a table, or not there."""
    from ...core.errors import ReportError
    from ...reports.walk_files import check_output

    try:
        check_output(path)
    except ReportError as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise _output_error(path, error) from None


def save_table_output(table: WalkTable, path: Path) -> None:
    """Write a table. UserError where that fails, such as on a full disk."""
    from ...reports.walk_files import save_table

    try:
        save_table(table, path)
    except OSError as error:
        raise _output_error(path, error) from None


def _output_error(path: Path, error: OSError) -> UserError:
    """With the status of wrong input: 1 has another meaning where a walk is compared."""
    return UserError(f"{printable_name(str(error.filename or path))}: {error_reason(error)}")


def _reference_controller_world(level: Level, options: argparse.Namespace) -> World:
    """A world with a published controller in place of the walker; UserError where its name or a defect is unknown."""
    from ..launch.lab_registry import ControllerWorld, create_controller

    try:
        return ControllerWorld(
            level, create_controller(options.technique, level.player, fixed=filter(None, options.mended.split(",")))
        )
    except ValueError as error:
        raise UserError(str(error)) from None
