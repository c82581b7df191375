"""Where the time of a walk goes, as a table: `sim --profile`."""

from __future__ import annotations

from time import perf_counter_ns
from typing import Any

from game.physics import TriangleMesh, Walker, WalkerState
from game.physics.profile import COUNTS, PHASES, laps


def profile(walker: Walker, state: WalkerState, rows: Any, mesh: TriangleMesh) -> list[str]:
    """Run the commands (twice: compiled and warm the second time) and say what each part of a tick took. RuntimeError
    where the process was not started for it."""
    walker.run(state, rows, mesh)
    begun = perf_counter_ns()
    walker.run(state, rows, mesh)
    taken = (perf_counter_ns() - begun) / 1e3
    phases, numbers = laps(walker)
    ticks, whole = max(len(rows), 1), max(sum(phases.values()), 1)
    lines = [f"{len(rows)} ticks, {taken / ticks:.2f} microseconds each"]
    for name, part in phases.items():
        lines.append(f"  {PHASES[name]:36} {taken / ticks * part / whole:7.3f} us {part / whole:6.1%}")
    return lines + [f"  {COUNTS[name]:36} {number / ticks:7.2f} a tick" for name, number in numbers.items()]
