"""Menu panel: tabs, scrolling rows (sliders, switches, choices and keycaps), keys and text, a description and a footer.
No GL."""

from __future__ import annotations

from ...text.key_symbols import key_symbol, key_symbols
from ..colour_palettes import Rgba, with_opacity
from ..snapshot import Panel, PanelRow
from ..text import fonts
from .boxes import Box, Column, Figure, Fit, Frame, Row, ScrolledRow, Text, Touch, bar, draw_scrolled, flow, spread
from .primitives import BODY_POINTS, SMALL_POINTS, TITLE_POINTS, HudItems

PANEL_MARGIN = 12.0  # units to the window edges
PANEL_PADDING = 26.0
TAB_HEIGHT = 34.0  # units
USUAL_SENTENCE_LINES = 3  # lines that are kept for descriptions
FEW_SENTENCE_LINES, COMFORTABLE_ROWS = 2, 5.0  # kept where there is no room for so many rows
MIN_VISIBLE_ROWS = 3.0  # below this the footer gives up its place, and below two the description
ROW_PADDING, ROW_GAP = 13.0, 4.0  # units at the left and right of a row, and below it
ROW_HEIGHT, HEADING_HEIGHT, KEY_ROW_HEIGHT = 42.0, 46.0, 33.0  # units, with the gap
SLIDER_START, SLIDER_VALUE_WIDTH = 0.46, 86.0  # fraction of the row; units, which grow with the text
COLUMN_GAP = 24.0  # units


def draw_panel_page(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Draw the panel in the centre. Content that does not fit scrolls between title and footer."""
    unit, theme, pad = out.unit, out.theme, PANEL_PADDING * out.unit
    body, title = out.font_pixels(BODY_POINTS), out.font_pixels(TITLE_POINTS)
    width = content.width * unit * max(1.0, 0.5 + 0.5 * out.text_scale)
    width = min(width, size[0] - 2 * PANEL_MARGIN * unit)
    inner = width - 2 * pad
    header: list[Box] = []
    if content.title:
        header = [page_title(out, content, inner, back_button(out, content)), Box(0.0, 0.37 * title)]
    if content.tabs:
        header += [Column(*flow(_tabs(out, content, inner), inner, 6 * unit), gap=6 * unit), Box(0.0, 12 * unit)]
    top = Column(*header)
    text = Text(content.text, body, theme.ink, inner)
    rows = [ScrolledRow(panel_row(out, row, width - pad), ROW_GAP * unit) for row in content.rows]
    keys = key_columns(out, content.keys, content.columns, inner) if content.keys else Box()
    space = Box(0.0, 6 * unit if text.height and rows else 0.0)
    middle = Column(*(Frame(box, (pad, 0.0)) for box in (text, space)), Frame(Column(*rows), (0.5 * pad, 0.0)),
                    Frame(keys, (pad, 0.0)))  # fmt: skip
    room = size[1] - 2 * PANEL_MARGIN * unit - top.height - 1.6 * pad
    end = _page_end(out, content, inner, middle.height, room)
    fixed = top.height + end.height + 1.6 * pad
    view = min(max(middle.height, content.height * unit - fixed), room - end.height)
    height = fixed + view
    x, y = round((size[0] - width) / 2), round(max((size[1] - height) / 2, PANEL_MARGIN * unit))
    out.begin_element("page", (x, y, width, height))
    out.add_outlined_box(x, y, width, height, 14 * unit, theme.slate)
    top.draw(out, x + pad, y + 0.8 * pad)
    first = y + 0.8 * pad + top.height
    draw_scrolled(out, middle, x, first, view, content.scroll, x + width - 11 * unit)
    end.draw(out, x + pad, first + view)


def _page_end(out: HudItems, content: Panel, width: float, wanted: float, room: float) -> Box:
    """Description of the selected row, and the footer. Short of room for the content, which is `wanted` pixels high,
    the footer goes, then lines of the description."""
    unit, small = out.unit, out.font_pixels(SMALL_POINTS)
    row = line_pixels(out, BODY_POINTS, ROW_HEIGHT)
    wanted = min(wanted, MIN_VISIBLE_ROWS * row)
    footer = Text(fonts.wrap_groups(content.footer, small, width), small, out.theme.secondary_ink)
    sentence = description(out, content, width)
    count = max(USUAL_SENTENCE_LINES, len(sentence.lines)) if content.reserves_sentence else 0

    def build() -> Column:
        height = count * sentence.step
        line = bar(out, width, max(1.0, unit), out.theme.slider_track)
        text = Fit(sentence.shortened(height, width), 0.0, height + 5 * unit, down=0.0)
        parts = [footer] if not count else [line, Box(0.0, 8 * unit), text, footer]
        return Column(Box(0.0, 10 * unit if count or footer.height else 0.0), *parts)

    if room - build().height < wanted:
        footer = footer.shortened(0.0, width)
    if count and room - build().height < COMFORTABLE_ROWS * row:
        count = max(FEW_SENTENCE_LINES, len(sentence.lines))
    while count > 1 and room - build().height < min(wanted, 2 * row):
        count -= 1
    return build()


# Parts, shared with the other pages


def description(out: HudItems, content: Panel, width: float) -> Text:
    """Description of the selected row, or why it cannot be used."""
    is_warning = any(row.selected and row.is_warning for row in content.rows)
    colour = out.theme.warm if is_warning else out.theme.ink
    return Text(content.sentence, out.font_pixels(SMALL_POINTS), colour, width)


def page_title(out: HudItems, content: Panel, width: float, right: Box) -> Box:
    """Title of a page over a short line, which is not part of its height, with a box at the right end."""
    unit, size = out.unit, out.font_pixels(TITLE_POINTS)
    title = Text(content.title, size, out.theme.ink, width - right.width - 16 * unit, step=1.3 * size)
    line = bar(out, 34 * unit, max(2.0, 3 * unit), out.theme.accent)

    def paint(x: float, y: float) -> None:
        title.draw(out, x, y)
        line.draw(out, x, y + title.height + 0.08 * size)

    underlined = Figure(max(title.width, line.width), title.height + 0.08 * size, paint)
    return spread(underlined, Column(Box(0.0, 0.66 * size - right.height / 2), right), width, 0.0)


def back_button(out: HudItems, content: Panel) -> Box:
    """Button with the key that leads back; nothing where none does."""
    if not content.back:
        return Box()
    small, unit = out.font_pixels(SMALL_POINTS), out.unit
    text = Text(f"{key_symbol(content.back_key)} {content.back}", small, out.theme.ink, step=2.0 * small)

    def tell(rectangle: tuple[float, float, float, float]) -> None:
        out.back_rectangle = rectangle

    return Touch(Frame(text, (12 * unit, 0.0), out.theme.keycap, small), tell)


def _tabs(out: HudItems, content: Panel, width: float) -> list[Box]:
    size = out.font_pixels(SMALL_POINTS + 1)
    height, margin = line_pixels(out, SMALL_POINTS + 1, TAB_HEIGHT), 13 * out.unit
    tabs: list[Box] = []
    for number, name in enumerate(content.tabs):
        is_open = number == content.tab
        text = Text(name, size, out.theme.ground if is_open else out.theme.ink, step=height)
        margin = min(margin, (width - text.width) / 2)
        ground = out.theme.accent if is_open else out.theme.keycap
        tabs.append(Touch(Frame(text, (margin, 0.0), ground, height / 2), out.tab_rectangles.append))
    return tabs


# Rows


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
