"""Text of signs: line breaks, glyph quads in the world and their distance-field atlas. Plain data, no GL."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..text import fonts
from ..text.glyph_atlas import FONT_PIXELS, DistanceFieldGlyphs
from .render_mesh import Floats, sign_axes, sign_frame_width
from .scene import SignAppearance

TEXT_OFFSET = 0.001  # metres that the ink lies before the face; reversed depth tells that apart to 10 km
BOARD_MARGIN = 0.06  # of the board's smaller side, kept free all around
MAX_LINE_HEIGHT = 0.42  # of the board's height that a line may take, so that one short word does not shout
LINE_SPACING = 1.18  # line to line, of the font's size


def fit_text_to_sign(sign: SignAppearance) -> tuple[list[str], float]:
    """The text's lines, folded so that they can be largest, and the font's size in metres."""
    margin = BOARD_MARGIN * min(sign.width, sign.height) + sign_frame_width(sign)
    room_x, room_y = max(sign.width - 2 * margin, 0.01), max(sign.height - 2 * margin, 0.01)
    em = FONT_PIXELS
    text = sign.text.strip("\n")
    best: tuple[list[str], float] = ([""], 0.0)
    widest = max((fonts.text_width(line, em) for line in text.split("\n")), default=1.0)
    for parts in range(1, 7):
        lines = fonts.wrap_text(text, em, max(widest / parts * 1.06, 1.0) + 1.0)
        longest = max(max(fonts.text_width(line, em) for line in lines), 1.0)
        size = min(room_x / longest * em, room_y / (LINE_SPACING * len(lines)), MAX_LINE_HEIGHT * sign.height)
        if size > best[1] * 1.001:
            best = (lines, size)
    return best


def glyph_quads(sign: SignAppearance, letters: DistanceFieldGlyphs) -> Floats:
    """Corners (6 a letter, 5): place in metres and place in the atlas, 0..1."""
    right, up, outward = sign_axes(sign)
    front = np.asarray(sign.at) + outward * TEXT_OFFSET
    lines, size = fit_text_to_sign(sign)
    scale = size / FONT_PIXELS
    ascent = fonts.font_ascent(FONT_PIXELS) * 0.74  # the letters' own height, which is what should look centred
    height = (len(lines) - 1) * LINE_SPACING * FONT_PIXELS + ascent
    corners: list[Floats] = []
    for number, line in enumerate(lines):
        x = -fonts.text_width(line, FONT_PIXELS) / 2
        base = height / 2 - ascent - number * LINE_SPACING * FONT_PIXELS
        for char in line:
            glyph = letters.glyphs[char]
            xs = np.array((0, 1, 1, 0, 1, 0)) * glyph.width
            ys = np.array((1, 1, 0, 1, 0, 0)) * glyph.height
            across, along = x + glyph.left + xs, base - glyph.top - ys
            places = front + scale * (across[:, None] * right + along[:, None] * up)
            corners.append(
                np.column_stack((places, (glyph.u + xs) / letters.texture_size, (glyph.v + ys) / letters.texture_size))
            )
            x += glyph.advance
    return np.concatenate(corners) if corners else np.zeros((0, 5))


@dataclass(frozen=True, slots=True)
class SignText:
    """All signs' letters as plain data: corners (6 a letter, 5) as `glyph_quads` has them, and their picture (side, side)."""

    corners: npt.NDArray[np.float32]
    atlas_pixels: npt.NDArray[np.uint8]


@lru_cache(maxsize=4)
def build_sign_text(signs: tuple[SignAppearance, ...]) -> SignText:
    """The letters of these signs; the same object for the same signs as a moment before."""
    letters = DistanceFieldGlyphs({char for sign in signs for char in sign.text if char != "\n"} | {" "})
    corners = np.concatenate([glyph_quads(sign, letters) for sign in signs]) if signs else np.zeros((0, 5))
    return SignText(corners.astype(np.float32), letters.picture)
