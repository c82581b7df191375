"""Menu panel: tabs, scrolling rows, keys and text, a description and a footer. No GL."""

from __future__ import annotations

from ..snapshot import Panel, PanelRow
from ..text import fonts
from .primitives import BODY_POINTS, SMALL_POINTS, TITLE_POINTS, HudLayout, Rectangle, elide_end

PANEL_MARGIN = 12.0  # units to the window edges
PANEL_PADDING = 26.0
ROW_HEIGHT, HEADING_HEIGHT, KEY_ROW_HEIGHT, TAB_HEIGHT = 42.0, 46.0, 33.0, 34.0  # units
SCROLLBAR_WIDTH = 5.0
SCROLL_TOLERANCE = 0.5  # pixels: rounding errors do not start scrolling
SCROLL_FADE_HEIGHT = 16.0  # units over which rows fade at a scroll edge


def line_pixels(out: HudLayout, units: float) -> float:
    """Height in pixels of a line of `units`; grows with the text scale."""
    return units * out.unit * max(1.0, out.text_scale)


def draw_panel_page(out: HudLayout, content: Panel, size: tuple[int, int]) -> None:
    """Draw the panel in the centre. Content that does not fit scrolls between title and footer."""
    unit, theme = out.unit, out.theme
    text_growth = max(1.0, 0.5 + 0.5 * out.text_scale)
    width = min(content.width * unit * text_growth, size[0] - 2 * PANEL_MARGIN * unit)
    pad = PANEL_PADDING * unit
    inner_width = width - 2 * pad
    body, small, title = out.font_pixels(BODY_POINTS), out.font_pixels(SMALL_POINTS), out.font_pixels(TITLE_POINTS)
    title_height = title * 1.9 if content.title else 0.0
    footer = fonts.wrap_text(content.footer, small, inner_width) if content.footer else []
    footer_height = len(footer) * fonts.line_height(small) + 10 * unit if footer else 0.0
    sentence_lines = fonts.wrap_text(content.sentence, small, inner_width)[:3] if content.sentence else []
    if content.reserves_sentence:
        footer_height += 3 * fonts.line_height(small) + 14 * unit
    tabs, tabs_height = _layout_tabs(out, content, inner_width)
    lines = fonts.wrap_text(content.text, body, inner_width) if content.text else []
    row_heights = [line_pixels(out, HEADING_HEIGHT if row.kind == "heading" else ROW_HEIGHT) for row in content.rows]
    key_height, step = line_pixels(out, KEY_ROW_HEIGHT), fonts.line_height(body)
    key_lines = -(-len(content.keys) // max(1, content.columns))
    content_height = (
        sum(row_heights) + key_lines * key_height + len(lines) * step + (6 * unit if lines and row_heights else 0.0)
    )
    fixed_height = title_height + tabs_height + footer_height + 1.6 * pad
    max_view = max(
        size[1] - 2 * PANEL_MARGIN * unit - fixed_height, min(content_height, 1.5 * line_pixels(out, ROW_HEIGHT))
    )
    view_height = min(max(content_height, content.height * unit - fixed_height), max_view)
    height = fixed_height + view_height
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, PANEL_MARGIN * unit))
    out.add_outlined_box(x, y, width, height, 14 * unit, theme.slate)
    line_y = y + 0.8 * pad
    if content.title:
        out.add_text(content.title, x + pad, line_y + title, title, theme.ink)
        out.add_box(x + pad, line_y + title * 1.38, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, theme.accent)
        draw_back_button(out, content.back, x + width - pad, line_y + title * 0.66)
        line_y += title_height
    _draw_tabs(out, content, tabs, x + pad, line_y)
    line_y += tabs_height
    top, bottom = line_y, line_y + view_height
    begin_scroll(out, content_height, top, bottom, content.scroll)
    line_y -= min(content.scroll, out.max_scroll) * unit
    for text in lines:
        out.add_text(text, x + pad, line_y + fonts.font_ascent(body), body, theme.ink)
        line_y += step
    line_y += 6 * unit if lines and row_heights else 0.0
    for row, row_height in zip(content.rows, row_heights, strict=True):
        box = (x + pad * 0.5, line_y, width - pad, row_height - 4 * unit)
        out.row_rectangles.append(clip_to_scroll_band(out, box))
        out.row_spans.append(content_span(out, line_y, row_height, content.scroll))
        if line_y < bottom and line_y + row_height > top:
            _draw_row(out, row, box)
        line_y += row_height
    _draw_key_columns(out, content, x + pad, line_y, inner_width)
    end_scroll(out, x + width - 11 * unit, top, bottom, content.scroll)
    line_y = bottom + 10 * unit
    if content.reserves_sentence:
        out.add_box(x + pad, line_y, inner_width, max(1.0, unit), 0, theme.slider_track)
        line_y += 9 * unit
        warm = any(row.selected and row.is_warning for row in content.rows)
        for number, text in enumerate(sentence_lines):
            colour = theme.warm if warm else theme.ink
            out.add_text(
                text, x + pad, line_y + fonts.font_ascent(small) + number * fonts.line_height(small), small, colour
            )
        line_y += 3 * fonts.line_height(small) + 5 * unit
    for text in footer:
        out.add_text(text, x + pad, line_y + fonts.font_ascent(small), small, theme.secondary_ink)
        line_y += fonts.line_height(small)


