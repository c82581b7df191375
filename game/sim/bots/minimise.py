"""Minimisation of a walk (delta debugging): shorter walks that still show the same finding."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...physics import WalkerState
from ...physics.character.rows import button
from . import moves
from .moves import BotWalk, HeldKeys
from .search import BotSearch, WalkedStates

MAX_MINIMISE_TICKS = 80_000  # walked for the minimisation of one walk
MAX_DEVIATION = 1.5  # m: a change that ends further from the original walk is given up at once
MIN_TRAVEL = 0.2  # m: a part that moves less may be left out
HEADING_UNITS_PER_DEGREE = moves.FULL_TURN / 360.0
RUN_DISTANCE_PER_TICK = 6.5 / 60.0  # m in a tick, about

WalkPredicate = Callable[[WalkedStates], bool]


class WalkMinimiser:
    """Simulates variants of one walk from one state; the ticks before a change are not simulated again."""

    def __init__(self, search: BotSearch, start: WalkerState, effort: int = MAX_MINIMISE_TICKS) -> None:
        self.search = search
        self.start = start
        self.effort = effort
        self.ticks = 0
        self._predicate: WalkPredicate = lambda walked: False
        self._pause = 0
        self._walk: list[HeldKeys] = []
        self._walked = WalkedStates(start.row()[:0], None)
        self._ends = [0]

    def simulate(self, walk: Sequence[HeldKeys], pause: int = 0) -> WalkedStates:
        """States of a walk, and of standing still after it."""
        return self._simulate_from(
            self.start, [*walk, HeldKeys(pause, walk[-1].heading if walk else self.start.heading)]
        )

    def minimise(self, walk: BotWalk, predicate: WalkPredicate, pause: int = 0) -> BotWalk:
        """A shorter walk that still satisfies the predicate, found within the effort; else the same walk.

        predicate: whether the walk shows the finding. pause: ticks of standing after the walk.
        """
        self.ticks = 0
        self._predicate = predicate
        self._pause = pause
        self._accept(list(walk), self.simulate(walk, pause))
        while self.ticks < self.effort:
            before = list(self._walk)
            for attempt in (self._merge_into_runs, self._remove_steps, self._shorten_steps):
                attempt()
            if self._walk == before:
                break
        return moves.merge_equal_steps(self._walk)

    def _simulate_from(self, state: WalkerState, walk: Sequence[HeldKeys]) -> WalkedStates:
        rows = moves.walk_command_rows(walk)
        self.ticks += len(rows)
        return self.search.walk_states(state, rows)

    def _accept(self, walk: list[HeldKeys], walked: WalkedStates) -> None:
        self._walk = walk
        self._walked = walked
        self._ends = [0, *np.cumsum([step.ticks for step in walk]).tolist()]

    def _state_at_step(self, step: int) -> WalkerState:
        """The state before a step; the last one before death where that comes earlier."""
        tick = min(self._ends[step], len(self._walked.states))
        return self.search.walker.state(self._walked.states[tick - 1]) if tick else self.start

    def _try_replacement(self, first: int, end: int, replacement: Sequence[HeldKeys]) -> bool:
        """Replace the steps from `first` to before `end`; kept if the walk still satisfies the predicate."""
        tail = self._walk[end:]
        last = [*self._walk[:first], *replacement, *tail][-1:]
        if self.ticks >= self.effort or not last or self._ends[first] > len(self._walked.states):
            return False
        state, segments, reason = self._state_at_step(first), [self._walked.states[: self._ends[first]]], None
        if replacement:
            states, reason = self._simulate_from(state, replacement)
            segments.append(states)
            state = self.search.walker.state(states[-1]) if len(states) else state
        if reason is None:
            if tail and math.dist(state.feet, self._state_at_step(end).feet) > MAX_DEVIATION:
                return False
            states, reason = self._simulate_from(state, [*tail, HeldKeys(self._pause, last[0].heading)])
            segments.append(states)
        walked = WalkedStates(np.concatenate(segments), reason)
        if not self._predicate(walked):
            return False
        self._accept([*self._walk[:first], *replacement, *tail], walked)
        return True

    def _merge_into_runs(self) -> None:
        """Replace several steps by one straight run."""
        size = len(self._walk)
        while size > 1 and self.ticks < self.effort:
            first = 0
            while first + size <= len(self._walk) and self.ticks < self.effort:
                straight = self._straight_run(first, first + size)
                if not (len(straight) < size and self._try_replacement(first, first + size, straight)):
                    first += max(1, size // 3)
            size = min(size - 1, len(self._walk), size * 4 // 5)

    def _straight_run(self, first: int, end: int) -> list[HeldKeys]:
        """One run from the start of step `first` to the end of the steps before `end`."""
        a, b = self._state_at_step(first).feet, self._state_at_step(end).feet
        dx, dz = b[0] - a[0], b[2] - a[2]
        distance = math.hypot(dx, dz)
        if distance < MIN_TRAVEL:
            return []
        offset = self.start.heading
        turn = math.atan2(-dx, -dz) / (2.0 * math.pi) * moves.FULL_TURN - offset
        heading = round(offset + round(turn / HEADING_UNITS_PER_DEGREE) * HEADING_UNITS_PER_DEGREE) % moves.FULL_TURN
        return [HeldKeys(max(2, round(distance / RUN_DISTANCE_PER_TICK) + 2), heading, 1.0, 0.0, button.SPRINT)]

    def _remove_steps(self) -> None:
        """Leave out steps."""
        size = max(1, len(self._walk) // 2)
        while size and self.ticks < self.effort:
            first = 0
            while first < len(self._walk) and self.ticks < self.effort:
                if not self._try_replacement(first, min(first + size, len(self._walk)), []):
                    first += size
            size //= 2

    def _shorten_steps(self) -> None:
        """Shorten each step and release its keys."""
        for k in range(len(self._walk) - 1, -1, -1):
            if self._walk[k].buttons:
                self._try_replacement(k, k + 1, [replace(self._walk[k], buttons=0)])
            low, high = 0, self._walk[k].ticks
            while high - low > max(1, high // 16) and self.ticks < self.effort:
                middle = (low + high) // 2
                if self._try_replacement(k, k + 1, [replace(self._walk[k], ticks=middle)]):
                    high = middle
                else:
                    low = middle
