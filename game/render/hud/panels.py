"""Menu panel: tabs, scrolling rows, keys and text, a description and a footer. No GL."""

from __future__ import annotations

from dataclasses import dataclass

from ...text.key_symbols import key_symbol
from ..snapshot import Panel
from ..text import fonts
from .panel_rows import KeyPlan, RowPlan, draw_key_columns, draw_row, line_pixels, measure_keys, measure_row
from .primitives import BODY_POINTS, SMALL_POINTS, TITLE_POINTS, HudItems, Rectangle

PANEL_MARGIN = 12.0  # units to the window edges
PANEL_PADDING = 26.0
ROW_HEIGHT, TAB_HEIGHT = 42.0, 34.0  # units
SCROLLBAR_WIDTH = 5.0
SCROLL_TOLERANCE = 0.5  # pixels: rounding errors do not start scrolling
SCROLL_FADE_HEIGHT = 16.0  # units over which rows fade at a scroll edge
USUAL_SENTENCE_LINES = 3  # lines that are kept for descriptions
FEW_SENTENCE_LINES, COMFORTABLE_ROWS = 2, 5.0  # kept where there is no room for so many rows
MIN_VISIBLE_ROWS = 3.0  # below this the footer gives up its place, and below two the description


@dataclass(slots=True)
class _Page:
    """Measured parts of a page: text lines, rectangles from (0, 0), and heights in pixels."""

    width: float
    inner_width: float
    titles: list[str]
    title_height: float
    tabs: list[Rectangle]
    tabs_height: float
    lines: list[str]
    rows: list[RowPlan]
    keys: KeyPlan | None
    content_height: float
    footer: list[str]
    sentence: list[str]
    sentence_lines: int  # for which there is room
    view_height: float = 0.0


def _measure_page(out: HudItems, content: Panel) -> _Page:
    unit = out.unit
    size = out.size
    text_growth = max(1.0, 0.5 + 0.5 * out.text_scale)
    width = min(content.width * unit * text_growth, size[0] - 2 * PANEL_MARGIN * unit)
    inner_width = width - 2 * PANEL_PADDING * unit
    body = out.font_pixels(BODY_POINTS)
    small = out.font_pixels(SMALL_POINTS)
    title = out.font_pixels(TITLE_POINTS)
    title_width = inner_width - back_button_size(out, content)[0] - 16 * unit
    titles = fonts.wrap_text(content.title, title, title_width) if content.title else []
    tabs, tabs_height = _layout_tabs(out, content, inner_width)
    lines = fonts.wrap_text(content.text, body, inner_width) if content.text else []
    rows = [measure_row(out, row, inner_width) for row in content.rows]
    keys = measure_keys(out, content.keys, content.columns, inner_width) if content.keys else None
    content_height = len(lines) * fonts.line_height(body) + (6 * unit if lines and rows else 0.0)
    content_height += sum(row.height for row in rows) + (0.0 if keys is None else keys.height)
    sentence = fonts.wrap_text(content.sentence, small, inner_width) if content.sentence else []
    lines_kept = max(USUAL_SENTENCE_LINES, len(sentence)) if content.reserves_sentence else 0
    title_height = (len(titles) - 1) * fonts.line_height(title) + title * 1.75 if titles else 0.0
    footer = fonts.wrap_groups(content.footer, small, inner_width) if content.footer else []
    return _Page(width, inner_width, titles, title_height, tabs, tabs_height, lines, rows, keys, content_height,
                 footer, sentence, lines_kept)  # fmt: skip


