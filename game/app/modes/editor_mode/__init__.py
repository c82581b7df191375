"""Editor mode: `editor` has the keys, the mouse, the panels and the picture; `body` the player's body."""

from .body import BodyMode
from .editor import EditorMode

__all__ = ["BodyMode", "EditorMode"]
