"""Image atlas of the HUD: image files, scaled to their exact size in pixels, in one texture."""

from __future__ import annotations

from typing import Any

import moderngl
from PIL import Image

from ..gl.context import release_resources
from ..text.glyph_atlas import ShelfPacker

READS_PER_FRAME = 2  # limit of file reads, so that no frame is late


class ImageAtlas:
    """Images by file and size. A full atlas is cleared and `generation` incremented. Unreadable files are not drawn."""

    SIZE = (2048, 2048)

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._texture: Any = None
        self.generation = 0
        self.has_pending = False  # an image must be loaded in a later frame
        self._reads_left = READS_PER_FRAME
        self._packer = ShelfPacker(self.SIZE)
        self._places: dict[tuple[str, int, int], tuple[float, float] | None] = {}

    @property
    def texture(self) -> Any:
        """Atlas texture; a single texel until the first image is loaded."""
        if self._texture is None:
            self._texture = self.ctx.texture((1, 1), 3, bytes(3), alignment=1)
        return self._texture

    def begin_frame(self) -> None:
        """Reset the number of files that may be read in a frame."""
        self._reads_left = READS_PER_FRAME
        self.has_pending = False

    def find_or_load(self, path: str, width: int, height: int) -> tuple[float, float] | None:
        """Atlas position of an image at that size; None when unreadable or not loaded yet."""
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
            if corner is None:  # an image larger than the atlas
                return None
        if self.texture.size != self.SIZE:
            self._texture.release()
            self._texture = self.ctx.texture(self.SIZE, 3, alignment=1)
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self._texture.write(picture.tobytes(), viewport=(*corner, width, height), alignment=1)
        return float(corner[0]), float(corner[1])

    def release(self) -> None:
        release_resources(self._texture)
        self._texture = None
