"""Editor mode: `view` flies, picks and makes the picture; `editor` has the keys, the mouse and the panels; `body` the
player's body."""

from .body import BodyMode
from .editor import EditorMode

__all__ = ["BodyMode", "EditorMode"]
