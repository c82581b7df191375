"""Glyph atlas of the HUD: it grows, it is cleared when it is full, and new scripts come over several frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from game.render.text.glyph_atlas import SYSTEM_GLYPHS_PER_FRAME, GlyphAtlas
from game.text import font_stack


def texels(atlas: GlyphAtlas) -> np.ndarray:
    width, height = atlas.texture.size
    return np.frombuffer(atlas.texture.read(alignment=1), np.uint8).reshape(height, width)


def drawn(atlas: GlyphAtlas, unit: str, size: int) -> np.ndarray:
    glyph = atlas.glyph(unit, size)
    x, y = int(glyph.u), int(glyph.v)
    return texels(atlas)[y : y + int(glyph.height), x : x + int(glyph.width)]


def test_a_full_atlas_grows_and_every_glyph_keeps_its_place(ctx: Any) -> None:
    atlas = GlyphAtlas(ctx)
    first = atlas.glyph("ß", 40)
    units = [chr(code) for code in range(0x400, 0x450)]
    for size in (40, 60, 70, 80):
        for unit in units:
            atlas.glyph(unit, size)
    assert atlas.texture.size[1] > GlyphAtlas.FIRST_HEIGHT
    assert atlas.generation == 0
    assert atlas.glyph("ß", 40) is first
    for unit in ("ß", *units):
        assert np.array_equal(drawn(atlas, unit, 40), font_stack.unit_bitmap(unit, 40)[0])
    atlas.release()


def test_a_new_script_is_drawn_over_several_frames(ctx: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no frame is late. Pictures that are made once wait for all of it."""
    units = [chr(0x4E00 + number) for number in range(2 * SYSTEM_GLYPHS_PER_FRAME + 5)]
    atlas = GlyphAtlas(ctx)
    monkeypatch.setattr(font_stack.system_fonts, "in_background", True)
    shown = []
    for _ in range(3):
        atlas.begin_frame()
        shown.append(sum(atlas.glyph(unit, 20).width > 0 for unit in units))
    assert shown == [SYSTEM_GLYPHS_PER_FRAME, 2 * SYSTEM_GLYPHS_PER_FRAME, len(units)]
    assert not atlas.has_pending
    still = GlyphAtlas(ctx)
    monkeypatch.setattr(font_stack.system_fonts, "in_background", False)
    still.begin_frame()
    assert all(still.glyph(unit, 20).width > 0 for unit in units)
    atlas.release()
    still.release()
