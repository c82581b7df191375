"""Where everything of a HUD stands: boxes and lines of text in pixels, top left is (0, 0). No GL."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from . import fonts
from .hud_cards import draw_cards, draw_strip
from .snapshot import Hud, Panel

Rgba = tuple[float, float, float, float]

# the palette: warm paper on deep slate, one amber accent
INK: Rgba = (0.96, 0.94, 0.89, 1.0)
QUIET: Rgba = (0.96, 0.94, 0.89, 0.66)
ACCENT: Rgba = (1.00, 0.76, 0.36, 1.0)
SLATE: Rgba = (0.075, 0.09, 0.115, 0.86)
SHADE: Rgba = (0.05, 0.06, 0.08, 0.52)
VEIL: Rgba = (0.03, 0.04, 0.06, 0.50)
CHOSEN: Rgba = (1.00, 0.76, 0.36, 0.17)
GROOVE: Rgba = (0.96, 0.94, 0.89, 0.20)
KEYCAP: Rgba = (0.96, 0.94, 0.89, 0.13)
OUTLINE: Rgba = (0.0, 0.0, 0.0, 0.45)

DESIGN_HEIGHT = 720.0  # all sizes below are pixels of a picture this high
TALLY_HIGH = 50.0  # that the count in the top right corner takes
SMALLEST = 0.7  # text is not drawn smaller than this part of its design
SMALL, BODY, LARGE, TITLE, HEADLINE = 14, 17, 20, 27, 40


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rounded rectangle."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    colour: Rgba


@dataclass(frozen=True, slots=True)
class Text:
    """A line from x on, its baseline at y."""

    text: str
    x: float
    y: float
    size: int
    colour: Rgba


@dataclass(slots=True)
class Layout:
    """What to draw, in this order; `rows` are the rectangles (x, y, width, height) of the panel's rows."""

    items: list[Box | Text] = field(default_factory=list)
    rows: list[tuple[float, float, float, float]] = field(default_factory=list)

    def box(self, x: float, y: float, width: float, height: float, radius: float, colour: Rgba) -> None:
        self.items.append(Box(x, y, width, height, radius, colour))

    def text(self, text: str, x: float, y: float, size: int, colour: Rgba, align: float = 0.0) -> None:
        """`align`: part of the line's width that lies left of x."""
        if text:
            left = x - align * fonts.width(text, size) if align else x
            self.items.append(Text(text, round(left), round(y), size, colour))


@lru_cache(maxsize=8)
def lay_out(hud: Hud, size: tuple[int, int]) -> Layout:
    """The layout of a HUD over a picture of `size` pixels. Do not change what it returns."""
    unit = max(size[1] / DESIGN_HEIGHT * hud.scale, SMALLEST)
    out = Layout()
    if hud.tint[3] > 0.0:
        out.box(0, 0, size[0], size[1], 0, hud.tint)
    if hud.veil > 0.0:
        out.box(0, 0, size[0], size[1], 0, (0.0, 0.0, 0.0, min(hud.veil, 1.0)))
    if hud.crosshair and hud.panel is None:
        crosshair(out, size, unit)
    if hud.lines:
        corner_lines(out, hud.lines, unit)
    if hud.cards:
        taken = fonts.line_height(round(SMALL * unit)) * len(hud.lines) + 36 * unit if hud.lines else 0.0
        draw_cards(out, hud.cards, size, unit, taken, TALLY_HIGH * unit if hud.tally else 0.0)
    foot = draw_strip(out, hud.strip, size, unit) if hud.strip else float(size[1])
    if hud.tally:
        draw_tally(out, hud.tally, size, unit)
    if hud.hint:
        pill(out, hud.hint, size[0] / 2, min(size[1] - 46 * unit, foot - 26 * unit), round(BODY * unit), unit, INK)
    if hud.panel is not None:
        out.box(0, 0, size[0], size[1], 0, VEIL)
    if hud.message:
        message(out, hud, size, unit)
    if hud.panel is not None:
        panel(out, hud.panel, size, unit)
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
    x, _, width, _ = lay_out(hud, size).rows[row]
    unit = max(size[1] / DESIGN_HEIGHT * hud.scale, SMALLEST)
    return slider_ends(x, width, unit)


