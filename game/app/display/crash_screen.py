"""The last picture: the window says that the game has stopped, and where its report is, until a key is pressed."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..game import Game

MAX_SECONDS = 120.0  # s that it stays, where nobody is there
FRAME_SECONDS = 1 / 30  # s
PANEL_WIDTH = 820.0  # of the panel: the text names a file


def show_crash_screen(window: Any, game: Game, text: str, seconds: float = MAX_SECONDS) -> bool:
    """Show `text` in the window over an empty picture, until a key, a click, the window's cross or the time; whether
    it could be shown."""
    left: list[bool] = []

    def leave(*_: object) -> bool:
        left.append(True)
        return True

    try:
        from ...render import Camera, Hud, Panel, Snapshot

        window.set_exclusive_mouse(False)
        window.push_handlers(on_key_press=leave, on_mouse_press=leave, on_close=leave)
        renderer = window.drawing.renderer
        if renderer is None:
            return False
        panel = Panel(title="The game crashed", text=text, footer="Press any key to quit", width=PANEL_WIDTH)
        view = Camera((0.0, -1000.0, 0.0), 0.0, -1.2, 60.0, 0.05)
        last = Snapshot(view=view, hud=Hud(crosshair=False, panel=panel))
        end = time.perf_counter() + seconds
        while not left and time.perf_counter() < end:
            window.switch_to()
            window.dispatch_events()
            size = window.get_framebuffer_size()
            if size[0] > 0 and size[1] > 0:
                renderer.render(last, size, target=window.gl.screen)
                window.flip()
            time.sleep(FRAME_SECONDS)
    except Exception:  # it was drawing that failed, perhaps: the sentence is in the terminal as well
        with contextlib.suppress(Exception):
            window.set_exclusive_mouse(False)
        return False
    return True
