"""Text of signs: line breaks, glyph quads in the world and their distance-field atlas. Plain data, no GL."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ...core.vectors import Floats
from ...level.geometry.faces import with_keys
from ...text import font_stack
from ..text import fonts
from ..text.glyph_atlas import FONT_PIXELS, DistanceFieldGlyphs
from .render_mesh import sign_axes, sign_frame_width
from .scene import SignAppearance

TEXT_OFFSET = 0.001  # metres in front of the board; reversed depth resolves it up to 10 km
BOARD_MARGIN = 0.06  # of the smaller side of the board
MAX_LINE_HEIGHT = 0.42  # of the height of the board
LINE_SPACING = 1.18  # of the font size
SLACKS = (1.06, 1.14, 0.98, 1.22, 0.9)


def fit_text_to_sign(sign: SignAppearance) -> tuple[list[str], float]:
    """Lines of a sign's text, wrapped for the largest font size, and that size in metres. No single word is left for
    the last line where other breaks avoid it."""
    paragraph = sign.text.strip("\n").rpartition("\n")[2]
    best = _fit_text(sign, SLACKS[0])
    for slack in SLACKS[1:] if " " in paragraph else ():
        if " " in best[0][-1]:
            break
        other = _fit_text(sign, slack)
        best = other if " " in other[0][-1] else best
    return best


def _fit_text(sign: SignAppearance, slack: float) -> tuple[list[str], float]:
    """The largest of the fits. slack: width of the lines, in that of lines of equal length."""
    margin = BOARD_MARGIN * min(sign.width, sign.height) + sign_frame_width(sign)
    width, height = max(sign.width - 2 * margin, 0.01), max(sign.height - 2 * margin, 0.01)
    font_pixels = FONT_PIXELS
    text = sign.text.strip("\n")
    best: tuple[list[str], float] = ([""], 0.0)
    widest = max((fonts.text_width(line, font_pixels) for line in text.split("\n")), default=1.0)
    for line_count in range(1, 7):
        lines = fonts.wrap_text(text, font_pixels, max(widest / line_count * slack, 1.0) + 1.0)
        longest = max(max(fonts.text_width(line, font_pixels) for line in lines), 1.0)
        size = min(width / longest * font_pixels, height / (LINE_SPACING * len(lines)), MAX_LINE_HEIGHT * sign.height)
        if size > best[1] * 1.001:
            best = (lines, size)
    return best


def glyph_quads(sign: SignAppearance, atlas: DistanceFieldGlyphs) -> Floats:
    """Quad corners (6 per glyph, 5): position in metres, atlas coordinates 0..1."""
    right, up, outward = sign_axes(sign)
    origin = np.asarray(sign.at) + outward * TEXT_OFFSET
    lines, size = fit_text_to_sign(sign)
    scale = size / FONT_PIXELS
    ascent = font_stack.CAPITAL_HEIGHT * FONT_PIXELS  # height of capitals, which is centred
    height = (len(lines) - 1) * LINE_SPACING * FONT_PIXELS + ascent
    corners: list[Floats] = []
    for number, line in enumerate(lines):
        x = -fonts.text_width(line, FONT_PIXELS) / 2
        baseline = height / 2 - ascent - number * LINE_SPACING * FONT_PIXELS
        for placed in font_stack.place_units(line, FONT_PIXELS)[:-1]:
            glyph = atlas.glyphs[placed.unit]
            xs = np.array((0, 1, 1, 0, 1, 0)) * glyph.width
            ys = np.array((1, 1, 0, 1, 0, 0)) * glyph.height
            across, along = x + placed.x + glyph.left + xs, baseline - glyph.top - ys
            positions = origin + scale * (across[:, None] * right + along[:, None] * up)
            corners.append(
                np.column_stack((positions, (glyph.u + xs) / atlas.texture_size, (glyph.v + ys) / atlas.texture_size))
            )
    return np.concatenate(corners) if corners else np.zeros((0, 5))


@dataclass(frozen=True, slots=True)
class SignText:
    """Text of all signs: corners (6 per glyph, 5) of glyph_quads, and the distance-field atlas (side, side).

    carriers: (6 per glyph,) mover that carries each corner, -1 for none.
    """

    corners: npt.NDArray[np.float32]
    atlas_pixels: npt.NDArray[np.uint8]
    carriers: npt.NDArray[np.int32]


@lru_cache(maxsize=4)
def build_sign_text(signs: tuple[SignAppearance, ...], keys: tuple[tuple[str, str], ...] = ()) -> SignText:
    """Text of these signs. The result is cached, so that unchanged signs keep the same object. keys: names of actions
    and their keys."""
    signs = tuple(replace(sign, text=with_keys(sign.text, dict(keys))) for sign in signs)
    for sign in signs:
        font_stack.find_fonts(sign.text)
    lines = [line for sign in signs for line in fit_text_to_sign(sign)[0]]
    units = {placed.unit for line in lines for placed in font_stack.place_units(line, FONT_PIXELS)[:-1]}
    atlas = DistanceFieldGlyphs(units | {" "})
    quads = [glyph_quads(sign, atlas) for sign in signs]
    corners = np.concatenate(quads) if signs else np.zeros((0, 5))
    carriers = np.repeat(np.array([sign.mover for sign in signs], np.int32), [len(rows) for rows in quads])
    return SignText(corners.astype(np.float32), atlas.picture, carriers)
