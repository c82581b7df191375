"""`run_ticks` in two stages: interpreted at first, compiled as soon as the whole tick is in the kernel cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from ....core.vectors import Floats
from ...numerics.background_compile import WHOLE
from ...numerics.staged_kernel import StagedKernel
from ..scratch import TickMemory
from .run import run_ticks

MIN_TICKS_TO_COMPILE = 200_000  # ticks of one run for which compiling first is faster than interpreting them
PORTION = 128  # ticks (about 15 ms) of an interpreted run between two looks at the clock


def run_whole_tick(
    memory: TickMemory,
    before: Floats,
    after: Floats,
    commands: Floats,
    clock: int,
    clock_step: int,
    first: int,
    end: int,
) -> int:
    """`run_ticks`, compiled. Its arguments by name: a call with `*rows` takes 0.1 us more."""
    return _machine_code(memory.arrays, before, after, commands, clock, clock_step, first, end)


def _load_and_run(*arguments: Any) -> int:
    """The first compiled call. Later ones go to the machine code: the look-up of their types would take 0.2 us."""
    global _machine_code
    kernel: Any = run_ticks
    done: int = kernel(*arguments)
    _machine_code = kernel.overloads[tuple(map(kernel.typeof_pyval, arguments))].entry_point
    return done


_machine_code: Callable[..., int] = run_ticks if numba.config.DISABLE_JIT else _load_and_run
whole_tick = StagedKernel(run_ticks, WHOLE)


def run_ticks_in_stages(memory: TickMemory, *rows: Any) -> int:
    """`run_ticks` in the present stage: the switch can come between two ticks of a run."""
    *fixed, first, end = rows
    arguments = memory.arrays, *rows
    while not whole_tick.is_due(arguments, is_long=end > 1, at_once=end - first >= MIN_TICKS_TO_COMPILE):
        last = min(end, first + PORTION)
        result: int = whole_tick.interpret(memory.arrays, *fixed, first, last)
        if result != last or last == end:  # no room for candidates or for a spawn, or done
            return result
        first = last
    return run_whole_tick(memory, *fixed, first, end)  # type: ignore[call-arg]
