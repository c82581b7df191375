"""Automatic fixes of a level file for findings with one clear correction. A check confirms every fix."""

from .fixer import AutofixResult, autofix_level

__all__ = ["AutofixResult", "autofix_level"]
