"""Rows and pages of menus, as plain data, and the stack of open pages with the actions that move in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..input.actions import Action, MenuAction
from ..settings.key_bindings import can_be_bound
from ..settings.settings_table import CHOICE, SLIDER, TOGGLE

if TYPE_CHECKING:
    from ...render.snapshot import RunSummary
    from ..settings.settings_file import Settings

DEFAULT_WINDOW_SIZE = (1280, 720)  # pixels, until the window sets its size


# Kinds of rows besides the kinds of settings.
ACTION_ROW = "action"
BINDING_ROW = "binding"
LEVEL_ROW = "level"
HEADING_ROW = "heading"
KEY_ROW = "key"

READ_ONLY_KINDS = frozenset({HEADING_ROW, KEY_ROW})  # kinds that cannot be selected


@dataclass(frozen=True, slots=True)
class MenuRow:
    """One line of a page.

    kind              one of the words above, or the kind of a setting
    slider_fraction   0 to 1, None without a slider
    sentence          description that is shown while the row is selected
    picture, note     image file, and the text below it
    medal             of the best run of a level: "gold", "silver", "bronze" or nothing
    is_warning        marks a value that needs attention
    """

    name: str
    label: str
    kind: str = ACTION_ROW
    value: str = ""
    slider_fraction: float | None = None
    sentence: str = ""
    picture: str = ""
    note: str = ""
    enabled: bool = True
    is_warning: bool = False
    medal: str = ""

    @property
    def is_selectable(self) -> bool:
        """Whether keys and mouse can select it."""
        return self.enabled and self.kind not in READ_ONLY_KINDS


class MenuPage(ABC):
    """A page: its rows and their effects. Pages keep no reference to the menu that shows them."""

    name = ""
    title = ""
    footer = ""
    layout = "panel"  # "panel", "title", "grid" or "result"
    text = ""  # above the rows
    corner = ""  # line at the lower right of a title
    columns = 1
    is_horizontal = False  # rows side by side: left and right move the selection too
    back_label = "Back"  # of the back button; empty: none
    width = 440.0  # as in render.Panel
    height = 0.0
    shows_descriptions = False
    shows_thumbnails = False  # pictures of levels, which a child process may have to render
    takes_text = False  # letters are typed; only Enter, Esc, Delete and Backspace are commands
    tabs: tuple[str, ...] = ()
    tab = 0

    @property
    def run_summary(self) -> RunSummary | None:
        """Summary above the rows of the layout "result"."""
        return None

    @abstractmethod
    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        """Rows from top to bottom."""

    def first_row(self, menu: MenuStack) -> int:
        """Index of the row that is selected at first."""
        return 0

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        """Activate a row; returns an action of the game (see `MenuMode.run_action`), or an empty string."""
        return ""

    def adjust(self, menu: MenuStack, row: MenuRow, by: int) -> None:
        """Change the value of a row by steps."""

    def slide(self, menu: MenuStack, row: MenuRow, fraction: float) -> None:
        """Set a slider to a fraction (0 to 1) of its range."""

    def change_tab(self, menu: MenuStack, by: int) -> None:
        """Change to another tab, by an offset."""
        if self.tabs:
            self.tab = (self.tab + by) % len(self.tabs)
            menu.select_first()

    def back(self, menu: MenuStack) -> str:
        """Action of the game when the lowest page is left."""
        return "resume"

    def capture_key(self, menu: MenuStack, row: MenuRow, key: str) -> None:
        """Bind a key to a row of the kind `binding`. ValueError with the reason where it cannot be bound."""

    def clear_row(self, menu: MenuStack, row: MenuRow) -> None:
        """Clear the value of a row."""

    def type_text(self, menu: MenuStack, text: str) -> None:
        """Take typed characters, where the page `takes_text`."""


class MenuStack:
    """Open pages and the selected row of the top one. `settings` changes with the pages; the caller applies it."""

    def __init__(self, page: MenuPage, settings: Settings, quality: str) -> None:
        self.settings = settings
        self.quality = quality
        self._stack: list[tuple[MenuPage, int]] = []
        self.page = page
        self.selected = 0
        self.row_waiting_for_key = ""  # name of the row that captures the next key
        self.notice = ""  # result of the last action, such as why a key could not be bound; any page shows it
        self.window_size = DEFAULT_WINDOW_SIZE  # pixels
        self.grid_columns = 0  # columns of the grid as it is drawn, 0 before; large text makes fewer
        self.select_first()

    @property
    def rows(self) -> tuple[MenuRow, ...]:
        return self.page.rows(self)

    @property
    def pages(self) -> tuple[MenuPage, ...]:
        """The open pages, the lowest first."""
        return *(page for page, _ in self._stack), self.page

    @property
    def depth(self) -> int:
        """Number of pages below the top one."""
        return len(self._stack)

    @property
    def page_below(self) -> MenuPage | None:
        """The page to which `back` leads, or None."""
        return self._stack[-1][0] if self._stack else None

    def open(self, page: MenuPage) -> None:
        """Put a page on top."""
        self._stack.append((self.page, self.selected))
        self.page = page
        self.row_waiting_for_key = ""
        self.select_first()

    def select_first(self) -> None:
        """Select the first row of the page, or the next selectable one."""
        self.selected = self.page.first_row(self)
        rows = self.rows
        if rows and not rows[self.selected].is_selectable:
            self.move_selection(1)

    def navigate(self, action: Action) -> str:
        """Move in the menu, confirm or go back; returns an action of the game, or an empty string."""
        self.notice = ""
        vertical = {MenuAction.UP: -1, MenuAction.DOWN: 1}
        horizontal = {MenuAction.LEFT: -1, MenuAction.RIGHT: 1}
        if action is MenuAction.BACK:
            return self.back()
        if action in (MenuAction.CONFIRM, MenuAction.CHOOSE):
            return self.activate()
        if action is MenuAction.TAB:
            if self.page.tabs:
                self.page.change_tab(self, 1)
            else:
                self.move_selection(1)
        elif action in vertical and self.page.columns > 1:
            self._move_in_grid(vertical[action])
        elif action in vertical:
            self.move_selection(vertical[action])
        elif action in horizontal:
            if self.page.columns > 1 or self.page.is_horizontal:
                self.move_selection(horizontal[action])
            else:
                self.adjust(horizontal[action])
        return ""

    def back(self) -> str:
        """Close the top page; returns the action of the lowest one when that is left."""
        if self.row_waiting_for_key:
            self.row_waiting_for_key = ""
        elif self._stack:
            self.page, self.selected = self._stack.pop()
        else:
            return self.page.back(self)
        return ""

    def move_selection(self, by: int) -> None:
        """Move the selection by an offset, with wrap-around; rows that cannot be selected are skipped."""
        rows = self.rows
        step = 1 if by > 0 else -1
        at = (self.selected + by) % max(len(rows), 1)
        for _ in rows:
            if rows[at].is_selectable:
                self.selected = at
                return
            at = (at + step) % len(rows)

    def _move_in_grid(self, by: int) -> None:
        """Move the selection one line in a grid; a heading begins a new line."""
        lines: list[list[int]] = []
        for number, row in enumerate(self.rows):
            if not row.is_selectable:
                lines.append([])
            else:
                if not lines or len(lines[-1]) == (self.grid_columns or self.page.columns):
                    lines.append([])
                lines[-1].append(number)
        lines = [line for line in lines if line]
        at = next((n for n, line in enumerate(lines) if self.selected in line), -1)
        if lines:
            line = lines[(at + by) % len(lines)]
            column = lines[at].index(self.selected) if at >= 0 else 0
            self.selected = line[min(column, len(line) - 1)]

    def select(self, row: int) -> None:
        """Select the row under the pointer."""
        rows = self.rows
        if 0 <= row < len(rows) and rows[row].is_selectable:
            self.selected = row

    @property
    def selected_row(self) -> MenuRow | None:
        """The selected row; None on a page without rows."""
        rows = self.rows
        return rows[self.selected] if self.selected < len(rows) else None

    def adjust(self, by: int) -> None:
        """Change the value of the selected row by steps."""
        row = self.selected_row
        if row is not None and row.kind in (SLIDER, CHOICE, TOGGLE):
            self.page.adjust(self, row, by)

    def slide(self, fraction: float) -> None:
        """Set the selected slider to a fraction (0 to 1) of its range, rounded to its steps."""
        row = self.selected_row
        if row is not None and row.slider_fraction is not None:
            self.page.slide(self, row, min(max(fraction, 0.0), 1.0))

    def activate(self) -> str:
        """Activate the selected row; returns an action of the game, or an empty string."""
        row = self.selected_row
        if row is None or not row.is_selectable:
            return ""
        if row.kind in (CHOICE, TOGGLE):
            self.page.adjust(self, row, 1)
            return ""
        return self.page.activate(self, row)

    def capture_key(self, key: str) -> None:
        """Bind a key to the row that waits for one. Esc and the gamepad's Start cancel."""
        row = next((row for row in self.rows if row.name == self.row_waiting_for_key), None)
        self.row_waiting_for_key = ""
        if row is not None and can_be_bound(key):
            try:
                self.page.capture_key(self, row, key)
            except ValueError as error:
                self.notice = str(error)

    def clear_row(self) -> None:
        """Clear the value of the selected row."""
        row = self.selected_row
        if row is not None:
            self.notice = ""
            self.page.clear_row(self, row)
