"""Random walks of bots: random keys held for random times, from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...core.vectors import Indices
from . import moves
from .moves import MoveAttempt
from .search import BotSearch, cell_keys_of, feet_positions

RANDOM_MOVES = np.array(
    [
        moves.RUN,
        moves.RUN,
        moves.WALK,
        moves.JUMP_ON_SPOT,
        moves.JUMP_ON_SPOT,
        moves.RUNNING_JUMP,
        moves.CROUCH_WALK,
        moves.SIDESTEP,
    ]
)
MIN_HOLD_TICKS, MAX_HOLD_TICKS = 10, 60  # that keys are held
MAX_STILL_ROUNDS = 5  # after which a walker that can move has moved
STILL_DISTANCE = 0.25  # m: a walker that stays within it may be stuck


def random_walk(search: BotSearch, places: Sequence[int], rounds: int, seed: int) -> list[int]:
    """Let a walker wander from each place. The search keeps the places they reach; walkers that leave the level or
    die are removed. The result lists the places that a walker did not leave.
    """
    rng = np.random.default_rng(seed)
    place = np.array(places, np.int64)
    states = search.places.states[place]
    at = feet_positions(states)
    still_rounds = np.zeros(len(place), np.int64)
    stayed: list[int] = []
    for _ in range(rounds):
        if not len(place):
            break
        ticks = int(rng.integers(MIN_HOLD_TICKS, MAX_HOLD_TICKS))
        kind = RANDOM_MOVES[rng.integers(0, len(RANDOM_MOVES), len(place))]
        heading = rng.integers(0, 64, len(place)) * (moves.FULL_TURN // 64)
        turn_at = np.where(moves.TURN_STARTS[kind] >= ticks, -1, moves.TURN_STARTS[kind])
        key = cell_keys_of(feet_positions(states))
        since = np.zeros(len(place), np.int64)
        is_removed = np.zeros(len(place), np.bool_)
        for tick in range(ticks):
            before = states["position"]
            states = search.crowd.step(
                states, moves.move_command_rows(kind, heading, np.full(len(place), tick), turn_at)
            )
            search.ticks += len(place)
            if search.observer is not None:
                search.observer(before, states, partial(_attempt_at, place, kind, heading, turn_at, tick))
            feet = feet_positions(states)
            is_removed |= np.abs(states["position"] - before).max(axis=1) > search.reset_distance
            fallen = ~is_removed & ((feet[:, 1] < search.floor) | search.is_killed(states))
            search.fell_from.update(key[fallen].tolist())
            is_removed |= fallen
            new_key = cell_keys_of(feet)
            entered = states["grounded"] & ~states["sliding"] & ~is_removed & (new_key != key)
            for k in np.flatnonzero(entered).tolist():
                attempt = _attempt_at(place, kind, heading, turn_at, tick, k)
                search.add_arrival(int(key[k]), int(new_key[k]), states[k], attempt, tick + 1 - int(since[k]))
            key = np.where(entered, new_key, key)
            since = np.where(entered, tick + 1, since)
        for k in np.flatnonzero(~is_removed).tolist():
            attempt = MoveAttempt(int(place[k]), int(kind[k]), int(heading[k]), int(turn_at[k]), ticks)
            place[k] = search.places.add(int(key[k]), states[k], attempt, is_cell_place=False)
        feet = feet_positions(states)
        moved = np.linalg.norm(feet - at, axis=1) > STILL_DISTANCE
        at = np.where(moved[:, None], feet, at)
        still_rounds = np.where(moved, 0, still_rounds + 1)
        is_stuck = ~is_removed & (still_rounds == MAX_STILL_ROUNDS)
        stayed += place[is_stuck].tolist()
        remaining = ~is_removed
        place, states, at, still_rounds = place[remaining], states[remaining], at[remaining], still_rounds[remaining]
    return stayed


def _attempt_at(place: Indices, kind: Indices, heading: Indices, turn_at: Indices, tick: int, k: int) -> MoveAttempt:
    """The move of walker k up to and with this tick."""
    return MoveAttempt(int(place[k]), int(kind[k]), int(heading[k]), int(turn_at[k]), tick + 1)
