"""`sim`: simulate a commands file in a level without a window, and optionally write one row per tick."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..launch.level_lookup import UserError
from ..launch.world_setup import make_world, read_script
from .frame import (
    GOAL_MISSED_STATUS,
    GOAL_STATUS_HELP,
    TABLE_SUFFIXES,
    Result,
    add_json,
    add_need,
    add_output,
    add_script,
    load_input_level,
)

if TYPE_CHECKING:
    from ...level import Level
    from ...sim import World
    from ...sim.headless_run import WalkResult

SUMMARY = "simulate a commands file in a level, without a window"
HELP = f"""\
Simulate the commands of a file (format: docs/commands.md) in a level, without a window, and print the
result. After the last line of the file the player stands still.

-o writes one row per tick; the format follows from the file name:
  .npz    NumPy arrays position (T,3), velocity (T,3), heading (T,), grounded (T,), tick (T,)
  .csv    the same as a table
  .jsonl  the same, one JSON object per line
Units: metres, metres per second; headings: 65536 per turn, counter-clockwise from north (-Z).

{GOAL_STATUS_HELP}"""


def add_options(parser: argparse.ArgumentParser) -> None:
    add_script(parser)
    add_output(parser, "write one row per tick: .npz, .csv or .jsonl", TABLE_SUFFIXES)
    add_json(parser)
    parser.add_argument(
        "--technique",
        metavar="NAME",
        help="use a published method instead (docs/lab.md): guide, article, sliding, probes, repair, mended; "
        "or walker, the game's own",
    )
    parser.add_argument(
        "--mended",
        metavar="DEFECTS",
        help="with --technique guide: the defects to fix, such as turn,inside,margin,slide,single",
    )
    add_need(parser, "--mended", "--technique")


def run(options: argparse.Namespace) -> Result:
    """Simulate, and write the rows."""
    from ...reports.documents import sim_fields
    from ...sim import headless_run

    script = read_script(options.commands)
    level = load_input_level(options, options.level)
    world = make_world(level) if options.technique is None else _reference_controller_world(level, options)
    result = headless_run.run_walk(world, script, options.ticks)
    if options.output is not None:
        headless_run.save_walk(result, options.output)
    return Result(goal_status(result), walk_lines(result), lambda: sim_fields(result, level, options.output))


def _reference_controller_world(level: Level, options: argparse.Namespace) -> World:
    """A world with a published controller in place of the walker; UserError where its name or a defect is unknown."""
    from ..launch.lab_registry import ControllerWorld, create_controller

    fixed = filter(None, (options.mended or "").split(","))
    try:
        return ControllerWorld(level, create_controller(options.technique, level.player, fixed=fixed))
    except ValueError as error:
        raise UserError(str(error)) from None


def goal_status(result: WalkResult) -> int:
    """Exit status of a walk."""
    return GOAL_MISSED_STATUS if result.goal.name == "MISSED" else 0


def walk_lines(result: WalkResult) -> list[str]:
    """Ticks, distance, ground contact, end, falls, targets and hash of a walk; the last line is the goal's."""
    from ...core.angles import DEGREES_PER_HEADING_UNIT
    from ...sim.events import TargetReached

    count = len(result.tick)
    lines = [f"ticks: {count} ({count / result.ticks_per_second:.2f} s)"]
    if count:
        horizontal, up, down = result.distances
        lines.append(
            f"distance: {horizontal:.2f} m horizontally, {up:.2f} m up, {down:.2f} m down; "
            f"fastest {result.top_speed:.2f} m/s"
        )
        lines.append(f"ground: {100 * float(result.grounded.mean()):.0f} % of the ticks")
    x, y, z = result.feet[-1] if count else result.start
    degrees = (int(result.heading[-1]) if count else result.start_heading) * DEGREES_PER_HEADING_UNIT
    lines.append(f"end: feet at ({x:.3f}, {y:.3f}, {z:.3f}), body facing {degrees:.1f} degrees")
    if result.falls:
        lines.append(f"falls below the level: {result.falls}")
    if result.target_count:
        ticks = [event.tick for event in result.events if isinstance(event, TargetReached)]
        last = f", the last at tick {ticks[-1]}" if ticks else ""
        lines.append(f"targets: {result.targets_reached} of {result.target_count} reached{last}")
    goal = f"reached at tick {result.goal_tick}" if result.goal.name == "REACHED" else result.goal.name.lower()
    return [*lines, f"hash: {result.hash}", f"goal: {goal}"]
