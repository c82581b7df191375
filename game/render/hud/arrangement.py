"""HUD layout: positions of all boxes and text lines in pixels; the top left is (0, 0). No GL.

Each element has an area of its own, which holds all its texts and overlaps no other area. A new element is added so:

1. Build its box (boxes.py), at most `out.slots.max_width` wide. Font sizes are `out.font_pixels(points)`. Texts may
   hold key symbols (game/text/key_symbols.py).
2. Draw it with `place(out, "name", slots.TOP_CENTRE, box)`. The slots are stacks at the edges of the window, and what
   asks first has the better place. Where there is no room nothing is drawn: `out.slots.room(slot, width)` is the height
   that is left, and `Text.shortened` leaves lines out. For a point of the world there are `out.slots.find_near` and
   `draw_element`.
3. Call it in `arrange_hud`, and set its field of `Hud` in tests/render/hud/test_layout_fits.py, which then checks it at
   every size of window, interface and text.
"""

from __future__ import annotations

from functools import lru_cache

from ..colour_palettes import Rgba, theme_for
from ..snapshot import Hud
from ..text import fonts
from . import slots
from .boxes import Box, Column, Figure, Fit, Frame, Row, Text, bar, place
from .cards import draw_cards, draw_key_strip, draw_timeline
from .guidance import draw_labels, draw_markers, draw_title_card
from .panels import draw_panel_page, slider_x_ends
from .primitives import BODY_POINTS, HEADLINE_POINTS, LARGE_POINTS, SMALL_POINTS, HudItems
from .results_page import draw_results_page
from .title_and_grid import draw_level_grid, draw_title_page

DESIGN_HEIGHT = 720.0  # pixels: one unit is a pixel at this window height
MIN_SCALE = 0.7  # minimum pixels per unit, where that fits
# Width and height in units with which all elements have room: at a text scale of 1, and more for each 1 above. A window
# of 4:3 has exactly this size at a text scale of 2 and an interface scale of 1.
MIN_WINDOW_UNITS = (560.0, 400.0), (450.0, 270.0)
MIN_DEBUG_PIXELS = 9  # font size of the debug lines
MESSAGE_SLOTS = (slots.UPPER_MIDDLE, slots.TOP_CENTRE)  # the first with room
MAX_HEADLINES = 2  # lines of a message in the largest size
CROSSHAIR_COLOUR: Rgba = (1.0, 1.0, 1.0, 0.9)
MAX_MESSAGE_EMS = 44.0  # width of the message in font sizes of its details
PICTURE_RATIO = 16 / 9  # of thumbnails, width over height
PICTURE_SIZE = 0.5  # of the window
PAGE_LAYOUTS = {
    "panel": draw_panel_page,
    "title": draw_title_page,
    "grid": draw_level_grid,
    "result": draw_results_page,
}


def fitting_scale(size: tuple[int, int], text: float) -> float:
    """Largest interface scale with which all elements have room in a window of `size` pixels at a text scale."""
    at_one = size[1] / DESIGN_HEIGHT  # pixels per unit at the scale 1
    width, height = (at_one_text + growth * max(text - 1.0, 0.0) for at_one_text, growth in MIN_WINDOW_UNITS)
    return min(size[0] / width, size[1] / height) / at_one if at_one > 0.0 else 1.0


def pixels_per_unit(size: tuple[int, int], scale: float, text: float) -> float:
    """Pixels per unit at an interface scale, at most what fits."""
    at_one = size[1] / DESIGN_HEIGHT
    return max(min(max(at_one * scale, MIN_SCALE), at_one * fitting_scale(size, text)), 1e-3)


