"""Notices for a person who waits, such as what is being compiled. They go to standard error.

The pytest plugin replaces `show`, because pytest captures standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable


def print_notice(text: str) -> None:
    """Print a notice on standard error. A Windows program without a console has none."""
    if sys.stderr is not None:
        print(text, file=sys.stderr, flush=True)


show: Callable[[str], None] = print_notice