def slider_ends(x: float, width: float, unit: float) -> tuple[float, float]:
    return x + 0.46 * width, x + width - 72 * unit


def crosshair(out: Layout, size: tuple[int, int], unit: float) -> None:
    """A dot with a dark rim: seen on the sky and on the floor, and in nobody's way."""
    x, y = size[0] // 2, size[1] // 2
    for radius, colour in ((max(2.6 * unit, 2.0), OUTLINE), (max(1.5 * unit, 1.0), (1.0, 1.0, 1.0, 0.9))):
        out.box(x - radius, y - radius, 2 * radius, 2 * radius, radius, colour)


def corner_lines(out: Layout, lines: tuple[str, ...], unit: float) -> None:
    size = round(SMALL * unit)
    step = fonts.line_height(size)
    pad = 10 * unit
    widest = max(fonts.width(line, size) for line in lines)
    out.box(12 * unit, 12 * unit, widest + 2 * pad, step * len(lines) + 1.5 * pad, 8 * unit, SHADE)
    for number, line in enumerate(lines):
        out.text(line, 12 * unit + pad, 12 * unit + 0.75 * pad + fonts.ascent(size) + number * step, size, INK)


def pill(out: Layout, text: str, x: float, y: float, size: int, unit: float, colour: Rgba) -> None:
    """A line in a dark lozenge around (x, y)."""
    width, height = fonts.width(text, size) + 32 * unit, size * 1.9
    out.box(x - width / 2, y - height / 2, width, height, height / 2, SHADE)
    out.text(text, x, y + size * 0.35, size, colour, 0.5)


def draw_tally(out: Layout, text: str, size: tuple[int, int], unit: float) -> None:
    """A short count in the top right corner."""
    letters = round(LARGE * unit)
    wide = fonts.width(text, letters) + 32 * unit
    pill(out, text, size[0] - 16 * unit - wide / 2, 16 * unit + 0.95 * letters, letters, unit, INK)


def message(out: Layout, hud: Hud, size: tuple[int, int], unit: float) -> None:
    """Large words above the middle, on a soft bar."""
    big, small = round(HEADLINE * unit), round(LARGE * unit)
    y = size[1] * 0.30
    wide = max(fonts.width(hud.message, big), fonts.width(hud.submessage, small)) + 90 * unit
    high = big * 1.75 + (small * 1.6 if hud.submessage else 0.0)
    out.box((size[0] - wide) / 2, y - big * 1.22, wide, high, 16 * unit, SHADE)
    out.text(hud.message, size[0] / 2, y, big, INK, 0.5)
    out.text(hud.submessage, size[0] / 2, y + small * 1.75, small, ACCENT, 0.5)


