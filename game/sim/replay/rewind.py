"""Rewind buffer: the last seconds of a world, to show any of their ticks again and to continue from it.

A tick is a function of the state before it and of its command, so these are all that is kept. A world with many balls
has a large state: then only every n-th state is kept, and the ticks between are simulated again.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...core.arguments import as_callable, as_instance, as_integer, as_number, as_text
from ...physics import Command
from ..world import World
from .recorder import Recorder

if TYPE_CHECKING:
    from ...core.vectors import Point
    from ...physics import WalkerState
    from ..events import Event

DEFAULT_REWIND_SECONDS = 30.0
MAX_REWIND_SECONDS = 86_400.0
MAX_STATE_BYTES = 32 << 20  # 30 s of a level without balls take 1 MB


@dataclass(slots=True)
class RewindTick:
    """One recorded tick.

    state       of the world before it; None where it follows from an earlier one
    feet        at its end, m
    speed       of the walker's own velocity, m/s
    event_bits  events of the trace
    blocked     a wall or ceiling stopped the walker
    events      of the world
    """

    command: Command
    state: bytes | None
    feet: Point
    speed: float = 0.0
    event_bits: int = 0
    blocked: bool = False
    grounded: bool = True
    events: tuple[Event, ...] = ()
    completed: bool = False  # False for the tick in progress, or one that an error ended


class RewindBuffer:
    """The last `seconds` of ticks, in at most `max_bytes` of states.

    Call `begin_tick` before each tick of a world and `end_tick` after it. Another world than the last one empties the
    buffer. ValueError where it would hold nothing.
    """

    def __init__(self, world: World, seconds: float = DEFAULT_REWIND_SECONDS, max_bytes: int = MAX_STATE_BYTES) -> None:
        self.seconds = as_number(seconds, "seconds", 0.0, MAX_REWIND_SECONDS)
        self.max_bytes = as_integer(max_bytes, "max_bytes", 0)
        if not (seconds > 0.0 and max_bytes > 0):
            raise ValueError(f"a buffer of {seconds} seconds and {max_bytes} bytes would hold nothing")
        self._reset(world)

    def _reset(self, world: World) -> None:
        self.world = as_instance(world, World, "world")
        self.capacity = max(1, round(self.seconds * world.settings.ticks_per_second))
        self.bytes = 0  # of the kept states
        self._ticks: deque[RewindTick] = deque()
        self._first = 0  # number of the oldest tick; numbers rise as long as the world is the same
        self._snapshots: deque[int] = deque()  # numbers of the ticks with a state
        self._size = 0
        self._after: tuple[int, WalkerState] | None = None  # start of the next tick, unless set from outside

    def __len__(self) -> int:
        return len(self._ticks)

    def __getitem__(self, k: int) -> RewindTick:
        """The tick at an index: 0 the oldest, -1 the newest. IndexError beyond."""
        return self._ticks[k]

    def __iter__(self) -> Iterator[RewindTick]:
        return iter(self._ticks)

    def begin_tick(self, world: World, command: Command) -> None:
        """A tick of the world with this command is about to run."""
        as_instance(command, Command, "command")
        if world is not self.world:
            self._reset(world)
        number = self._first + len(self._ticks)
        follows = self._after is not None and self._after[0] == world.tick and self._after[1] is world.walker_state
        state = None
        if not follows or not self._snapshots or number - self._snapshots[-1] >= self._snapshot_interval:
            state = world.state()
            self._size = len(state)
            self.bytes += len(state)
            self._snapshots.append(number)
        self._ticks.append(RewindTick(command, state, world.walker_state.feet))
        self._after = None
        self._drop_oldest()

    def end_tick(self, events: tuple[Event, ...]) -> None:
        """The tick is done, with these events."""
        world, moment = self.world, self._ticks[-1]
        state, trace = world.walker_state, world.trace
        moment.feet, moment.events, moment.completed = state.feet, events, True
        moment.speed, moment.grounded = math.hypot(*state.velocity), state.grounded
        if trace is not None:
            moment.event_bits, moment.blocked = trace.bits, trace.held
        self._after = world.tick, state

    def mark_discontinuity(self) -> None:
        """The world's state was set from outside: the next tick does not follow from the last one."""
        self._after = None

    @property
    def _snapshot_interval(self) -> int:
        """Number of ticks from one kept state to the next, so that all fit into `max_bytes`."""
        states = max(1, self.max_bytes // max(1, self._size) - 2)  # one is not complete yet, one is about to be dropped
        return math.ceil(self.capacity / states)

    def _drop_oldest(self) -> None:
        """Drop the oldest ticks together with their state."""
        end = self._first + len(self._ticks)
        while len(self._snapshots) > 1 and (end - self._snapshots[1] >= self.capacity or self.bytes > self.max_bytes):
            self._snapshots.popleft()
            while self._first < self._snapshots[0]:
                dropped = self._ticks.popleft()
                self.bytes -= 0 if dropped.state is None else len(dropped.state)
                self._first += 1

    def seek(self, k: int) -> tuple[WalkerState, tuple[Event, ...]]:
        """Bring the world to the end of tick k, its trace with it: the walker before that tick, and what happened.

        0 is the oldest, len - 1 the newest; IndexError beyond. The world is then the same to the last bit as it was.
        """
        k = as_integer(k, "k", None, None)
        if not 0 <= k < len(self._ticks):
            raise IndexError(f"there are ticks 0 to {len(self._ticks) - 1}, not {k}")
        first = next(number for number in reversed(self._snapshots) if number <= self._first + k) - self._first
        state = self._ticks[first].state
        assert state is not None
        self.world.restore(state)
        for index in range(first, k):
            self.world.step(self._ticks[index].command)
        before = self.world.walker_state
        events = self.world.step(self._ticks[k].command)
        self.world.platform_turn = 0  # no view turns with it again
        return before, events

    def truncate_after(self, k: int) -> None:
        """Drop the ticks after tick k; the world is at its end. ValueError below 0."""
        k = as_integer(k, "k", 0)
        while len(self._ticks) > k + 1:
            dropped = self._ticks.pop()
            self.bytes -= 0 if dropped.state is None else len(dropped.state)
        while self._snapshots and self._snapshots[-1] >= self._first + len(self._ticks):
            self._snapshots.pop()
        self._after = self.world.tick, self.world.walker_state

    def write_replay(self, world: World, write: Callable[[bytes], object], note: str = "") -> int:
        """Simulate the recorded ticks in a world of the same level and write a replay file of them; number of ticks.

        world: is left at the last tick; not `self.world` where that must stay as it is.
        """
        as_instance(world, World, "world")
        as_callable(write, "write")
        as_text(note, "note")
        recorder: Recorder | None = None
        count = 0
        for moment in self._ticks:
            if not moment.completed:
                break
            if recorder is None or (moment.state is not None and moment.state != world.state()):
                assert moment.state is not None
                world.restore(moment.state)
                if recorder is None:
                    recorder = Recorder(world, write, note)
                else:
                    recorder.state_replaced()
            world.step(moment.command)
            recorder.stepped(moment.command)
            count += 1
        if recorder is not None:
            recorder.close("the last of it")
        return count
