"""F2: look at a level with its own words, and edit it where it is written."""

from game.app.editor.editor import Editor

__all__ = ["Editor"]
