"""`run_play`: into the window where there is a display, else the same level without one."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from typing import TYPE_CHECKING

from ..launch import kernel_compilation, level_lookup
from ..launch.level_lookup import UserError
from ..launch.world_setup import print_status

if TYPE_CHECKING:
    from ...level import Level

DEFAULT_LEVEL = "demo"


def missing_display_reason() -> str | None:
    """What this machine lacks for a window, as half a sentence; None where there may be one."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        return "DISPLAY is not set (on Wayland a window needs Xwayland)"
    return None


def last_played_level() -> tuple[Level, str]:
    """The level that Continue goes on with, and its spawn: the one played last, or the demo."""
    from ..runs import progress

    known = progress.last_played()
    if known is not None:
        try:
            level = level_lookup.load_level(str(known[0]))
        except UserError:
            pass  # its author is at work on it; the list of levels says what is wrong
        else:
            spawns = [spawn.name for spawn in level.spawns]
            return level, known[1] if known[1] in spawns else ""
    return level_lookup.load_level(DEFAULT_LEVEL), ""


def run_play(options: argparse.Namespace) -> int:
    """Play a level; the exit status."""
    began = time.perf_counter()
    level, options.spawn = (
        last_played_level() if options.level is None else (level_lookup.load_level(options.level), "")
    )
    problem = kernel_compilation.ensure_cache_folder()
    if problem:
        print_status(problem)
    why = missing_display_reason()
    preparation = kernel_compilation.KernelCompilation(whole=why is None)
    try:
        if why is None:
            gc.disable()  # what is made until the first frame stays, and would be gone through a dozen times
            from ..startup import NoWindowError, play_in_window

            try:
                return play_in_window(level, options, preparation, began)
            except NoWindowError as error:
                why = str(error)
            finally:
                gc.enable()
        from . import play_headless

        return play_headless.play_headless(level, options, preparation, why)
    finally:
        preparation.stop()
