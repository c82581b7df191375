"""GL context for tests, and the only reason to skip one."""

from __future__ import annotations

import ctypes.util
import sys
from typing import Any

import pytest

from game.render import ContextError, offscreen_context


def context() -> Any:
    """Off-screen context. Skips only on a machine without a GL library; a broken library fails."""
    try:
        return offscreen_context()
    except ContextError as error:
        if sys.platform.startswith("linux") and ctypes.util.find_library("EGL") is None:
            pytest.skip(f"no GL library here: {error}")
        raise
