"""`play`: open the window; without a display, simulate the commands file of the level instead."""

from __future__ import annotations

import argparse
import gc
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ...launch import kernel_compilation, level_lookup
from ...launch.display_check import missing_display_reason
from ...launch.level_lookup import UserError
from ...launch.world_setup import prepare_cache_folder
from ..frame import LEVEL_HELP, QUALITIES, Result, add_level, add_output, add_size, refuse_inputs

if TYPE_CHECKING:
    from ....level import Level
    from ...runs.library.run_library import RunEntry

DEFAULT_LEVEL = "demo"

SUMMARY = "play a level, or open the main menu"
HELP = """\
Play a level in a window. W A S D or the arrow keys move, the mouse looks around, Space jumps, Ctrl or C
crouches, Shift sprints. Esc: pause, R: restart level, F1: help, F3: debug info, F11: full screen,
F12: screenshot.

Without a display, the commands file of the level is simulated instead, and a report and a picture are
written to the folder `out`."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `play`."""
    add_level(parser, f"{LEVEL_HELP}; without it the main menu opens", nargs="?")
    add_size(parser, "window size, such as 1280x720")
    parser.add_argument("--quality", choices=QUALITIES, help="graphics quality for this session only")
    parser.add_argument("--ghost", type=Path, metavar="FILE", help="a run of this level to race against")
    add_output(parser, "write the final state of the player to FILE, as JSON", option="--report")


def run(options: argparse.Namespace) -> Result:
    """Play a level."""
    began = time.perf_counter()
    if options.level is None:
        level, options.spawn = last_played_level()
    else:
        level = level_lookup.load_level(options.level)
        options.spawn = ""
    refuse_inputs(options, level_lookup.level_files(level))
    options.ghost_run = None if options.ghost is None else ghost_run(options.ghost, level)
    if options.ghost_run is not None:
        options.spawn = options.ghost_run.spawn
    prepare_cache_folder()
    reason = missing_display_reason()
    if reason is None:
        compilation = kernel_compilation.KernelCompilation(complete=True)
        from ...startup import NoWindowError, play_in_window

        gc.disable()  # objects made before the first frame stay; each collection would scan them again
        try:
            return Result(play_in_window(level, options, compilation, began))
        except NoWindowError as error:
            reason = str(error)
        finally:
            compilation.stop()
            gc.enable()
    from . import headless

    return Result(headless.play_headless(level, options, reason))


def ghost_run(file: Path, level: Level) -> RunEntry:
    """The run of a file. UserError where it is no run of this level as it is now, or the level has no end."""
    from ....core.user_folders import has_level_suffix
    from ....sim.trial import LevelEnd, level_end
    from ...runs import progress
    from ...runs.library import run_library

    shown = level_lookup.printable_name(str(file))
    if has_level_suffix(file):
        raise UserError(f"{shown} is a level, not a run")
    entry = run_library.named_run(file)
    if level_end(level) == LevelEnd.NONE:
        raise UserError(f"{level.name} has no end to race to; `replay FILE --show` shows the run")
    if entry.level_hash == progress.cached_level_hash(level) and not entry.is_earlier_version:
        return entry
    name = level_lookup.printable_name(entry.level)
    is_earlier = entry.is_earlier_version or entry.level_file == progress.file_key(level.path)
    other = f"an earlier version of {name}" if is_earlier else f"{name}, not of {level.name}"
    raise UserError(f"{shown} is a run of {other}; `replay FILE --show` shows it")


def last_played_level() -> tuple[Level, str]:
    """The level and the spawn of `Continue`: those played last, or the demo level."""
    from ...runs import progress

    last = progress.last_played()
    if last is not None:
        try:
            level = level_lookup.load_level(str(last[0]))
        except UserError:
            pass  # the file has errors at the moment; the list of levels shows them
        else:
            spawns = [spawn.name for spawn in level.spawns]
            return level, last[1] if last[1] in spawns else ""
    return level_lookup.load_level(DEFAULT_LEVEL), ""
