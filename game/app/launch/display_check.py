"""Check for a display before a window library is imported."""

from __future__ import annotations

import os
import sys


def missing_display_reason() -> str | None:
    """Half a sentence about the display that a window needs and this machine lacks; None where there may be one."""
    if not sys.platform.startswith("linux") or os.environ.get("DISPLAY"):
        return None
    if os.environ.get("WAYLAND_DISPLAY"):
        return "DISPLAY is not set (on Wayland a window needs Xwayland)"
    return "neither DISPLAY nor WAYLAND_DISPLAY is set"
