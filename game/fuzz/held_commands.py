"""Checks under one held command: a walker comes to rest or walks on, and it stands still when the command ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN

HELD = 300  # ticks
RELEASED = 300  # ticks
AT_END = 60  # ticks of a released walker that are judged
ROUND = 0.05  # m: radius of a return to the same place
SLOW = 1e-6  # m per tick: slower is at rest
LONGEST_ROUND = 30  # ticks
REVERSALS = 3  # of the direction, in so many ticks: a tremble
REVERSAL_TICKS = 6


def draw_command(random: Any) -> dict[str, Any]:
    """A command to hold, as columns of `walker.commands`."""
    return {
        "strafe": float(random.choice([0.0, 1.0, -1.0])),
        "heading": int(random.integers(0, HEADING_UNITS_PER_TURN)),
        "sprint": bool(random.integers(0, 2)),
    }


def walks_in_circles(positions: Any) -> bool:
    """True if a walk keeps moving and keeps returning to the same places."""
    way = np.diff(positions, axis=0)
    if np.linalg.norm(way, axis=1).max() < SLOW or np.ptp(positions, axis=0).max() > ROUND:
        return False
    return any(
        np.abs(positions[k:] - positions[:-k]).max() < SLOW < np.ptp(positions[:k], axis=0).max()
        for k in range(2, LONGEST_ROUND + 1)
    )


def drifts(states: Any) -> bool:
    """True if a walker without a command stays on ground and moves, without getting slower as on ice."""
    way = np.linalg.norm(np.diff(states["position"], axis=0), axis=1)
    return bool(states["grounded"].all() and way.any() and way[-1] >= way[0])


def jitter_ticks(positions: Any, rows: Any) -> Any:
    """Ticks at which the horizontal direction has reversed for the third time in six, under one command."""
    way = np.diff(positions[:, [0, 2]], axis=0)
    way[np.linalg.norm(way, axis=1) < SLOW] = 0.0
    back = np.zeros(len(way), np.int64)
    back[1:] = (way[1:] * way[:-1]).sum(axis=1) < 0.0
    same = np.zeros(len(way), bool)
    same[1:] = rows[1:] == rows[:-1]
    back[~same] = 0
    count = np.convolve(back, np.ones(REVERSAL_TICKS, np.int64))[: len(back)]
    return np.flatnonzero(count >= REVERSALS)
