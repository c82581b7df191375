"""Where the time of a tick goes: laps and counts that the kernels keep where they were compiled for it.

Only with WALKER_PROFILE=1 in the environment of the process; else every call here compiles to nothing. (The processor's
counter is read then: the one place in the physics where a clock is looked at, and no tick depends on it.)
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import numba
from numba.core import types
from numba.extending import intrinsic

from game.physics.jit import inner
from game.physics.work import COUNT_SIZE, PROFILE, Work

if TYPE_CHECKING:
    from game.physics.mesh import TriangleMesh
    from game.physics.state import WalkerState
    from game.physics.walker import Walker

VARIABLE = "WALKER_PROFILE"
PROFILING = os.environ.get(VARIABLE) == "1"

# Places in Work.count, from PROFILE on: when the last lap ended, laps (processor counts), counts
_THEN = PROFILE
PHASES = {
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
GATHER, TRANSFORM, CLEAR, TURN, WALK, SNAP, SLIDE, FALL, REST = range(PROFILE + 1, PROFILE + 10)
COUNTS = {
    "candidates": "triangles near",
    "touches": "touching sets found",
    "closest": "closest points",
    "planes": "touching planes",
    "rounds": "rounds of walking",
    "sweeps": "sweeps",
    "swept": "triangles swept against",
    "again": "ticks done again for more triangles",
}
CANDIDATE, TOUCHES, CLOSEST, PLANES_HELD, ROUNDS_GONE, SWEEPS, SWEPT, AGAIN = range(PROFILE + 10, COUNT_SIZE)


@intrinsic  # type: ignore[untyped-decorator]
def _cycles(typing_context: Any) -> Any:
    """The processor's own counter."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=kind), [])

    return types.int64(), generate


cycles = perf_counter_ns if numba.config.DISABLE_JIT else _cycles


@inner
def begin(w: Work) -> None:
    """The first lap begins."""
    if PROFILING:
        for k in range(PROFILE, COUNT_SIZE):
            w.count[k] = 0
        w.count[_THEN] = cycles()


@inner
def lap(w: Work, phase: int) -> None:
    """What passed since the last lap was this phase's."""
    if PROFILING:
        now = cycles()
        w.count[phase] += now - w.count[_THEN]
        w.count[_THEN] = now


@inner
def tally(w: Work, what: int, number: int) -> None:
    """So many more of something."""
    if PROFILING:
        w.count[what] += number


@dataclass(frozen=True)
class Profile:
    """A run taken apart: microseconds a tick by phase, numbers a tick by kind (keys of PHASES and COUNTS)."""

    ticks: int
    microseconds: dict[str, float]
    numbers: dict[str, float]

    def table(self) -> str:
        """As text, a line each."""
        whole = sum(self.microseconds.values())
        lines = [f"{self.ticks} ticks, {whole:.2f} microseconds each"]
        for name, part in self.microseconds.items():
            lines.append(f"  {PHASES[name]:32} {part:7.3f} us {part / whole:6.1%}")
        lines += [f"  {COUNTS[name]:32} {number:7.2f} a tick" for name, number in self.numbers.items()]
        return "\n".join(lines)


def profile(walker: Walker, state: WalkerState, rows: Any, mesh: TriangleMesh) -> Profile:
    """Run the commands and say where the time went. RuntimeError where the process was not started for it."""
    if not PROFILING:
        raise RuntimeError(f"profiles need {VARIABLE}=1 in the environment before the physics is imported")
    walker.run(state, rows, mesh)  # compiled, and the scratch memory has grown
    begun = perf_counter_ns()
    walker.run(state, rows, mesh)
    taken = (perf_counter_ns() - begun) / 1e3
    count, ticks = walker._plain[0].count, max(len(rows), 1)
    laps = {name: int(count[GATHER + at]) for at, name in enumerate(PHASES)}
    scale = taken / ticks / max(sum(laps.values()), 1)
    return Profile(
        len(rows),
        {name: scale * part for name, part in laps.items()},
        {name: int(count[CANDIDATE + at]) / ticks for at, name in enumerate(COUNTS)},
    )
