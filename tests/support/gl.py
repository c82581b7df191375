"""GL context for tests, and the only reason to skip one."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections import Counter
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


KINDS = ("Buffer", "Texture", "Framebuffer", "Renderbuffer", "VertexArray", "Program")
MAX_NAME = 4096  # names are given from 1 on, and again once they are free


def count_objects(ctx: Any) -> Counter[str]:
    """Number of the OpenGL objects of a context that is current, by kind, as the driver knows them."""
    found: Counter[str] = Counter()
    for kind in KINDS:
        address = ctx.mglo._context.load_opengl_function(f"glIs{kind}")
        exists = ctypes.CFUNCTYPE(ctypes.c_ubyte, ctypes.c_uint)(address)
        found[kind] = sum(exists(name) for name in range(1, MAX_NAME))
    return found
