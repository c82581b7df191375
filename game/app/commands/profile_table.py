"""Where the time of a walk goes, as a table: `sim --profile`."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from ...physics.character.profile import read_profile

if TYPE_CHECKING:
    from ...sim import World


def profile_walk(world: World, rows: Any) -> list[str]:
    """Run the commands among movers and zones (twice: compiled and warm the second time) and say what each part of the
    walker's tick took; what the world does besides, such as its balls, is not in it. RuntimeError where the process was
    not started for it."""
    for _ in range(2):
        begun = perf_counter_ns()
        world.walker.run(world.walker_state, rows, world.mesh, around=world.around, clock=world.tick)
        taken = (perf_counter_ns() - begun) / 1e3
    phases, numbers = read_profile(world.walker.counters())
    ticks, whole = max(len(rows), 1), max(sum(phases.values()), 1)
    lines = [f"{len(rows)} ticks, {taken / ticks:.2f} microseconds per tick"]
    for name, part in phases.items():
        lines.append(f"  {name:36} {taken / ticks * part / whole:7.3f} us {part / whole:6.1%}")
    return lines + [f"  {name:36} {number / ticks:7.2f} per tick" for name, number in numbers.items()]
