"""Rows of the menu panel: sliders, switches, choices and keycaps, and columns of keys with meanings. No GL."""

from __future__ import annotations

from ...text.key_symbols import key_symbols
from ..colour_palettes import Rgba, with_opacity
from ..snapshot import PanelRow
from ..text import fonts
from .boxes import Box, Column, Figure, Fit, Frame, Row, Text, bar, spread
from .primitives import BODY_POINTS, SMALL_POINTS, HudItems

ROW_PADDING, ROW_GAP = 13.0, 4.0  # units at the left and right of a row, and below it
ROW_HEIGHT, HEADING_HEIGHT, KEY_ROW_HEIGHT = 42.0, 46.0, 33.0  # units, with the gap
SLIDER_START, SLIDER_VALUE_WIDTH = 0.46, 86.0  # fraction of the row; units, which grow with the text
COLUMN_GAP = 24.0  # units


def line_pixels(out: HudItems, points: float, units: float) -> float:
    """Height in pixels of a row with one text line of `points`: `units`, or more where the text needs it."""
    return max(units * out.unit, fonts.line_height(out.font_pixels(points)) * 1.12 + 8 * out.unit)


def slider_x_ends(out: HudItems, x: float, width: float) -> tuple[float, float]:
    """Left and right end of the slider of a row of `width` pixels."""
    return x + SLIDER_START * width, x + width - SLIDER_VALUE_WIDTH * out.unit * max(1.0, out.text_scale)


def heading_row(out: HudItems, row: PanelRow, width: float) -> Box:
    """Heading of the rows below it, over a line."""
    unit, margin = out.unit, ROW_PADDING * out.unit
    label = Text(row.label, out.font_pixels(SMALL_POINTS), out.theme.accent, width - 2 * margin)
    line = bar(out, width - 2 * margin, max(1.0, unit), out.theme.slider_track)
    height = line_pixels(out, SMALL_POINTS, HEADING_HEIGHT) + label.height - label.step - ROW_GAP * unit
    return Fit(Frame(Column(label, line, gap=3 * unit), (margin, 0.0)), width, height, down=1.0)


def panel_row(out: HudItems, row: PanelRow, width: float) -> Box:
    """Row with its value at the right, `width` pixels wide. Where they have no room beside each other, the value is
    below the label, and a slider below both."""
    unit, theme, margin = out.unit, out.theme, ROW_PADDING * out.unit
    if row.kind == "heading":
        return heading_row(out, row, width)
    body, inner, gap = out.font_pixels(BODY_POINTS), width - 2 * margin, 16 * unit
    ink = theme.ink if row.selected else theme.secondary_ink if row.enabled else with_opacity(theme.secondary_ink, 0.45)
    label = Text(row.label, body, ink)
    content: Box
    if row.fraction is None:
        value = _value(out, row)
        content = spread(label, value, inner)
        if label.width + (value.width + gap if value.width else 0.0) > inner:
            content = Column(Text(row.label, body, ink, inner), Fit(_value(out, row, inner), inner, across=1.0))
    else:
        value = _value_text(out, row)
        left, right = slider_x_ends(out, 0.0, width)
        slider = _slider(out, row, right - left, label.step)
        if label.width <= left - margin - 12 * unit and value.width <= width - right - 2 * margin:
            content = Row(Fit(label, left - margin), slider, Fit(value, width - right - margin, across=1.0))
        else:
            label = Text(row.label, body, ink, max(inner - value.width - gap, 0.4 * inner))
            content = Column(spread(label, value, inner, 0.0), Row(Box(left - margin, 1.0), slider))
    height = line_pixels(out, BODY_POINTS, ROW_HEIGHT) - ROW_GAP * unit + max(0.0, content.height - label.step)

    def paint(x: float, y: float) -> None:
        if row.selected:
            out.add_box(x, y, width, height, 8 * unit, theme.selection)
            out.add_box(x, y + 0.24 * height, 3.5 * unit, 0.52 * height, 1.75 * unit, theme.accent)
        content.draw(out, x + margin, y + (height - content.height) / 2)

    return Figure(width, height, paint)


