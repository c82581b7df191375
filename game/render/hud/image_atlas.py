"""Picture files for the HUD, brought to the very pixels that they take and kept in one texture."""

from __future__ import annotations

from typing import Any

import moderngl
from PIL import Image

from ..text.glyph_atlas import ShelfPacker

READS_PER_FRAME = 2  # files read in a frame at most, so that none is late for them


class ImageAtlas:
    """Pictures by file and size. When the texture is full it starts anew, and `generation` counts up.

    A file that cannot be read is as one that is not there: nothing is drawn.
    """

    SIZE = (2048, 2048)

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._texture: Any = None
        self.generation = 0
        self.has_pending = False  # whether one was asked for that the next frame has to read
        self._reads_left = READS_PER_FRAME
        self._packer = ShelfPacker(self.SIZE)
        self._places: dict[tuple[str, int, int], tuple[float, float] | None] = {}

    @property
    def texture(self) -> Any:
        """All of them; made when first asked for a picture, and one texel until then."""
        if self._texture is None:
            self._texture = self.ctx.texture((1, 1), 3, bytes(3), alignment=1)
        return self._texture

    def begin_frame(self) -> None:
        """A new frame: some more files may be read."""
        self._reads_left, self.has_pending = READS_PER_FRAME, False

    def find_or_load(self, path: str, width: int, height: int) -> tuple[float, float] | None:
        """Where in the texture the picture is at that size; None where it is not there, or not yet."""
        key = (path, width, height)
        if key in self._places:
            return self._places[key]
        if self._reads_left <= 0:
            self.has_pending = True
            return None
        self._reads_left -= 1
        self._places[key] = self._load(path, width, height)
        return self._places[key]

    def _load(self, path: str, width: int, height: int) -> tuple[float, float] | None:
        try:
            with Image.open(path) as file:
                file.draft("RGB", (width, height))
                picture = file.convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            return None
        corner = self._packer.allocate(width, height)
        if corner is None:
            self._packer = ShelfPacker(self.SIZE)
            self._places.clear()
            self.generation += 1
            corner = self._packer.allocate(width, height)
            if corner is None:  # a picture larger than all of it
                return None
        if self.texture.size != self.SIZE:
            self._texture.release()
            self._texture = self.ctx.texture(self.SIZE, 3, alignment=1)
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._texture.write(picture.tobytes(), viewport=(*corner, width, height), alignment=1)
        return float(corner[0]), float(corner[1])

    def release(self) -> None:
        if self._texture is not None:
            self._texture.release()
        self._texture = None
