"""Where a line is printed that explains a wait: standard error, or what a program that captures it has put instead."""

from __future__ import annotations

import sys
from typing import TextIO

REPLACEMENTS: list[TextIO] = []  # the last one counts; pytest, for one, captures what a test writes


def print_notice(text: str) -> None:
    """Print a line at once. Nothing is printed where there is no standard error."""
    stream = REPLACEMENTS[-1] if REPLACEMENTS else sys.stderr
    if stream is not None:
        print(text, file=stream, flush=True)
