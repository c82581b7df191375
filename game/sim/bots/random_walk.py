"""Bots without a plan: from some places on they hold random keys for a while, again and again (seeded)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import moves
from .search import Search, Try, feet_of, keys

KINDS = np.array([moves.RUN, moves.RUN, moves.WALK, moves.HOP, moves.HOP, moves.RUN_HOP, moves.LOW, moves.SIDE])
SHORTEST, LONGEST = 10, 60  # ticks that keys are held
HELD = 5  # rounds in which a walker that can move has moved
STAYED = 0.25  # metres: who stays within this for so long may be stuck


def wander(search: Search, places: Sequence[int], rounds: int, seed: int) -> list[int]:
    """Let a walker wander from each place. What they reach is kept as the search keeps it; who leaves the level is
    gone. The places where one stayed whatever it tried, each once."""
    rng = np.random.default_rng(seed)
    place = np.array(places, np.int64)
    states = search.places.states[place]
    at = feet_of(states)
    since = np.zeros(len(place), np.int64)
    stayed: list[int] = []
    for _ in range(rounds):
        if not len(place):
            break
        ticks = int(rng.integers(SHORTEST, LONGEST))
        kind = KINDS[rng.integers(0, len(KINDS), len(place))]
        heading = rng.integers(0, 64, len(place)) * (moves.TURN // 64)
        turn_at = np.where(moves.TURNS[kind] >= ticks, -1, moves.TURNS[kind])
        key = keys(feet_of(states))
        gone = np.zeros(len(place), np.bool_)
        for tick in range(ticks):
            before = states["position"]
            states = search.crowd.step(states, moves.rows(kind, heading, np.full(len(place), tick), turn_at))
            search.ticks += len(place)
            feet = feet_of(states)
            gone |= np.abs(states["position"] - before).max(axis=1) > 3.0
            fallen = ~gone & (feet[:, 1] < search.floor)
            search.fell_from.update(key[fallen].tolist())
            gone |= fallen
            now = keys(feet)
            entered = states["grounded"] & ~states["sliding"] & ~gone & (now != key)
            for k in np.flatnonzero(entered).tolist():
                made = Try(int(place[k]), int(kind[k]), int(heading[k]), int(turn_at[k]), tick + 1)
                search.enter(int(key[k]), int(now[k]), states[k], made)
            key = np.where(entered, now, key)
        for k in np.flatnonzero(~gone).tolist():
            made = Try(int(place[k]), int(kind[k]), int(heading[k]), int(turn_at[k]), ticks)
            place[k] = search.places.add(int(key[k]), states[k], made, known=False)
        feet = feet_of(states)
        moved = np.linalg.norm(feet - at, axis=1) > STAYED
        at = np.where(moved[:, None], feet, at)
        since = np.where(moved, 0, since + 1)
        held = ~gone & (since == HELD)
        stayed += place[held].tolist()
        left = ~gone
        place, states, at, since = place[left], states[left], at[left], since[left]
    return stayed
