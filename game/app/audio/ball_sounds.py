"""What is to be heard of balls: one that strikes something, one that is thrown, and a stroke of golf."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...sim.events import BallLost, HoledOut, Struck
from .sound_cue import Cue

if TYPE_CHECKING:
    from ...physics.balls.balls import BallRows
    from ...sim import World

SOFT, HARD = 0.7, 9.0  # m/s by which a ball's velocity changes: below the one nothing is heard, at the other loudest
NEAR = 5.0  # m: a ball so far away is half as loud
FAINT = 0.02  # as loud as this is not heard
MOST, A_SECOND = 3.0, 14.0  # sounds at once, and a second: a drum full of balls clatters, and does not roar
LONGEST = 15  # ticks: over more than that (a new start, a reload) nobody can say what struck what
PLAIN = 0.12  # m, radius of a ball that sounds as it was recorded: smaller ones higher


class BallSounds:
    """Listens to the balls of one world: those that roll about, and the one of golf."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._room = MOST
        self._before = self._rows()
        self._tick, self._thrown = world.tick, world.balls.thrown

    def follow(self, events: Iterable[Any], seconds: float) -> list[Cue]:
        """What a frame of so many seconds of play brings, the loudest first."""
        before, now = self._before, self._rows()
        ticks, thrown = self.world.tick - self._tick, self.world.balls.thrown - self._thrown
        self._before, self._tick, self._thrown = now, self.world.tick, self.world.balls.thrown
        self._room = min(self._room + A_SECOND * seconds, MOST)
        cues = _said(events)
        if not 0 < ticks <= LONGEST:
            return cues
        if thrown > 0:
            cues.append(Cue("throw", 0.5))
        if cues or not len(before) or not len(now):
            return cues
        loud, radii = self._strikes(before, now, ticks)
        for k in np.argsort(-loud, kind="stable")[: int(self._room)].tolist():
            if loud[k] <= FAINT:
                break
            self._room -= 1.0
            pitch = min(max(math.sqrt(PLAIN / float(radii[k])), 0.6), 1.7) * (0.94 + 0.12 * _part(self.world.tick + k))
            cues.append(Cue("ball", float(loud[k]), pitch))
        return cues

    def _rows(self) -> BallRows:
        golf = self.world.golf
        return self.world.balls.rows if golf is None else golf.ball.copy()

    def _strikes(self, before: BallRows, now: BallRows, ticks: int) -> tuple[Any, Any]:
        """How loud each ball that is still there struck something, 0..1, and their radii."""
        _, was, here = np.intersect1d(before["number"], now["number"], assume_unique=True, return_indices=True)
        rows, rules = now[here], self.world.balls.rules.settings
        fallen = ticks / rules.ticks_per_second * np.array(rules.gravity)
        change = rows["velocity"] - before["velocity"][was]
        change[~rows["asleep"]] -= fallen
        hard = np.minimum(np.linalg.norm(change, axis=1), np.linalg.norm(change + fallen, axis=1))
        away = np.linalg.norm(rows["position"] - np.array(self.world.walker_state.position), axis=1)
        part = np.clip((hard - SOFT) / (HARD - SOFT), 0.0, 1.0)
        return np.sqrt(part) / (1.0 + (away / NEAR) ** 2), rows["radius"]


def _said(events: Iterable[Any]) -> list[Cue]:
    """What golf itself reports."""
    cues = []
    for event in events:
        if isinstance(event, Struck):
            cues.append(Cue("ball", 0.3 + 0.7 * event.strength, 1.25))
        elif isinstance(event, HoledOut):
            cues.append(Cue("target"))
        elif isinstance(event, BallLost):
            cues.append(Cue("splash", 0.6) if event.reason == "water" else Cue("fell", 0.6))
    return cues


def _part(count: int) -> float:
    """Another number each time, 0..1, the same from run to run."""
    return (count * 0.6180339887) % 1.0
