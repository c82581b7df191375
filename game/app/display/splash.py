"""Window icon, splash picture, and the screen after a crash: what a window shows without a game."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import Any

from ... import shipped

CRASH_SCREEN_SECONDS = 120.0  # s until the screen closes by itself
CRASH_FRAME_SECONDS = 1 / 30
PANEL_WIDTH = 820.0  # wide enough for the path of the report
ICON_SIZES = (16, 32, 48, 64)  # pixels; larger icons of assets/icon take long to upload


def set_icon(window: Any) -> None:
    """Set the icon of the window, if that is possible."""
    import numpy as np
    from PIL import Image
    from pyglet.image import ImageData

    icons = []
    with contextlib.suppress(Exception):  # a missing icon must not stop the game
        for size in ICON_SIZES:
            with Image.open(shipped("assets") / "icon" / f"walker-{size}.png") as file:
                pixels = np.asarray(file.convert("RGBA"))[..., [2, 1, 0, 3]]
            icons.append(ImageData(size, size, "BGRA", pixels.tobytes(), -4 * size))
        window.set_icon(*icons)


def draw_splash(ctx: Any, size: tuple[int, int]) -> bool:
    """Draw the splash picture into the centre of the screen of `size` pixels; False where it cannot be read."""
    import numpy as np
    from PIL import Image

    if size[0] < 1 or size[1] < 1:
        return False
    try:
        with Image.open(shipped("assets") / "icon" / "opening.png") as file:
            picture = file.convert("RGB")
    except OSError:
        return False
    scale = min(size[0] / picture.width, size[1] / picture.height)
    fitted = round(picture.width * scale), round(picture.height * scale)
    edge = np.asarray(picture)[[0, -1]].mean(axis=(0, 1))
    canvas = Image.new("RGBA", size, tuple(round(float(channel)) for channel in edge))
    if fitted != picture.size:
        picture = picture.resize(fitted, Image.Resampling.BILINEAR)
    canvas.paste(picture, ((size[0] - fitted[0]) // 2, (size[1] - fitted[1]) // 2))
    pixels = np.asarray(canvas)[::-1]  # OpenGL rows go upwards
    texture = ctx.texture(size, 4, np.ascontiguousarray(pixels).tobytes())
    source = ctx.framebuffer([texture])
    ctx.copy_framebuffer(ctx.screen, source)  # a copy needs no shader
    source.release()
    texture.release()
    return True


def show_crash_screen(window: Any, text: str) -> bool:
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
        end = time.perf_counter() + CRASH_SCREEN_SECONDS
        while not is_closed and time.perf_counter() < end:
            window.switch_to()
            window.dispatch_events()
            size = window.get_framebuffer_size()
            if size[0] > 0 and size[1] > 0:
                renderer.render(snapshot, size, target=window.gl.screen)
                window.flip()
            time.sleep(CRASH_FRAME_SECONDS)
    except Exception:  # the drawing itself may have failed; the sentence is in the terminal as well
        with contextlib.suppress(Exception):
            window.set_exclusive_mouse(False)
        return False
    return True
