"""Contexts without a window, what the driver is, and the GL calls that moderngl does not offer."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from typing import Any

import moderngl

from ...core.errors import WalkerError

LOWER_LEFT, ZERO_TO_ONE, MINUS_ONE_TO_ONE = 0x8CA1, 0x935F, 0x935E  # of ARB_clip_control
RENDERBUFFER, DEPTH_COMPONENT32F = 0x8D41, 0x8CAC


class ContextError(WalkerError, RuntimeError):
    """No OpenGL 3.3 context could be had; the text says what to install."""


def offscreen_context() -> Any:
    """A moderngl context without a window: EGL on Linux, the system's own elsewhere.

    Raises ContextError with the package to install where a library is missing.
    """
    settings: dict[str, Any] = {"standalone": True, "require": 330}
    try:
        if sys.platform.startswith("linux"):
            settings["backend"] = "egl"
        return moderngl.create_context(**settings)
    except Exception as error:
        raise ContextError(f"{describe_missing_library()} ({error})") from error


def draw_culling_closed(ctx: Any, array: Any, closed: int) -> None:
    """Draw the triangles of a vertex array: the first `closed` vertices from their front, the rest from both sides."""
    ctx.front_face, ctx.cull_face = "ccw", "back"
    if closed:
        ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        array.render(moderngl.TRIANGLES, vertices=closed)
    ctx.enable_only(moderngl.DEPTH_TEST)
    if array.vertices > closed:
        array.render(moderngl.TRIANGLES, first=closed, vertices=array.vertices - closed)


def describe_missing_library() -> str:
    """One sentence: what this machine lacks for a picture without a window, and the cure."""
    if not sys.platform.startswith("linux"):
        return "no OpenGL 3.3 without a window here: update the graphics driver"
    if ctypes.util.find_library("EGL") is None:
        return "libEGL is missing: install the package libegl1"
    if ctypes.util.find_library("GL") is None:
        return "libGL is missing: install the package libgl1"
    return "no OpenGL 3.3 driver answers through EGL: install the package libgl1-mesa-dri"


def unbind_framebuffer(ctx: Any) -> None:
    """Bind the default framebuffer. To be done before a framebuffer is released: moderngl binds the last one
    again after it has made another, and a released one would be an error then."""
    (ctx.screen or ctx.detect_framebuffer(0)).use()


class ReversedDepth:
    """Depth from 0 to 1 in clip space and kept in a float, where the driver can (OpenGL 4.5 or ARB_clip_control).

    moderngl offers neither call, so they are asked from the driver. False where they cannot be had (macOS);
    there the shaders write a logarithmic depth instead. `allowed=False` tries that path anywhere.
    """

    def __init__(self, ctx: Any, allowed: bool = True) -> None:
        self._clip: Any = None
        self._bind: Any = None
        self._storage: Any = None
        if not allowed or (ctx.version_code < 450 and "GL_ARB_clip_control" not in ctx.extensions):
            return
        unsigned, signed = ctypes.c_uint, ctypes.c_int
        convention: Any = getattr(ctypes, "WINFUNCTYPE" if sys.platform == "win32" else "CFUNCTYPE")

        def call(name: str, *arguments: Any) -> Any:
            return convention(None, *arguments)(ctx.mglo._context.load_opengl_function(name))

        try:
            self._bind = call("glBindRenderbuffer", unsigned, unsigned)
            self._storage = call("glRenderbufferStorageMultisample", unsigned, signed, unsigned, signed, signed)
            self._clip = call("glClipControl", unsigned, unsigned)
        except (AttributeError, TypeError, ValueError):
            self._clip = None

    def __bool__(self) -> bool:
        return self._clip is not None

    def depth_buffer(self, ctx: Any, size: tuple[int, int], samples: int) -> Any:
        """A depth renderbuffer, of 32-bit floats where reversed depth is had."""
        buffer = ctx.depth_renderbuffer(size, samples=samples)
        if self._clip is not None:
            self._bind(RENDERBUFFER, buffer.glo)
            self._storage(RENDERBUFFER, samples, DEPTH_COMPONENT32F, *size)
        return buffer

    def begin(self) -> None:
        if self._clip is not None:
            self._clip(LOWER_LEFT, ZERO_TO_ONE)

    def end(self) -> None:
        if self._clip is not None:
            self._clip(LOWER_LEFT, MINUS_ONE_TO_ONE)
