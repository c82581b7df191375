"""Shared helpers that import nothing else of the game: atomic file writes, user folders, errors, time formats."""
