"""Summary of a headless walk, in lines for the terminal and the report file."""

from __future__ import annotations

from ...core.angles import DEGREES_PER_HEADING_UNIT
from ...sim.events import TargetReached
from ...sim.headless_run import GoalOutcome, WalkResult


def summarise_headless_walk(result: WalkResult) -> list[str]:
    """Ticks, distance, ground contact, end, falls, targets and hash of a walk; the last line is the goal's."""
    count = len(result.tick)
    lines = [f"ticks: {count} ({count / result.ticks_per_second:.2f} s)"]
    if count:
        horizontal, up, down = result.distances
        lines.append(
            f"distance: {horizontal:.2f} m horizontally, {up:.2f} m up, {down:.2f} m down; "
            f"fastest {result.top_speed:.2f} m/s"
        )
        lines.append(f"ground: {100 * float(result.grounded.mean()):.0f} % of the ticks")
    x, y, z = result.feet[-1] if count else result.start
    degrees = (int(result.heading[-1]) if count else result.start_heading) * DEGREES_PER_HEADING_UNIT
    lines.append(f"end: feet at ({x:.3f}, {y:.3f}, {z:.3f}), body facing {degrees:.1f} degrees")
    if result.falls:
        lines.append(f"falls below the level: {result.falls}")
    if result.target_count:
        lines.append(_targets_line(result))
    return [*lines, f"hash: {result.hash}", goal_line(result)]


def _targets_line(result: WalkResult) -> str:
    """`targets: 2 of 5 reached, the last at tick N`."""
    last = next((event for event in reversed(result.events) if isinstance(event, TargetReached)), None)
    line = f"targets: {result.targets_reached} of {result.target_count} reached"
    return line if last is None else f"{line}, the last at tick {last.tick}"


def goal_line(result: WalkResult) -> str:
    """`goal: reached at tick N`, `goal: missed` or `goal: none`."""
    if result.goal == GoalOutcome.REACHED:
        return f"goal: reached at tick {result.goal_tick}"
    return "goal: missed" if result.goal == GoalOutcome.MISSED else "goal: none"
