"""Rewind buffer: the ticks of a world, to show any of them again and to continue from it.

A tick is a function of the state before it and of its command. All commands are kept, and keyframes: states before some
of the ticks, dense near the present and thinner with age. The ticks between two keyframes are simulated again.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...core.arguments import as_callable, as_instance, as_integer, as_number, as_text
from ...physics import Command
from ..exclusive_access import ExclusiveAccess, exclusive
from ..world import World
from .recorder import Recorder
from .tick_log import CHUNK_TICKS, TICK_ROW, RewindTick, Rows, TickLog

if TYPE_CHECKING:
    from ...physics import WalkerState
    from ..events import Event

Data = bytes  # the type, which the attributes `bytes` hide
DEFAULT_REWIND_SECONDS = 30.0
MAX_REWIND_SECONDS = 86_400.0
MAX_STATE_BYTES = 32 << 20  # 30 s of a level without balls take 1 MB
# The game rewinds to the start of the level, within this memory: states, states that were simulated again, and rows of
# ticks with their events (at 60 ticks a second 5 hours; then the oldest ticks are dropped).
MAX_MEMORY_BYTES = 256 << 20
SESSION_STATE_BYTES = 160 << 20
MAX_CACHE_BYTES = 24 << 20
MAX_CACHE_STATES = 512
MAX_TICK_BYTES = 66 << 20
MIN_SEEK_TICKS = 6  # ticks that a quick seek simulates at most, or the interval of the dense keyframes if that is more

SPARSE_INTERVAL = 30  # ticks between the keyframes that are older than the dense part, where memory allows it
# Beyond the dense part the spacing that is wanted grows with (age + this), in ticks: at an age of one hour it is seven
# times that of the newest. With a smaller value going to the oldest ticks would simulate more ticks.
AGE_OFFSET = 36_000
OBJECT_BYTES = 160  # memory of a keyframe beside its state: bytes object, dict entry, number


class Keyframes:
    """States of a world at some of its ticks, by the number of the tick that they precede: dense near the present and
    thinned with age.

    A state that was set from outside (restart, flight, no-fail) does not follow from the tick before it, so its
    keyframe is fixed: it goes only together with the ticks.
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.bytes = 0  # of the states
        self._states: dict[int, Data] = {}
        self._sizes: dict[int, int] = {}  # 0 where the state is the same object as an earlier one
        self._fixed: set[int] = set()
        self._last_fixed: Data = b""
        self._aged = 0  # number of the newest keyframe that has left the dense part

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def memory(self) -> int:
        """Bytes of the states and of what is kept for each."""
        return self.bytes + OBJECT_BYTES * len(self.numbers)

    def get(self, number: int) -> Data | None:
        """The state before a tick, None where it is not kept."""
        return self._states.get(number)

    def newest_before(self, number: int) -> int:
        """Number of the newest keyframe at or before a tick; -1 for none."""
        at = bisect_right(self.numbers, number)
        return self.numbers[at - 1] if at else -1

    def append(self, number: int, state: Data, fixed: bool) -> None:
        """Add a keyframe that is newer than all others."""
        size = len(state)
        if fixed:
            if state == self._last_fixed:  # restarts give equal states: keep one
                state = self._last_fixed
                size = 0
            self._last_fixed = state
            self._fixed.add(number)
        self.numbers.append(number)
        self._states[number] = state
        self._sizes[number] = size
        self.bytes += size

    def _remove(self, at: int) -> None:
        number = self.numbers.pop(at)
        del self._states[number]
        self.bytes -= self._sizes.pop(number)
        self._fixed.discard(number)

    def drop_before(self, number: int) -> None:
        for _ in range(bisect_left(self.numbers, number)):
            self._remove(0)

    def drop_from(self, number: int) -> None:
        while self.numbers and self.numbers[-1] >= number:
            self._remove(-1)
        self._aged = min(self._aged, self.numbers[-1] if self.numbers else 0)

    def thin_aged(self, dense_from: int) -> None:
        """Thin the keyframes that have become older than `dense_from` to one in SPARSE_INTERVAL ticks."""
        at = bisect_right(self.numbers, self._aged)
        while at < len(self.numbers) and self.numbers[at] < dense_from:
            number = self.numbers[at]
            if at and number not in self._fixed and number - self.numbers[at - 1] < SPARSE_INTERVAL:
                self._remove(at)
            else:
                self._aged = number
                at += 1

    def thin_to(self, limit: int, dense_from: int) -> bool:
        """Remove the keyframe that is missed least if the states take more than `limit` bytes. False where all that
        are left must stay.

        It is the one with the smallest gap after its removal, divided by (age + AGE_OFFSET); those from `dense_from` on
        go only when no older one can.
        """
        if self.bytes <= limit:
            return False
        numbers = np.array(self.numbers)
        if len(numbers) < 3:
            return False
        scores = (numbers[2:] - numbers[:-2]) / (numbers[-1] - numbers[1:-1] + float(AGE_OFFSET))
        scores[[number in self._fixed for number in self.numbers[1:-1]]] = np.inf
        scores[numbers[1:-1] >= dense_from] *= 1e6
        at = int(np.argmin(scores))
        if not np.isfinite(scores[at]):
            return False
        self._remove(at + 1)
        return True