# Scrolling, shared with the other page layouts


def begin_scroll(out: HudLayout, content_height: float, top: float, bottom: float, scroll: float) -> None:
    """Start the scrolled content: `content_height` pixels, visible from `top` to `bottom`."""
    hidden = content_height - (bottom - top)
    out.max_scroll = hidden / out.unit if hidden > SCROLL_TOLERANCE else 0.0
    out.visible_fraction = (bottom - top) / out.unit
    out.scroll_band, out.clipping = (top, bottom), out.max_scroll > 0.0
    below = max(0.0, out.max_scroll - scroll)
    out.scroll_fades = min(scroll, SCROLL_FADE_HEIGHT) * out.unit, min(below, SCROLL_FADE_HEIGHT) * out.unit


def end_scroll(out: HudLayout, x: float, top: float, bottom: float, scroll: float) -> None:
    """End the scrolled content and draw a scroll bar at `x`."""
    if out.clipping:
        width, height = SCROLLBAR_WIDTH * out.unit, bottom - top
        fraction = out.visible_fraction / (out.visible_fraction + out.max_scroll)
        thumb_y = top + (height - fraction * height) * min(scroll / out.max_scroll, 1.0)
        out.clipping = False
        out.add_box(x, top, width, height, width / 2, (*out.theme.slider_track[:3], 0.5 * out.theme.slider_track[3]))
        out.add_box(x, thumb_y, width, fraction * height, width / 2, out.theme.secondary_ink)
    out.clipping = False


def content_span(out: HudLayout, item_y: float, item_height: float, scroll: float) -> tuple[float, float]:
    """Extent of an item within the scrolled content, in units."""
    top = (item_y - out.scroll_band[0]) / out.unit + min(scroll, out.max_scroll)
    return top, top + item_height / out.unit


def draw_back_button(out: HudLayout, text: str, right: float, middle: float) -> float:
    """Back button with its key. Returns the x coordinate of its left end."""
    if not text:
        return right
    small, unit = out.font_pixels(SMALL_POINTS), out.unit
    cap_width = fonts.text_width("Esc", small) + 14 * unit
    width, height = cap_width + fonts.text_width(text, small) + 30 * unit, small * 2.1
    x, y = right - width, middle - height / 2
    out.back_rectangle = (x, y, width, height)
    out.add_box(x, y, width, height, height / 2, out.theme.keycap)
    out.add_box(x + 6 * unit, y + 0.16 * height, cap_width, 0.68 * height, 0.34 * height, out.theme.slider_track)
    out.add_text("Esc", x + 6 * unit + cap_width / 2, middle + small * 0.35, small, out.theme.ink, 0.5)
    out.add_text(text, x + cap_width + 14 * unit, middle + small * 0.35, small, out.theme.ink)
    return x


def clip_to_scroll_band(out: HudLayout, rectangle: Rectangle) -> Rectangle:
    """Rectangle clipped to the scroll band; height 0 when nothing of it is visible."""
    x, y, width, height = rectangle
    if not out.clipping:
        return rectangle
    top, bottom = max(y, out.scroll_band[0]), min(y + height, out.scroll_band[1])
    return (x, top, width, max(0.0, bottom - top))


