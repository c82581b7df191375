"""History of a world: its ticks, to show any of them again, to go on from it, and to save a range of them as a replay.

A tick is a function of the state before it and of its command. The ticks are kept in blocks of a second, coded as in a
replay file: the world's state before them, and a command and a state of the walker for each. The ticks of a block are
simulated again to show one. States that make this quick are kept beside them: of the last half minute as it was played,
and of ticks that were simulated again.
"""

from __future__ import annotations

import math
import os
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core import atomic_files
from ...core.angles import HEADING_UNITS_PER_TURN, wrap_heading
from ...core.arguments import as_callable, as_instance, as_instances, as_integer, as_number
from ...physics import Command
from ...physics.character.command import command_of_row, command_rows
from ...physics.character.rows import tick_event
from ...physics.character.state import STATE_ROW, States
from ..exclusive_access import ExclusiveAccess, exclusive
from ..world import World
from . import fingerprint
from .replay_file import (
    MAX_TICKS_A_BLOCK,
    RETURN_BIT,
    Begin,
    BlockPlace,
    CodedBlock,
    RecordedWorld,
    Replay,
    ReplayWriter,
    Rows,
    TickBlock,
    decode_ticks,
    encode_ticks,
)

if TYPE_CHECKING:
    from ...physics import WalkerState
    from ..events import Event

TICK_COLUMNS = np.dtype([("feet", "f8", 3), ("speed", "f4"), ("marks", "u4")])  # m, m/s
GROUNDED, BLOCKED, JUMPED = 1, 2, 4  # bits of `marks`; BLOCKED: a wall or ceiling stopped the walker

QUICK_SECONDS = 30.0  # of play, whose states are kept
MAX_QUICK_BYTES = 32 << 20  # of the states that are kept
MAX_QUICK_STATES = 2048
MIN_SEEK_TICKS = 6  # ticks that a quick seek simulates at most, or the interval of the states if that is more
BLOCK_BYTES = 400  # estimate of the memory of a block's objects
EVENT_BYTES = 400  # estimate of the memory of an event, and of the entry of its tick