def panel(out: Layout, content: Panel, size: tuple[int, int], unit: float) -> None:
    """A menu, help or findings in the middle. What does not fit is cut off with a count of what is missing."""
    width = min(content.width * unit, size[0] - 24 * unit)
    pad = 26 * unit
    inner = width - 2 * pad
    body, small, title = round(BODY * unit), round(SMALL * unit), round(TITLE * unit)
    row_height, key_height = 42 * unit, 33 * unit
    title_height = title * 1.9 if content.title else 0.0
    footer = fonts.fold(content.footer, small, inner) if content.footer else []
    footer_height = len(footer) * fonts.line_height(small) + 10 * unit if footer else 0.0
    fixed = title_height + footer_height + 2 * pad * 0.8
    rows, keys = list(content.rows), list(content.keys)
    lines = fonts.fold(content.text, body, inner) if content.text else []
    room = size[1] - 24 * unit - fixed - len(rows) * row_height
    most_keys = max(0, int(room // key_height))
    if len(keys) > most_keys:
        keys = [*keys[: max(0, most_keys - 1)], ("", f"and {len(keys) - max(0, most_keys - 1)} more")]
    step = fonts.line_height(body)
    most_lines = max(1, int((room - len(keys) * key_height) // step))
    if len(lines) > most_lines:
        lines = [*lines[: most_lines - 1], f"... and {len(lines) - most_lines + 1} lines more"]
    height = fixed + len(rows) * row_height + len(keys) * key_height + len(lines) * step
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, 12 * unit))
    out.box(x, y, width, height, 14 * unit, SLATE)
    at = y + 0.8 * pad
    if content.title:
        out.text(content.title, x + pad, at + title, title, INK)
        out.box(x + pad, at + title * 1.38, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, ACCENT)
        at += title_height
    for row in rows:
        box = (x + pad * 0.5, at, width - pad, row_height - 4 * unit)
        out.rows.append(box)
        if row.selected:
            out.box(*box, 8 * unit, CHOSEN)
            out.box(box[0], box[1] + 0.24 * box[3], 3.5 * unit, 0.52 * box[3], 1.75 * unit, ACCENT)
        base = at + box[3] / 2 + body * 0.35
        out.text(row.label, x + pad, base, body, INK if row.selected else QUIET)
        if row.fraction is not None:
            slider(out, box, row.fraction, row.selected, unit)
        out.text(row.value, x + width - pad, base, body, ACCENT if row.selected else INK, 1.0)
        at += row_height
    caps = max((fonts.width(key, small) for key, _ in keys), default=0.0) + 22 * unit
    for key, meaning in keys:
        if key:
            wide = fonts.width(key, small) + 18 * unit
            out.box(x + pad, at + 3 * unit, wide, key_height - 7 * unit, 5 * unit, KEYCAP)
            out.text(key, x + pad + 9 * unit, at + key_height / 2 + small * 0.33, small, INK)
        out.text(meaning, x + pad + caps + 14 * unit, at + key_height / 2 + small * 0.36, body, QUIET)
        at += key_height
    for line in lines:
        out.text(line, x + pad, at + fonts.ascent(body), body, INK)
        at += step
    at += 10 * unit
    for line in footer:
        out.text(line, x + pad, at + fonts.ascent(small), small, QUIET)
        at += fonts.line_height(small)


def slider(out: Layout, box: tuple[float, float, float, float], fraction: float, selected: bool, unit: float) -> None:
    left, right = slider_ends(box[0], box[2], unit)
    middle = box[1] + box[3] / 2
    part = min(max(fraction, 0.0), 1.0)
    thick = 4 * unit
    out.box(left, middle - thick / 2, right - left, thick, thick / 2, GROOVE)
    filled = max((right - left) * part, thick)
    out.box(left, middle - thick / 2, filled, thick, thick / 2, ACCENT if selected else QUIET)
    knob = 7 * unit
    out.box(left + (right - left) * part - knob, middle - knob, 2 * knob, 2 * knob, knob, INK)


def progress(out: Layout, hud: Hud, size: tuple[int, int], unit: float) -> None:
    """A bar near the bottom with its label above."""
    part = min(max(hud.progress or 0.0, 0.0), 1.0)
    wide, thick, pad = 300 * unit, 6 * unit, 18 * unit
    x, y = (size[0] - wide) / 2, size[1] - 92 * unit
    text = round(BODY * unit)
    out.box(x - pad, y - text * 1.9, wide + 2 * pad, text * 1.9 + thick + 0.9 * pad, 10 * unit, SHADE)
    out.text(hud.progress_label, size[0] / 2, y - text * 0.62, text, INK, 0.5)
    out.box(x, y, wide, thick, thick / 2, GROOVE)
    out.box(x, y, max(wide * part, thick), thick, thick / 2, ACCENT)
