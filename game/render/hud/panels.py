"""A panel in the middle of the picture: tabs, rows, keys and text that scroll, a sentence and a footer. No GL."""

from __future__ import annotations

from ..snapshot import Panel, Row
from . import fonts
from .primitives import BODY, SMALL, TITLE, Layout, Place, cut

MARGIN = 12.0  # units, from a panel to the picture's edges
PAD = 26.0
ROW, HEADING, KEY, TAB = 42.0, 46.0, 33.0, 34.0  # units that lines of each kind take
SCROLLBAR = 5.0
HAIR = 0.5  # pixels that may be hidden before a page scrolls: a sum may be a rounding off
FADE = 16.0  # over which rows fade where more follow


def line(out: Layout, units: float) -> float:
    """Pixels of a line that high, more where letters are larger."""
    return units * out.unit * max(1.0, out.text_scale)


def panel(out: Layout, content: Panel, size: tuple[int, int]) -> None:
    """Draw it. What does not fit scrolls between the title and the footer."""
    unit, look = out.unit, out.look
    grow = max(1.0, 0.5 + 0.5 * out.text_scale)
    width = min(content.width * unit * grow, size[0] - 2 * MARGIN * unit)
    pad = PAD * unit
    inner = width - 2 * pad
    body, small, title = out.size(BODY), out.size(SMALL), out.size(TITLE)
    head = title * 1.9 if content.title else 0.0
    footer = fonts.fold(content.footer, small, inner) if content.footer else []
    foot = len(footer) * fonts.line_height(small) + 10 * unit if footer else 0.0
    told = fonts.fold(content.sentence, small, inner)[:3] if content.sentence else []
    if content.sentences:
        foot += 3 * fonts.line_height(small) + 14 * unit
    tabs, head_tabs = _tabs(out, content, inner)
    lines = fonts.fold(content.text, body, inner) if content.text else []
    tall = [line(out, HEADING if row.kind == "heading" else ROW) for row in content.rows]
    key_high, step = line(out, KEY), fonts.line_height(body)
    key_lines = -(-len(content.keys) // max(1, content.columns))
    whole = sum(tall) + key_lines * key_high + len(lines) * step + (6 * unit if lines and tall else 0.0)
    fixed = head + head_tabs + foot + 1.6 * pad
    most = max(size[1] - 2 * MARGIN * unit - fixed, min(whole, 1.5 * line(out, ROW)))
    view = min(max(whole, content.height * unit - fixed), most)
    height = fixed + view
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, MARGIN * unit))
    out.framed(x, y, width, height, 14 * unit, look.slate)
    at = y + 0.8 * pad
    if content.title:
        out.text(content.title, x + pad, at + title, title, look.ink)
        out.box(x + pad, at + title * 1.38, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, look.accent)
        back_button(out, content.back, x + width - pad, at + title * 0.66)
        at += head
    _draw_tabs(out, content, tabs, x + pad, at)
    at += head_tabs
    top, bottom = at, at + view
    begin_scroll(out, whole, top, bottom, content.scroll)
    at -= min(content.scroll, out.most_scroll) * unit
    for text in lines:
        out.text(text, x + pad, at + fonts.ascent(body), body, look.ink)
        at += step
    at += 6 * unit if lines and tall else 0.0
    for row, high in zip(content.rows, tall, strict=True):
        box = (x + pad * 0.5, at, width - pad, high - 4 * unit)
        out.rows.append(visible(out, box))
        out.spans.append(span(out, at, high, content.scroll))
        if at < bottom and at + high > top:
            _row(out, row, box)
        at += high
    _keys(out, content, x + pad, at, inner)
    end_scroll(out, x + width - 11 * unit, top, bottom, content.scroll)
    at = bottom + 10 * unit
    if content.sentences:
        out.box(x + pad, at, inner, max(1.0, unit), 0, look.groove)
        at += 9 * unit
        warm = any(row.selected and row.warns for row in content.rows)
        for number, text in enumerate(told):
            colour = look.warm if warm else look.ink
            out.text(text, x + pad, at + fonts.ascent(small) + number * fonts.line_height(small), small, colour)
        at += 3 * fonts.line_height(small) + 5 * unit
    for text in footer:
        out.text(text, x + pad, at + fonts.ascent(small), small, look.quiet)
        at += fonts.line_height(small)


# Scrolling: shared with the other looks of a page


def begin_scroll(out: Layout, whole: float, top: float, bottom: float, scroll: float) -> None:
    """What follows is `whole` pixels high and seen from `top` to `bottom` only."""
    hidden = whole - (bottom - top)
    out.most_scroll = hidden / out.unit if hidden > HAIR else 0.0
    out.seen = (bottom - top) / out.unit
    out.band, out.clipping = (top, bottom), out.most_scroll > 0.0
    below = max(0.0, out.most_scroll - scroll)
    out.fades = min(scroll, FADE) * out.unit, min(below, FADE) * out.unit


