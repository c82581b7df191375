"""HUD layout: positions of all boxes and text lines in pixels; the top left is (0, 0). No GL.

Each element has an area of its own, which holds all its texts and overlaps no other area. A new element is added so:

1. Measure it: `out.font_pixels(points)`, `fonts.text_width`, `fonts.wrap_text(text, size, width)`, at most
   `out.slots.max_width` wide. Texts may hold key symbols (game/text/key_symbols.py).
2. Ask for its area: `box = out.place_panel("name", slots.TOP_CENTRE, width, height)`. The slots are stacks at the edges
   of the window, and what asks first has the better place. It is None where there is no room: then draw nothing, or ask
   for less. `out.slots.room(slot, width)` is the height that is left. For a point of the world there is
   `out.slots.find_near`, with `out.begin_panel("name", box)`. `draw_text_box` does it all for lines on a pill.
3. Draw into it: `out.add_box`, `out.add_text`, `out.add_lines`; then `out.end_panel()`.
4. Call it in `arrange_hud`, and set its field of `Hud` in tests/render/hud/screens.py. The layout test then checks it
   at every size of window, interface and text.
"""

from __future__ import annotations

from functools import lru_cache

from ..colour_palettes import Rgba, theme_for
from ..snapshot import Hud
from ..text import fonts
from . import slots
from .cards import draw_cards, draw_key_strip
from .guidance import draw_markers, draw_title_card
from .panel_rows import slider_x_ends
from .panels import draw_panel_page
from .primitives import (
    BODY_POINTS,
    HEADLINE_POINTS,
    LARGE_POINTS,
    SMALL_POINTS,
    HudItems,
)
from .results_page import draw_results_page, draw_timer
from .timeline import draw_labels, draw_timeline
from .title_and_grid import draw_level_grid, draw_title_page

DESIGN_HEIGHT = 720.0  # pixels: one unit is a pixel at this window height
MIN_SCALE = 0.7  # minimum pixels per unit, where that fits
# Width and height in units with which all elements have room: at a text scale of 1, and more for each 1 above. A window
# of 4:3 has exactly this size at a text scale of 2 and an interface scale of 1.
MIN_WINDOW_UNITS = (560.0, 400.0), (450.0, 270.0)
MIN_DEBUG_PIXELS = 9  # font size of the debug lines
MESSAGE_SLOTS = (slots.UPPER_MIDDLE, slots.TOP_CENTRE)  # the first with room
MAX_HEADLINES = 2  # lines of a message in the largest size
MAX_MESSAGE_EMS = 44.0  # width of the message in font sizes of its details
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
        draw_crosshair(out, size, unit)
    if hud.panel is not None:
        if hud.panel.layout == "panel":
            out.add_box(0, 0, size[0], size[1], 0, out.theme.veil)
        PAGE_LAYOUTS[hud.panel.layout](out, hud.panel, size)
        out.end_panel()
    # The order decides who has the better place.
    strip = draw_key_strip(out, hud.key_strip) if hud.key_strip else None
    if hud.timeline is not None:
        draw_timeline(out, hud.timeline, float(size[1]) if strip is None else strip[1])
    if hud.timer:
        draw_timer(out, hud.timer, hud.timer_caption)
    if hud.counter:
        draw_counter(out, hud.counter)
    if hud.hint:
        draw_hint(out, hud.hint)
    if hud.title_card is not None:
        draw_title_card(out, hud.title_card)
    if hud.message:
        draw_message(out, hud)
    if hud.progress is not None:
        draw_progress_bar(out, hud)
    if hud.debug_lines:
        draw_debug_lines(out, hud.debug_lines)
    draw_cards(out, hud.cards)
    draw_labels(out, hud.labels)
    draw_markers(out, hud.markers)
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


def draw_crosshair(out: HudItems, size: tuple[int, int], unit: float) -> None:
    """Dot with a dark outline, visible on light and dark backgrounds."""
    x, y = size[0] // 2, size[1] // 2
    for radius, colour in ((max(2.6 * unit, 2.0), out.theme.outline), (max(1.5 * unit, 1.0), (1.0, 1.0, 1.0, 0.9))):
        out.add_box(x - radius, y - radius, 2 * radius, 2 * radius, radius, colour)


