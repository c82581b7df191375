"""Mending a level file where it is plain what was meant: edits of its text, each proved by a check."""

from .fixer import Mended, mend

__all__ = ["Mended", "mend"]
