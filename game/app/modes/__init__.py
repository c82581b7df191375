"""Modes of the game: title, editor, rewind and travel."""
