"""Walk table: a recorded walk as columns, one row for each tick; its recorder, and its files as npz, csv or jsonl."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...core.arguments import as_instance, as_text
from ...core.vectors import Flags, Floats, Indices, Ints
from ...physics.character.state import States

if TYPE_CHECKING:
    from ..events import Event
    from ..world import World

OUTPUT_SUFFIXES = (".npz", ".csv", ".jsonl")
COLUMNS = ("tick", "x", "y", "z", "vx", "vy", "vz", "heading", "grounded")


@dataclass(slots=True)
class WalkTable:
    """A walk of T rows: row i is the state of the walker after tick `tick[i]`.

    position (T,3) f8 centre of the body, m; velocity (T,3) f8, m/s; heading (T,) i4, 65536 to the turn; grounded (T,)
    bool; tick (T,) i8; feet (T,3) f8 lowest point of the body, m: the centre where the states tell no stance.
    """

    position: Floats
    velocity: Floats
    heading: Ints
    grounded: Flags
    tick: Indices
    feet: Floats

    @classmethod
    def of_states(cls, states: States, tick: Indices, /, **facts: Any) -> Self:
        """The table of walker states (T,); heading 0 in the layout of a version without it. facts: fields of a
        subclass."""
        names = states.dtype.names or ()
        has_stance = "radii" in names and "up" in names
        position = states["position"]
        feet = position - states["radii"][:, 1:2] * states["up"] if has_stance else position
        heading = states["heading"].astype(np.int32) if "heading" in names else np.zeros(len(states), np.int32)
        columns = position, states["velocity"], heading, states["grounded"], tick, feet
        return cls(*columns, **facts)

    def columns(self, rows: slice) -> tuple[Floats, Floats, Ints, Flags, Indices, Floats]:
        """The columns of some rows, in the order of the fields; the same memory."""
        vectors = self.position[rows], self.velocity[rows]
        return *vectors, self.heading[rows], self.grounded[rows], self.tick[rows], self.feet[rows]


def join_tables(tables: Sequence[WalkTable]) -> WalkTable:
    """Tables one after the other, at least one."""
    columns = zip(*(table.columns(slice(None)) for table in tables), strict=True)
    return WalkTable(*map(np.concatenate, columns))


class WalkRecorder:
    """Records a walk of a world as a table. Call `stepped` after each tick of it.

    events: with their ticks of the walk, which count from 1 and go on after a restart
    """

    def __init__(self, world: World, ticks: int) -> None:
        """ticks: the most that will be recorded."""
        self.world = world
        self.ticks = 0
        self.events: list[tuple[int, Event]] = []
        vectors = (ticks + 1, 3)
        numbers = ticks + 1
        self._rows = WalkTable(
            np.zeros(vectors), np.zeros(vectors), np.zeros(numbers, np.int32), np.zeros(numbers, np.bool_),
            np.zeros(numbers, np.int64), np.zeros(vectors),
        )  # fmt: skip
        self._digest = hashlib.sha256(world.state())
        self._write(0, world.walker_state.row())

    @property
    def table(self) -> WalkTable:
        """(ticks + 1) rows so far: row 0 is the state before the first tick, row t after tick t."""
        return WalkTable(*self._rows.columns(slice(self.ticks + 1)))

    @property
    def hash(self) -> str:
        """Hash of all states so far."""
        digest = self._digest.copy()
        digest.update(self.world.state())
        return digest.hexdigest()[:16]

    def stepped(self, events: Iterable[Event]) -> None:
        """Record the tick that the world has just run, and its events."""
        self._add(self.world.walker_state.row())
        self.events += [(self.ticks, event) for event in events]

    def walked(self, states: States, events: Iterable[Event]) -> None:
        """Record the ticks that the world has just run (`World.run`)."""
        self._add(states)
        self.events += [(self.ticks - self.world.tick + event.tick, event) for event in events]

    def _add(self, states: States) -> None:
        self._digest.update(states.tobytes())
        self._write(self.ticks + 1, states)
        self.ticks += len(states)

    def _write(self, first: int, states: States) -> None:
        end = first + len(states)
        table = WalkTable.of_states(states, np.arange(self.world.tick - len(states), self.world.tick) + 1)
        for name in ("position", "velocity", "heading", "grounded", "tick", "feet"):
            getattr(self._rows, name)[first:end] = getattr(table, name)


def encode_table(table: WalkTable, suffix: str) -> bytes:
    """The table as the bytes of a file, equal for equal tables. ValueError for a suffix not in OUTPUT_SUFFIXES."""
    as_instance(table, WalkTable, "table")
    as_text(suffix, "suffix")
    if suffix not in OUTPUT_SUFFIXES:
        raise ValueError(f"a run can be written as {', '.join(OUTPUT_SUFFIXES)}, not as '{suffix}'")
    columns = {name: getattr(table, name) for name in ("tick", "position", "velocity", "heading", "grounded")}
    if suffix == ".npz":
        buffer = io.BytesIO()
        np.savez(buffer, **columns)  # its members have no date of their own, so equal runs give equal bytes
        return buffer.getvalue()
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    if suffix == ".jsonl":
        lines = [json.dumps(dict(zip(columns, row, strict=True)), allow_nan=False) for row in rows]
        return "".join(f"{line}\n" for line in lines).encode()
    lines = [",".join(map(repr, (tick, *at, *speed, yaw, int(grounded)))) for tick, at, speed, yaw, grounded in rows]
    return ("\n".join([",".join(COLUMNS), *lines]) + "\n").encode()
