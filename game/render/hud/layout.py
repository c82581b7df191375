"""Where everything of a HUD stands: boxes and lines of text in pixels, top left is (0, 0). No GL."""

from __future__ import annotations

from functools import lru_cache

from ..snapshot import Hud
from . import fonts
from .cards import draw_cards, draw_strip
from .palette import Rgba, look
from .panels import panel, slider_ends
from .primitives import BODY, HEADLINE, LARGE, SMALL, Box, Layout, Text
from .results_page import draw_timer, result
from .timeline import draw_labels, draw_timeline
from .title_and_grid import grid, title

__all__ = ["DESIGN_HEIGHT", "Box", "Layout", "Rgba", "Text", "lay_out", "row_boxes", "slider_span"]

DESIGN_HEIGHT = 720.0  # all sizes in units are pixels of a picture this high
TALLY_HIGH = 50.0  # that the count in the top right corner takes
SMALLEST = 0.7  # nothing is drawn smaller than this part of its design
PAGES = {"panel": panel, "title": title, "grid": grid, "result": result}


@lru_cache(maxsize=8)
def lay_out(hud: Hud, size: tuple[int, int]) -> Layout:
    """The layout of a HUD over a picture of `size` pixels. Do not change what it returns."""
    unit = max(size[1] / DESIGN_HEIGHT * hud.scale, SMALLEST)
    out = Layout(unit, hud.text, look(hud.palette, hud.contrast))
    if hud.tint[3] > 0.0:
        out.box(0, 0, size[0], size[1], 0, hud.tint)
    if hud.veil > 0.0:
        out.box(0, 0, size[0], size[1], 0, (0.0, 0.0, 0.0, min(hud.veil, 1.0)))
    if hud.crosshair and hud.panel is None:
        crosshair(out, size, unit)
    if hud.lines:
        corner_lines(out, hud.lines, unit)
    if hud.labels:
        draw_labels(out, hud.labels, size, unit, hud.timeline is not None)
    if hud.cards:
        taken = fonts.line_height(out.size(SMALL)) * len(hud.lines) + 36 * unit if hud.lines else 0.0
        draw_cards(out, hud.cards, size, unit, taken, TALLY_HIGH * unit if hud.tally else 0.0)
    foot = draw_strip(out, hud.strip, size, unit) if hud.strip else float(size[1])
    if hud.timeline is not None:
        foot = draw_timeline(out, hud.timeline, size, unit, foot - 4 * unit)
    if hud.tally:
        draw_tally(out, hud.tally, size, unit)
    if hud.timer:
        draw_timer(out, hud.timer, hud.timer_below, size)
    if hud.hint:
        at = min(size[1] - 46 * unit, foot - 26 * unit)
        pill(out, hud.hint, size[0] / 2, at, out.size(BODY), unit, out.look.ink)
    if hud.panel is not None and hud.panel.look == "panel":
        out.box(0, 0, size[0], size[1], 0, out.look.veil)
    if hud.message:
        message(out, hud, size, unit)
    if hud.panel is not None:
        PAGES[hud.panel.look](out, hud.panel, size)
    if hud.progress is not None:
        progress(out, hud, size, unit)
    return out


def row_boxes(hud: Hud, size: tuple[int, int]) -> tuple[tuple[float, float, float, float], ...]:
    """Rectangles (x, y, width, height) of the panel's rows in pixels from the top left, for the mouse."""
    return tuple(lay_out(hud, size).rows)


def slider_span(hud: Hud, size: tuple[int, int], row: int) -> tuple[float, float] | None:
    """Left and right end (pixels) of a row's slider; None where it has none."""
    if hud.panel is None or hud.panel.rows[row].fraction is None:
        return None
    out = lay_out(hud, size)
    x, _, width, _ = out.rows[row]
    return slider_ends(out, x, width)


def crosshair(out: Layout, size: tuple[int, int], unit: float) -> None:
    """A dot with a dark rim: seen on the sky and on the floor, and in nobody's way."""
    x, y = size[0] // 2, size[1] // 2
    for radius, colour in ((max(2.6 * unit, 2.0), out.look.outline), (max(1.5 * unit, 1.0), (1.0, 1.0, 1.0, 0.9))):
        out.box(x - radius, y - radius, 2 * radius, 2 * radius, radius, colour)


def corner_lines(out: Layout, lines: tuple[str, ...], unit: float) -> None:
    size = out.size(SMALL)
    step = fonts.line_height(size)
    pad = 10 * unit
    widest = max(fonts.width(line, size) for line in lines)
    out.box(12 * unit, 12 * unit, widest + 2 * pad, step * len(lines) + 1.5 * pad, 8 * unit, out.look.shade)
    for number, line in enumerate(lines):
        out.text(line, 12 * unit + pad, 12 * unit + 0.75 * pad + fonts.ascent(size) + number * step, size, out.look.ink)


def pill(out: Layout, text: str, x: float, y: float, size: int, unit: float, colour: Rgba) -> None:
    """A line in a dark lozenge around (x, y)."""
    width, height = fonts.width(text, size) + 32 * unit, size * 1.9
    out.box(x - width / 2, y - height / 2, width, height, height / 2, out.look.shade)
    out.text(text, x, y + size * 0.35, size, colour, 0.5)


def draw_tally(out: Layout, text: str, size: tuple[int, int], unit: float) -> None:
    """A short count in the top right corner."""
    letters = out.size(LARGE)
    wide = fonts.width(text, letters) + 32 * unit
    pill(out, text, size[0] - 16 * unit - wide / 2, 16 * unit + 0.95 * letters, letters, unit, out.look.ink)


def message(out: Layout, hud: Hud, size: tuple[int, int], unit: float) -> None:
    """Large words above the middle, on a soft bar."""
    big, small = out.size(HEADLINE), out.size(LARGE)
    y = size[1] * 0.30
    wide = max(fonts.width(hud.message, big), fonts.width(hud.submessage, small)) + 90 * unit
    high = big * 1.75 + (small * 1.6 if hud.submessage else 0.0)
    out.box((size[0] - wide) / 2, y - big * 1.22, wide, high, 16 * unit, out.look.shade)
    out.text(hud.message, size[0] / 2, y, big, out.look.ink, 0.5)
    out.text(hud.submessage, size[0] / 2, y + small * 1.75, small, out.look.accent, 0.5)


def progress(out: Layout, hud: Hud, size: tuple[int, int], unit: float) -> None:
    """A bar near the bottom with its label above."""
    part = min(max(hud.progress or 0.0, 0.0), 1.0)
    wide, thick, pad = 300 * unit, 6 * unit, 18 * unit
    x, y = (size[0] - wide) / 2, size[1] - 92 * unit
    text = out.size(BODY)
    out.box(x - pad, y - text * 1.9, wide + 2 * pad, text * 1.9 + thick + 0.9 * pad, 10 * unit, out.look.shade)
    out.text(hud.progress_label, size[0] / 2, y - text * 0.62, text, out.look.ink, 0.5)
    out.box(x, y, wide, thick, thick / 2, out.look.groove)
    out.box(x, y, max(wide * part, thick), thick, thick / 2, out.look.accent)