class RewindBuffer:
    """The last `seconds` of ticks, in at most `max_bytes` of states and `max_memory` bytes of everything.

    The oldest ticks are dropped beyond. Call `begin_tick` before each tick of a world and `end_tick` after it. Another
    world than the last one empties the buffer. For one thread at a time, as its world. ValueError where it would hold
    nothing.
    """

    def __init__(
        self,
        world: World,
        seconds: float = DEFAULT_REWIND_SECONDS,
        max_bytes: int = MAX_STATE_BYTES,
        max_memory: int = MAX_MEMORY_BYTES,
    ) -> None:
        self._access = ExclusiveAccess()
        self.seconds = as_number(seconds, "seconds", 0.0, MAX_REWIND_SECONDS)
        self.max_bytes = as_integer(max_bytes, "max_bytes", 0)
        self.max_memory = as_integer(max_memory, "max_memory", 0)
        if not (seconds > 0.0 and max_bytes > 0):
            raise ValueError(f"a buffer of {seconds} seconds and {max_bytes} bytes would hold nothing")
        self._reset(world)

    def _reset(self, world: World) -> None:
        self.world = as_instance(world, World, "world")
        rate = world.settings.ticks_per_second
        self.capacity = max(1, min(round(self.seconds * rate), MAX_TICK_BYTES // TICK_ROW.itemsize - CHUNK_TICKS))
        self._dense_ticks = max(1, min(self.capacity, round(DEFAULT_REWIND_SECONDS * rate)))
        self._log = TickLog()
        self._keyframes = Keyframes()
        self._cache: dict[int, Data] = {}  # states that were simulated again, by the number of the next tick
        self._cache_bytes = 0
        self._size = 0
        self._after: tuple[int, WalkerState] | None = None  # start of the next tick, unless set from outside

    def __len__(self) -> int:
        return len(self._log)

    @exclusive
    def __getitem__(self, k: int) -> RewindTick:
        """The tick at an index: 0 the oldest, -1 the newest. IndexError beyond."""
        k = as_integer(k, "k", None, None)
        count = len(self._log)
        if not -count <= k < count:
            raise IndexError(f"there are ticks 0 to {count - 1}, not {k}")
        number = self._log.first + k % count
        return self._log.tick(number, self._keyframes.get(number))

    def __iter__(self) -> Iterator[RewindTick]:
        return (self[k] for k in range(len(self._log)))

    @property
    def bytes(self) -> int:
        """Bytes of the keyframes' states."""
        return self._keyframes.bytes

    @property
    def _max_cache_bytes(self) -> int:
        """Bytes of states that were simulated again."""
        return min(MAX_CACHE_BYTES, self.max_memory // 8)

    @property
    def memory(self) -> int:
        """Bytes of all that is kept; for events an estimate."""
        return self._keyframes.memory + self._cache_bytes + self._log.memory

    @exclusive
    def rows(self, begin_index: int, end_index: int) -> Rows:
        """Rows (`TICK_ROW`) of the ticks at the indices `begin_index` to `end_index` - 1, as far as there are some."""
        first = min(max(as_integer(begin_index, "begin_index", None, None), 0), len(self._log))
        end = min(max(as_integer(end_index, "end_index", None, None), 0), len(self._log))
        return self._log.rows(self._log.first + first, self._log.first + end)

    def event_ticks(self) -> Iterator[tuple[int, tuple[Event, ...]]]:
        """Index and events of each tick that has some, in order."""
        return ((number - self._log.first, events) for number, events in sorted(self._log.events.items()))

    @exclusive
    def begin_tick(self, world: World, command: Command) -> None:
        """A tick of the world with this command is about to run."""
        as_instance(command, Command, "command")
        if world is not self.world:
            self._reset(world)
        number = self._log.end
        keyframes = self._keyframes
        follows = self._after is not None and self._after[0] == world.tick and self._after[1] is world.walker_state
        follows = follows and bool(keyframes)
        if not follows or number - keyframes.numbers[-1] >= self._snapshot_interval:
            state = world.state()
            self._size = len(state)
            keyframes.append(number, state, fixed=not follows)
        self._log.append(command, world.walker_state.feet)
        self._after = None
        self._drop_excess()

    @exclusive
    def end_tick(self, events: tuple[Event, ...]) -> None:
        """The tick is done, with these events."""
        world = self.world
        state = world.walker_state
        trace = world.trace
        bits, blocked = (0, False) if trace is None else (trace.bits, trace.held)
        self._log.complete(state.feet, math.hypot(*state.velocity), bits, blocked, state.grounded, events)
        self._after = world.tick, state

    def mark_discontinuity(self) -> None:
        """The world's state was set from outside: the next tick does not follow from the last one."""
        self._after = None

    @property
    def _snapshot_interval(self) -> int:
        """Number of ticks from one new keyframe to the next, so that those of the dense part fit into its memory."""
        limit = min(self.max_bytes, MAX_STATE_BYTES)
        states = max(1, limit // max(1, self._size) - 2)  # one is not complete yet, one is about to be dropped
        return math.ceil(self._dense_ticks / states)

    def _drop_excess(self) -> None:
        """Thin the keyframes, and drop the oldest ticks where that is not enough."""
        keyframes = self._keyframes
        log = self._log
        dense_from = log.end - self._dense_ticks
        keyframes.thin_aged(dense_from)
        while keyframes.thin_to(self.max_bytes, dense_from):
            pass
        while len(keyframes) > 1 and (
            log.end - keyframes.numbers[1] >= self.capacity
            or keyframes.bytes > self.max_bytes
            or keyframes.memory + log.memory > self.max_memory - self._max_cache_bytes
        ):
            keyframes.drop_before(keyframes.numbers[1])
            log.drop_before(keyframes.numbers[0])
            for number in [number for number in self._cache if number < log.first]:
                self._cache_bytes -= len(self._cache.pop(number))

    # Going to a tick

    def _number(self, k: int) -> int:
        k = as_integer(k, "k", None, None)
        if not 0 <= k < len(self._log):
            raise IndexError(f"there are ticks 0 to {len(self._log) - 1}, not {k}")
        return self._log.first + k

    @property
    def _seek_ticks(self) -> int:
        return max(self._snapshot_interval, MIN_SEEK_TICKS)

    def _nearest_state(self, number: int) -> int:
        """Number of the newest tick at or before `number` whose state is there."""
        fixed = self._keyframes.newest_before(number)
        return max((each for each in self._cache if fixed < each <= number), default=fixed)

    def _restore(self, number: int) -> None:
        state = self._cache.get(number) or self._keyframes.get(number)
        assert state is not None
        self.world.restore(state)

    def _simulate(self, number: int, end: int) -> None:
        """Simulate from the start of a tick to that of another, and keep the state there."""
        for each in range(number, end):
            self.world.step(self._log.command(each))
        if self._keyframes.get(end) is not None or end in self._cache:
            return
        state = self.world.state()
        self._cache[end] = state
        self._cache_bytes += len(state)
        while self._cache_bytes > self._max_cache_bytes or len(self._cache) > MAX_CACHE_STATES:
            farthest = max(self._cache, key=lambda other: abs(other - end))
            self._cache_bytes -= len(self._cache.pop(farthest))

    @exclusive
    def prepare(self, k: int, may_continue: Callable[[], bool]) -> bool:
        """Simulate towards tick k. True once `seek(k)` is quick; False: call it again. IndexError beyond the ticks.

        It leaves the world at another tick, unless `seek(k)` was quick before.
        may_continue: asked after every few ticks, such as whether there is time left
        """
        goal = self._number(k)
        step = self._seek_ticks
        as_callable(may_continue, "may_continue")
        number = self._nearest_state(goal)
        if goal - number <= step:
            return True
        self._restore(number)
        while goal - number > step:
            self._simulate(number, number + step)
            number += step
            if not may_continue():
                break
        return goal - number <= step

    def is_quick(self, k: int) -> bool:
        """Whether `seek(k)` simulates few ticks. IndexError beyond the ticks."""
        number = self._number(k)
        return number - self._nearest_state(number) <= self._seek_ticks

    def keyframe_before(self, k: int) -> int:
        """Index of the newest tick at or before k with a keyframe. IndexError beyond the ticks."""
        return self._keyframes.newest_before(self._number(k)) - self._log.first

    @exclusive
    def seek(self, k: int) -> tuple[WalkerState, tuple[Event, ...]]:
        """Bring the world to the end of tick k, its trace with it: the walker before that tick, and what happened.

        0 is the oldest, len - 1 the newest; IndexError beyond. The world is then the same to the last bit as it was.
        """
        goal = self._number(k)
        step = self._seek_ticks
        number = self._nearest_state(goal)
        self._restore(number)
        while goal - number > step:
            self._simulate(number, number + step)
            number += step
        for each in range(number, goal):
            self.world.step(self._log.command(each))
        before = self.world.walker_state
        events = self.world.step(self._log.command(goal))
        self.world.platform_turn = 0  # no view turns with it again
        return before, events

    @exclusive
    def truncate_after(self, k: int) -> None:
        """Drop the ticks after tick k; the world is at its end. ValueError below 0."""
        end = min(self._log.first + as_integer(k, "k", 0) + 1, self._log.end)
        self._log.drop_from(end)
        self._keyframes.drop_from(end)
        for number in [number for number in self._cache if number >= end]:
            self._cache_bytes -= len(self._cache.pop(number))
        self._after = self.world.tick, self.world.walker_state

    @exclusive
    def write_replay(
        self, world: World, write: Callable[[Data], object], note: str = "", seconds: float | None = None
    ) -> int:
        """Simulate the recorded ticks in a world of the same level and write a replay file of them; number of ticks.

        world: is left at the last tick; not `self.world` where that must stay as it is.
        seconds: only the last ones, from the keyframe before them; None: all
        """
        as_instance(world, World, "world")
        as_callable(write, "write")
        as_text(note, "note")
        recorder: Recorder | None = None
        count = 0
        start = self._log.first
        if seconds is not None:
            ticks = round(as_number(seconds, "seconds", 0.0, MAX_REWIND_SECONDS) * self.world.settings.ticks_per_second)
            start = max(start, self._keyframes.newest_before(self._log.end - max(ticks, 1)))
        for number in range(start, self._log.end):
            if not self._log.is_completed(number):
                break
            state = self._keyframes.get(number)
            if recorder is None or (state is not None and state != world.state()):
                assert state is not None
                world.restore(state)
                if recorder is None:
                    recorder = Recorder(world, write, note)
                else:
                    recorder.state_replaced()
            command = self._log.command(number)
            world.step(command)
            recorder.stepped(command)
            count += 1
        if recorder is not None:
            recorder.close("the last of it")
        return count
