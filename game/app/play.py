"""`play`: into the window where there is a display, else the same level without one."""

from __future__ import annotations

import argparse
import os
import sys
import time

from game.app import levels, preparing
from game.app.verbs import tell

DEFAULT_LEVEL = "demo"


def missing_display() -> str | None:
    """What this machine lacks for a window, as half a sentence; None where there may be one."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return "neither DISPLAY nor WAYLAND_DISPLAY is set"
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        return "DISPLAY is not set (on Wayland the window needs Xwayland)"
    return None


def play(options: argparse.Namespace) -> int:
    """Play a level; the exit status."""
    began = time.perf_counter()
    level = levels.load(DEFAULT_LEVEL if options.level is None else options.level)
    problem = preparing.secure_cache()
    if problem:
        tell(problem)
    why = missing_display()
    preparation = preparing.Preparation(whole=why is None)
    try:
        if why is None:
            from game.app.opening import NoWindowError, play_in_window

            try:
                return play_in_window(level, options, preparation, began)
            except NoWindowError as error:
                why = str(error)
        from game.app import headless

        return headless.play(level, options, preparation, why)
    finally:
        preparation.stop()
