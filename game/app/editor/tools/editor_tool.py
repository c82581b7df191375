"""Tools of the editor's mouse: each accepts a gesture or leaves it to the next one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....render.overlay_layers import Overlay


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