# Parts


def _layout_tabs(out: HudLayout, content: Panel, inner_width: float) -> tuple[list[Rectangle], float]:
    """Rectangles of the tabs from (0, 0), wrapped into lines, and their total height in pixels."""
    font_size, tab_height, gap = out.font_pixels(SMALL_POINTS + 1), line_pixels(out, TAB_HEIGHT), 6 * out.unit
    rectangles: list[Rectangle] = []
    x, y = 0.0, 0.0
    for name in content.tabs:
        width = fonts.text_width(name, font_size) + 26 * out.unit
        if x > 0.0 and x + width > inner_width:
            x, y = 0.0, y + tab_height + gap
        rectangles.append((x, y, width, tab_height))
        x += width + gap
    return rectangles, (y + tab_height + 12 * out.unit if rectangles else 0.0)


def _draw_tabs(out: HudLayout, content: Panel, rectangles: list[Rectangle], left: float, top: float) -> None:
    font_size = out.font_pixels(SMALL_POINTS + 1)
    for number, (name, (x, y, width, height)) in enumerate(zip(content.tabs, rectangles, strict=True)):
        rectangle = (left + x, top + y, width, height)
        out.tab_rectangles.append(rectangle)
        is_open = number == content.tab
        out.add_box(*rectangle, height / 2, out.theme.accent if is_open else out.theme.keycap)
        colour = (*out.theme.slate[:3], 1.0) if is_open else out.theme.ink
        out.add_text(
            name, rectangle[0] + width / 2, rectangle[1] + height / 2 + font_size * 0.36, font_size, colour, 0.5
        )


def slider_x_ends(out: HudLayout, x: float, width: float) -> tuple[float, float]:
    """Left and right end of the slider of a row of `width` pixels."""
    value_width = 78 * out.unit * max(1.0, out.text_scale)
    return x + 0.46 * width, x + width - value_width


def _draw_row(out: HudLayout, row: PanelRow, box: Rectangle) -> None:
    unit, theme = out.unit, out.theme
    body = out.font_pixels(BODY_POINTS)
    x, right = box[0] + PANEL_PADDING * unit * 0.5, box[0] + box[2] - PANEL_PADDING * unit * 0.5
    baseline = box[1] + box[3] / 2 + body * 0.35
    if row.kind == "heading":
        small = out.font_pixels(SMALL_POINTS)
        out.add_text(row.label, x, box[1] + box[3] - 8 * unit, small, theme.accent)
        out.add_box(x, box[1] + box[3] - unit, right - x, max(1.0, unit), 0, theme.slider_track)
        return
    if row.selected:
        out.add_box(*box, 8 * unit, theme.selection)
        out.add_box(box[0], box[1] + 0.24 * box[3], 3.5 * unit, 0.52 * box[3], 1.75 * unit, theme.accent)
    faint = (*theme.secondary_ink[:3], 0.45 * theme.secondary_ink[3])
    out.add_text(
        row.label, x, baseline, body, theme.ink if row.selected else theme.secondary_ink if row.enabled else faint
    )
    value_colour = theme.warm if row.is_warning else theme.accent if row.selected else theme.ink
    if row.fraction is not None:
        _draw_slider(out, box, row.fraction, row.selected)
    if row.kind == "toggle":
        _draw_toggle(out, row, box, right)
    elif row.kind == "choice":
        _draw_choice(out, row, right, baseline, value_colour)
    elif row.kind == "binding":
        _draw_keycaps(out, row, box, right, value_colour)
    else:
        out.add_text(row.value, right, baseline, body, value_colour, 1.0)


def _draw_slider(out: HudLayout, box: Rectangle, fraction: float, selected: bool) -> None:
    unit, theme = out.unit, out.theme
    left, right = slider_x_ends(out, box[0], box[2])
    middle = box[1] + box[3] / 2
    clamped = min(max(fraction, 0.0), 1.0)
    track_height = 4 * unit
    out.add_box(left, middle - track_height / 2, right - left, track_height, track_height / 2, theme.slider_track)
    filled = max((right - left) * clamped, track_height)
    out.add_box(
        left,
        middle - track_height / 2,
        filled,
        track_height,
        track_height / 2,
        theme.accent if selected else theme.secondary_ink,
    )
    knob = 7 * unit
    out.add_box(left + (right - left) * clamped - knob, middle - knob, 2 * knob, 2 * knob, knob, theme.ink)


