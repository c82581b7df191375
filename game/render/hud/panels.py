"""A panel in the middle of the picture: tabs, rows, keys and text that scroll, a sentence and a footer. No GL."""

from __future__ import annotations

from ..snapshot import Panel, PanelRow
from ..text import fonts
from .primitives import BODY_POINTS, SMALL_POINTS, TITLE_POINTS, HudLayout, Rectangle, elide_end

PANEL_MARGIN = 12.0  # units, from a panel to the picture's edges
PANEL_PADDING = 26.0
ROW_HEIGHT, HEADING_HEIGHT, KEY_ROW_HEIGHT, TAB_HEIGHT = 42.0, 46.0, 33.0, 34.0  # units that lines of each kind take
SCROLLBAR_WIDTH = 5.0
SCROLL_TOLERANCE = 0.5  # pixels that may be hidden before a page scrolls: a sum may be a rounding off
SCROLL_FADE_HEIGHT = 16.0  # over which rows fade where more follow


def line_pixels(out: HudLayout, units: float) -> float:
    """Pixels of a line that high, more where letters are larger."""
    return units * out.unit * max(1.0, out.text_scale)


def draw_panel_page(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """Draw it. What does not fit scrolls between the title and the footer."""
    unit, look = out.unit, out.theme
    grow = max(1.0, 0.5 + 0.5 * out.text_scale)
    width = min(content.width * unit * grow, size[0] - 2 * PANEL_MARGIN * unit)
    pad = PANEL_PADDING * unit
    inner = width - 2 * pad
    body, small, title = out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS), out.font_pixels(TITLE_POINTS)
    head = title * 1.9 if content.title else 0.0
    footer = fonts.wrap_text(content.footer, small, inner) if content.footer else []
    foot = len(footer) * fonts.line_height(small) + 10 * unit if footer else 0.0
    told = fonts.wrap_text(content.sentence, small, inner)[:3] if content.sentence else []
    if content.sentences:
        foot += 3 * fonts.line_height(small) + 14 * unit
    tabs, head_tabs = _layout_tabs(out, content, inner)
    lines = fonts.wrap_text(content.text, body, inner) if content.text else []
    tall = [line_pixels(out, HEADING_HEIGHT if row.kind == "heading" else ROW_HEIGHT) for row in content.rows]
    key_high, step = line_pixels(out, KEY_ROW_HEIGHT), fonts.line_height(body)
    key_lines = -(-len(content.keys) // max(1, content.columns))
    whole = sum(tall) + key_lines * key_high + len(lines) * step + (6 * unit if lines and tall else 0.0)
    fixed = head + head_tabs + foot + 1.6 * pad
    most = max(size[1] - 2 * PANEL_MARGIN * unit - fixed, min(whole, 1.5 * line_pixels(out, ROW_HEIGHT)))
    view = min(max(whole, content.height * unit - fixed), most)
    height = fixed + view
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, PANEL_MARGIN * unit))
    out.add_outlined_box(x, y, width, height, 14 * unit, look.slate)
    at = y + 0.8 * pad
    if content.title:
        out.add_text(content.title, x + pad, at + title, title, look.ink)
        out.add_box(x + pad, at + title * 1.38, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, look.accent)
        draw_back_button(out, content.back, x + width - pad, at + title * 0.66)
        at += head
    _draw_tabs(out, content, tabs, x + pad, at)
    at += head_tabs
    top, bottom = at, at + view
    begin_scroll(out, whole, top, bottom, content.scroll)
    at -= min(content.scroll, out.max_scroll) * unit
    for text in lines:
        out.add_text(text, x + pad, at + fonts.font_ascent(body), body, look.ink)
        at += step
    at += 6 * unit if lines and tall else 0.0
    for row, high in zip(content.rows, tall, strict=True):
        box = (x + pad * 0.5, at, width - pad, high - 4 * unit)
        out.row_rectangles.append(visible_part(out, box))
        out.row_spans.append(content_span(out, at, high, content.scroll))
        if at < bottom and at + high > top:
            _draw_row(out, row, box)
        at += high
    _draw_key_columns(out, content, x + pad, at, inner)
    end_scroll(out, x + width - 11 * unit, top, bottom, content.scroll)
    at = bottom + 10 * unit
    if content.sentences:
        out.add_box(x + pad, at, inner, max(1.0, unit), 0, look.slider_track)
        at += 9 * unit
        warm = any(row.selected and row.is_warning for row in content.rows)
        for number, text in enumerate(told):
            colour = look.warm if warm else look.ink
            out.add_text(
                text, x + pad, at + fonts.font_ascent(small) + number * fonts.line_height(small), small, colour
            )
        at += 3 * fonts.line_height(small) + 5 * unit
    for text in footer:
        out.add_text(text, x + pad, at + fonts.font_ascent(small), small, look.secondary_ink)
        at += fonts.line_height(small)


