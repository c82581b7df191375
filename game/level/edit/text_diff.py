"""Unified diffs."""

from __future__ import annotations

import difflib
import re

_LINE = re.compile("[^\n]*\n|[^\n]+")


def unified_diff(old: str, new: str, name: str) -> str:
    """The difference between two texts in the format of `diff -u` and `patch`; '' if there is none."""
    rows = difflib.unified_diff(_LINE.findall(old), _LINE.findall(new), name, name)
    return "".join(row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in rows)
