"""Headless simulation: walks a command script through a world and writes the states as npz, csv or jsonl."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from ..core import atomic_files
from ..core.arguments import as_callable, as_instance, as_integer, as_optional
from .command_script import MAX_SCRIPT_TICKS, CommandScript
from .events import Event, Respawned, RespawnReason
from .replay.recorder import Recorder
from .walk_table import OUTPUT_SUFFIXES, WalkTable, encode_table
from .world import NEVER, World

__all__ = [
    "OUTPUT_SUFFIXES",
    "GoalOutcome",
    "WalkResult",
    "encode_walk",
    "goal_outcome",
    "run_walk",
    "save_walk",
    "walk_table",
]


class GoalOutcome(Enum):
    """The goal of a level at the end of a walk."""

    NONE = auto()  # the level has no goal
    MISSED = auto()
    REACHED = auto()


@dataclass(slots=True)
class WalkResult:
    """States of a walk of T ticks: row i is the state after tick `tick[i]`.

    position (T,3) f8 centre of the body, m; velocity (T,3) f8, m/s; heading (T,) i4, 65536 to the
    turn; grounded (T,) bool; tick (T,) i8; feet (T,3) f8.
    """

    position: NDArray[np.float64]
    velocity: NDArray[np.float64]
    heading: NDArray[np.int32]
    grounded: NDArray[np.bool_]
    tick: NDArray[np.int64]
    feet: NDArray[np.float64]
    start: tuple[float, float, float]
    start_heading: int
    ticks_per_second: float
    goal: GoalOutcome
    goal_tick: int
    hash: str
    target_count: int = 0
    targets_reached: int = 0
    events: list[Event] = field(default_factory=list)

    @property
    def falls(self) -> int:
        """Number of falls below the level."""
        return sum(isinstance(event, Respawned) and event.reason == RespawnReason.FELL for event in self.events)

    @property
    def displacements(self) -> NDArray[np.float64]:
        """(T,3) displacement of the feet in each tick, m; zero in a tick with a respawn."""
        steps = np.diff(np.vstack([np.asarray(self.start)[None, :], self.feet]), axis=0)
        for event in self.events:
            if isinstance(event, Respawned):
                steps[event.tick - int(self.tick[0])] = 0.0
        return steps


def run_walk(
    world: World,
    script: CommandScript,
    ticks: int | None = None,
    progress: Callable[[int], None] | None = None,
    recorder: Recorder | None = None,
) -> WalkResult:
    """Walk `script` in `world` from its present state for `ticks` ticks (None: the script's own number).

    progress: called with the ticks done, every 500 ticks; recorder: of this world, records every tick. The hash of the
    result covers every state.
    """
    as_instance(world, World, "world")
    as_instance(script, CommandScript, "script")
    as_optional(recorder, Recorder, "recorder")
    if progress is not None:
        as_callable(progress, "progress")
    count = script.ticks if ticks is None else as_integer(ticks, "ticks", 0, MAX_SCRIPT_TICKS)
    position = np.empty((count, 3))
    velocity = np.empty((count, 3))
    feet = np.empty((count, 3))
    heading = np.empty(count, np.int32)
    grounded = np.empty(count, np.bool_)
    tick = np.empty(count, np.int64)
    digest = hashlib.sha256(world.state())
    start = world.walker_state
    events: list[Event] = []
    for i, command in enumerate(islice(script.commands(world.start.heading), count)):
        events += world.step(command)
        if recorder is not None:
            recorder.stepped(command)
        state = world.walker_state
        digest.update(state.to_bytes())
        position[i] = state.position
        velocity[i] = state.velocity
        feet[i] = state.feet
        heading[i] = state.heading
        grounded[i] = state.grounded
        tick[i] = world.tick
        if progress is not None and i % 500 == 499:
            progress(i + 1)
    digest.update(world.state())
    return WalkResult(
        position=position,
        velocity=velocity,
        heading=heading,
        grounded=grounded,
        tick=tick,
        feet=feet,
        start=start.feet,
        start_heading=start.heading,
        ticks_per_second=world.settings.ticks_per_second,
        goal=goal_outcome(world),
        goal_tick=world.goal_tick,
        hash=digest.hexdigest()[:16],
        target_count=len(world.reached_targets.targets),
        targets_reached=len(world.reached_targets.targets) - world.reached_targets.remaining,
        events=events,
    )


def goal_outcome(world: World) -> GoalOutcome:
    """Whether the level has a goal, and whether it was reached."""
    if as_instance(world, World, "world").level.goal is None:
        return GoalOutcome.NONE
    return GoalOutcome.MISSED if world.goal_tick == NEVER else GoalOutcome.REACHED


def walk_table(result: WalkResult) -> WalkTable:
    """The columns of a result that files of walks have."""
    as_instance(result, WalkResult, "result")
    return WalkTable(result.position, result.velocity, result.heading, result.grounded, result.tick)


def encode_walk(result: WalkResult, suffix: str) -> bytes:
    """The result as the bytes of a file, equal for equal runs. ValueError for a suffix not in OUTPUT_SUFFIXES."""
    return encode_table(walk_table(result), suffix)


def save_walk(result: WalkResult, path: str | os.PathLike[str]) -> None:
    """Write the result atomically in the format of the file's suffix."""
    atomic_files.write_atomic(path, encode_walk(result, PurePath(path).suffix.lower()))
