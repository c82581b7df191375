"""`record`: simulate a commands file in a level and save commands and states as a replay file."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..launch.level_lookup import UserError
from ..launch.world_setup import load_ready_level, make_world, read_script
from .argument_types import GOAL_MISSED_STATUS, GOAL_STATUS_HELP, add_output_option, add_script_arguments

SUMMARY = "simulate like sim and save a replay file"
HELP = f"""\
Simulate a commands file in a level, like `sim`, and save the commands and the state of every tick in a
replay file (format: docs/replays.md). An existing file is never overwritten. In the game, F5 records.

{GOAL_STATUS_HELP}"""


def add_options(parser: argparse.ArgumentParser) -> None:
    add_script_arguments(parser)
    add_output_option(parser, "replay file to write", required=True)


def run(options: argparse.Namespace) -> int:
    """Simulate, write the replay file, print the summary; the exit status."""
    from ...core import atomic_files
    from ...sim import Recorder, headless_run
    from .walk_summary import summarise_headless_walk

    output: Path = options.output
    if output.exists():
        raise UserError(f"{output}: the file exists already and is not overwritten; choose another name")
    script = read_script(options.commands)
    world = make_world(load_ready_level(options.level))
    data = bytearray()
    recorder = Recorder(world, data.extend)
    result = headless_run.run_walk(world, script, options.ticks, recorder=recorder)
    recorder.close("the commands' end")
    atomic_files.write_atomic(output, bytes(data))
    for line in summarise_headless_walk(result):
        print(line)
    return GOAL_MISSED_STATUS if result.goal == headless_run.GoalOutcome.MISSED else 0