def end_scroll(out: Layout, x: float, top: float, bottom: float, scroll: float) -> None:
    """The end of what scrolls; a bar at `x` shows how far."""
    if out.clipping:
        thick, high = SCROLLBAR * out.unit, bottom - top
        part = out.seen / (out.seen + out.most_scroll)
        at = top + (high - part * high) * min(scroll / out.most_scroll, 1.0)
        out.clipping = False
        out.box(x, top, thick, high, thick / 2, (*out.look.groove[:3], 0.5 * out.look.groove[3]))
        out.box(x, at, thick, part * high, thick / 2, out.look.quiet)
    out.clipping = False


def span(out: Layout, at: float, high: float, scroll: float) -> tuple[float, float]:
    """From where to where something so many pixels down reaches in what scrolls, in units."""
    top = (at - out.band[0]) / out.unit + min(scroll, out.most_scroll)
    return top, top + high / out.unit


def back_button(out: Layout, text: str, right: float, middle: float) -> float:
    """A button that leads back, with its key; returns its left end."""
    if not text:
        return right
    small, unit = out.size(SMALL), out.unit
    cap = fonts.width("Esc", small) + 14 * unit
    wide, high = cap + fonts.width(text, small) + 30 * unit, small * 2.1
    x, y = right - wide, middle - high / 2
    out.back = (x, y, wide, high)
    out.box(x, y, wide, high, high / 2, out.look.keycap)
    out.box(x + 6 * unit, y + 0.16 * high, cap, 0.68 * high, 0.34 * high, out.look.groove)
    out.text("Esc", x + 6 * unit + cap / 2, middle + small * 0.35, small, out.look.ink, 0.5)
    out.text(text, x + cap + 14 * unit, middle + small * 0.35, small, out.look.ink)
    return x


def visible(out: Layout, place: Place) -> Place:
    """The part of a place that is seen, of no height where none is."""
    x, y, width, height = place
    if not out.clipping:
        return place
    top, bottom = max(y, out.band[0]), min(y + height, out.band[1])
    return (x, top, width, max(0.0, bottom - top))


# Parts


def _tabs(out: Layout, content: Panel, inner: float) -> tuple[list[Place], float]:
    """The places of the tabs from (0, 0), folded into lines, and the pixels that they take."""
    letters, high, gap = out.size(SMALL + 1), line(out, TAB), 6 * out.unit
    places: list[Place] = []
    x, y = 0.0, 0.0
    for name in content.tabs:
        wide = fonts.width(name, letters) + 26 * out.unit
        if x > 0.0 and x + wide > inner:
            x, y = 0.0, y + high + gap
        places.append((x, y, wide, high))
        x += wide + gap
    return places, (y + high + 12 * out.unit if places else 0.0)


def _draw_tabs(out: Layout, content: Panel, places: list[Place], left: float, top: float) -> None:
    letters = out.size(SMALL + 1)
    for number, (name, (x, y, wide, high)) in enumerate(zip(content.tabs, places, strict=True)):
        place = (left + x, top + y, wide, high)
        out.tabs.append(place)
        opened = number == content.tab
        out.box(*place, high / 2, out.look.accent if opened else out.look.keycap)
        colour = (*out.look.slate[:3], 1.0) if opened else out.look.ink
        out.text(name, place[0] + wide / 2, place[1] + high / 2 + letters * 0.36, letters, colour, 0.5)


def slider_ends(out: Layout, x: float, width: float) -> tuple[float, float]:
    """Left and right end of the slider of a row that is so wide."""
    value = 78 * out.unit * max(1.0, out.text_scale)
    return x + 0.46 * width, x + width - value


def _row(out: Layout, row: Row, box: Place) -> None:
    unit, look = out.unit, out.look
    body = out.size(BODY)
    x, right = box[0] + PAD * unit * 0.5, box[0] + box[2] - PAD * unit * 0.5
    base = box[1] + box[3] / 2 + body * 0.35
    if row.kind == "heading":
        small = out.size(SMALL)
        out.text(row.label, x, box[1] + box[3] - 8 * unit, small, look.accent)
        out.box(x, box[1] + box[3] - unit, right - x, max(1.0, unit), 0, look.groove)
        return
    if row.selected:
        out.box(*box, 8 * unit, look.chosen)
        out.box(box[0], box[1] + 0.24 * box[3], 3.5 * unit, 0.52 * box[3], 1.75 * unit, look.accent)
    faint = (*look.quiet[:3], 0.45 * look.quiet[3])
    out.text(row.label, x, base, body, look.ink if row.selected else look.quiet if row.enabled else faint)
    bright = look.warm if row.warns else look.accent if row.selected else look.ink
    if row.fraction is not None:
        _slider(out, box, row.fraction, row.selected)
    if row.kind == "toggle":
        _switch(out, row, box, right)
    elif row.kind == "choice":
        _choice(out, row, right, base, bright)
    elif row.kind == "binding":
        _caps(out, row, box, right, bright)
    else:
        out.text(row.value, right, base, body, bright, 1.0)