# Scrolling: shared with the other looks of a page


def begin_scroll(out: HudLayout, whole: float, top: float, bottom: float, scroll: float) -> None:
    """What follows is `whole` pixels high and seen from `top` to `bottom` only."""
    hidden = whole - (bottom - top)
    out.max_scroll = hidden / out.unit if hidden > SCROLL_TOLERANCE else 0.0
    out.visible_fraction = (bottom - top) / out.unit
    out.scroll_band, out.clipping = (top, bottom), out.max_scroll > 0.0
    below = max(0.0, out.max_scroll - scroll)
    out.scroll_fades = min(scroll, SCROLL_FADE_HEIGHT) * out.unit, min(below, SCROLL_FADE_HEIGHT) * out.unit


def end_scroll(out: HudLayout, x: float, top: float, bottom: float, scroll: float) -> None:
    """The end of what scrolls; a bar at `x` shows how far."""
    if out.clipping:
        thick, high = SCROLLBAR_WIDTH * out.unit, bottom - top
        part = out.visible_fraction / (out.visible_fraction + out.max_scroll)
        at = top + (high - part * high) * min(scroll / out.max_scroll, 1.0)
        out.clipping = False
        out.add_box(x, top, thick, high, thick / 2, (*out.theme.slider_track[:3], 0.5 * out.theme.slider_track[3]))
        out.add_box(x, at, thick, part * high, thick / 2, out.theme.secondary_ink)
    out.clipping = False


def content_span(out: HudLayout, at: float, high: float, scroll: float) -> tuple[float, float]:
    """From where to where something so many pixels down reaches in what scrolls, in units."""
    top = (at - out.scroll_band[0]) / out.unit + min(scroll, out.max_scroll)
    return top, top + high / out.unit


def draw_back_button(out: HudLayout, text: str, right: float, middle: float) -> float:
    """A button that leads back, with its key; returns its left end."""
    if not text:
        return right
    small, unit = out.font_pixels(SMALL_POINTS), out.unit
    cap = fonts.text_width("Esc", small) + 14 * unit
    wide, high = cap + fonts.text_width(text, small) + 30 * unit, small * 2.1
    x, y = right - wide, middle - high / 2
    out.back_rectangle = (x, y, wide, high)
    out.add_box(x, y, wide, high, high / 2, out.theme.keycap)
    out.add_box(x + 6 * unit, y + 0.16 * high, cap, 0.68 * high, 0.34 * high, out.theme.slider_track)
    out.add_text("Esc", x + 6 * unit + cap / 2, middle + small * 0.35, small, out.theme.ink, 0.5)
    out.add_text(text, x + cap + 14 * unit, middle + small * 0.35, small, out.theme.ink)
    return x


def visible_part(out: HudLayout, place: Rectangle) -> Rectangle:
    """The part of a place that is seen, of no height where none is."""
    x, y, width, height = place
    if not out.clipping:
        return place
    top, bottom = max(y, out.scroll_band[0]), min(y + height, out.scroll_band[1])
    return (x, top, width, max(0.0, bottom - top))


# Parts


