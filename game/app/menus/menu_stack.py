"""A stack of menu pages, and the way through them by words: up, down, left, right, confirm, back, tab."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from ..settings.settings_table import CHOICE, SLIDER, TOGGLE
from .rows import MenuRow

if TYPE_CHECKING:
    from ...render.run_summary import RunSummary
    from ..settings.settings_file import Settings

NAVIGATION_WORDS = ("up", "down", "left", "right", "confirm", "back", "tab")


class MenuPage(ABC):
    """One page: its rows, and what they do. Pages keep no reference to the menu that shows them."""

    name = ""
    title = ""
    footer = ""
    layout = "panel"  # how it is drawn: "panel", "title" or "grid"
    text = ""  # lines to read above the rows
    corner = ""  # of a title: a line at its lower right
    columns = 1
    is_horizontal = False  # whether the rows stand beside each other: left and right go along them, as up and down do
    has_back_button = "Back"  # what stands on the button that leads back
    width = 440.0  # as those of game.render.Panel
    height = 0.0
    shows_descriptions = False
    tabs: tuple[str, ...] = ()
    tab = 0

    @property
    def run_summary(self) -> RunSummary | None:
        """What the look "result" shows above its rows."""
        return None

    @abstractmethod
    def rows(self, menu: MenuStack) -> tuple[MenuRow, ...]:
        """What to show, from top to bottom."""

    def first_row(self, menu: MenuStack) -> int:
        """The number of the row to begin with."""
        return 0

    def activate(self, menu: MenuStack, row: MenuRow) -> str:
        """What choosing a row asks of the game: one of the words that `Menus.choose` knows, or nothing."""
        return ""

    def adjust(self, menu: MenuStack, row: MenuRow, by: int) -> None:
        """Turn a row's value so many steps up or down."""

    def slide(self, menu: MenuStack, row: MenuRow, part: float) -> None:
        """Set a slider to a part (0 to 1) of its range."""

    def change_tab(self, menu: MenuStack, by: int) -> None:
        """Go to the next tab, or the one before."""
        if self.tabs:
            self.tab = (self.tab + by) % len(self.tabs)
            menu.select_first()

    def back(self, menu: MenuStack) -> str:
        """What leaving the lowest page of the stack asks of the game."""
        return "resume"

    def capture_key(self, menu: MenuStack, row: MenuRow, key: str) -> None:
        """A key was pressed for a row of the kind `binding` that waits for one. ValueError in words against it."""

    def clear_row(self, menu: MenuStack, row: MenuRow) -> None:
        """Delete was pressed on a row."""


