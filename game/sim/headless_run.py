"""Headless simulation: walks a command script through a world and writes the states as npz or csv."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice
from pathlib import PurePath

import numpy as np

from ..core import atomic_files
from ..core.arguments import as_instance, as_integer, as_optional
from ..core.vectors import Floats
from ..physics.rules import NEVER
from .command_script import MAX_SCRIPT_TICKS, CommandScript
from .events import Event, Respawned, RespawnReason
from .replay.history import History
from .replay.walk_table import OUTPUT_SUFFIXES, WalkRecorder, WalkTable
from .replay.walk_table import encode_table as encode_walk
from .world import World

BLOCK = 10_000  # ticks that are walked at a time

__all__ = ["OUTPUT_SUFFIXES", "GoalOutcome", "WalkResult", "encode_walk", "goal_outcome", "run_walk", "save_walk"]


class GoalOutcome(Enum):
    """The goal of a level at the end of a walk."""

    NONE = auto()  # the level has no goal
    MISSED = auto()
    REACHED = auto()


@dataclass(slots=True, kw_only=True)
class WalkResult(WalkTable):
    """A walk of T ticks and its end. start: the feet before the first tick, m."""

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
    def displacements(self) -> Floats:
        """(T,3) displacement of the feet in each tick, m; zero in a tick with a respawn."""
        steps = np.diff(np.vstack([np.asarray(self.start)[None, :], self.feet]), axis=0)
        for event in self.events:
            if isinstance(event, Respawned):
                steps[event.tick - int(self.tick[0])] = 0.0
        return steps

    @property
    def distances(self) -> tuple[float, float, float]:
        """Distance of the feet along the walk: horizontal, up and down, m."""
        steps, rise = self.displacements, self.displacements[:, 1]
        horizontal = np.hypot(steps[:, 0], steps[:, 2])
        return float(horizontal.sum()), float(np.maximum(rise, 0.0).sum()), float(np.maximum(-rise, 0.0).sum())

    @property
    def top_speed(self) -> float:
        """Greatest horizontal speed of the feet in one tick, m/s."""
        steps = self.displacements
        return float(np.hypot(steps[:, 0], steps[:, 2]).max(initial=0.0)) * self.ticks_per_second


def run_walk(
    world: World, script: CommandScript, ticks: int | None = None, history: History | None = None
) -> WalkResult:
    """Walk `script` in `world` from its present state for `ticks` ticks (None: the script's own number).

    history: of this world, records every tick. The hash of the result covers every state.
    """
    as_instance(world, World, "world")
    as_instance(script, CommandScript, "script")
    as_optional(history, History, "history")
    count = script.ticks if ticks is None else as_integer(ticks, "ticks", 0, MAX_SCRIPT_TICKS)
    start = world.walker_state
    walk = WalkRecorder(world, count)
    commands, runner = script.commands(world.start.heading), world if history is None else history
    while walk.ticks < count:
        walk.walked(*runner.run(islice(commands, min(count - walk.ticks, BLOCK))))
    target_count = len(world.level.targets)
    return WalkResult(
        *walk.table.columns(slice(1, None)),
        start=start.feet,
        start_heading=start.heading,
        ticks_per_second=world.settings.ticks_per_second,
        goal=goal_outcome(world),
        goal_tick=world.goal_tick,
        hash=walk.hash,
        target_count=target_count,
        targets_reached=target_count - world.targets_left,
        events=[event for _, event in walk.events],
    )


def goal_outcome(world: World) -> GoalOutcome:
    """Whether the level has a goal, and whether it was reached."""
    if as_instance(world, World, "world").level.goal is None:
        return GoalOutcome.NONE
    return GoalOutcome.MISSED if world.goal_tick == NEVER else GoalOutcome.REACHED


def save_walk(result: WalkTable, path: str | os.PathLike[str]) -> None:
    """Write a walk atomically in the format of the file's suffix."""
    as_instance(result, WalkTable, "result")
    atomic_files.write_atomic(path, encode_walk(result, PurePath(path).suffix.lower()))
