"""Window icon and splash picture."""

from __future__ import annotations

import contextlib
from typing import Any

from ... import shipped

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