class MenuStack:
    """Pages on top of each other, and the row that is chosen. `settings` changes with them; the caller applies."""

    def __init__(self, page: MenuPage, settings: Settings, quality: str) -> None:
        self.settings, self.quality = settings, quality
        self._stack: list[tuple[MenuPage, int]] = []
        self.page, self.selected = page, 0
        self.is_waiting_for_key = ""  # the name of the row that waits for a key, by which the next key is captured
        self.notice = ""  # why the last key could not be had
        self.select_first()

    @property
    def rows(self) -> tuple[MenuRow, ...]:
        """What the page on top shows, from top to bottom."""
        return self.page.rows(self)

    @property
    def depth(self) -> int:
        """How many pages lie below the one on top."""
        return len(self._stack)

    def open(self, page: MenuPage) -> None:
        """Put a page on top."""
        self._stack.append((self.page, self.selected))
        self.page, self.is_waiting_for_key = page, ""
        self.select_first()

    def select_first(self) -> None:
        """Choose the row to begin with: the page's own choice, or the first that can be chosen."""
        self.selected = self.page.first_row(self)
        rows = self.rows
        if rows and not rows[self.selected].is_selectable:
            self.move_selection(1)

    def navigate(self, word: str) -> str:
        """Do what a word of navigation asks for; what the game is asked for, or nothing."""
        self.notice = ""
        if word == "back":
            return self.back()
        if word == "confirm":
            return self.activate()
        if word == "tab":
            if self.page.tabs:
                self.page.change_tab(self, 1)
            else:
                self.move_selection(1)
        elif word in ("up", "down") and self.page.columns > 1:
            self._move_in_grid(1 if word == "down" else -1)
        elif word in ("up", "down"):
            self.move_selection(1 if word == "down" else -1)
        elif word in ("left", "right"):
            by = 1 if word == "right" else -1
            if self.page.columns > 1 or self.page.is_horizontal:
                self.move_selection(by)
            else:
                self.adjust(by)
        return ""

    def back(self) -> str:
        """Leave the page on top, or what leaving the last one asks for."""
        if self.is_waiting_for_key:
            self.is_waiting_for_key = ""
        elif self._stack:
            self.page, self.selected = self._stack.pop()
        else:
            return self.page.back(self)
        return ""

    def move_selection(self, by: int) -> None:
        """Choose the row so many below (negative: above), around the ends; rows that are only read are passed by."""
        rows = self.rows
        step = 1 if by > 0 else -1
        at = (self.selected + by) % max(len(rows), 1)
        for _ in rows:
            if rows[at].is_selectable:
                self.selected = at
                return
            at = (at + step) % len(rows)

    def _move_in_grid(self, by: int) -> None:
        """In a grid: choose the row below or above, or the last of a shorter line; a heading begins a new line."""
        lines: list[list[int]] = []
        for number, row in enumerate(self.rows):
            if not row.is_selectable:
                lines.append([])
            else:
                if not lines or len(lines[-1]) == self.page.columns:
                    lines.append([])
                lines[-1].append(number)
        lines = [line for line in lines if line]
        at = next((n for n, line in enumerate(lines) if self.selected in line), -1)
        if lines:
            line = lines[(at + by) % len(lines)]
            column = lines[at].index(self.selected) if at >= 0 else 0
            self.selected = line[min(column, len(line) - 1)]

    def select(self, row: int) -> None:
        """Choose a row that the mouse is over."""
        rows = self.rows
        if 0 <= row < len(rows) and rows[row].is_selectable:
            self.selected = row

    @property
    def selected_row(self) -> MenuRow | None:
        """The row that is chosen; None on a page without any."""
        rows = self.rows
        return rows[self.selected] if self.selected < len(rows) else None

    def adjust(self, by: int) -> None:
        """Turn the chosen row's value up or down; nothing where it has none."""
        row = self.selected_row
        if row is not None and row.kind in (SLIDER, CHOICE, TOGGLE):
            self.page.adjust(self, row, by)

    def slide(self, part: float) -> None:
        """Set the chosen slider to a part (0 to 1) of its range, in its steps."""
        row = self.selected_row
        if row is not None and row.slider_fraction is not None:
            self.page.slide(self, row, min(max(part, 0.0), 1.0))

    def activate(self) -> str:
        """What choosing the selected row asks of the game, or nothing but a changed value or another page."""
        row = self.selected_row
        if row is None or not row.is_selectable:
            return ""
        if row.kind in (CHOICE, TOGGLE):
            self.page.adjust(self, row, 1)
            return ""
        return self.page.activate(self, row)

    def capture_key(self, key: str) -> bool:
        """A key went down: whether a row was waiting for one, which then has it. Esc gives up."""
        if not self.is_waiting_for_key:
            return False
        row = next((row for row in self.rows if row.name == self.is_waiting_for_key), None)
        self.is_waiting_for_key = ""
        if row is not None and key != "ESCAPE":
            try:
                self.page.capture_key(self, row, key)
            except ValueError as error:
                self.notice = str(error)
        return True

    def clear_row(self) -> None:
        """Take away what the chosen row holds, where that can be."""
        row = self.selected_row
        if row is not None:
            self.page.clear_row(self, row)