def _draw_toggle(out: HudLayout, row: PanelRow, box: Rectangle, right: float) -> None:
    """Switch and its text, so that the state does not depend on colour alone."""
    unit, theme = out.unit, out.theme
    on = row.value == "On"
    width, height = 38 * unit, 20 * unit
    x, y = right - width, box[1] + (box[3] - height) / 2
    body = out.font_pixels(BODY_POINTS)
    out.add_box(x, y, width, height, height / 2, theme.accent if on else theme.slider_track)
    knob = height - 6 * unit
    knob_colour = (*theme.slate[:3], 1.0)
    knob_x = x + (width - knob - 3 * unit if on else 3 * unit)
    out.add_box(knob_x, y + 3 * unit, knob, knob, knob / 2, knob_colour if on else theme.ink)
    baseline = box[1] + box[3] / 2 + body * 0.35
    out.add_text(row.value, x - 12 * unit, baseline, body, theme.accent if row.selected else theme.ink, 1.0)


def _draw_choice(
    out: HudLayout, row: PanelRow, right: float, baseline: float, colour: tuple[float, float, float, float]
) -> None:
    body = out.font_pixels(BODY_POINTS)
    if row.selected:
        value_width = fonts.text_width(row.value, body)
        gap = 8 * out.unit
        out.add_text(">", right, baseline, body, out.theme.secondary_ink, 1.0)
        right -= fonts.text_width(">", body) + gap
        out.add_text("<", right - value_width - gap, baseline, body, out.theme.secondary_ink, 1.0)
    out.add_text(row.value, right, baseline, body, colour, 1.0)


def _draw_keycaps(
    out: HudLayout, row: PanelRow, box: Rectangle, right: float, colour: tuple[float, float, float, float]
) -> None:
    """Keys as keycaps, right-aligned."""
    small, unit = out.font_pixels(SMALL_POINTS), out.unit
    middle = box[1] + box[3] / 2
    for key in reversed(row.value.split(" or ")):
        width, height = fonts.text_width(key, small) + 18 * unit, min(small * 1.75, box[3])
        right -= width
        out.add_box(right, middle - height / 2, width, height, 5 * unit, out.theme.keycap)
        out.add_text(key, right + width / 2, middle + small * 0.35, small, colour, 0.5)
        right -= 7 * unit
    if row.is_warning:
        out.add_text("!", right - 6 * unit, middle + small * 0.4, out.font_pixels(BODY_POINTS), out.theme.warm, 1.0)


def _draw_key_columns(out: HudLayout, content: Panel, left: float, top: float, inner_width: float) -> None:
    """Keys with meanings in columns, each from top to bottom."""
    small, body, unit = out.font_pixels(SMALL_POINTS), out.font_pixels(BODY_POINTS - 1), out.unit
    row_height, columns = line_pixels(out, KEY_ROW_HEIGHT), max(1, content.columns)
    rows = -(-len(content.keys) // columns)
    for column in range(columns):
        keys = content.keys[column * rows : (column + 1) * rows]
        caps_width = max((fonts.text_width(key, small) for key, _ in keys), default=0.0) + 22 * unit
        column_width = (inner_width - (columns - 1) * 24 * unit) / columns
        x, y = left + column * (column_width + 24 * unit), top
        for key, meaning in keys:
            if key:
                cap_width = fonts.text_width(key, small) + 18 * unit
                out.add_box(x, y + 3 * unit, cap_width, row_height - 7 * unit, 5 * unit, out.theme.keycap)
                out.add_text(key, x + 9 * unit, y + row_height / 2 + small * 0.33, small, out.theme.ink)
            meaning_text = elide_end(meaning, body, max(column_width - caps_width - 10 * unit, 40 * unit))
            out.add_text(
                meaning_text,
                x + caps_width + 10 * unit,
                y + row_height / 2 + small * 0.36,
                body,
                out.theme.secondary_ink,
            )
            y += row_height