def _fit_page(out: HudItems, content: Panel, page: _Page) -> float:
    """Divide the window's height: short of room, the footer goes, then lines of the description. Returns the height."""
    unit = out.unit
    small = fonts.line_height(out.font_pixels(SMALL_POINTS))
    row = line_pixels(out, BODY_POINTS, ROW_HEIGHT)
    available = out.size[1] - 2 * PANEL_MARGIN * unit

    def fixed_height() -> float:
        height = page.title_height + page.tabs_height + 1.6 * PANEL_PADDING * unit
        height += len(page.footer) * small + 10 * unit if page.footer else 0.0
        return height + (page.sentence_lines * small + 14 * unit if page.sentence_lines else 0.0)

    wanted = min(page.content_height, MIN_VISIBLE_ROWS * row)
    if available - fixed_height() < wanted:
        page.footer = []
    if available - fixed_height() < COMFORTABLE_ROWS * row and page.sentence_lines:
        page.sentence_lines = max(FEW_SENTENCE_LINES, len(page.sentence))
    while available - fixed_height() < min(wanted, 2 * row) and page.sentence_lines > 1:
        page.sentence_lines -= 1
    fixed = fixed_height()
    page.view_height = min(max(page.content_height, content.height * unit - fixed), available - fixed)
    return fixed + page.view_height


def draw_panel_page(out: HudItems, content: Panel, size: tuple[int, int]) -> None:
    """Draw the panel in the centre. Content that does not fit scrolls between title and footer."""
    unit = out.unit
    theme = out.theme
    pad = PANEL_PADDING * out.unit
    body = out.font_pixels(BODY_POINTS)
    title = out.font_pixels(TITLE_POINTS)
    page = _measure_page(out, content)
    height = _fit_page(out, content, page)
    x, y = round((size[0] - page.width) / 2), round(max((size[1] - height) / 2, PANEL_MARGIN * unit))
    out.begin_panel("page", (x, y, page.width, height))
    out.add_outlined_box(x, y, page.width, height, 14 * unit, theme.slate)
    line_y = y + 0.8 * pad
    if page.titles:
        for number, text in enumerate(page.titles):
            out.add_text(text, x + pad, line_y + title + number * fonts.line_height(title), title, theme.ink)
        bar_y = line_y + page.title_height - 0.37 * title
        out.add_box(x + pad, bar_y, 34 * unit, max(2.0, 3 * unit), 1.5 * unit, theme.accent)
        draw_back_button(out, content, x + page.width - pad, line_y + title * 0.66)
        line_y += page.title_height
    _draw_tabs(out, content, page.tabs, x + pad, line_y)
    top = line_y + page.tabs_height
    bottom = top + page.view_height
    with ScrollArea(out, page.content_height, top, bottom, content.scroll, x + page.width - 11 * unit) as area:
        line_y = out.add_lines(page.lines, x + pad, area.y, body, theme.ink)
        line_y += 6 * unit if page.lines and page.rows else 0.0
        for row, plan in zip(content.rows, page.rows, strict=True):
            box = (x + pad * 0.5, line_y, page.width - pad, plan.height - 4 * unit)
            if area.add_row(box, plan.height):
                draw_row(out, row, plan, box)
            line_y += plan.height
        if page.keys is not None:
            draw_key_columns(out, page.keys, x + pad, line_y)
    _draw_page_footer(out, content, page, x + pad, bottom + 10 * unit)


def _draw_page_footer(out: HudItems, content: Panel, page: _Page, left: float, y: float) -> None:
    """Description of the selected row, and the footer."""
    unit = out.unit
    theme = out.theme
    small = out.font_pixels(SMALL_POINTS)
    if page.sentence_lines:
        out.add_box(left, y, page.inner_width, max(1.0, unit), 0, theme.slider_track)
        y += 9 * unit
        warm = any(row.selected and row.is_warning for row in content.rows)
        lines = fonts.shorten_lines(page.sentence, page.sentence_lines, small, page.inner_width)
        out.add_lines(lines, left, y, small, theme.warm if warm else theme.ink)
        y += page.sentence_lines * fonts.line_height(small) + 5 * unit
    out.add_lines(page.footer, left, y, small, theme.secondary_ink)


# Scrolling, shared with the other page layouts


