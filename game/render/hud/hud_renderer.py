"""Draws a HUD's layout: every box and letter is one instance of a quad, all in one draw call."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np

from ..gl.programs import Programs, put
from ..snapshot import Hud
from .glyph_atlas import Atlas
from .image_atlas import Pictures
from .layout import lay_out
from .palette import Rgba
from .primitives import Box, Image, Layout

# place and size in pixels; letter, picture: place in the atlas, box: radius; colour; kind, box: fill, picture: radius,
# and whether it is clipped
ROW = np.dtype([("rect", "f4", 4), ("more", "f4", 2), ("colour", "u1", 4), ("kind", "u1", 4)])
LAYOUT = "4f 2f 4f1 4u1 /i"
Placed = tuple[tuple[float, float, float, float], tuple[float, float], tuple[int, ...], tuple[int, ...]]
BOX, LETTER, PICTURE = 0, 1, 2


def shade(colour: Rgba) -> tuple[int, ...]:
    return tuple(round(255 * part) for part in colour)


class DrawnHud:
    def __init__(self, ctx: Any, programs: Programs) -> None:
        self.ctx = ctx
        self.programs = programs
        self.atlas = Atlas(ctx)
        self.pictures = Pictures(ctx)
        self._buffer = ctx.buffer(reserve=ROW.itemsize * 2048)
        self._array: Any = None
        self._shown: tuple[Hud, tuple[int, int]] | None = None
        self._count = 0
        self._waiting = False  # whether a picture is still to be read
        self._band, self._fades = (0.0, 1e9), (0.0, 0.0)

    def rebuild(self) -> None:
        if self._array is not None:
            self._array.release()
        self._array = None

    def draw(self, hud: Hud, size: tuple[int, int]) -> None:
        """Draw over the bound framebuffer of `size` pixels."""
        if self._shown is None or self._shown[1] != size or self._shown[0] != hud or self._waiting:
            layout = lay_out(hud, size)
            self._fill(layout)
            self._shown, self._band, self._fades = (hud, size), layout.band, layout.fades
        if not self._count:
            return
        program = self.programs.get("hud.vert.glsl", "hud.frag.glsl")
        if self._array is None:
            self._array = self.ctx.vertex_array(
                program, [(self._buffer, LAYOUT, "in_rect", "in_more", "in_colour", "in_kind")]
            )
        put(program, letters=0, pictures=1, size=(float(size[0]), float(size[1])), band=(*self._band, *self._fades))
        self.ctx.enable_only(moderngl.BLEND)
        self.ctx.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
        self.ctx.blend_equation = moderngl.FUNC_ADD
        self.ctx.wireframe = False
        self.atlas.texture.use(0)
        self.pictures.texture.use(1)
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self._count)

    def _fill(self, layout: Layout) -> None:
        """Bring the layout into the buffer; once more when an atlas had to start anew in the middle of it."""
        self.pictures.frame()
        for _ in range(2):
            generation = self.atlas.generation, self.pictures.generation
            rows = self._rows(layout)
            if (self.atlas.generation, self.pictures.generation) == generation:
                break
        self._waiting = self.pictures.waiting
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
            cut = 255 if item.clipped else 0
            if isinstance(item, Image):
                corner = self.pictures.place(item.path, item.width, item.height)
                if corner is not None:
                    light = round(255 * item.light)
                    more = (PICTURE, round(min(item.radius, 255.0)), cut, 0)
                    where = (float(item.x), float(item.y), float(item.width), float(item.height))
                    rows.append((where, corner, (light, light, light, 255), more))
                continue
            colour = shade(item.colour)
            if isinstance(item, Box):
                kind = (BOX, item.fill, cut, 0)
                rows.append(((item.x, item.y, item.width, item.height), (item.radius, 0.0), colour, kind))
                continue
            x, y, size = item.x, item.y, item.size
            for char in item.text:
                letter = glyph(char, size)
                if char != " ":
                    place = (round(x) + letter.left, y + letter.top, letter.width, letter.height)
                    rows.append((place, (letter.u, letter.v), colour, (LETTER, 0, cut, 0)))
                x += letter.advance + item.spacing
        return rows

    def release(self) -> None:
        self.rebuild()
        self._buffer.release()
        self.atlas.release()
        self.pictures.release()
