"""Mending a level file where it is plain what was meant: edits of its text, each proved by a check."""

from .fixer import AutofixResult, autofix_level

__all__ = ["AutofixResult", "autofix_level"]
