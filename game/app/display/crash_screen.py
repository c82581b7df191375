"""Crash screen: the sentence about the crash report in the window, until a key is pressed."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import Any

MAX_SECONDS = 120.0  # s until the screen closes by itself
FRAME_SECONDS = 1 / 30
PANEL_WIDTH = 820.0  # wide enough for the path of the report


def show_crash_screen(window: Any, text: str, seconds: float = MAX_SECONDS) -> bool:
    """Show `text` until a key, a click, the close button or the time limit; False where it cannot be drawn."""
    is_closed = False

    def close(*_: object) -> bool:
        nonlocal is_closed
        is_closed = True
        return True

    try:
        from ...render import Camera, Hud, Panel, Snapshot

        window.set_exclusive_mouse(False)
        window.push_handlers(on_key_press=close, on_mouse_press=close, on_close=close)
        renderer = window.level_renderer.renderer
        if renderer is None:
            return False
        panel = Panel(title="The game crashed", text=text, footer="Press any key to quit", width=PANEL_WIDTH)
        view = Camera((0.0, -1000.0, 0.0), 0.0, -1.2, 60.0, 0.05)
        hud = Hud(crosshair=False, panel=panel)
        settings = getattr(getattr(window, "game", None), "settings", None)
        if settings is not None:
            hud = replace(hud, scale=settings.interface_scale, text=settings.text_size,
                          palette=settings.palette, contrast=settings.high_contrast)  # fmt: skip
        snapshot = Snapshot(view=view, hud=hud)
        end = time.perf_counter() + seconds
        while not is_closed and time.perf_counter() < end:
            window.switch_to()
            window.dispatch_events()
            size = window.get_framebuffer_size()
            if size[0] > 0 and size[1] > 0:
                renderer.render(snapshot, size, target=window.gl.screen)
                window.flip()
            time.sleep(FRAME_SECONDS)
    except Exception:  # the drawing itself may have failed; the sentence is in the terminal as well
        with contextlib.suppress(Exception):
            window.set_exclusive_mouse(False)
        return False
    return True