def _value_text(out: HudItems, row: PanelRow, width: float | None = None, colour: Rgba | None = None) -> Text:
    theme = out.theme
    colour = colour or (theme.warm if row.is_warning else theme.accent if row.selected else theme.ink)
    text = f"!   {row.value}" if row.kind == "binding" and row.is_warning else row.value
    return Text(text, out.font_pixels(BODY_POINTS), colour, width, 1.0)


def _value(out: HudItems, row: PanelRow, width: float | None = None) -> Box:
    """Value of a row: a text, a choice between arrows, or a switch with its text, which does not depend on colour."""
    unit, theme = out.unit, out.theme
    if row.kind == "toggle":
        is_on, colour = row.value == "On", theme.accent if row.selected else theme.ink
        knob = 14 * unit

        def paint(x: float, y: float) -> None:
            bar(out, 38 * unit, 20 * unit, theme.accent if is_on else theme.slider_track).draw(out, x, y)
            middle = x + (28 * unit if is_on else 10 * unit)
            out.add_disc(middle, y + 10 * unit, knob, theme.ground if is_on else theme.ink)

        return Row(_value_text(out, row, width, colour), Figure(38 * unit, 20 * unit, paint), gap=12 * unit)
    if row.kind != "choice":
        return _value_text(out, row, width)
    before, after = (Text(text, out.font_pixels(BODY_POINTS), theme.secondary_ink) for text in "<>")
    arrows = before.width + after.width + 16 * unit
    value = _value_text(out, row, None if width is None else width - arrows)
    if not row.selected:
        return Fit(value, value.width + arrows, across=1.0)
    return Row(before, value, after, gap=8 * unit)


def _slider(out: HudItems, row: PanelRow, width: float, height: float) -> Figure:
    """Track with a knob at the row's fraction."""
    unit, theme = out.unit, out.theme
    track = 4 * unit
    reach = width * min(max(row.fraction or 0.0, 0.0), 1.0)

    def paint(x: float, y: float) -> None:
        middle = y + height / 2
        bar(out, width, track, theme.slider_track).draw(out, x, middle - track / 2)
        colour = theme.accent if row.selected else theme.secondary_ink
        bar(out, max(reach, track), track, colour).draw(out, x, middle - track / 2)
        out.add_disc(x + reach, middle, 14 * unit, theme.ink)

    return Figure(width, height, paint)


def key_columns(out: HudItems, keys: tuple[tuple[str, str], ...], columns: int, width: float) -> Box:
    """Keys with meanings in as many columns, up to `columns`, as give each meaning one line beside its key; in a single
    one they wrap. Each column is filled from top to bottom."""
    unit, theme = out.unit, out.theme
    key_size, body = out.font_pixels(BODY_POINTS), out.font_pixels(BODY_POINTS - 1)
    gap, step = 12 * unit, fonts.line_height(body)
    keys_width = max(fonts.text_width(key_symbols(key), key_size) for key, _ in keys)
    meaning_width = max(fonts.text_width(meaning, body) for _, meaning in keys)
    for count in range(max(1, columns), 0, -1):
        column_width = (width - (count - 1) * COLUMN_GAP * unit) / count
        if keys_width + gap + meaning_width <= column_width:
            break
    keys_width = min(keys_width, 0.5 * column_width)
    entries: list[Box] = []
    for key, meaning in keys:
        symbols = Text(key_symbols(key), key_size, theme.ink, column_width, step=step)
        entry: Box
        if symbols.width > keys_width:
            entry = Column(symbols, Text(meaning, body, theme.secondary_ink, column_width))
        else:
            text = Text(meaning, body, theme.secondary_ink, column_width - keys_width - gap)
            entry = Row(Fit(symbols, keys_width), text, gap=gap, align=0.0)
        height = line_pixels(out, BODY_POINTS - 1, KEY_ROW_HEIGHT) + entry.height - step
        entries.append(Fit(entry, column_width, height))
    rows = -(-len(entries) // count)
    filled = (Column(*entries[first : first + rows]) for first in range(0, len(entries), rows))
    return Row(*filled, gap=COLUMN_GAP * unit, align=0.0)