def draw_debug_lines(out: HudItems, lines: tuple[str, ...]) -> None:
    """Text lines in a box at the top left; smaller, and at last fewer, where there is no room."""
    padding = 10 * out.unit
    for points in (share * SMALL_POINTS for share in (1.0, 0.85, 0.7, 0.55, 0.45, 0.35)):
        size = max(out.font_pixels(points), MIN_DEBUG_PIXELS)
        step = fonts.line_height(size)
        width = max(fonts.text_width(line, size) for line in lines) + 2 * padding
        height = step * len(lines) + 1.5 * padding
        if width <= out.slots.max_width and out.slots.find(slots.TOP_LEFT, width, height) is not None:
            break
    else:
        width = min(width, out.slots.max_width)
        count = int((out.slots.room(slots.TOP_LEFT, width) - 1.5 * padding) // step)
        lines = tuple(fonts.elide_text(line, size, width - 2 * padding) for line in lines[: max(count, 0)])
        height = step * len(lines) + 1.5 * padding
    box = out.place_panel("debug lines", slots.TOP_LEFT, width, height) if lines else None
    if box is not None:
        out.add_box(*box, 8 * out.unit, out.theme.shadow)
        out.add_lines(list(lines), box[0] + padding, box[1] + 0.75 * padding, size, out.theme.ink)
        out.end_panel()


def draw_text_box(
    out: HudItems, name: str, lines: list[str], slot: slots.Slot, size: int, colour: Rgba
) -> slots.Rectangle | None:
    """Text lines on a dark pill in a slot; lines without room are left out. Returns its rectangle."""
    step = fonts.line_height(size)
    padding = 0.3 * size
    width = min(max(fonts.text_width(line, size) for line in lines) + 1.9 * size, out.slots.max_width)
    count = min(len(lines), int((out.slots.room(slot, width) - 2 * padding) // step))
    lines = fonts.shorten_lines(lines, count, size, width - 1.9 * size)
    box = out.place_panel(name, slot, width, len(lines) * step + 2 * padding) if lines else None
    if box is not None:
        out.add_box(*box, min(box[3] / 2, 0.95 * size), out.theme.shadow)
        out.add_lines(lines, box[0] + width / 2, box[1] + padding, size, colour, 0.5)
        out.end_panel()
    return box


def draw_hint(out: HudItems, text: str) -> None:
    """Hint at the bottom, in several lines where it is long."""
    size = out.font_pixels(BODY_POINTS)
    lines = fonts.wrap_groups(text, size, out.slots.max_width - 2 * size)
    draw_text_box(out, "hint", lines, slots.BOTTOM_CENTRE, size, out.theme.ink)


def draw_counter(out: HudItems, text: str) -> None:
    """Short text at the top right."""
    size = out.font_pixels(LARGE_POINTS)
    lines = fonts.wrap_groups(text, size, out.slots.max_width - 2 * size)
    draw_text_box(out, "counter", lines, slots.TOP_RIGHT, size, out.theme.ink)


def draw_message(out: HudItems, hud: Hud) -> None:
    """Large text above the centre with details below, on a box. A long text is smaller, and starts higher."""
    big = out.font_pixels(HEADLINE_POINTS)
    small = out.font_pixels(LARGE_POINTS)
    unit = out.unit
    padding = 0.55 * big
    inner = min(out.slots.max_width, MAX_MESSAGE_EMS * small) - 2 * padding
    lines = fonts.wrap_text(hud.message, big, inner)
    if len(lines) > MAX_HEADLINES:
        big = small
    lines = fonts.balance_lines(lambda width: fonts.wrap_text(hud.message, big, width), big, inner)
    details = fonts.wrap_groups(hud.message_detail, small, inner) if hud.message_detail else []
    widest = max(fonts.text_width(line, big) for line in lines)
    width = max([widest, *(fonts.text_width(line, small) for line in details)]) + 2 * padding
    step, detail_step = fonts.line_height(big), fonts.line_height(small)
    wanted = 0.9 * padding + len(lines) * step + len(details) * detail_step
    slot = max(MESSAGE_SLOTS, key=lambda slot: min(out.slots.room(slot, width), wanted))
    room = out.slots.room(slot, width) - 0.9 * padding
    lines = fonts.shorten_lines(lines, max(1, int(room // step)), big, inner)
    details = fonts.shorten_lines(details, int((room - len(lines) * step) // detail_step), small, inner)
    height = 0.9 * padding + len(lines) * step + len(details) * detail_step
    box = out.place_panel("message", slot, width, height)
    if box is None:
        return
    out.add_box(*box, 16 * unit, out.theme.shadow)
    middle = box[0] + width / 2
    y = out.add_lines(lines, middle, box[1] + 0.45 * padding, big, out.theme.ink, 0.5)
    out.add_lines(details, middle, y, small, out.theme.accent, 0.5)
    out.end_panel()


def draw_progress_bar(out: HudItems, hud: Hud) -> None:
    """Progress bar near the bottom, with its label above."""
    fraction = min(max(hud.progress or 0.0, 0.0), 1.0)
    size = out.font_pixels(BODY_POINTS)
    bar_height = 6 * out.unit
    padding = 18 * out.unit
    inner = out.slots.max_width - 2 * padding
    lines = fonts.wrap_text(hud.progress_label, size, inner) if hud.progress_label else []
    widest = max((fonts.text_width(line, size) for line in lines), default=0.0)
    width = min(max(300 * out.unit, widest), inner)
    text_height = len(lines) * fonts.line_height(size)
    height = text_height + bar_height + 1.3 * padding
    box = out.place_panel("progress bar", slots.BOTTOM_CENTRE, width + 2 * padding, height)
    if box is None:
        return
    out.add_box(*box, 10 * out.unit, out.theme.shadow)
    out.add_lines(lines, box[0] + box[2] / 2, box[1] + 0.35 * padding, size, out.theme.ink, 0.5)
    x, y = box[0] + padding, box[1] + box[3] - bar_height - 0.7 * padding
    out.add_box(x, y, width, bar_height, bar_height / 2, out.theme.slider_track)
    out.add_box(x, y, max(width * fraction, bar_height), bar_height, bar_height / 2, out.theme.accent)
    if hud.progress_mark is not None:
        tick, width_of_tick = x + width * hud.progress_mark, 3 * out.unit
        out.add_box(tick - width_of_tick / 2, y - bar_height, width_of_tick, 3 * bar_height, 0.0, out.theme.ink)
    out.end_panel()
