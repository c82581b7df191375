"""HUD layout: positions of all boxes and text lines in pixels; the top left is (0, 0). No GL."""

from __future__ import annotations

from functools import lru_cache

from ..snapshot import Hud
from ..text import fonts
from .cards import draw_cards, draw_key_strip
from .guidance import draw_markers, draw_title_card
from .palette import Rgba, theme_for
from .panels import draw_panel_page, slider_x_ends
from .primitives import BODY_POINTS, HEADLINE_POINTS, LARGE_POINTS, SMALL_POINTS, HudLayout, RoundedBox, TextRun
from .results_page import draw_results_page, draw_timer
from .timeline import draw_labels, draw_timeline
from .title_and_grid import draw_level_grid, draw_title_page

__all__ = [
    "DESIGN_HEIGHT",
    "HudLayout",
    "Rgba",
    "RoundedBox",
    "TextRun",
    "layout_hud",
    "menu_row_rectangles",
    "slider_x_range",
]

DESIGN_HEIGHT = 720.0  # pixels: one unit is a pixel at this window height
COUNTER_HEIGHT = 50.0  # units
MIN_SCALE = 0.7  # minimum pixels per unit
PAGE_LAYOUTS = {
    "panel": draw_panel_page,
    "title": draw_title_page,
    "grid": draw_level_grid,
    "result": draw_results_page,
}


@lru_cache(maxsize=8)
def layout_hud(hud: Hud, size: tuple[int, int]) -> HudLayout:
    """Layout of a HUD for a window of `size` pixels. The result is cached and must not be changed."""
    unit = max(size[1] / DESIGN_HEIGHT * hud.scale, MIN_SCALE)
    out = HudLayout(unit, hud.text, theme_for(hud.palette, hud.contrast))
    if hud.tint[3] > 0.0:
        out.add_box(0, 0, size[0], size[1], 0, hud.tint)
    if hud.veil > 0.0:
        out.add_box(0, 0, size[0], size[1], 0, (0.0, 0.0, 0.0, min(hud.veil, 1.0)))
    if hud.crosshair and hud.panel is None:
        draw_crosshair(out, size, unit)
    draw_markers(out, hud.markers, size)
    if hud.debug_lines:
        draw_corner_lines(out, hud.debug_lines, unit)
    if hud.labels:
        draw_labels(out, hud.labels, size, unit, hud.timeline is not None)
    if hud.cards:
        debug_height = (
            fonts.line_height(out.font_pixels(SMALL_POINTS)) * len(hud.debug_lines) + 36 * unit
            if hud.debug_lines
            else 0.0
        )
        draw_cards(out, hud.cards, size, unit, debug_height, COUNTER_HEIGHT * unit if hud.counter else 0.0)
    bottom = draw_key_strip(out, hud.key_strip, size, unit) if hud.key_strip else float(size[1])
    if hud.timeline is not None:
        bottom = draw_timeline(out, hud.timeline, size, unit, bottom - 4 * unit)
    if hud.counter:
        draw_counter(out, hud.counter, size, unit)
    if hud.timer:
        draw_timer(out, hud.timer, hud.timer_caption, size)
    if hud.hint:
        at = min(size[1] - 46 * unit, bottom - 26 * unit)
        draw_pill(out, hud.hint, size[0] / 2, at, out.font_pixels(BODY_POINTS), unit, out.theme.ink)
    if hud.panel is not None and hud.panel.layout == "panel":
        out.add_box(0, 0, size[0], size[1], 0, out.theme.veil)
    if hud.title_card is not None:
        draw_title_card(out, hud.title_card, size)
    if hud.message:
        draw_message(out, hud, size, unit)
    if hud.panel is not None:
        PAGE_LAYOUTS[hud.panel.layout](out, hud.panel, size)
    if hud.progress is not None:
        draw_progress_bar(out, hud, size, unit)
    return out


def menu_row_rectangles(hud: Hud, size: tuple[int, int]) -> tuple[tuple[float, float, float, float], ...]:
    """Rectangles (x, y, width, height) of the panel's rows in pixels from the top left, for the mouse."""
    return tuple(layout_hud(hud, size).row_rectangles)


