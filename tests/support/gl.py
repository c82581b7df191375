"""A context to draw with, for tests; and the one reason for which a test may do without."""

from __future__ import annotations

import ctypes.util
import sys
from typing import Any

import pytest

from game.render import ContextError, offscreen_context


def context() -> Any:
    """A real context. Only a machine without a GL library may skip; a broken one fails."""
    try:
        return offscreen_context()
    except ContextError as error:
        if sys.platform.startswith("linux") and ctypes.util.find_library("EGL") is None:
            pytest.skip(f"no GL library here: {error}")
        raise
