"""Base class of the editor's panels: a list with a chosen row, and a line of typed text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....core.vectors import Colour
from ....render import Card, CardRow
from ...input.actions import LIST_ACTIONS, Action, Context, PanelAction
from ..edit_tools import EditTools
from ..tools.mouse_tools import EditorTool

PAGE_ROWS = 8  # rows that a page key skips
MAX_TYPED = 60  # characters
Keys = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SidePanelRow:
    """Row of a panel. subject: what it stands for; a row without one is a heading, which cannot be chosen."""

    label: str
    value: str = ""
    subject: Any = None
    colour: Colour | None = None
    picture: str = ""
    hint: str = ""


class SidePanel(EditorTool):
    """A panel. Arrows choose a row, Enter or a click accepts it, Esc closes; letters are typed where it takes text.

    index     the chosen row, among all rows
    typed     text so far
    is_open   False once it is closed
    """

    title = ""
    actions: Context = (*LIST_ACTIONS, PanelAction.ERASE)  # that its keys have while it is open
    takes_text = True
    note = ""  # below the rows
    key_strip: Keys = (("Up Down", "choose"), ("Enter", "take"), ("Esc", "close"))

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.view = tools.view
        self.is_open = True
        self.typed = ""
        self.index = 0

    # What a panel has

    def rows(self) -> tuple[SidePanelRow, ...]:
        """Rows from top to bottom, those that match the typed text."""
        return ()

    def accept(self, row: SidePanelRow, shift: bool) -> None:
        """Take a row: Enter, or a click on it."""

    def row_chosen(self, row: SidePanelRow) -> None:
        """Another row was chosen."""

    def update(self, seconds: float) -> None:
        """Advance to this frame."""

    def close(self) -> None:
        self.is_open = False

    # Choosing

    def chosen_row(self) -> SidePanelRow | None:
        """The chosen row, or the next one that can be chosen."""
        rows, choices = self.rows(), self._choices()
        if not choices:
            return None
        self.index = next((index for index in choices if index >= self.index % len(rows)), choices[0])
        return rows[self.index]

    def _choices(self) -> list[int]:
        """Indices of the rows that are no headings."""
        return [index for index, row in enumerate(self.rows()) if row.subject is not None]

    def choose(self, by: int) -> None:
        """Choose another row, by an offset; headings are skipped."""
        if self.chosen_row() is not None:
            choices = self._choices()
            self.index = choices[(choices.index(self.index) + by) % len(choices)]
            self.row_chosen(self.rows()[self.index])

    def scroll(self, by: float) -> bool:
        self.choose(-1 if by > 0 else 1)
        return True

    def click_row(self, index: int) -> None:
        """A click on a row: choose it and take it."""
        rows = self.rows()
        if 0 <= index < len(rows) and rows[index].subject is not None:
            self.index = index
            self.row_chosen(rows[index])
            self.accept(rows[index], self.view.shift)

    # Input

    def handle_action(self, action: Action) -> None:
        """One of `actions` begins."""
        moves = {
            PanelAction.UP: -1, PanelAction.DOWN: 1, PanelAction.PAGE_UP: -PAGE_ROWS, PanelAction.PAGE_DOWN: PAGE_ROWS,
        }  # fmt: skip
        if action in moves:
            self.choose(moves[action])
        elif action is PanelAction.ACCEPT:
            row = self.chosen_row()
            if row is not None:
                self.accept(row, self.view.shift)
        elif action is PanelAction.CLOSE and not self.typed:
            self.close()
        elif action is PanelAction.CLOSE:
            self._set_typed("")
        elif action is PanelAction.ERASE:
            self._set_typed(self.typed[:-1])

    def text_typed(self, text: str) -> None:
        """Characters were typed."""
        if self.takes_text:
            letters = "".join(char for char in text if char.isprintable())
            self._set_typed((self.typed + letters).lstrip()[:MAX_TYPED])

    def _set_typed(self, text: str) -> None:
        if text != self.typed:
            self.typed = text
            self.index = 0
            row = self.chosen_row()
            if row is not None:
                self.row_chosen(row)

    # Picture

    def shown_keys(self) -> Keys:
        """Keys for the strip. Esc clears a typed text first."""
        clears = self.takes_text and bool(self.typed)
        return tuple((key, "clear" if clears and key == "Esc" else meaning) for key, meaning in self.key_strip)

    def card(self) -> Card:
        chosen = self.chosen_row()
        rows = self.rows()
        shown = tuple(
            CardRow(row.label if row.subject is not None else row.label.upper(), row.value, row.colour,
                    chosen=chosen is not None and index == self.index)
            for index, row in enumerate(rows)
        )  # fmt: skip
        note = chosen.hint if chosen is not None and chosen.hint else self.note
        picture = chosen.picture if chosen is not None else ""
        return Card(self.title, self.subtitle(), shown, note, side="right", picture=picture)

    def subtitle(self) -> str:
        """Line below the title: what is typed."""
        return f"Search: {self.typed}_" if self.takes_text else ""


def matches(words: str, text: str) -> bool:
    """Whether each of the typed words occurs in a text."""
    lowered = text.lower()
    return all(word in lowered for word in words.lower().split())
