"""Sounds of balls: impacts, throws and golf strokes, as plain data."""

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

MIN_IMPACT_SPEED = 0.7  # m/s; a smaller change of velocity is silent
FULL_IMPACT_SPEED = 9.0  # m/s; a change of velocity from here on is loudest
HALF_LOUDNESS_DISTANCE = 5.0  # m at which a ball is half as loud
MIN_LOUDNESS = 0.02  # quieter impacts have no sound
STROKE_PITCH = 1.25  # of the sound of a stroke at golf; collisions of balls have other pitches
MAX_SOUNDS = 3.0  # at once
MAX_SOUNDS_PER_SECOND = 14.0  # many balls must not become a roar
MAX_GAP_TICKS = 15  # after a longer gap (restart, reload) the velocities cannot be compared
REFERENCE_RADIUS = 0.12  # m, radius at which the sound has its recorded pitch; smaller balls sound higher


class BallSounds:
    """Compares the balls of one world, the golf ball included, from frame to frame."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._sound_budget = MAX_SOUNDS
        self._previous = self._rows()
        self._previous_tick = world.tick
        self._thrown = world.balls.thrown

    def update(self, events: Iterable[Any], seconds: float) -> list[SoundCue]:
        """The sounds of a frame of `seconds` of play, the loudest first."""
        before, now = self._previous, self._rows()
        ticks = self.world.tick - self._previous_tick
        thrown = self.world.balls.thrown - self._thrown
        self._previous = now
        self._previous_tick = self.world.tick
        self._thrown = self.world.balls.thrown
        self._sound_budget = min(self._sound_budget + MAX_SOUNDS_PER_SECOND * seconds, MAX_SOUNDS)
        cues = _golf_cues(events)
        if not 0 < ticks <= MAX_GAP_TICKS:
            return cues
        if thrown > 0:
            cues.append(SoundCue("throw", 0.5))
        if cues or not len(before) or not len(now):
            return cues
        loud, rows = self._impact_loudness(before, now, ticks)
        for k in np.argsort(-loud, kind="stable")[: int(self._sound_budget)].tolist():
            if loud[k] <= MIN_LOUDNESS:
                break
            self._sound_budget -= 1.0
            vary = (self.world.tick + k) * 0.6180339887 % 1.0  # golden-ratio sequence, the same in every run
            pitch = min(max(math.sqrt(REFERENCE_RADIUS / float(rows["radius"][k])), 0.6), 1.7) * (0.94 + 0.12 * vary)
            x, y, z = rows["position"][k].tolist()
            cues.append(SoundCue("ball", float(loud[k]), pitch, (x, y, z)))
        return cues

    def _rows(self) -> BallRows:
        golf = self.world.golf
        return self.world.balls.rows if golf is None else golf.ball.copy()

    def _impact_loudness(self, before: BallRows, now: BallRows, ticks: int) -> tuple[Any, Any]:
        """Impact loudness (n,) 0..1 and row (n,) of each ball that exists in both states.

        Loudness is sqrt((dv - MIN) / (FULL - MIN)) / (1 + (d / HALF_LOUDNESS_DISTANCE)^2); dv: change of velocity
        without gravity, d: distance from the walker.
        """
        _, old, new = np.intersect1d(before["number"], now["number"], assume_unique=True, return_indices=True)
        rows = now[new]
        rules = self.world.balls.solver.settings
        fallen = ticks / rules.ticks_per_second * np.array(rules.gravity)
        change = rows["velocity"] - before["velocity"][old]
        change[~rows["asleep"]] -= fallen
        impact_speed = np.minimum(np.linalg.norm(change, axis=1), np.linalg.norm(change + fallen, axis=1))
        distance = np.linalg.norm(rows["position"] - np.array(self.world.walker_state.position), axis=1)
        impact = np.clip((impact_speed - MIN_IMPACT_SPEED) / (FULL_IMPACT_SPEED - MIN_IMPACT_SPEED), 0.0, 1.0)
        return np.sqrt(impact) / (1.0 + (distance / HALF_LOUDNESS_DISTANCE) ** 2), rows


def _golf_cues(events: Iterable[Any]) -> list[SoundCue]:
    cues = []
    for event in events:
        if isinstance(event, BallStruck):
            cues.append(SoundCue("ball", 0.3 + 0.7 * event.strength, STROKE_PITCH))
        elif isinstance(event, HoledOut):
            cues.append(SoundCue("target"))
        elif isinstance(event, BallLost):
            cues.append(SoundCue("splash", 0.6) if event.reason == "water" else SoundCue("fell", 0.6))
    return cues
