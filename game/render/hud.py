"""Draws a HUD's layout: every box and letter is one instance of a quad, all in one draw call."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from .atlas import Atlas
from .hud_layout import Box, Layout, Rgba, lay_out
from .programs import Programs, put
from .snapshot import Hud

# place and size in pixels; letter: place in the atlas, box: radius; colour
ROW = np.dtype([("rect", "f4", 4), ("more", "f4", 2), ("colour", "u1", 4), ("kind", "u1", 4)])
LAYOUT = "4f 2f 4f1 4f1 /i"
Placed = tuple[tuple[float, float, float, float], tuple[float, float], tuple[int, ...], tuple[int, ...]]
BOX, LETTER = (0, 0, 0, 0), (255, 0, 0, 0)


def shade(colour: Rgba) -> tuple[int, ...]:
    return tuple(round(255 * part) for part in colour)


class DrawnHud:
    def __init__(self, ctx: Any, programs: Programs) -> None:
        self.ctx = ctx
        self.programs = programs
        self.atlas = Atlas(ctx)
        self._buffer = ctx.buffer(reserve=ROW.itemsize * 2048)
        self._array: Any = None
        self._shown: tuple[Hud, tuple[int, int]] | None = None
        self._count = 0

    def rebuild(self) -> None:
        if self._array is not None:
            self._array.release()
        self._array = None

    def draw(self, hud: Hud, size: tuple[int, int]) -> None:
        """Draw over the bound framebuffer of `size` pixels."""
        if self._shown is None or self._shown[1] != size or self._shown[0] != hud:
            self._fill(lay_out(hud, size))
            self._shown = (hud, size)
        if not self._count:
            return
        program = self.programs.get("hud.vert.glsl", "hud.frag.glsl")
        if self._array is None:
            self._array = self.ctx.vertex_array(
                program, [(self._buffer, LAYOUT, "in_rect", "in_more", "in_colour", "in_kind")]
            )
        put(program, letters=0, size=(float(size[0]), float(size[1])))
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        self.atlas.texture.use(0)
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self._count)

    def _fill(self, layout: Layout) -> None:
        """Bring the layout into the buffer; once more when the atlas had to start anew in the middle of it."""
        for _ in range(2):
            generation = self.atlas.generation
            rows = self._rows(layout)
            if self.atlas.generation == generation:
                break
        data = np.array(rows, dtype=ROW).tobytes()
        if len(data) > self._buffer.size:
            self._buffer.orphan(2 * len(data))
        if data:
            self._buffer.write(data)
        self._count = len(rows)

    def _rows(self, layout: Layout) -> list[Placed]:
        rows: list[Placed] = []
        glyph = self.atlas.glyph
        for item in layout.items:
            colour = shade(item.colour)
            if isinstance(item, Box):
                rows.append(((item.x, item.y, item.width, item.height), (item.radius, 0.0), colour, BOX))
                continue
            x, y, size = item.x, item.y, item.size
            for char in item.text:
                letter = glyph(char, size)
                if char != " ":
                    place = (round(x) + letter.left, y + letter.top, letter.width, letter.height)
                    rows.append((place, (letter.u, letter.v), colour, LETTER))
                x += letter.advance
        return rows

    def release(self) -> None:
        self.rebuild()
        self._buffer.release()
        self.atlas.release()
