"""Profile of a tick: processor cycles by phase and counts, kept by the kernels if they are compiled for it.

WALKER_PROFILE=1 in the environment of the process turns it on. Otherwise every call here compiles to nothing. No tick
depends on what is read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numba
from numba.core import types
from numba.extending import intrinsic

from ..numerics.jit import inner
from .layout import counter, profile_counter
from .scratch import Scratch

PROFILE_VARIABLE = "WALKER_PROFILE"
IS_PROFILING = os.environ.get(PROFILE_VARIABLE) == "1" and not numba.config.DISABLE_JIT

PHASE_LABELS = (
    "broad phase",
    "transform to ellipsoid space",
    "recover from penetration",
    "rotate, crouch, jump, wish velocity",
    "ground move",
    "snap to the ground",
    "slide in the air",
    "fall",
    "clip the velocity, write the state",
)
COUNT_LABELS = (
    "candidate triangles",
    "contact searches",
    "closest point tests",
    "contact planes",
    "ground move iterations",
    "sweeps",
    "sweep tests",
    "repeated ticks",
)


@intrinsic  # type: ignore[untyped-decorator]
def _read_cycle_counter(typing_context: Any) -> Any:
    """The processor's cycle counter."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        function_type = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=function_type), [])

    return types.int64(), generate


@inner
def start_profile(w: Scratch) -> None:
    """Reset the profile and start the first phase."""
    if IS_PROFILING:
        for k in range(counter.FIRST_PROFILE, counter.SIZE):
            w.counters[k] = 0
        w.counters[profile_counter.LAP_START] = _read_cycle_counter()


@inner
def end_phase(w: Scratch, phase: int) -> None:
    """Add the cycles since the last phase to `phase` (layout.profile_counter)."""
    if IS_PROFILING:
        now = _read_cycle_counter()
        w.counters[phase] += now - w.counters[profile_counter.LAP_START]
        w.counters[profile_counter.LAP_START] = now


@inner
def add_to_count(w: Scratch, index: int, number: int) -> None:
    """Add `number` to a count (layout.profile_counter)."""
    if IS_PROFILING:
        w.counters[index] += number


def read_profile(counters: Sequence[int]) -> tuple[dict[str, int], dict[str, int]]:
    """(cycles by PHASE_LABELS, counts by COUNT_LABELS) from the counters of a run (`Walker.counters`).

    RuntimeError if the process was not started for it.
    """
    if not IS_PROFILING:
        raise RuntimeError(f"profiles need {PROFILE_VARIABLE}=1 in the environment before the physics is imported")
    phases = counters[profile_counter.BROAD_PHASE : profile_counter.CANDIDATES]
    counts = counters[profile_counter.CANDIDATES :]
    return dict(zip(PHASE_LABELS, phases, strict=True)), dict(zip(COUNT_LABELS, counts, strict=True))
