"""What a window shows of itself: its icon, and a picture with a sentence while the game is still opening."""

from __future__ import annotations

import contextlib
from typing import Any

import game

SIZES = (16, 32, 48, 64, 128, 256)  # of assets/icon/walker-SIZE.png
VERTEX = """#version 330 core
out vec2 at;
uniform vec2 part;  // of the window that the picture takes
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    at = vec2(corner.x, 1.0 - corner.y);
    gl_Position = vec4((corner * 2.0 - 1.0) * part, 0.0, 1.0);
}
"""
FRAGMENT = """#version 330 core
in vec2 at;
out vec4 colour;
uniform sampler2D picture;
void main() { colour = texture(picture, at); }
"""


def set_icon(window: Any) -> None:
    """Give the window its icon; nothing where that cannot be."""
    from pyglet import image

    folder = game.shipped("assets") / "icon"
    with contextlib.suppress(Exception):  # an icon is worth no trouble
        window.set_icon(*(image.load(str(folder / f"walker-{size}.png")) for size in SIZES))


def show(ctx: Any, size: tuple[int, int]) -> bool:
    """Draw the opening picture into the context's screen, in the middle of `size` pixels; whether it could be."""
    import moderngl
    import numpy as np
    from PIL import Image

    if size[0] < 1 or size[1] < 1:
        return False
    try:
        with Image.open(game.shipped("assets") / "icon" / "opening.png") as file:
            picture = file.convert("RGB")
    except OSError:
        return False
    pixels = np.asarray(picture)
    edge = pixels[[0, -1]].mean(axis=(0, 1)) / 255.0
    scale = min(size[0] / picture.width, size[1] / picture.height)
    part = (picture.width * scale / size[0], picture.height * scale / size[1])
    screen = ctx.screen
    screen.use()
    ctx.viewport = (0, 0, *size)
    screen.clear(*edge)
    ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE | moderngl.BLEND)
    texture = ctx.texture(picture.size, 3, pixels.tobytes(), alignment=1)
    program = ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    corners = ctx.vertex_array(program, [])
    texture.use(0)
    program["part"].value = part
    corners.render(moderngl.TRIANGLE_STRIP, vertices=4)
    for made in (corners, program, texture):
        made.release()
    return True
