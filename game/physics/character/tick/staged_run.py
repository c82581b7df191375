"""`run_ticks` in two stages: interpreted at first, compiled as soon as the whole tick is in the kernel cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...numerics.background_compile import WHOLE
from ...numerics.staged_kernel import StagedKernel
from .run import run_ticks

MIN_TICKS_TO_COMPILE = 200_000  # ticks of one run for which compiling first is faster than interpreting them
PORTION = 128  # ticks (about 15 ms) of an interpreted run between two looks at the clock

whole_tick = StagedKernel(run_ticks, WHOLE)


def run_ticks_in_stages(*arguments: Any) -> int:
    """`run_ticks`, with its arguments and its result: the switch can come between two ticks of a run."""
    *fixed, first, end = arguments
    kernel: Callable[..., int] = run_ticks
    while not whole_tick.is_due(arguments, is_long=end > 1, at_once=end - first >= MIN_TICKS_TO_COMPILE):
        last = min(end, first + PORTION)
        result: int = whole_tick.interpret(*fixed, first, last)
        if result != last or last == end:  # no room for candidates or for a spawn, or done
            return result
        first = last
    return kernel(*fixed, first, end)
