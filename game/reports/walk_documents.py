"""JSON document of `sim`: the result of a headless walk."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..level import Level
from ..sim.headless_run import WalkResult


def sim_fields(result: WalkResult, level: Level, status: int, output: Path | None) -> dict[str, object]:
    """Fields of the document (schemas/sim.json). Lengths in metres, speeds in m/s."""
    count = len(result.tick)
    step = result.displacements
    horizontal = np.hypot(step[:, 0], step[:, 2])
    end = result.feet[-1] if count else result.start
    return {
        "status": status,
        "level": {"name": level.name, "file": str(level.path)},
        "ticks": count,
        "seconds": count / result.ticks_per_second,
        "ticks_per_second": result.ticks_per_second,
        "distance": {
            "horizontal": float(horizontal.sum()),
            "up": float(np.maximum(step[:, 1], 0.0).sum()),
            "down": float(np.maximum(-step[:, 1], 0.0).sum()),
        },
        "fastest": float(horizontal.max()) * result.ticks_per_second if count else 0.0,
        "grounded": float(result.grounded.mean()) if count else 0.0,
        "start": [float(value) for value in result.start],
        "end": [float(value) for value in end],
        "heading": int(result.heading[-1]) if count else result.start_heading,
        "falls": result.falls,
        "targets": {"reached": result.targets_reached, "count": result.target_count},
        "goal": {"outcome": result.goal.name.lower(), "tick": result.goal_tick if result.goal_tick >= 0 else None},
        "hash": result.hash,
        "output": None if output is None else str(output),
    }