class History:
    """The ticks of a world from now on, by number: `first` is the oldest, `end` one past the newest. Numbers go on
    after a restart.

    `step` and `run` walk the world and record the ticks. Call `restarted` after `world.restart()`, and `returned` after
    `world.return_to_checkpoint()`. A state that is set from outside is noticed at the next tick. For one thread at a
    time, as its world.

    events    the world's events, by the number of their tick; most ticks have none
    writers   they get each block when it is full, or at `flush`
    max_memory   bytes; the oldest ticks are dropped beyond. None: all are kept
    """

    def __init__(self, world: World, max_memory: int | None = None) -> None:
        self._access = ExclusiveAccess()
        self.world = as_instance(world, World, "world")
        self.max_memory = None if max_memory is None else as_integer(max_memory, "max_memory", 0)
        self.events: dict[int, tuple[Event, ...]] = {}
        self.writers: list[ReplayWriter] = []
        self.cuts = 0  # how often the history was cut
        self._event_count = 0
        self._recorded: RecordedWorld | None = None
        rate = world.settings.ticks_per_second
        self._ticks_a_block = max(1, min(round(rate), MAX_TICKS_A_BLOCK))
        self._quick_ticks = max(1, round(QUICK_SECONDS * rate))
        self._blocks: list[CodedBlock] = []
        self._columns: list[Rows] = []  # of each block
        self._block_bytes = 0
        self._decoded: tuple[CodedBlock, TickBlock] | None = None  # the last one
        self._quick: dict[int, bytes] = {}  # states before ticks
        self._quick_numbers: list[int] = []  # in order
        self._quick_bytes = 0
        self.is_diverged = False  # the last tick that was simulated again has led elsewhere than recorded
        self._stands: tuple[int, WalkerState] | None = None  # the tick after which `seek` has left the world
        # The open block: the ticks since the last full one
        self._begins = Begin.JUMPED
        self._open = 0  # number of its first tick
        self._start = self._walker_start = b""  # the world and the walker before it
        self._commands: list[Command] = []
        self._states: list[bytes] = []  # of the walker after each tick
        self._rows: list[Rows] = []  # of TICK_COLUMNS
        self._returns: set[int] = set()  # indices of the ticks ahead of which the walker returned
        self._after = self._walker_after = b""  # the world and the walker after the newest tick
        self._take_state()

    @property
    def first(self) -> int:
        """Number of the oldest tick."""
        return self._blocks[0].first if self._blocks else self._open

    @property
    def end(self) -> int:
        """Number of the tick after the newest."""
        return self._open + len(self._commands)

    def __len__(self) -> int:
        return self.end - self.first

    @property
    def open_ticks(self) -> int:
        """Number of the newest ticks, which the writers have not got yet."""
        return len(self._commands)

    @property
    def memory(self) -> int:
        """Bytes of all that is kept; for objects an estimate."""
        return self._block_bytes + self._quick_bytes + EVENT_BYTES * self._event_count

    @property
    def recorded_world(self) -> RecordedWorld:
        """What a replay says of the world. ValueError for a world without a level file."""
        if self._recorded is None:
            self._recorded = RecordedWorld(self.world)
        return self._recorded

    # Recording

    @exclusive
    def step(self, command: Command) -> tuple[Event, ...]:
        """Advance the world by one tick, and record it; the events of it."""
        self._begin_tick(as_instance(command, Command, "command"))
        events = self.world.step(command)
        state, trace = self.world.walker_state, self.world.trace
        marks = GROUNDED * state.grounded
        if trace is not None:
            marks |= BLOCKED * trace.held | (JUMPED if trace.bits & tick_event.JUMPED else 0)
        self._add_events(self.end, events)
        self._commands.append(command)
        self._states.append(state.to_bytes())
        self._rows.append(np.array([(state.feet, math.hypot(*state.velocity), marks)], TICK_COLUMNS))
        self._end_ticks()
        return events

    @exclusive
    def run(self, commands: Iterable[Command]) -> tuple[States, list[Event]]:
        """Run the world with these commands, and record the ticks; the result of `World.run`."""
        given = as_instances(commands, Command, "commands")
        states: list[States]
        events: list[Event]
        states, events, done = [np.empty(0, STATE_ROW)], [], 0
        while done < len(given):
            self._begin_tick(given[done])
            ahead = given[done : done + self._ticks_a_block - len(self._commands)]
            first = self.end - self.world.tick - 1
            walked, happened = self.world.run(ahead)
            for event in happened:
                self._add_events(first + event.tick, (event,))
            self._commands += ahead
            self._states.append(walked.tobytes())
            self._rows.append(columns_of(walked))
            self._end_ticks()
            states.append(walked)
            events += happened
            done += len(ahead)
        return np.concatenate(states), events

    @exclusive
    def restarted(self) -> None:
        """The world was restarted at its spawn."""
        self._close_block()
        self._begins = Begin.RESTARTED if self.end > self.first else Begin.JUMPED
        self._returns.clear()
        self._take_state()

    @exclusive
    def returned(self) -> None:
        """The walker was put back to its checkpoint (`World.return_to_checkpoint`)."""
        self._returns.add(len(self._commands))
        self._take_state()

    @exclusive
    def flush(self) -> None:
        """End the open block, so that the writers get it."""
        self._close_block()

    @property
    def is_current(self) -> bool:
        """Whether the world is in the state after the newest tick; not so right after a restart, a return, or another
        state that was set from outside: it stands in the block of the tick after it."""
        return self._is_at_end() and self._state is self._after

    def _take_state(self) -> None:
        """The next tick begins in the present state of the world."""
        self._state = self.world.state()
        self._walker, self._tick = self.world.walker_state, self.world.tick

    def _is_at_end(self) -> bool:
        return self.world.walker_state is self._walker and self.world.tick == self._tick

    def _begin_tick(self, command: Command) -> None:
        if not self._is_at_end():
            self._close_block()
            self._begins = Begin.JUMPED
            self._returns.clear()
            self._take_state()
        if not self._commands:  # a return stands in the row of its tick, a restart ahead of the block
            self._start = self._after if self._begins is Begin.FOLLOWS else self._state
            self._walker_start = self._walker_after if self._begins is Begin.FOLLOWS else self._walker.to_bytes()

    def _add_events(self, number: int, events: tuple[Event, ...]) -> None:
        if events:
            self.events[number] = self.events.get(number, ()) + events
            self._event_count += len(events)

    def _end_ticks(self) -> None:
        """The ticks that were added are done."""
        self._take_state()
        self._after, self._walker_after = self._state, self._states[-1][-STATE_ROW.itemsize :]
        if self.end % self._quick_interval == 0:
            self._keep_state(self.end, self._after)
        if len(self._commands) >= self._ticks_a_block:
            self._close_block()

    def _close_block(self) -> None:
        if not self._commands:
            return
        rows = command_rows(self._commands)
        rows["buttons"][[k for k in self._returns if k < len(rows)]] |= np.uint32(RETURN_BIT)
        states = np.frombuffer(b"".join([self._walker_start, *self._states]), STATE_ROW)
        place = BlockPlace(0, self._open, False)
        payload = encode_ticks(place, self._start, rows, states, fingerprint.short_hash(self._after))
        self._keep_block(CodedBlock(self._open, len(rows), self._begins, place, payload), np.concatenate(self._rows))
        self._begin_block()
        for writer in self.writers:
            writer.add(self.recorded_world, self._blocks[-1])
        self._drop_oldest()

    def _keep_block(self, block: CodedBlock, columns: Rows) -> None:
        self._blocks.append(block)
        self._columns.append(columns)
        self._block_bytes += len(block.payload) + columns.nbytes + BLOCK_BYTES

    def _begin_block(self) -> None:
        """Begin an open block, which follows from the newest block."""
        self._returns = {0} if len(self._commands) in self._returns else set()
        self._open = self._blocks[-1].end
        self._begins = Begin.FOLLOWS
        self._commands, self._states, self._rows = [], [], []

    def _drop_oldest(self) -> None:
        while self.max_memory is not None and self.memory > self.max_memory and len(self._blocks) > 1:
            self._drop_block(0)
            for number in [number for number in self.events if number < self.first]:
                self._event_count -= len(self.events.pop(number))
            while self._quick_numbers and self._quick_numbers[0] < self.first:
                self._drop_state(0)

    def _drop_block(self, at: int) -> None:
        block, columns = self._blocks.pop(at), self._columns.pop(at)
        self._block_bytes -= len(block.payload) + columns.nbytes + BLOCK_BYTES

    # What is kept of a tick

    def _number(self, tick: int, end: int) -> int:
        number = as_integer(tick, "tick", None, None)
        if not self.first <= number < end:
            raise IndexError(f"there are ticks {self.first} to {end - 1}, not {number}")
        return number

    def _block_at(self, number: int) -> CodedBlock | None:
        """The block of a tick; None for the open one."""
        if number >= self._open:
            return None
        return self._blocks[bisect_right(self._blocks, number, key=lambda block: block.first) - 1]

    def _decode(self, block: CodedBlock) -> TickBlock:
        if self._decoded is None or self._decoded[0] is not block:
            self._decoded = block, decode_ticks(block.payload)[1]
        return self._decoded[1]

    @exclusive
    def command(self, tick: int) -> Command:
        """The command of a tick. IndexError beyond the ticks."""
        number = self._number(tick, self.end)
        block = self._block_at(number)
        if block is None:
            return self._commands[number - self._open]
        return command_of_row(self._decode(block).commands[number - block.first])

    def view(self, position: float) -> tuple[float, float]:
        """Direction of view between two ticks: heading and pitch, 65536 to the turn. position: k + 1 is the end of tick
        k."""
        position = as_number(position, "position")
        tick = min(max(math.ceil(position) - 1, self.first), self.end - 1)
        now, before = self.command(tick), self.command(max(tick - 1, self.first))
        fraction = min(max(position - tick, 0.0), 1.0)
        heading = before.heading + fraction * wrap_heading(now.heading - before.heading)
        return heading % HEADING_UNITS_PER_TURN, before.pitch + fraction * (now.pitch - before.pitch)

    @exclusive
    def columns(self, first: int, end: int) -> Rows:
        """Rows (`TICK_COLUMNS`) of what was so after the ticks `first` to `end` - 1, as far as there are some."""
        first, end = (min(max(as_integer(at, "first", None, None), self.first), self.end) for at in (first, end))
        parts, at = [np.zeros(0, TICK_COLUMNS)], first
        while at < min(end, self._open):
            index = bisect_right(self._blocks, at, key=lambda block: block.first) - 1
            block = self._blocks[index]
            parts.append(self._columns[index][at - block.first : end - block.first])
            at = block.end
        if end > self._open:
            rows = np.concatenate(self._rows)
            parts.append(rows[max(first - self._open, 0) : end - self._open])
        return np.concatenate(parts)

    # Going to a tick

    @property
    def _quick_interval(self) -> int:
        """Number of ticks between two states that are kept, so that those of QUICK_SECONDS have room."""
        return max(1, math.ceil(self._quick_ticks * len(self._state) / self._max_quick_bytes))

    @property
    def _max_quick_bytes(self) -> int:
        return MAX_QUICK_BYTES if self.max_memory is None else min(MAX_QUICK_BYTES, self.max_memory // 4 + 1)

    @property
    def _seek_ticks(self) -> int:
        return max(self._quick_interval, MIN_SEEK_TICKS)

    def _keep_state(self, number: int, state: bytes) -> None:
        """Keep the state before a tick. Those that are farthest from it go where there is no more room."""
        if number in self._quick:
            return
        insort(self._quick_numbers, number)
        self._quick[number] = state
        self._quick_bytes += len(state)
        numbers = self._quick_numbers
        while len(numbers) > 1 and (self._quick_bytes > self._max_quick_bytes or len(numbers) > MAX_QUICK_STATES):
            self._drop_state(0 if number - numbers[0] >= numbers[-1] - number else -1)

    def _drop_state(self, at: int) -> None:
        self._quick_bytes -= len(self._quick.pop(self._quick_numbers.pop(at)))

    def _nearest(self, number: int) -> int:
        """The newest tick at or before `number`, in its block, whose state is kept."""
        at = bisect_right(self._quick_numbers, number)
        return max(self.keyframe_before(number), self._quick_numbers[at - 1] if at else 0)

    def keyframe_before(self, tick: int) -> int:
        """Number of the first tick of the block of a tick, whose state is always kept. IndexError beyond the ticks."""
        block = self._block_at(self._number(tick, self.end))
        return self._open if block is None else block.first

    def _restore(self, number: int) -> None:
        """Bring the world to the state before a tick that `_nearest` has given."""
        block = self._block_at(number)
        if number == self._open:
            self.world.restore(self._start)
        elif block is not None and number == block.first:
            self.world.restore(self._decode(block).start)
        else:
            self.world.restore(self._quick[number])

    def _walk(self, number: int) -> tuple[WalkerState, tuple[Event, ...]]:
        """Simulate a tick again: the walker before it, and its events."""
        block = self._block_at(number)
        if block is None:
            returns = number - self._open in self._returns
        else:
            returns = bool(self._decode(block).returns[number - block.first])
        if returns:
            self.world.return_to_checkpoint()
        before = self.world.walker_state
        events = self.world.step(self.command(number))
        if block is not None:
            recorded = self._decode(block).states[number + 1 - block.first]
            self.is_diverged = self.world.walker_state.to_bytes() != recorded.tobytes()
        return before, events

    def _simulate(self, number: int, end: int) -> None:
        """Simulate from the start of a tick to that of another one of its block, and keep the state there."""
        for each in range(number, end):
            self._walk(each)
        self._keep_state(end, self.world.state())

    @exclusive
    def prepare(self, tick: int, may_continue: Callable[[], bool]) -> bool:
        """Simulate towards a tick. True once `seek` is quick; False: call it again. IndexError beyond the ticks.

        It leaves the world at another tick, unless `seek` was quick before.
        may_continue: asked after every few ticks, such as whether there is time left
        """
        goal, step = self._number(tick, self.end), self._seek_ticks
        as_callable(may_continue, "may_continue")
        number = self._nearest(goal)
        if goal - number <= step:
            return True
        self._restore(number)
        while goal - number > step:
            self._simulate(number, number + step)
            number += step
            if not may_continue():
                break
        return goal - number <= step

    def is_quick(self, tick: int) -> bool:
        """Whether `seek` simulates few ticks. IndexError beyond the ticks."""
        number = self._number(tick, self.end)
        return number - self._nearest(number) <= self._seek_ticks

    @exclusive
    def seek(self, tick: int) -> tuple[WalkerState, tuple[Event, ...]]:
        """Bring the world to the end of a tick, its trace with it: the walker before that tick, and what happened.

        The world is then the same to the last bit as it was, unless `is_diverged`. It goes on from the tick at which
        the last call has left it, where that is the shortest way. IndexError beyond the ticks.
        """
        goal, step = self._number(tick, self.end), self._seek_ticks
        number = self._nearest(goal)
        if self._stands is not None and self._stands[1] is self.world.walker_state and number < self._stands[0] <= goal:
            number = self._stands[0]
        else:
            self._restore(number)
        while goal - number > step:
            self._simulate(number, number + step)
            number += step
        for each in range(number, goal):
            self._walk(each)
        before, events = self._walk(goal)
        self.world.platform_turn = 0  # no view turns with it again
        self._stands = goal + 1, self.world.walker_state
        return before, events

    @exclusive
    def state(self, tick: int) -> bytes:
        """State of the world at the end of a tick. IndexError beyond the ticks."""
        number = self._number(tick, self.end)
        if number == self.end - 1:
            return self._after
        if number + 1 in self._quick:
            return self._quick[number + 1]
        present, is_at_end = self.world.state(), self._is_at_end()
        try:
            self.seek(number)
            return self.world.state()
        finally:
            self.world.restore(present)
            if is_at_end:
                self._walker = self.world.walker_state

    @exclusive
    def cut(self, tick: int) -> None:
        """Drop this tick and the later ones, and bring the world to the end of the tick before it, where the history
        goes on. IndexError beyond the ticks and `end`."""
        number = self._number(tick, self.end + 1)
        self._close_block()
        if not self._blocks:
            return
        begins, self._returns = Begin.FOLLOWS, set()
        if number > self.first:
            self.seek(number - 1)
        else:
            begins = self._blocks[0].begins
            self._restore(number)
        self._take_state()
        self._after, self._walker_after = self._state, self._walker.to_bytes()
        while self._blocks and self._blocks[-1].first >= number:
            self._drop_block(-1)
        if self._blocks and self._blocks[-1].end > number:
            block, columns = self._shortened(self._blocks[-1], self._columns[-1], number, self._after)
            self._drop_block(-1)
            self._keep_block(block, columns)
        self._open, self._begins = number, begins
        for each in [each for each in self.events if each >= number]:
            self._event_count -= len(self.events.pop(each))
        while self._quick_numbers and self._quick_numbers[-1] > number:
            self._drop_state(-1)
        self.cuts += 1

    def _shortened(self, block: CodedBlock, columns: Rows, end: int, after: bytes) -> tuple[CodedBlock, Rows]:
        """The part of a block up to a tick, and of its columns. after: state of the world there."""
        ticks, count = self._decode(block), end - block.first
        rows = ticks.commands[:count].copy()
        rows["buttons"][ticks.returns[:count]] |= np.uint32(RETURN_BIT)
        place = BlockPlace(0, block.first, False)
        payload = encode_ticks(place, ticks.start, rows, ticks.states[: count + 1], fingerprint.short_hash(after))
        return CodedBlock(block.first, count, block.begins, place, payload), columns[:count]

    # Files

    @exclusive
    def write_to(self, writer: ReplayWriter) -> None:
        """Write all ticks. ValueError for a world without a level file."""
        as_instance(writer, ReplayWriter, "writer")
        self._close_block()
        for block in self._blocks:
            writer.add(self.recorded_world, block)

    @exclusive
    def data(self, first: int | None = None, end: int | None = None, note: str = "", reason: str = "stopped") -> bytes:
        """A replay file of the ticks `first` to `end` - 1, by default of all. It begins with the block of `first`, at
        most a second before it. note, reason: remarks at its begin and end. ValueError for a world without a level
        file; IndexError beyond the ticks."""
        self._close_block()
        end = self.end if end is None else self._number(end, self.end + 1)
        first = self._number(self.first if first is None else first, max(end, self.first + 1))
        data = bytearray()
        writer = ReplayWriter(data.extend, note)
        if not self._blocks:
            writer.begin_part(self.recorded_world)
        for block, columns in zip(self._blocks, self._columns, strict=True):
            if first < block.end and block.first < end:
                if block.end > end:
                    block, _ = self._shortened(block, columns, end, self.state(end - 1))
                writer.add(self.recorded_world, block)
        writer.close(reason, self.state(end - 1) if end > first else self._state)
        return bytes(data)

    def save(
        self, path: str | os.PathLike[str], first: int | None = None, end: int | None = None, note: str = "",
        reason: str = "stopped",
    ) -> None:  # fmt: skip
        """Write `data` to a file, which is replaced at once. OSError where that fails; ValueError and IndexError
        as of `data`."""
        atomic_files.write_atomic(Path(path), self.data(first, end, note, reason))

    @classmethod
    def load(cls, world: World, replay: Replay, max_memory: int | None = None) -> History:
        """The history that a replay of this level holds. The world is brought to its end, where the history goes on.

        ValueError where the states do not fit the world, or the replay has no ticks. Where the level or the rules have
        changed since, the world is near the recorded end, and `state` of its last tick is another one than recorded.
        """
        self = cls(world, max_memory)
        for part in as_instance(replay, Replay, "replay").parts:
            for block in part.blocks:
                if block.restarts[1:].any():
                    raise ValueError("a restart stands within a block")
                begins = Begin.RESTARTED if block.restarts[0] else Begin.FOLLOWS
                begins = Begin.JUMPED if block is part.blocks[0] else begins
                place = BlockPlace(part.number, block.first, bool(block.restarts[0]))
                coded = CodedBlock(block.first, len(block.commands), begins, place, block.payload)
                self._keep_block(coded, columns_of(block.states[1:]))
        if not self._blocks:
            raise ValueError("the replay has no ticks")
        self._begin_block()
        self.seek(self.end - 1)
        self._take_state()
        self._after, self._walker_after = self._state, self._walker.to_bytes()
        self._drop_oldest()
        return self

    def succeed(self, world: World) -> History:
        """A history of another world, which takes the place of this one; the writers go on with it."""
        self.flush()
        following = History(world, self.max_memory)
        following.writers, self.writers = self.writers, []
        return following


def columns_of(states: States) -> Rows:
    """The columns of states (n,) of the walker; what blocked it is not known."""
    columns = np.zeros(len(states), TICK_COLUMNS)
    columns["feet"] = states["position"] - states["radii"][:, 1:2] * states["up"]
    columns["speed"] = np.linalg.norm(states["velocity"], axis=1)
    columns["marks"] = np.where(states["grounded"], GROUNDED, 0)
    return columns