def _layout_tabs(out: HudLayout, content: Panel, inner: float) -> tuple[list[Rectangle], float]:
    """The places of the tabs from (0, 0), folded into lines, and the pixels that they take."""
    letters, high, gap = out.font_pixels(SMALL_POINTS + 1), line_pixels(out, TAB_HEIGHT), 6 * out.unit
    places: list[Rectangle] = []
    x, y = 0.0, 0.0
    for name in content.tabs:
        wide = fonts.text_width(name, letters) + 26 * out.unit
        if x > 0.0 and x + wide > inner:
            x, y = 0.0, y + high + gap
        places.append((x, y, wide, high))
        x += wide + gap
    return places, (y + high + 12 * out.unit if places else 0.0)


def _draw_tabs(out: HudLayout, content: Panel, places: list[Rectangle], left: float, top: float) -> None:
    letters = out.font_pixels(SMALL_POINTS + 1)
    for number, (name, (x, y, wide, high)) in enumerate(zip(content.tabs, places, strict=True)):
        place = (left + x, top + y, wide, high)
        out.tab_rectangles.append(place)
        opened = number == content.tab
        out.add_box(*place, high / 2, out.theme.accent if opened else out.theme.keycap)
        colour = (*out.theme.slate[:3], 1.0) if opened else out.theme.ink
        out.add_text(name, place[0] + wide / 2, place[1] + high / 2 + letters * 0.36, letters, colour, 0.5)


def slider_x_ends(out: HudLayout, x: float, width: float) -> tuple[float, float]:
    """Left and right end of the slider of a row that is so wide."""
    value = 78 * out.unit * max(1.0, out.text_scale)
    return x + 0.46 * width, x + width - value


def _draw_row(out: HudLayout, row: PanelRow, box: Rectangle) -> None:
    unit, look = out.unit, out.theme
    body = out.font_pixels(BODY_POINTS)
    x, right = box[0] + PANEL_PADDING * unit * 0.5, box[0] + box[2] - PANEL_PADDING * unit * 0.5
    base = box[1] + box[3] / 2 + body * 0.35
    if row.kind == "heading":
        small = out.font_pixels(SMALL_POINTS)
        out.add_text(row.label, x, box[1] + box[3] - 8 * unit, small, look.accent)
        out.add_box(x, box[1] + box[3] - unit, right - x, max(1.0, unit), 0, look.slider_track)
        return
    if row.selected:
        out.add_box(*box, 8 * unit, look.selection)
        out.add_box(box[0], box[1] + 0.24 * box[3], 3.5 * unit, 0.52 * box[3], 1.75 * unit, look.accent)
    faint = (*look.secondary_ink[:3], 0.45 * look.secondary_ink[3])
    out.add_text(row.label, x, base, body, look.ink if row.selected else look.secondary_ink if row.enabled else faint)
    bright = look.warm if row.is_warning else look.accent if row.selected else look.ink
    if row.fraction is not None:
        _draw_slider(out, box, row.fraction, row.selected)
    if row.kind == "toggle":
        _draw_toggle(out, row, box, right)
    elif row.kind == "choice":
        _draw_choice(out, row, right, base, bright)
    elif row.kind == "binding":
        _draw_keycaps(out, row, box, right, bright)
    else:
        out.add_text(row.value, right, base, body, bright, 1.0)


def _draw_slider(out: HudLayout, box: Rectangle, fraction: float, selected: bool) -> None:
    unit, look = out.unit, out.theme
    left, right = slider_x_ends(out, box[0], box[2])
    middle = box[1] + box[3] / 2
    part = min(max(fraction, 0.0), 1.0)
    thick = 4 * unit
    out.add_box(left, middle - thick / 2, right - left, thick, thick / 2, look.slider_track)
    filled = max((right - left) * part, thick)
    out.add_box(left, middle - thick / 2, filled, thick, thick / 2, look.accent if selected else look.secondary_ink)
    knob = 7 * unit
    out.add_box(left + (right - left) * part - knob, middle - knob, 2 * knob, 2 * knob, knob, look.ink)


