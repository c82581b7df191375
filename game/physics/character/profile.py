"""Where the time of a tick goes: laps and counts that the kernels keep where they were compiled for it.

Only with WALKER_PROFILE=1 in the environment of the process; else every call here compiles to nothing. (Then the
processor's counter is read; no tick depends on it.)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numba
from numba.core import types
from numba.extending import intrinsic

from ..numerics.jit import inner
from .layout import counter, profile_counter
from .scratch import Scratch

if TYPE_CHECKING:
    from ..walker import Walker

PROFILE_VARIABLE = "WALKER_PROFILE"
IS_PROFILING = os.environ.get(PROFILE_VARIABLE) == "1" and not numba.config.DISABLE_JIT

PHASE_LABELS = {
    "gather": "find the triangles near",
    "transform": "bring them into ellipsoid space",
    "clear": "get clear of what it is in",
    "turn": "turn, stance, jump, wish",
    "walk": "walk: plan, height, sweep",
    "snap": "stay on the ground",
    "slide": "move in the air",
    "fall": "fall",
    "rest": "velocity, the state's row",
}
COUNT_LABELS = {
    "candidates": "triangles near",
    "touches": "touching sets found",
    "closest": "closest points",
    "planes": "touching planes",
    "rounds": "rounds of walking",
    "sweeps": "sweeps",
    "swept": "triangles swept against",
    "again": "ticks done again for more triangles",
}


@intrinsic  # type: ignore[untyped-decorator]
def _read_cycle_counter(typing_context: Any) -> Any:
    """The processor's own counter."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=kind), [])

    return types.int64(), generate


@inner
def start_profile(w: Scratch) -> None:
    """The first lap begins."""
    if IS_PROFILING:
        for k in range(counter.FIRST_PROFILE, counter.SIZE):
            w.counters[k] = 0
        w.counters[profile_counter.LAP_START] = _read_cycle_counter()


@inner
def end_phase(w: Scratch, phase: int) -> None:
    """What passed since the last lap was this phase's."""
    if IS_PROFILING:
        now = _read_cycle_counter()
        w.counters[phase] += now - w.counters[profile_counter.LAP_START]
        w.counters[profile_counter.LAP_START] = now


@inner
def add_to_count(w: Scratch, what: int, number: int) -> None:
    """So many more of something."""
    if IS_PROFILING:
        w.counters[what] += number


def read_profile(walker: Walker) -> tuple[dict[str, int], dict[str, int]]:
    """Of the last run: processor counts by phase, and how many by kind (keys of PHASES and COUNTS). RuntimeError
    where the process was not started for it."""
    if not IS_PROFILING:
        raise RuntimeError(f"profiles need {PROFILE_VARIABLE}=1 in the environment before the physics is imported")
    count = walker._plain[0].counters.tolist()
    phases = dict(zip(PHASE_LABELS, count[profile_counter.BROAD_PHASE : profile_counter.CANDIDATES], strict=True))
    return phases, dict(zip(COUNT_LABELS, count[profile_counter.CANDIDATES :], strict=True))
