"""Base class of panels with values to fill in: arrows choose a value, typing replaces it, + and - change it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ....level.edit import EditRefused, format_number
from ...input.actions import LIST_ACTIONS, Action, PanelAction
from ..document.field_access import parse_number
from ..edit_tools import EditTools
from .side_panel import Keys, SidePanel, SidePanelRow

CHANGES = {PanelAction.INCREASE: 1, PanelAction.DECREASE: -1, PanelAction.DECREASE_OR_SIGN: -1}
MAX_VALUE = 24  # characters


@dataclass(slots=True)
class FormField:
    """A value: its text, the step of + and -, limits and unit; or one of some words."""

    name: str
    label: str
    text: str
    step: float = 1.0
    low: float = -1e5
    high: float = 1e5
    unit: str = "m"
    words: tuple[str, ...] = ()

    def number(self) -> float:
        """The value. EditRefused with the limits."""
        limits = f"{self.label} is a number from {format_number(self.low)} to {format_number(self.high)} {self.unit}"
        try:
            value = parse_number(self.text.replace(",", ".") if self.text.count(",") == 1 else self.text)
        except EditRefused:
            raise EditRefused(limits.rstrip()) from None
        if not self.low <= value <= self.high or (self.step == 1.0 and not self.unit and value != round(value)):
            raise EditRefused(limits.rstrip())
        return value

    def change(self, sense: int) -> None:
        """The next value."""
        if self.words:
            self.text = self.words[(self.words.index(self.text) + sense) % len(self.words)]
            return
        try:
            value = self.number() + sense * self.step
        except EditRefused:
            return
        self.text = format_number(min(max(value, self.low), self.high))


class FormPanel(SidePanel, ABC):
    """Values and a button. Enter does what the panel is for."""

    actions = PanelAction
    button = "Do it"
    key_strip: Keys = (
        ("Up Down", "choose"),
        ("Left Right", "change"),
        ("0-9", "type"),
        ("Enter", "do it"),
        ("Esc", "close"),
    )

    def __init__(self, tools: EditTools) -> None:
        super().__init__(tools)
        self._is_fresh = True  # the next character replaces the value

    @abstractmethod
    def fields(self) -> list[FormField]:
        """The values, from top to bottom."""

    @abstractmethod
    def run(self) -> None:
        """Do what the panel is for. EditRefused with a value that cannot be used."""

    def rows(self) -> tuple[SidePanelRow, ...]:
        shown = []
        for number, field in enumerate(self.fields()):
            typing = number == self.index and not self._is_fresh and not field.words
            value = f"{field.text}_" if typing else f"{field.text} {field.unit}".rstrip()
            shown.append(SidePanelRow(field.label, value, field))
        return (*shown, SidePanelRow(self.button, "", self.button))

    def row_chosen(self, row: SidePanelRow) -> None:
        self._is_fresh = True

    def _chosen_field(self) -> FormField | None:
        row = self.chosen_row()
        return row.subject if row is not None and isinstance(row.subject, FormField) else None

    def handle_action(self, action: Action) -> None:
        field = self._chosen_field()
        if action is PanelAction.ACCEPT:
            self._run()
        elif action is PanelAction.NEXT:
            self.choose(-1 if self.view.shift else 1)
        elif action is PanelAction.ERASE and field is not None and not field.words:
            field.text = field.text[:-1]
            self._is_fresh = False
        elif action is PanelAction.DECREASE_OR_SIGN and (field is None or not field.words):
            return  # a sign, which arrives as text
        elif action in CHANGES and field is not None:
            field.change(CHANGES[action])
            self._is_fresh = True
        elif action in LIST_ACTIONS:
            super().handle_action(action)

    def text_typed(self, text: str) -> None:
        field = self._chosen_field()
        letters = "".join(char for char in text if char.isprintable() and char not in "=+ \t")
        if field is None or field.words or not letters:
            return
        field.text = (("" if self._is_fresh else field.text) + letters)[:MAX_VALUE]
        self._is_fresh = False

    def accept(self, row: SidePanelRow, shift: bool) -> None:
        """A click: the button does it, a word changes, a number is typed next."""
        if row.subject == self.button:
            self._run()
        elif isinstance(row.subject, FormField) and row.subject.words:
            row.subject.change(1)

    def _run(self) -> None:
        try:
            self.run()
        except EditRefused as refused:
            self.tools.show_error(refused)

    def subtitle(self) -> str:
        return ""