@lru_cache(maxsize=8)
def arrange_hud(hud: Hud, size: tuple[int, int]) -> HudItems:
    """Layout of a HUD for a window of `size` pixels. The result is cached and must not be changed."""
    unit = pixels_per_unit(size, hud.scale, hud.text)
    out = HudItems(unit, hud.text, theme_for(hud.palette, hud.contrast), size=size)
    if hud.veil > 0.0:
        out.add_box(0, 0, size[0], size[1], 0, (0.0, 0.0, 0.0, min(hud.veil, 1.0)))
    if hud.crosshair and hud.panel is None:
        for diameter, colour in ((max(5.2 * unit, 4.0), out.theme.outline), (max(3.0 * unit, 2.0), CROSSHAIR_COLOUR)):
            out.add_disc(size[0] // 2, size[1] // 2, diameter, colour)
    if hud.panel is not None:
        if hud.panel.layout == "panel":
            out.add_box(0, 0, size[0], size[1], 0, out.theme.veil)
        PAGE_LAYOUTS[hud.panel.layout](out, hud.panel, size)
        out.end_element()
    # The order decides who has the better place.
    strip = draw_key_strip(out, hud.key_strip) if hud.key_strip else None
    if hud.timeline is not None:
        draw_timeline(out, hud.timeline, float(size[1]) if strip is None else strip[1])
    if hud.timer:
        draw_timer(out, hud.timer, hud.timer_caption)
    if hud.counter:
        draw_pill(out, "counter", hud.counter, slots.TOP_RIGHT, out.font_pixels(LARGE_POINTS))
    if hud.hint:
        draw_pill(out, "hint", hud.hint, slots.BOTTOM_CENTRE, out.font_pixels(BODY_POINTS))
    if hud.title_card is not None:
        draw_title_card(out, hud.title_card)
    if hud.message or hud.message_detail:
        draw_message(out, hud)
    if hud.progress is not None:
        draw_progress_bar(out, hud)
    if hud.debug_lines:
        draw_debug_lines(out, hud.debug_lines)
    draw_cards(out, hud.cards)
    draw_labels(out, hud.labels)
    draw_markers(out, hud.markers)
    if hud.picture and hud.veil > 0.0:
        draw_loading_picture(out, hud, size)
    return out


def menu_row_rectangles(hud: Hud, size: tuple[int, int]) -> tuple[tuple[float, float, float, float], ...]:
    """Rectangles (x, y, width, height) of the panel's rows in pixels from the top left, for the mouse."""
    return tuple(arrange_hud(hud, size).row_rectangles)


def slider_x_range(hud: Hud, size: tuple[int, int], row: int) -> tuple[float, float] | None:
    """Left and right end of a row's slider in pixels; None for a row without slider."""
    if hud.panel is None or hud.panel.rows[row].fraction is None:
        return None
    out = arrange_hud(hud, size)
    x, _, width, _ = out.row_rectangles[row]
    return slider_x_ends(out, x, width)


def pill(out: HudItems, text: Text) -> Frame:
    """Text on a dark background with round ends."""
    return Frame(text, (0.95 * text.size, 0.3 * text.size), out.theme.shadow, 0.95 * text.size)


def draw_pill(out: HudItems, name: str, content: str, slot: slots.Slot, size: int) -> None:
    """Text on a pill in a slot, in several lines where it is long; lines without room are left out."""
    inner = out.slots.max_width - 1.9 * size
    text = Text(fonts.wrap_groups(content, size, inner), size, out.theme.ink, align=0.5)
    room = out.slots.room(slot, text.width + 1.9 * size) - 0.6 * size
    place(out, name, slot, pill(out, text.shortened(room, inner)))


def draw_debug_lines(out: HudItems, lines: tuple[str, ...]) -> None:
    """Text lines in a box at the top left; smaller, and at last fewer, where there is no room."""
    padding = 10 * out.unit
    for points in (share * SMALL_POINTS for share in (1.0, 0.85, 0.7, 0.55, 0.45, 0.35)):
        text = Text(lines, max(out.font_pixels(points), MIN_DEBUG_PIXELS), out.theme.ink)
        box = Frame(text, (padding, 0.75 * padding), out.theme.shadow, 8 * out.unit)
        if box.width <= out.slots.max_width and place(out, "debug lines", slots.TOP_LEFT, box) is not None:
            return
    width = min(box.width, out.slots.max_width)
    count = int((out.slots.room(slots.TOP_LEFT, width) - 1.5 * padding) // text.step)
    elided = [fonts.elide_text(line, text.size, width - 2 * padding) for line in lines[: max(count, 0)]]
    if elided:
        box = Frame(Text(elided, text.size, text.colour), (padding, 0.75 * padding), out.theme.shadow, 8 * out.unit)
        place(out, "debug lines", slots.TOP_LEFT, box)


def draw_timer(out: HudItems, time: str, caption: str) -> None:
    """Run timer at the top centre with a caption below. Digits have equal widths, so that it does not move."""
    unit = out.unit
    large, small = out.font_pixels(LARGE_POINTS + 2), out.font_pixels(SMALL_POINTS)
    widest = max(fonts.text_width(digit, large) for digit in "0123456789")
    characters = [Text(character, large, out.theme.ink, step=1.6 * large) for character in time]
    digits = Row(*(Fit(one, widest if one.lines[0].isdigit() else 0.0, across=0.5) for one in characters))
    text = Text(caption, small, out.theme.accent, out.slots.max_width - 22 * unit, 0.5)
    below = Frame(text, (11 * unit, 0.15 * small), out.theme.shadow, 0.8 * small) if text.lines else Box()
    clock = Frame(digits, (15 * unit, 0.0), out.theme.shadow, large)
    place(out, "timer", slots.TOP_CENTRE, Column(clock, below, gap=4 * unit, align=0.5))


def draw_message(out: HudItems, hud: Hud) -> None:
    """Large text above the centre with details below, on a box. A long text is smaller, and starts higher."""
    big, small = out.font_pixels(HEADLINE_POINTS), out.font_pixels(LARGE_POINTS)
    padding = 0.55 * big
    inner = min(out.slots.max_width, MAX_MESSAGE_EMS * small) - 2 * padding
    if len(fonts.wrap_text(hud.message, big, inner)) > MAX_HEADLINES:
        big = small
    text = Text(fonts.wrap_balanced(hud.message, big, inner), big, out.theme.ink, align=0.5)
    details = Text(fonts.wrap_groups(hud.message_detail, small, inner), small, out.theme.accent, align=0.5)
    width, wanted = max(text.width, details.width) + 2 * padding, text.height + details.height + 0.9 * padding
    slot = max(MESSAGE_SLOTS, key=lambda slot: min(out.slots.room(slot, width), wanted))
    room = out.slots.room(slot, width) - 0.9 * padding
    text = text.shortened(max(room, text.step), inner)
    content = Column(text, details.shortened(room - text.height, inner), align=0.5)
    place(out, "message", slot, Frame(content, (padding, 0.45 * padding), out.theme.shadow, 16 * out.unit))


def draw_loading_picture(out: HudItems, hud: Hud, size: tuple[int, int]) -> None:
    """Picture of the level that is loading, in the upper middle of the veil and as opaque."""
    width = PICTURE_SIZE * min(size[0], size[1] * PICTURE_RATIO)
    height, opacity = width / PICTURE_RATIO, min(hud.veil, 1.0)
    image = Figure(
        width, height, lambda x, y: out.add_image(hud.picture, (x, y, width, height), 10 * out.unit, opacity)
    )
    place(out, "loading picture", slots.UPPER_MIDDLE, image)


def draw_progress_bar(out: HudItems, hud: Hud) -> None:
    """Progress bar near the bottom, with its label above."""
    unit, theme = out.unit, out.theme
    fraction = min(max(hud.progress or 0.0, 0.0), 1.0)
    height, padding = 6 * unit, 18 * unit
    inner = out.slots.max_width - 2 * padding
    label = Text(hud.progress_label, out.font_pixels(BODY_POINTS), theme.ink, inner, 0.5)
    width = min(max(300 * unit, label.width), inner)

    def paint(x: float, y: float) -> None:
        bar(out, width, height, theme.slider_track).draw(out, x, y)
        bar(out, max(width * fraction, height), height, theme.accent).draw(out, x, y)
        if hud.progress_mark is not None:
            out.add_box(x + width * hud.progress_mark - 1.5 * unit, y - height, 3 * unit, 3 * height, 0.0, theme.ink)

    content = Column(label, Box(0.0, 0.25 * padding), Figure(width, height, paint), Box(0.0, 0.35 * padding), align=0.5)
    place(out, "progress bar", slots.BOTTOM_CENTRE, Frame(content, (padding, 0.35 * padding), theme.shadow, 10 * unit))
