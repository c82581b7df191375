"""Tools of the mouse: each accepts a gesture or leaves it to the next one. Here are those for rows of cards, the
selection, and the view with the free pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....render import Card
from ....render.overlay_layers import Overlay
from ...input.actions import MouseButton
from ..edit_tools import EditTools


class EditorTool:
    """A tool of the mouse. The tool that accepts a press has the gesture until the button goes up."""

    def press(self, button: str) -> bool:
        """A button, one of `MouseButton`, went down; whether the tool accepts the gesture."""
        return False

    def hold(self) -> None:
        """A frame while the button is down."""

    def release(self) -> None:
        """The button went up."""

    def interrupt(self) -> None:
        """The window has lost the focus: the release may not arrive."""

    def scroll(self, by: float) -> bool:
        """The wheel turned, positive away from the user; whether the tool accepts it."""
        return False

    def cancel(self) -> bool:
        """End what the tool has begun, by Escape; whether there was something."""
        return False

    def overlay(self) -> Overlay | None:
        """What the tool draws into the world."""
        return None


class ToolChain:
    """Offers each gesture to the tools, one after another. tools: those of the present moment, in their order."""

    def __init__(self, tools: Callable[[], Sequence[EditorTool]]) -> None:
        self._tools = tools
        self._held: dict[str, EditorTool] = {}  # by button

    def press(self, button: str) -> None:
        """Give a press to the first tool that accepts it."""
        tool = next((tool for tool in self._tools() if tool.press(button)), None)
        if tool is not None:
            self._held[button] = tool

    def release(self, button: str) -> None:
        """The button went up: the gesture of its tool ends."""
        tool = self._held.pop(button, None)
        if tool is not None:
            tool.release()

    def hold(self) -> None:
        """Called each frame."""
        for tool in self._held.values():
            tool.hold()

    def interrupt(self) -> None:
        """End all gestures: the window has lost the focus."""
        for tool in self._held.values():
            tool.interrupt()
        self._held.clear()

    def scroll(self, by: float) -> bool:
        """Give a turn of the wheel to the first tool that accepts it."""
        return any(tool.scroll(by) for tool in self._tools())

    def cancel(self) -> bool:
        """End what the first tool has begun; False where none has."""
        return any(tool.cancel() for tool in self._tools())

    def overlays(self) -> list[Overlay]:
        """What the tools draw into the world."""
        return [drawn for drawn in (tool.overlay() for tool in self._tools()) if drawn is not None]


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


class PointerTool(EditorTool):
    """A click selects a piece; the right button and Escape deselect. The middle button shows the free pointer or hides
    it; with it the right button looks around while it is held, and deselects by a click."""

    def __init__(self, tools: EditTools) -> None:
        self.tools = tools
        self.pointer = tools.view.pointer

    def press(self, button: str) -> bool:
        if button == MouseButton.LEFT:
            self.tools.select_aimed(add=self.tools.view.shift)
        elif button == MouseButton.MIDDLE:
            self.pointer.toggle()
        elif button == MouseButton.RIGHT and self.pointer.is_free:
            self.pointer.is_looking = True
            self.pointer.has_looked = False
            self._skip_pointer_jump()
        elif button == MouseButton.RIGHT:
            self.tools.deselect()
        else:
            return False
        return True

    def release(self) -> None:
        if self.pointer.is_looking:
            if not self.pointer.has_looked:
                self.tools.deselect()
            self.interrupt()

    def interrupt(self) -> None:
        self.pointer.is_looking = False
        self._skip_pointer_jump()

    def cancel(self) -> bool:
        if self.tools.selected:
            self.tools.deselect()
        elif self.pointer.is_free:
            self.pointer.toggle()
        else:
            return False
        return True

    def _skip_pointer_jump(self) -> None:
        self.tools.view.game.input.view.skip_pointer_jump()
