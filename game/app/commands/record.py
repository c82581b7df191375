"""`record`: simulate a commands file in a level and save commands and states as a replay file."""

from __future__ import annotations

import argparse

from ...core.file_reading import REPLAY_SUFFIX
from ..launch.world_setup import make_world, read_script
from .frame import GOAL_STATUS_HELP, Result, add_output, add_script, load_input_level
from .sim import goal_status, walk_lines

SUMMARY = "simulate like sim and save a replay file"
HELP = f"""\
Simulate a commands file in a level, like `sim`, and save the commands and the state of every tick in a
replay file (format: docs/replays.md). An existing file is never overwritten. In the game, F5 records.

{GOAL_STATUS_HELP}"""


def add_options(parser: argparse.ArgumentParser) -> None:
    add_script(parser)
    add_output(parser, "replay file to write, a .replay", (REPLAY_SUFFIX,), required=True, is_new=True)


def run(options: argparse.Namespace) -> Result:
    """Simulate, and write the replay file."""
    from ...sim import History, headless_run

    script = read_script(options.commands)
    history = History(make_world(load_input_level(options, options.level)))
    result = headless_run.run_walk(history.world, script, options.ticks, history)
    history.save(options.output, reason="the commands' end")
    return Result(goal_status(result), walk_lines(result))
