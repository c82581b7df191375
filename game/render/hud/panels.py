"""Menu panel: tabs, scrolling rows, keys and text, a description and a footer. No GL."""

from __future__ import annotations

from ...text.key_symbols import key_symbol
from ..snapshot import Panel
from ..text import fonts
from .boxes import Box, Column, Figure, Fit, Frame, ScrolledRow, Text, Touch, bar, draw_scrolled, flow, spread
from .panel_rows import ROW_GAP, ROW_HEIGHT, key_columns, line_pixels, panel_row
from .primitives import BODY_POINTS, SMALL_POINTS, TITLE_POINTS, HudItems

PANEL_MARGIN = 12.0  # units to the window edges
PANEL_PADDING = 26.0
TAB_HEIGHT = 34.0  # units
USUAL_SENTENCE_LINES = 3  # lines that are kept for descriptions
FEW_SENTENCE_LINES, COMFORTABLE_ROWS = 2, 5.0  # kept where there is no room for so many rows
MIN_VISIBLE_ROWS = 3.0  # below this the footer gives up its place, and below two the description


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
