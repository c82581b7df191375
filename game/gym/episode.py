"""Episode: what happened between a reset and the next, as commands that a `World` can repeat."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core import atomic_files
from ..physics.character.command import COMMAND_ROW, Rows
from ..sim import Event, GoalReached, History, Respawned, RespawnReason, World
from ..sim.batched_world import REACHED, RESPAWNED, RUNNING
from ..sim.replay.verifier import command_of

if TYPE_CHECKING:
    from ..core.vectors import Floats
    from ..level import Level
    from .observation import Observations

PRACTICE_NOTE = "practice run of a learning environment"
NOTE = "run of a learning environment"


def outcome_of(events: Iterable[Event]) -> int:
    """REACHED, RESPAWNED or RUNNING, by the events of a tick."""
    if any(isinstance(event, Respawned) and event.reason != RespawnReason.TELEPORTED for event in events):
        return RESPAWNED
    return REACHED if any(isinstance(event, GoalReached) for event in events) else RUNNING


@dataclass(slots=True)
class Episode:
    """The start of an episode, and its decisions so far.

    start: state of the world. end: bytes of the walker's state after the last tick, of before it where that respawned
    it. commands: one row for each tick. observations: one more than actions, rewards. outcome: RUNNING, REACHED or
    RESPAWNED of `sim.batched_world`.
    """

    level: Level
    start: bytes
    end: bytes
    observations: list[Observations]
    actions: list[Floats] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    commands: list[Rows] = field(default_factory=list)
    outcome: int = RUNNING

    def add(self, action: Floats, reward: float, observation: Observations, end: bytes, outcome: int) -> None:
        """Add a decision, whose commands are added already."""
        self.actions.append(action)
        self.rewards.append(reward)
        self.observations.append(observation.copy())
        self.end, self.outcome = end, outcome

    @property
    def rows(self) -> Rows:
        """The commands (n,), one for each tick."""
        return np.concatenate(self.commands) if self.commands else np.zeros(0, COMMAND_ROW)

    @property
    def is_practice(self) -> bool:
        """Whether it does not begin at the first spawn at clock 0: a run that is never a best time."""
        return bytes(World(self.level).state()) != bytes(self.start)

    def replay(self) -> bytes:
        """The bytes of a replay file: the commands run in a `World`.

        ValueError if that does not end in the same state and with the same outcome.
        """
        world = World(self.level)
        note = PRACTICE_NOTE if bytes(world.state()) != bytes(self.start) else NOTE
        world.restore(self.start)
        history = History(world)
        outcome, end = RUNNING, world.walker_state.to_bytes()
        for row in self.rows:
            if outcome != RUNNING:
                raise ValueError(f"the commands go on after the world has ended the episode at tick {world.tick}")
            events = history.step(command_of(row))
            outcome = outcome_of(events)
            end = end if outcome == RESPAWNED else world.walker_state.to_bytes()
        if (outcome, end) != (self.outcome, self.end):
            raise ValueError("the commands of this episode do not lead to its end: the world ends elsewhere")
        return history.data(note=note)

    def write_replay(self, path: str | PathLike[str]) -> None:
        """Write `replay` to a file. OSError where that fails."""
        atomic_files.write_atomic(Path(path), self.replay())

    def write_npz(self, path: str | PathLike[str]) -> None:
        """Write the decisions as npz, for learning offline: observations (n + 1, D), actions (n, 6), rewards (n,),
        terminated (n,), commands (ticks,). OSError where that fails."""
        terminated = np.zeros(len(self.actions), np.bool_)
        terminated[-1:] = self.outcome != RUNNING
        data = io.BytesIO()
        np.savez_compressed(
            data,
            observations=np.array(self.observations),
            actions=np.array(self.actions).reshape(-1, 6),
            rewards=np.array(self.rewards),
            terminated=terminated,
            commands=self.rows,
        )
        atomic_files.write_atomic(Path(path), data.getvalue())
