"""OpenGL contexts without a window, what moderngl does not wrap, and the release and reading of resources."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import sys
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from ...core.errors import WalkerError

# Contexts without a window


class ContextError(WalkerError, RuntimeError):
    """No OpenGL 3.3 context is available. The message names the package to install."""


def offscreen_context() -> Any:
    """Off-screen moderngl context: EGL on Linux, the native API elsewhere.

    Raises ContextError, which names the package to install if a library is missing.
    """
    settings: dict[str, Any] = {"standalone": True, "require": 330}
    try:
        if sys.platform.startswith("linux"):
            settings["backend"] = "egl"
        return moderngl.create_context(**settings)
    except Exception as error:
        raise ContextError(f"{describe_missing_library()} ({error})") from error


def describe_missing_library() -> str:
    """Sentence that names the missing library or driver for off-screen rendering and the package to install."""
    if not sys.platform.startswith("linux"):
        return "no OpenGL 3.3 without a window here: update the graphics driver"
    if ctypes.util.find_library("EGL") is None:
        return "libEGL is missing: install the package libegl1"
    if ctypes.util.find_library("GL") is None:
        return "libGL is missing: install the package libgl1"
    return "no OpenGL 3.3 driver answers through EGL: install the package libgl1-mesa-dri"


def leave_offscreen_context() -> None:
    """Leave this thread without a current off-screen context: beside one, that of a window does not become current."""
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError):  # no EGL
        egl = ctypes.CDLL("libEGL.so.1")
        egl.eglGetCurrentDisplay.restype = ctypes.c_void_p
        display = egl.eglGetCurrentDisplay()
        if display:
            egl.eglMakeCurrent(ctypes.c_void_p(display), None, None, None)


# Functions that moderngl does not wrap


def load_function(ctx: Any, name: str, *arguments: Any) -> Any:
    """An OpenGL function that moderngl does not wrap, by the types of its arguments. It returns nothing."""
    calling_convention: Any = getattr(ctypes, "WINFUNCTYPE" if sys.platform == "win32" else "CFUNCTYPE")
    return calling_convention(None, *arguments)(ctx.mglo._context.load_opengl_function(name))


LOWER_LEFT, ZERO_TO_ONE, MINUS_ONE_TO_ONE = 0x8CA1, 0x935F, 0x935E  # of ARB_clip_control
RENDERBUFFER = 0x8D41
DEPTH_COMPONENT32F = 0x8CAC


class ReversedDepth:
    """Reversed depth: clip-space depth 0..1 in a float buffer, where the driver has OpenGL 4.5 or ARB_clip_control.

    moderngl wraps neither call, so the entry points are loaded from the driver. False where they are missing (macOS) or
    with `allowed=False`; the shaders then write a logarithmic depth.
    """

    def __init__(self, ctx: Any, allowed: bool = True) -> None:
        self._clip: Any = None
        self._bind: Any = None
        self._storage: Any = None
        if not allowed or (ctx.version_code < 450 and "GL_ARB_clip_control" not in ctx.extensions):
            return
        unsigned, signed = ctypes.c_uint, ctypes.c_int
        try:
            self._bind = load_function(ctx, "glBindRenderbuffer", unsigned, unsigned)
            self._storage = load_function(
                ctx, "glRenderbufferStorageMultisample", unsigned, signed, unsigned, signed, signed
            )
            self._clip = load_function(ctx, "glClipControl", unsigned, unsigned)
        except (AttributeError, TypeError, ValueError):
            self._clip = None

    def __bool__(self) -> bool:
        return self._clip is not None

    def depth_buffer(self, ctx: Any, size: tuple[int, int], samples: int) -> Any:
        """Depth renderbuffer; 32-bit float with reversed depth."""
        buffer = ctx.depth_renderbuffer(size, samples=samples)
        if self._clip is not None:
            self._bind(RENDERBUFFER, buffer.glo)
            self._storage(RENDERBUFFER, samples, DEPTH_COMPONENT32F, *size)
        return buffer

    def begin(self) -> None:
        """Set the clip-space depth range to 0..1."""
        if self._clip is not None:
            self._clip(LOWER_LEFT, ZERO_TO_ONE)

    def end(self) -> None:
        """Restore the clip-space depth range -1..1."""
        if self._clip is not None:
            self._clip(LOWER_LEFT, MINUS_ONE_TO_ONE)


# Resources


def release_resources(*resources: Any) -> None:
    """Release GL resources and passes; None is skipped."""
    for resource in resources:
        if resource is not None:
            resource.release()


def unbind_framebuffer(ctx: Any) -> None:
    """Bind the default framebuffer. Required before a framebuffer is released.

    moderngl rebinds the last framebuffer whenever it creates another one, and a released one raises an error.
    """
    (ctx.screen or ctx.detect_framebuffer(0)).use()


def read_image(framebuffer: Any) -> npt.NDArray[np.uint8]:
    """Colours of a framebuffer as (height, width, 3) bytes, top row first."""
    width, height = framebuffer.size
    pixels = np.frombuffer(framebuffer.read(components=3, alignment=1), np.uint8).reshape(height, width, 3)
    return np.ascontiguousarray(pixels[::-1])
