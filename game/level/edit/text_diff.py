"""What changed from one text to another."""

from __future__ import annotations

import difflib
import re

_LINE = re.compile("[^\n]*\n|[^\n]+")


def unified_diff(old: str, new: str, name: str) -> str:
    """What changed from one text to another, as `diff -u` and `patch` write it; '' where nothing did."""
    rows = difflib.unified_diff(_LINE.findall(old), _LINE.findall(new), name, name)
    return "".join(row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in rows)
