"""Tools of the mouse beside dragging: rows of cards, the selection, the ruler, and the view with the free pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....render import Card
from ....render.overlay_layers import Overlay
from ...input.actions import MouseButton
from ..edit_tools import EditTools
from ..views.ruler import Ruler
from . import marquee
from .editor_tool import EditorTool
from .marquee import Point


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card, with what a click on one of its rows and a turn of the wheel over it do."""

    card: Card
    click: Callable[[int], None] | None = None
    choose: Callable[[int], None] | None = None


class CardTool(EditorTool):
    """Rows of the cards of the last frame, under the free pointer."""

    def __init__(self, tools: EditTools) -> None:
        self.pointer = tools.view.pointer
        self.cards: Sequence[ShownCard] = ()

    def press(self, button: str) -> bool:
        at = self.pointer.row_at() if self.pointer.is_pointing and button == MouseButton.LEFT else None
        if at is None:
            return False
        shown = self._card(at[0])
        row = at[1]
        if shown is not None and shown.click is not None and row >= 0:
            shown.click(row)
        return True

    def scroll(self, by: float) -> bool:
        at = self.pointer.row_at() if self.pointer.is_pointing else None
        shown = None if at is None else self._card(at[0])
        if shown is None or shown.choose is None:
            return False
        shown.choose(-1 if by > 0 else 1)
        return True

    def _card(self, index: int) -> ShownCard | None:
        return self.cards[index] if 0 <= index < len(self.cards) else None


class SelectTool(EditorTool):
    """A click selects a piece; a rectangle of the free pointer selects those within it; the right button and Escape
    deselect."""

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.pointer = tools.view.pointer
        self._start: Point | None = None  # of a rectangle

    def press(self, button: str) -> bool:
        if button == MouseButton.RIGHT and not self.pointer.is_free:
            self.tools.deselect()
        elif button != MouseButton.LEFT:
            return False
        elif self.pointer.is_pointing:
            self._start = self.pointer.at
        else:
            self.tools.select_aimed(add=self.tools.view.shift)
        return True

    def release(self) -> None:
        start, self._start = self._start, None
        tools = self.tools
        pointer = self.pointer
        if start is None or not pointer.is_free:
            return
        if marquee.is_drawn(start, pointer.at):
            found = marquee.pieces_within(tools.level, pointer.camera, pointer.size, start, pointer.at)
            tools.select(*(tools.selected if tools.view.shift else ()), *found)
            tools.view.show_message(f"{len(tools.selected)} pieces selected")
        else:
            tools.select_aimed(add=tools.view.shift)

    def interrupt(self) -> None:
        self._start = None

    def cancel(self) -> bool:
        was_selected = bool(self.tools.selected)
        if was_selected:
            self.tools.deselect()
        return was_selected

    def overlay(self) -> Overlay | None:
        start = self._start
        pointer = self.pointer
        if start is None or not pointer.is_free or not marquee.is_drawn(start, pointer.at):
            return None
        return Overlay(lines=(marquee.rectangle_lines(pointer.camera, pointer.size, start, pointer.at),))


class PointerTool(EditorTool):
    """The middle button shows the free pointer or hides it. With it the right button looks around while it is held, and
    deselects by a click."""

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.pointer = tools.view.pointer

    def press(self, button: str) -> bool:
        if button == MouseButton.MIDDLE:
            self.pointer.toggle()
        elif button == MouseButton.RIGHT and self.pointer.is_free:
            self.pointer.is_looking = True
            self.pointer.has_looked = False
            self._skip_pointer_jump()
        else:
            return False
        return True

    def release(self) -> None:
        if not self.pointer.is_looking:
            return
        if not self.pointer.has_looked:
            self.tools.deselect()
        self.interrupt()

    def interrupt(self) -> None:
        self.pointer.is_looking = False
        self._skip_pointer_jump()

    def cancel(self) -> bool:
        was_free = self.pointer.is_free
        if was_free:
            self.pointer.toggle()
        return was_free

    def _skip_pointer_jump(self) -> None:
        self.tools.view.game.input.view.skip_pointer_jump()


class RulerTool(EditorTool):
    """Measures between two aimed points."""

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.ruler = Ruler()

    @property
    def _aim(self) -> tuple[float, float, float] | None:
        return self.tools.view.aim_point(self.tools.level)

    def add_end(self) -> None:
        """Set an end of the ruler."""
        aim = self._aim
        if aim is None:
            self.tools.view.show_message("Look at something to measure from")
        else:
            self.ruler.add_end(aim)

    def cancel(self) -> bool:
        was_measuring = self.ruler.is_measuring
        self.ruler = Ruler()
        return was_measuring

    def card(self) -> Card | None:
        """Card with the distance; None without ends."""
        return self.ruler.card(self._aim)

    def overlay(self) -> Overlay | None:
        return self.ruler.overlay(self._aim) if self.ruler.is_measuring else None
