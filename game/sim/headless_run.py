"""A walk without a window: commands in, arrays and a summary in words out."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from ..core import atomic_files
from .command_script import CommandScript
from .events import Event, Respawned, TargetReached
from .replay.recorder import Recorder
from .world import NEVER, World

OUTPUT_SUFFIXES = (".npz", ".csv", ".jsonl")
_COLUMNS = ("tick", "x", "y", "z", "vx", "vy", "vz", "heading", "grounded")


@dataclass(slots=True)
class WalkResult:
    """What a walk of T ticks did: row i is the state after tick `tick[i]`.

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
    goal: str
    hash: str
    targets: str = ""
    events: list[Event] = field(default_factory=list)

    def summary(self) -> list[str]:
        """The walk in a few lines; the last one is the goal's."""
        count = len(self.tick)
        lines = [f"ticks: {count} ({count / self.ticks_per_second:.2f} s)"]
        if count:
            step = np.diff(np.vstack([np.asarray(self.start)[None, :], self.feet]), axis=0)
            for event in self.events:
                if isinstance(event, Respawned):
                    step[event.tick - int(self.tick[0])] = 0.0
            plan = np.hypot(step[:, 0], step[:, 2])
            lines.append(
                f"way: {float(plan.sum()):.2f} m in plan, {float(np.maximum(step[:, 1], 0).sum()):.2f} m up, "
                f"{float(np.maximum(-step[:, 1], 0).sum()):.2f} m down; "
                f"fastest {float(plan.max()) * self.ticks_per_second:.2f} m/s"
            )
            lines.append(f"ground: {100 * float(self.grounded.mean()):.0f} % of the ticks")
        x, y, z = self.feet[-1] if count else self.start
        degrees = (int(self.heading[-1]) if count else self.start_heading) * 360 / 65536
        lines.append(f"end: feet at ({x:.3f}, {y:.3f}, {z:.3f}), body facing {degrees:.1f} degrees")
        falls = sum(isinstance(event, Respawned) and event.reason == "fell" for event in self.events)
        if falls:
            lines.append(f"falls below the level: {falls}")
        if self.targets:
            lines.append(self.targets)
        lines.append(f"hash: {self.hash}")
        lines.append(self.goal)
        return lines


def run_walk(
    world: World,
    script: CommandScript,
    ticks: int | None = None,
    progress: Callable[[int], None] | None = None,
    recorder: Recorder | None = None,
) -> WalkResult:
    """Walk `script` in `world`, from the state that it is in, for `ticks` ticks (None: the script's own).

    `progress` is told the ticks done, every few hundred. The hash covers every state on the way.
    `recorder`, of this world, is told every tick.
    """
    count = script.ticks if ticks is None else ticks
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
        goal=goal_line(world),
        hash=digest.hexdigest()[:16],
        targets=targets_line(world, events),
        events=events,
    )


def targets_line(world: World, events: list[Event]) -> str:
    """`targets: 2 of 5 reached, the last at tick N`; nothing for a level without any."""
    touched, count = world.reached_targets, len(world.reached_targets.targets)
    if not count:
        return ""
    last = next((event for event in reversed(events) if isinstance(event, TargetReached)), None)
    return f"targets: {count - touched.remaining} of {count} reached" + (
        f", the last at tick {last.tick}" if last else ""
    )


def goal_line(world: World) -> str:
    """`goal: reached at tick N`, `goal: missed` or `goal: none`."""
    if world.level.goal is None:
        return "goal: none"
    return "goal: missed" if world.goal_tick == NEVER else f"goal: reached at tick {world.goal_tick}"


def encode_walk(result: WalkResult, suffix: str) -> bytes:
    """The run as a file's bytes, the same for the same run. ValueError for a suffix not in SUFFIXES."""
    if suffix == ".npz":
        return _encode_npz(result)
    if suffix == ".csv":
        return _encode_csv(result)
    if suffix == ".jsonl":
        return _encode_jsonl(result)
    raise ValueError(f"a run can be written as {', '.join(OUTPUT_SUFFIXES)}, not as '{suffix}'")


def save_walk(result: WalkResult, path: str | os.PathLike[str]) -> None:
    """Write the run atomically, in the form that the file's name ends with."""
    atomic_files.write_atomic(path, encode_walk(result, PurePath(path).suffix.lower()))


def _encode_npz(result: WalkResult) -> bytes:
    """As numpy.load reads it; written here so that no date of the day gets into the file."""
    arrays = {name: getattr(result, name) for name in ("position", "velocity", "heading", "grounded", "tick")}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            entry = io.BytesIO()
            np.lib.format.write_array(entry, array, version=(1, 0), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), entry.getvalue())
    return buffer.getvalue()


def _table_rows(result: WalkResult) -> list[tuple[float | int | bool, ...]]:
    return [
        (tick, *position, *velocity, heading, grounded)
        for tick, position, velocity, heading, grounded in zip(
            result.tick.tolist(),
            result.position.tolist(),
            result.velocity.tolist(),
            result.heading.tolist(),
            result.grounded.tolist(),
            strict=True,
        )
    ]


def _encode_csv(result: WalkResult) -> bytes:
    lines = [",".join(_COLUMNS)]
    for row in _table_rows(result):
        lines.append(",".join(str(int(cell)) if isinstance(cell, bool) else repr(cell) for cell in row))
    return ("\n".join(lines) + "\n").encode()


def _encode_jsonl(result: WalkResult) -> bytes:
    lines = []
    for tick, *vectors, heading, grounded in _table_rows(result):
        row = {"tick": tick, "position": vectors[:3], "velocity": vectors[3:]}
        lines.append(json.dumps(row | {"heading": heading, "grounded": grounded}, allow_nan=False))
    return "".join(line + "\n" for line in lines).encode()