class ScrollArea:
    """Content of a page that scrolls from `top` to `bottom` (pixels), used as a context; a scroll bar stands at `bar_x`
    where not all has room. y: where the content begins."""

    def __init__(
        self, out: HudItems, content_height: float, top: float, bottom: float, scroll: float, bar_x: float
    ) -> None:
        self.out, self.top, self.bottom, self.scroll, self.bar_x = out, top, bottom, scroll, bar_x
        hidden = content_height - (bottom - top)
        out.max_scroll = hidden / out.unit if hidden > SCROLL_TOLERANCE else 0.0
        out.visible_fraction = (bottom - top) / out.unit
        self.y = top - min(scroll, out.max_scroll) * out.unit

    def __enter__(self) -> ScrollArea:
        out = self.out
        out.scroll_band = (self.top, self.bottom)
        out.clipping = out.max_scroll > 0.0
        hidden = self.scroll, max(0.0, out.max_scroll - self.scroll)  # above and below
        above, below = (min(units, SCROLL_FADE_HEIGHT) * out.unit for units in hidden)
        out.scroll_fades = above, below
        return self

    def __exit__(self, *_: object) -> None:
        out, is_clipping = self.out, self.out.clipping
        out.clipping = False
        if is_clipping:
            width, height, track = SCROLLBAR_WIDTH * out.unit, self.bottom - self.top, out.theme.slider_track
            thumb = height * out.visible_fraction / (out.visible_fraction + out.max_scroll)
            thumb_y = self.top + (height - thumb) * min(self.scroll / out.max_scroll, 1.0)
            out.add_box(self.bar_x, self.top, width, height, width / 2, (*track[:3], 0.5 * track[3]))
            out.add_box(self.bar_x, thumb_y, width, thumb, width / 2, out.theme.secondary_ink)

    def add_row(self, rectangle: Rectangle, height: float) -> bool:
        """Keep what is in sight of a row's rectangle, for the mouse, and its extent of `height` pixels with the gap.
        Returns whether it is in sight."""
        out, (x, y, width, high) = self.out, rectangle
        top, bottom = (max(y, self.top), min(y + high, self.bottom)) if out.clipping else (y, y + high)
        out.row_rectangles.append((x, top, width, max(0.0, bottom - top)))
        begin = (y - self.y) / out.unit
        out.row_spans.append((begin, begin + height / out.unit))
        return y < self.bottom and y + height > self.top


def back_button_size(out: HudItems, content: Panel) -> tuple[float, float]:
    """Width and height of the back button in pixels; zero without one."""
    if not content.back:
        return 0.0, 0.0
    small = out.font_pixels(SMALL_POINTS)
    return fonts.text_width(_back_text(content), small) + 24 * out.unit, small * 2.0


def _back_text(content: Panel) -> str:
    return f"{key_symbol(content.back_key)} {content.back}"


def draw_back_button(out: HudItems, content: Panel, right: float, middle: float) -> float:
    """Back button with its key. Returns the x coordinate of its left end."""
    if not content.back:
        return right
    small = out.font_pixels(SMALL_POINTS)
    unit = out.unit
    width, height = back_button_size(out, content)
    x, y = right - width, middle - height / 2
    out.back_rectangle = (x, y, width, height)
    out.add_box(x, y, width, height, height / 2, out.theme.keycap)
    out.add_text(_back_text(content), x + 10 * unit, middle + small * 0.35, small, out.theme.ink)
    return x


# Parts


def _layout_tabs(out: HudItems, content: Panel, inner_width: float) -> tuple[list[Rectangle], float]:
    """Rectangles of the tabs from (0, 0), wrapped into lines, and their total height in pixels."""
    font_size = out.font_pixels(SMALL_POINTS + 1)
    gap = 6 * out.unit
    tab_height = line_pixels(out, SMALL_POINTS + 1, TAB_HEIGHT)
    rectangles: list[Rectangle] = []
    x, y = 0.0, 0.0
    for name in content.tabs:
        width = min(fonts.text_width(name, font_size) + 26 * out.unit, inner_width)
        if x > 0.0 and x + width > inner_width:
            x, y = 0.0, y + tab_height + gap
        rectangles.append((x, y, width, tab_height))
        x += width + gap
    return rectangles, (y + tab_height + 12 * out.unit if rectangles else 0.0)


def _draw_tabs(out: HudItems, content: Panel, rectangles: list[Rectangle], left: float, top: float) -> None:
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
