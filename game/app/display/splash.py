"""What a window shows of itself: its icon, and a picture with a sentence while the game is still opening."""

from __future__ import annotations

import contextlib
from typing import Any

import game

ICON_SIZES = (16, 32, 48, 64)  # of those in assets/icon that a window is given: larger ones take long to hand over


def set_icon(window: Any) -> None:
    """Give the window its icon; nothing where that cannot be."""
    import numpy as np
    from PIL import Image
    from pyglet.image import ImageData

    icons = []
    with contextlib.suppress(Exception):  # an icon is worth no trouble
        for size in ICON_SIZES:
            with Image.open(game.shipped("assets") / "icon" / f"walker-{size}.png") as file:
                pixels = np.asarray(file.convert("RGBA"))[..., [2, 1, 0, 3]]
            icons.append(ImageData(size, size, "BGRA", pixels.tobytes(), -4 * size))
        window.set_icon(*icons)


def draw_splash(ctx: Any, size: tuple[int, int]) -> bool:
    """Draw the opening picture into the context's screen, in the middle of `size` pixels; whether it could be."""
    import numpy as np
    from PIL import Image

    if size[0] < 1 or size[1] < 1:
        return False
    try:
        with Image.open(game.shipped("assets") / "icon" / "opening.png") as file:
            picture = file.convert("RGB")
    except OSError:
        return False
    scale = min(size[0] / picture.width, size[1] / picture.height)
    fitted = round(picture.width * scale), round(picture.height * scale)
    edge = np.asarray(picture)[[0, -1]].mean(axis=(0, 1))
    whole = Image.new("RGBA", size, tuple(round(float(part)) for part in edge))
    if fitted != picture.size:
        picture = picture.resize(fitted, Image.Resampling.BILINEAR)
    whole.paste(picture, ((size[0] - fitted[0]) // 2, (size[1] - fitted[1]) // 2))
    pixels = np.asarray(whole)[::-1]  # rows go upwards there
    texture = ctx.texture(size, 4, np.ascontiguousarray(pixels).tobytes())
    source = ctx.framebuffer([texture])
    ctx.copy_framebuffer(ctx.screen, source)  # needs no shader to be compiled
    source.release()
    texture.release()
    return True