def _draw_toggle(out: HudLayout, row: PanelRow, box: Rectangle, right: float) -> None:
    """A switch, and its word: told by place and word, not by colour alone."""
    unit, look = out.unit, out.theme
    on = row.value == "On"
    wide, high = 38 * unit, 20 * unit
    x, y = right - wide, box[1] + (box[3] - high) / 2
    body = out.font_pixels(BODY_POINTS)
    out.add_box(x, y, wide, high, high / 2, look.accent if on else look.slider_track)
    knob = high - 6 * unit
    dark = (*look.slate[:3], 1.0)
    at = x + (wide - knob - 3 * unit if on else 3 * unit)
    out.add_box(at, y + 3 * unit, knob, knob, knob / 2, dark if on else look.ink)
    base = box[1] + box[3] / 2 + body * 0.35
    out.add_text(row.value, x - 12 * unit, base, body, look.accent if row.selected else look.ink, 1.0)


def _draw_choice(
    out: HudLayout, row: PanelRow, right: float, base: float, colour: tuple[float, float, float, float]
) -> None:
    body = out.font_pixels(BODY_POINTS)
    if row.selected:
        wide = fonts.text_width(row.value, body)
        mark = 8 * out.unit
        out.add_text(">", right, base, body, out.theme.secondary_ink, 1.0)
        right -= fonts.text_width(">", body) + mark
        out.add_text("<", right - wide - mark, base, body, out.theme.secondary_ink, 1.0)
    out.add_text(row.value, right, base, body, colour, 1.0)


def _draw_keycaps(
    out: HudLayout, row: PanelRow, box: Rectangle, right: float, colour: tuple[float, float, float, float]
) -> None:
    """Keys as caps, from the right."""
    small, unit = out.font_pixels(SMALL_POINTS), out.unit
    middle = box[1] + box[3] / 2
    for key in reversed(row.value.split(" or ")):
        wide, high = fonts.text_width(key, small) + 18 * unit, min(small * 1.75, box[3])
        right -= wide
        out.add_box(right, middle - high / 2, wide, high, 5 * unit, out.theme.keycap)
        out.add_text(key, right + wide / 2, middle + small * 0.35, small, colour, 0.5)
        right -= 7 * unit
    if row.is_warning:
        out.add_text("!", right - 6 * unit, middle + small * 0.4, out.font_pixels(BODY_POINTS), out.theme.warm, 1.0)


def _draw_key_columns(out: HudLayout, content: Panel, left: float, at: float, inner: float) -> None:
    """Keys with what they do, in columns, each from top to bottom."""
    small, body, unit = out.font_pixels(SMALL_POINTS), out.font_pixels(BODY_POINTS - 1), out.unit
    high, columns = line_pixels(out, KEY_ROW_HEIGHT), max(1, content.columns)
    lines = -(-len(content.keys) // columns)
    for column in range(columns):
        keys = content.keys[column * lines : (column + 1) * lines]
        caps = max((fonts.text_width(key, small) for key, _ in keys), default=0.0) + 22 * unit
        wide = (inner - (columns - 1) * 24 * unit) / columns
        x, y = left + column * (wide + 24 * unit), at
        for key, meaning in keys:
            if key:
                cap = fonts.text_width(key, small) + 18 * unit
                out.add_box(x, y + 3 * unit, cap, high - 7 * unit, 5 * unit, out.theme.keycap)
                out.add_text(key, x + 9 * unit, y + high / 2 + small * 0.33, small, out.theme.ink)
            told = elide_end(meaning, body, max(wide - caps - 10 * unit, 40 * unit))
            out.add_text(told, x + caps + 10 * unit, y + high / 2 + small * 0.36, body, out.theme.secondary_ink)
            y += high


__all__ = [
    "begin_scroll",
    "content_span",
    "draw_back_button",
    "draw_panel_page",
    "end_scroll",
    "line_pixels",
    "slider_x_ends",
    "visible_part",
]
