"""The window of `render_mode="human"`: it shows pictures at the speed of the world, pauses, and goes on by one."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pyglet
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray


class Viewer:
    """A window. Space pauses and goes on, the full stop shows the next picture, Escape ends the pause."""

    def __init__(self, width: int, height: int, rate: float) -> None:
        """rate: pictures a second. DependencyNotInstalled where there is no display."""
        try:
            self._window: Any = pyglet.window.Window(width, height, caption="Ellipsoid walker", vsync=False)
        except Exception as error:  # each system has its own
            raise DependencyNotInstalled(f'render_mode="human" needs a display: {error}; use "rgb_array"') from error
        self._window.push_handlers(on_key_press=self._press, on_close=self._leave)
        self._rate = rate
        self._is_paused = self._steps = self._is_left = False

    def _press(self, symbol: int, modifiers: int) -> bool:
        key = pyglet.window.key
        if symbol == key.SPACE:
            self._is_paused = not self._is_paused
        elif symbol == key.PERIOD:
            self._is_paused = self._steps = True
        elif symbol == key.ESCAPE:
            self._leave()
        return True

    def _leave(self) -> bool:
        """Pictures go on without the window."""
        self._is_left, self._is_paused = True, False
        self._window.set_visible(False)
        return True

    def show(self, image: NDArray[np.uint8]) -> None:
        """Show a picture (height, width, 3); returns when it is time for the next one, and never while paused."""
        if self._is_left:
            return
        height, width, _ = image.shape
        data = pyglet.image.ImageData(width, height, "RGB", np.ascontiguousarray(image).tobytes(), -3 * width)
        self._steps = False
        while True:
            self._window.switch_to()
            self._window.dispatch_events()
            data.blit(0, 0)
            self._window.flip()
            pyglet.clock.get_default().sleep(1e6 / self._rate)
            if not self._is_paused or self._steps:  # keys change them
                break
        _leave_context(self._window.context)

    def close(self) -> None:
        self._window.switch_to()
        context = self._window.context
        self._window.close()
        _leave_context(context)


def _leave_context(context: Any) -> None:
    """Leave this thread without a window's context: GLX does not see that EGL has made another one current."""
    if sys.platform.startswith("linux"):
        from pyglet.gl import glx

        glx.glXMakeContextCurrent(context.x_display, 0, 0, None)