def slider_x_range(hud: Hud, size: tuple[int, int], row: int) -> tuple[float, float] | None:
    """Left and right end of a row's slider in pixels; None for a row without slider."""
    if hud.panel is None or hud.panel.rows[row].fraction is None:
        return None
    out = layout_hud(hud, size)
    x, _, width, _ = out.row_rectangles[row]
    return slider_x_ends(out, x, width)


def draw_crosshair(out: HudLayout, size: tuple[int, int], unit: float) -> None:
    """Dot with a dark outline, visible on light and dark backgrounds."""
    x, y = size[0] // 2, size[1] // 2
    for radius, colour in ((max(2.6 * unit, 2.0), out.theme.outline), (max(1.5 * unit, 1.0), (1.0, 1.0, 1.0, 0.9))):
        out.add_box(x - radius, y - radius, 2 * radius, 2 * radius, radius, colour)


def draw_corner_lines(out: HudLayout, lines: tuple[str, ...], unit: float) -> None:
    """Text lines in a box at the top left."""
    size = out.font_pixels(SMALL_POINTS)
    step = fonts.line_height(size)
    pad = 10 * unit
    widest = max(fonts.text_width(line, size) for line in lines)
    out.add_box(12 * unit, 12 * unit, widest + 2 * pad, step * len(lines) + 1.5 * pad, 8 * unit, out.theme.shadow)
    for number, line in enumerate(lines):
        out.add_text(
            line, 12 * unit + pad, 12 * unit + 0.75 * pad + fonts.font_ascent(size) + number * step, size, out.theme.ink
        )


def draw_pill(out: HudLayout, text: str, x: float, y: float, size: int, unit: float, colour: Rgba) -> None:
    """Text line on a dark pill centred at (x, y)."""
    width, height = fonts.text_width(text, size) + 32 * unit, size * 1.9
    out.add_box(x - width / 2, y - height / 2, width, height, height / 2, out.theme.shadow)
    out.add_text(text, x, y + size * 0.35, size, colour, 0.5)


def draw_counter(out: HudLayout, text: str, size: tuple[int, int], unit: float) -> None:
    """Short text at the top right."""
    font_size = out.font_pixels(LARGE_POINTS)
    width = fonts.text_width(text, font_size) + 32 * unit
    draw_pill(out, text, size[0] - 16 * unit - width / 2, 16 * unit + 0.95 * font_size, font_size, unit, out.theme.ink)


def draw_message(out: HudLayout, hud: Hud, size: tuple[int, int], unit: float) -> None:
    """Large text above the centre, on a box."""
    big, small = out.font_pixels(HEADLINE_POINTS), out.font_pixels(LARGE_POINTS)
    y = size[1] * 0.30
    width = max(fonts.text_width(hud.message, big), fonts.text_width(hud.message_detail, small)) + 90 * unit
    height = big * 1.75 + (small * 1.6 if hud.message_detail else 0.0)
    out.add_box((size[0] - width) / 2, y - big * 1.22, width, height, 16 * unit, out.theme.shadow)
    out.add_text(hud.message, size[0] / 2, y, big, out.theme.ink, 0.5)
    out.add_text(hud.message_detail, size[0] / 2, y + small * 1.75, small, out.theme.accent, 0.5)


def draw_progress_bar(out: HudLayout, hud: Hud, size: tuple[int, int], unit: float) -> None:
    """Progress bar near the bottom, with its label above."""
    fraction = min(max(hud.progress or 0.0, 0.0), 1.0)
    width, bar_height, pad = 300 * unit, 6 * unit, 18 * unit
    x, y = (size[0] - width) / 2, size[1] - 92 * unit
    font_size = out.font_pixels(BODY_POINTS)
    out.add_box(
        x - pad,
        y - font_size * 1.9,
        width + 2 * pad,
        font_size * 1.9 + bar_height + 0.9 * pad,
        10 * unit,
        out.theme.shadow,
    )
    out.add_text(hud.progress_label, size[0] / 2, y - font_size * 0.62, font_size, out.theme.ink, 0.5)
    out.add_box(x, y, width, bar_height, bar_height / 2, out.theme.slider_track)
    out.add_box(x, y, max(width * fraction, bar_height), bar_height, bar_height / 2, out.theme.accent)
