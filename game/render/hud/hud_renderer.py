"""HUD pass: every box, glyph and image is an instance of one quad, drawn in one call."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from PIL import Image

from ...text.font_stack import place_units, refresh_fonts
from ..gl.context import release_resources
from ..gl.programs import set_uniforms
from ..gl.render_pass import PassContext, RenderPass, set_state, write_growing
from ..snapshot import Hud
from ..text.glyph_atlas import GlyphAtlas, ShelfPacker
from .arrangement import arrange_hud
from .primitives import HudItems, ImageQuad, RoundedBox

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


# One row per instance; the names are the attributes of hud/hud.vert.glsl.
HUD_INSTANCE = np.dtype([("rect", "f4", 4), ("atlas_position", "f4", 2), ("colour", "u1", 4), ("kind", "u1", 4)])
HUD_INSTANCE_FORMAT = "4f 2f 4f1 4u1 /i"
PlacedQuad = tuple[tuple[float, float, float, float], tuple[float, float], tuple[int, ...], tuple[int, ...]]
BOX_QUAD, GLYPH_QUAD, IMAGE_QUAD = 0, 1, 2


class HudPass(RenderPass):
    """Uploads a HUD layout when it changes and draws it over the picture."""

    def __init__(self, context: PassContext) -> None:
        super().__init__(context, {})
        self.atlas = self.own(GlyphAtlas(self.ctx))
        self.pictures = self.own(ImageAtlas(self.ctx))
        self._buffer = self.own(self.ctx.buffer(reserve=HUD_INSTANCE.itemsize * 2048))
        self._uploaded_layout: tuple[Hud, tuple[int, int]] | None = None
        self._count = 0
        self._font_revision = 0  # of the fonts that were known when the layout was made
        self._is_incomplete = False  # an image or a glyph is still to be loaded
        self._scroll_band, self._scroll_fades = (0.0, 1e9), (0.0, 0.0)

    def draw(self, hud: Hud, target: Any) -> None:
        """Draw over the framebuffer `target`."""
        size = target.size
        if (
            self._uploaded_layout is None
            or self._uploaded_layout[1] != size
            or self._uploaded_layout[0] != hud
            or self._is_incomplete
            or self._font_revision != refresh_fonts()
        ):
            revision = refresh_fonts()
            layout = arrange_hud(hud, size)
            self._upload(layout)
            self._font_revision = revision
            self._uploaded_layout = (hud, size)
            self._scroll_band = layout.scroll_band
            self._scroll_fades = layout.scroll_fades
        if not self._count:
            return
        content = (self._buffer, HUD_INSTANCE_FORMAT, "in_rect", "in_atlas_position", "in_colour", "in_kind")
        array = self.array("hud/hud", content)
        set_uniforms(
            array.program,
            glyph_atlas=0,
            image_atlas=1,
            viewport_size=(float(size[0]), float(size[1])),
            scroll_band=(*self._scroll_band, *self._scroll_fades),
        )
        target.use()
        target.viewport = (0, 0, *size)
        target.scissor = None
        set_state(self.ctx, target, None, blending="alpha")
        self.atlas.texture.use(0)
        self.pictures.texture.use(1)
        array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=self._count)

    def _upload(self, layout: HudItems) -> None:
        """Upload the layout. Done twice when an atlas was cleared halfway, because earlier glyphs moved."""
        self.pictures.begin_frame()
        self.atlas.begin_frame()
        for _ in range(2):
            generation = self.atlas.generation, self.pictures.generation
            rows = self._build_instances(layout)
            if (self.atlas.generation, self.pictures.generation) == generation:
                break
        self._is_incomplete = self.pictures.has_pending or self.atlas.has_pending
        write_growing(self._buffer, np.array(rows, dtype=HUD_INSTANCE))
        self._count = len(rows)

    def _build_instances(self, layout: HudItems) -> list[PlacedQuad]:
        rows: list[PlacedQuad] = []
        glyph = self.atlas.glyph
        for item in layout.items:
            clip_flag = 255 if item.clipped else 0
            if isinstance(item, ImageQuad):
                corner = self.pictures.find_or_load(item.path, item.width, item.height)
                if corner is not None:
                    kind_values = (IMAGE_QUAD, round(min(item.radius, 255.0)), clip_flag, 0)
                    rectangle = (float(item.x), float(item.y), float(item.width), float(item.height))
                    rows.append((rectangle, corner, (255, 255, 255, round(255 * item.opacity)), kind_values))
                continue
            colour = tuple(round(255 * channel) for channel in item.colour)
            if isinstance(item, RoundedBox):
                kind = (BOX_QUAD, item.fill, clip_flag, 0)
                rows.append(((item.x, item.y, item.width, item.height), (item.radius, 0.0), colour, kind))
                continue
            x = item.x
            y = item.y
            size = item.size
            spacing = item.spacing
            kind = (GLYPH_QUAD, 0, clip_flag, 0)
            for unit, offset in place_units(item.text, size):
                if unit and unit != " ":
                    place = glyph(unit, size)
                    if place.width:
                        rectangle = (round(x + offset) + place.left, y + place.top, place.width, place.height)
                        rows.append((rectangle, (place.u, place.v), colour, kind))
                x += spacing
        return rows
