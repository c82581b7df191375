"""Seeded random commands in spans, as of a restless player."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.angles import HEADING_UNITS_PER_TURN
from ..physics import Walker
from ..physics.character.command import MAX_PITCH

PITCHES = (0, 0, MAX_PITCH // 2, -MAX_PITCH // 2, MAX_PITCH, -MAX_PITCH)  # of a span


def wander(walker: Walker, ticks: int, seed: int, heading: int = 0, looks: bool = False) -> Any:
    """Command rows: mostly forward, with strafing, slow and sudden turns, jumps, crouching, sprints and pauses.

    looks: also up and down, which steers a swimmer and a climber
    """
    rng = np.random.default_rng(seed)
    forward, strafe = np.zeros(ticks), np.zeros(ticks)
    turn = np.zeros(ticks, np.int64)
    jump, crouch, sprint = (np.zeros(ticks, bool) for _ in range(3))
    spans = []
    at = 0
    while at < ticks:
        n = int(rng.integers(5, 90))
        span = slice(at, min(at + n, ticks))
        spans.append(span)
        forward[span] = rng.choice([1.0, 1.0, 1.0, 1.0, -1.0, 0.0])
        strafe[span] = rng.choice([0.0, 0.0, 0.0, 1.0, -1.0])
        turn[span] = rng.choice([0, 0, 0, 30, -30, 200, -200, 900])
        if rng.random() < 0.3:
            turn[at] += int(rng.integers(-32768, 32768))
        jump[span] = rng.random() < 0.15
        crouch[span] = rng.random() < 0.15
        sprint[span] = rng.random() < 0.3
        at += n
    pitch = np.zeros(ticks, np.int64)
    for span in spans if looks else ():
        pitch[span] = rng.choice(PITCHES)
    return walker.commands(
        forward=forward,
        strafe=strafe,
        heading=(heading + np.cumsum(turn)) % HEADING_UNITS_PER_TURN,
        pitch=pitch,
        jump=jump,
        crouch=crouch,
        sprint=sprint,
    )
