"""Pictures of door panels and of the progress board: text and a thumbnail, drawn with Pillow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from ...render.decal import DecalPicture, read_picture
from ...render.hud.figures import MEDAL_COLOURS, MEDAL_DOTS, MEDAL_RATIO, RIBBON_COLOURS
from ...render.text import fonts
from ...text.font_stack import draw_line, find_fonts

PANEL_SIZE = (512, 1024)  # pixels; a panel of 0.96 m has 533 a metre
MARGIN = 16  # pixels
RADIUS = 20  # pixels
BORDER = 5  # pixels
PICTURE_HEIGHT = 520  # pixels of the thumbnail at the top
TITLE_SIZE = 62  # font sizes in pixels
LINE_SIZE = 48  # on 0.96 m these are 9 cm
STATUS_SIZE = 50
SMALLEST_SIZE = 30
MAX_TITLE_LINES = 2
MEDAL_WIDTH = 66  # pixels
SMOOTHING = 4  # a medal is drawn so many times larger and reduced
BACKGROUND = (24, 29, 36, 255)
PICTURE_GROUND = (52, 66, 76, 255)
BORDER_COLOUR = (112, 104, 88)
LIT_COLOUR = (255, 206, 96)  # of the border of a level that is won
INK = (245, 240, 227)
SECONDARY_INK = (205, 203, 196)
ACCENT = (255, 194, 92)


@dataclass(frozen=True, slots=True)
class PanelText:
    """Text of a panel. title: name; line: what is done there; status: best time; picture: image file, or empty.
    medal: `gold`, `silver`, `bronze`, or empty. is_won: whether the level was finished.
    """

    title: str
    line: str = ""
    status: str = ""
    picture: str = ""
    medal: str = ""
    is_won: bool = False


def draw_panel(text: PanelText) -> DecalPicture:
    """Picture of a door panel. Without a readable image its upper part is plain."""
    width, height = PANEL_SIZE
    find_fonts(text.title + text.line + text.status)
    border = (LIT_COLOUR, 2 * BORDER) if text.is_won else (BORDER_COLOUR, BORDER)
    image, draw = _board(PANEL_SIZE, *border)
    box = (MARGIN, MARGIN, width - MARGIN, MARGIN + PICTURE_HEIGHT)
    _paste_picture(image, text.picture, box)
    room = width - 2.0 * (MARGIN + 8)
    y = MARGIN + PICTURE_HEIGHT + 18.0
    bottom = height - MARGIN - 12 - (fonts.line_height(STATUS_SIZE) if text.status else 0)
    y = _write(draw, text.title, TITLE_SIZE, room, MARGIN + 8, y, INK, bottom, MAX_TITLE_LINES) + 6
    _write(draw, text.line, LINE_SIZE, room, MARGIN + 8, y, SECONDARY_INK, bottom)
    if text.status:
        draw.line((MARGIN + 8, bottom, width - MARGIN - 8, bottom), fill=BORDER_COLOUR, width=2)
        status_room = room - (MEDAL_WIDTH + 12 if text.medal else 0)
        _write(draw, text.status, STATUS_SIZE, status_room, MARGIN + 8, bottom + 4, ACCENT, height, 1)
        _paste_medal(image, text.medal, width - MARGIN - 14 - MEDAL_WIDTH, bottom - 26)
    return DecalPicture(np.array(image))


def draw_board(title: str, lines: tuple[str, ...], size: tuple[int, int]) -> DecalPicture:
    """Picture of a board with a title and lines below, all centred. size: pixels."""
    find_fonts(title + "".join(lines))
    image, draw = _board(size, BORDER_COLOUR, BORDER)
    width, height = size
    title_size = _fitting_size(title, height // 4, width - 4 * MARGIN)
    line_size = min((_fitting_size(line, height // 6, width - 4 * MARGIN) for line in lines), default=0)
    total = fonts.line_height(title_size) + len(lines) * fonts.line_height(line_size)
    y = (height - total) / 2
    for line, font_size, colour in ((title, title_size, INK), *((line, line_size, ACCENT) for line in lines)):
        draw_line(draw, ((width - fonts.text_width(line, font_size)) / 2, y), line, font_size, (*colour, 255))
        y += fonts.line_height(font_size)
    return DecalPicture(np.array(image))


def _board(size: tuple[int, int], border: tuple[int, int, int], width: int) -> tuple[Any, Any]:
    image = Image.new("RGBA", size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    box = (0, 0, size[0] - 1, size[1] - 1)
    draw.rounded_rectangle(box, RADIUS, fill=BACKGROUND, outline=(*border, 255), width=width)
    return image, draw


def _paste_picture(image: Any, path: str, box: tuple[int, int, int, int]) -> None:
    """Cover a box with the centre of an image file, or with a plain colour."""
    width, height = box[2] - box[0], box[3] - box[1]
    picture = read_picture(path, (2 * width, 2 * height)) if path else None
    mask = Image.new("L", (width, height))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), RADIUS - 8, fill=255)
    if picture is None:
        image.paste(PICTURE_GROUND, box, mask)
        return
    source = Image.fromarray(picture.pixels).convert("RGB")
    scale = max(width / source.width, height / source.height)
    covered = (max(1.0, width / scale), max(1.0, height / scale))
    left, top = (source.width - covered[0]) / 2, (source.height - covered[1]) / 2
    crop = (left, top, min(left + covered[0], source.width), min(top + covered[1], source.height))
    image.paste(source.resize((width, height), Image.Resampling.LANCZOS, box=crop), box, mask)


def _paste_medal(image: Any, medal: str, left: int, top: int) -> None:
    """A disc with dots on a ribbon, as in the HUD; nothing for an unknown medal."""
    if medal not in MEDAL_COLOURS:
        return
    side = MEDAL_WIDTH * SMOOTHING
    patch = Image.new("RGBA", (side, round(MEDAL_RATIO * side)))
    draw = ImageDraw.Draw(patch)
    face, rim, ribbon, stripe = (
        tuple(round(255 * part) for part in colour) for colour in (*MEDAL_COLOURS[medal], *RIBBON_COLOURS)
    )
    for half_width, colour in ((0.34, ribbon), (0.09, stripe)):
        draw.rectangle(((0.5 - half_width) * side, 0, (0.5 + half_width) * side, 0.62 * side), fill=colour)
    middle = (MEDAL_RATIO - 0.5) * side
    dots = [(0.5 + (k - (MEDAL_DOTS[medal] - 1) / 2) * 0.22) * side for k in range(MEDAL_DOTS[medal])]
    for x, radius, colour in ((side / 2, 0.5, rim), (side / 2, 0.4, face), *((dot, 0.075, rim) for dot in dots)):
        reach = radius * side
        draw.ellipse((x - reach, middle - reach, x + reach, middle + reach), fill=colour)
    patch = patch.resize((MEDAL_WIDTH, round(MEDAL_RATIO * MEDAL_WIDTH)), Image.Resampling.LANCZOS)
    image.alpha_composite(patch, (left, top))


def _write(
    draw: Any, text: str, size: int, room: float, x: float, y: float, colour: Any, bottom: float, most: int = 99
) -> float:
    """Wrapped text at (x, y), in a smaller font where it needs more than `most` lines or reaches below `bottom`.

    Returns the y below the text. Lines that do not fit even then are left out.
    """
    while True:
        lines = [line for line in fonts.wrap_text(text, size, room) if line]
        step = fonts.line_height(size)
        if size <= SMALLEST_SIZE or (len(lines) <= most and y + len(lines) * step <= bottom):
            break
        size -= 2
    for line in lines[: max(0, min(most, int((bottom - y) // step)))]:
        draw_line(draw, (x, y), line, size, (*colour, 255))
        y += step
    return y


def _fitting_size(line: str, size: int, room: float) -> int:
    while size > SMALLEST_SIZE and fonts.text_width(line, size) > room:
        size -= 2
    return size
