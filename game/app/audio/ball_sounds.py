"""What is to be heard of balls: one that strikes something, one that is thrown, and a stroke of golf."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...sim.events import BallLost, BallStruck, HoledOut
from .sound_cue import SoundCue

if TYPE_CHECKING:
    from ...physics.balls.balls import BallRows
    from ...sim import World

MIN_IMPACT_SPEED, FULL_IMPACT_SPEED = (
    0.7,
    9.0,
)  # m/s by which a ball's velocity changes: below the one nothing is heard, at the other loudest
HALF_LOUDNESS_DISTANCE = 5.0  # m: a ball so far away is half as loud
MIN_LOUDNESS = 0.02  # as loud as this is not heard
MAX_SOUNDS, MAX_SOUNDS_PER_SECOND = (
    3.0,
    14.0,
)  # sounds at once, and a second: a drum full of balls clatters, and does not roar
MAX_GAP_TICKS = 15  # ticks: over more than that (a new start, a reload) nobody can say what struck what
REFERENCE_RADIUS = 0.12  # m, radius of a ball that sounds as it was recorded: smaller ones higher


class BallSounds:
    """Listens to the balls of one world: those that roll about, and the one of golf."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._sound_budget = MAX_SOUNDS
        self._previous = self._rows()
        self._previous_tick, self._thrown = world.tick, world.balls.thrown

    def update(self, events: Iterable[Any], seconds: float) -> list[SoundCue]:
        """What a frame of so many seconds of play brings, the loudest first."""
        before, now = self._previous, self._rows()
        ticks, thrown = self.world.tick - self._previous_tick, self.world.balls.thrown - self._thrown
        self._previous, self._previous_tick, self._thrown = now, self.world.tick, self.world.balls.thrown
        self._sound_budget = min(self._sound_budget + MAX_SOUNDS_PER_SECOND * seconds, MAX_SOUNDS)
        cues = _golf_cues(events)
        if not 0 < ticks <= MAX_GAP_TICKS:
            return cues
        if thrown > 0:
            cues.append(SoundCue("throw", 0.5))
        if cues or not len(before) or not len(now):
            return cues
        loud, radii = self._impact_loudness(before, now, ticks)
        for k in np.argsort(-loud, kind="stable")[: int(self._sound_budget)].tolist():
            if loud[k] <= MIN_LOUDNESS:
                break
            self._sound_budget -= 1.0
            pitch = min(max(math.sqrt(REFERENCE_RADIUS / float(radii[k])), 0.6), 1.7) * (
                0.94 + 0.12 * _pseudo_random(self.world.tick + k)
            )
            cues.append(SoundCue("ball", float(loud[k]), pitch))
        return cues

    def _rows(self) -> BallRows:
        golf = self.world.golf
        return self.world.balls.rows if golf is None else golf.ball.copy()

    def _impact_loudness(self, before: BallRows, now: BallRows, ticks: int) -> tuple[Any, Any]:
        """How loud each ball that is still there struck something, 0..1, and their radii."""
        _, was, here = np.intersect1d(before["number"], now["number"], assume_unique=True, return_indices=True)
        rows, rules = now[here], self.world.balls.solver.settings
        fallen = ticks / rules.ticks_per_second * np.array(rules.gravity)
        change = rows["velocity"] - before["velocity"][was]
        change[~rows["asleep"]] -= fallen
        hard = np.minimum(np.linalg.norm(change, axis=1), np.linalg.norm(change + fallen, axis=1))
        away = np.linalg.norm(rows["position"] - np.array(self.world.walker_state.position), axis=1)
        part = np.clip((hard - MIN_IMPACT_SPEED) / (FULL_IMPACT_SPEED - MIN_IMPACT_SPEED), 0.0, 1.0)
        return np.sqrt(part) / (1.0 + (away / HALF_LOUDNESS_DISTANCE) ** 2), rows["radius"]


def _golf_cues(events: Iterable[Any]) -> list[SoundCue]:
    """What golf itself reports."""
    cues = []
    for event in events:
        if isinstance(event, BallStruck):
            cues.append(SoundCue("ball", 0.3 + 0.7 * event.strength, 1.25))
        elif isinstance(event, HoledOut):
            cues.append(SoundCue("target"))
        elif isinstance(event, BallLost):
            cues.append(SoundCue("splash", 0.6) if event.reason == "water" else SoundCue("fell", 0.6))
    return cues


def _pseudo_random(count: int) -> float:
    """Another number each time, 0..1, the same from run to run."""
    return (count * 0.6180339887) % 1.0