def _slider(out: Layout, box: Place, fraction: float, selected: bool) -> None:
    unit, look = out.unit, out.look
    left, right = slider_ends(out, box[0], box[2])
    middle = box[1] + box[3] / 2
    part = min(max(fraction, 0.0), 1.0)
    thick = 4 * unit
    out.box(left, middle - thick / 2, right - left, thick, thick / 2, look.groove)
    filled = max((right - left) * part, thick)
    out.box(left, middle - thick / 2, filled, thick, thick / 2, look.accent if selected else look.quiet)
    knob = 7 * unit
    out.box(left + (right - left) * part - knob, middle - knob, 2 * knob, 2 * knob, knob, look.ink)


def _switch(out: Layout, row: Row, box: Place, right: float) -> None:
    """A switch, and its word: told by place and word, not by colour alone."""
    unit, look = out.unit, out.look
    on = row.value == "on"
    wide, high = 38 * unit, 20 * unit
    x, y = right - wide, box[1] + (box[3] - high) / 2
    body = out.size(BODY)
    out.box(x, y, wide, high, high / 2, look.accent if on else look.groove)
    knob = high - 6 * unit
    dark = (*look.slate[:3], 1.0)
    at = x + (wide - knob - 3 * unit if on else 3 * unit)
    out.box(at, y + 3 * unit, knob, knob, knob / 2, dark if on else look.ink)
    base = box[1] + box[3] / 2 + body * 0.35
    out.text(row.value, x - 12 * unit, base, body, look.accent if row.selected else look.ink, 1.0)


def _choice(out: Layout, row: Row, right: float, base: float, colour: tuple[float, float, float, float]) -> None:
    body = out.size(BODY)
    if row.selected:
        wide = fonts.width(row.value, body)
        mark = 8 * out.unit
        out.text(">", right, base, body, out.look.quiet, 1.0)
        right -= fonts.width(">", body) + mark
        out.text("<", right - wide - mark, base, body, out.look.quiet, 1.0)
    out.text(row.value, right, base, body, colour, 1.0)


def _caps(out: Layout, row: Row, box: Place, right: float, colour: tuple[float, float, float, float]) -> None:
    """Keys as caps, from the right."""
    small, unit = out.size(SMALL), out.unit
    middle = box[1] + box[3] / 2
    for key in reversed(row.value.split(" or ")):
        wide, high = fonts.width(key, small) + 18 * unit, min(small * 1.75, box[3])
        right -= wide
        out.box(right, middle - high / 2, wide, high, 5 * unit, out.look.keycap)
        out.text(key, right + wide / 2, middle + small * 0.35, small, colour, 0.5)
        right -= 7 * unit
    if row.warns:
        out.text("!", right - 6 * unit, middle + small * 0.4, out.size(BODY), out.look.warm, 1.0)


def _keys(out: Layout, content: Panel, left: float, at: float, inner: float) -> None:
    """Keys with what they do, in columns, each from top to bottom."""
    small, body, unit = out.size(SMALL), out.size(BODY - 1), out.unit
    high, columns = line(out, KEY), max(1, content.columns)
    lines = -(-len(content.keys) // columns)
    for column in range(columns):
        keys = content.keys[column * lines : (column + 1) * lines]
        caps = max((fonts.width(key, small) for key, _ in keys), default=0.0) + 22 * unit
        wide = (inner - (columns - 1) * 24 * unit) / columns
        x, y = left + column * (wide + 24 * unit), at
        for key, meaning in keys:
            if key:
                cap = fonts.width(key, small) + 18 * unit
                out.box(x, y + 3 * unit, cap, high - 7 * unit, 5 * unit, out.look.keycap)
                out.text(key, x + 9 * unit, y + high / 2 + small * 0.33, small, out.look.ink)
            told = cut(meaning, body, max(wide - caps - 10 * unit, 40 * unit))
            out.text(told, x + caps + 10 * unit, y + high / 2 + small * 0.36, body, out.look.quiet)
            y += high


__all__ = ["back_button", "begin_scroll", "end_scroll", "line", "panel", "slider_ends", "span", "visible"]
