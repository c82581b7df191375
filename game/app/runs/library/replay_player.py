"""Replay player: a world that follows the recorded commands; any tick can be reached from the state of its second.

A replay file holds the state of the world before each chunk of a second. They are the keyframes: going to a tick
restores one of them and simulates at most a second, however long the recording is.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ....physics import Command, WalkerState
from ....sim import Replay, ReplayError, Session
from ....sim.replay.history import columns_of
from ....sim.replay.verifier import command_of, make_replay_world, restore_chunk
from ....sim.trial import RunTrack, read_track
from ..ghost import GhostReplay

if TYPE_CHECKING:
    from ....level import Level
    from ....sim.replay.replay_file import ReplayPart, Rows, TickChunk

CATCH_UP_SECONDS = 2.0  # s of ticks that one frame runs at most: fast playback on a slow machine
TELEPORT_DISTANCE = 2.0  # m in one tick: the body was put to another place


@dataclass(slots=True)
class ReplayRequest:
    """What the replay mode is to show: the subject of the mode.

    levels      gives the level of a part, which may take long; UserError where there is none
    ghost       run that is shown beside the replay; None: there is none
    exit_page   makes the menu page that Esc opens; None: Esc goes back to the mode below
    camera      the camera at first
    orbit       view of the outside camera (`ReplayCameras.outside_view`); None: it looks for one
    """

    replay: Replay
    levels: Callable[[ReplayPart], Level]
    ghost: GhostReplay | None = None
    exit_page: Callable[[], object] | None = None
    camera: str = "eye"
    orbit: tuple[float, float, float] | None = None


class ReplayPlayer:
    """Plays a replay in a session of its own. ReplayError where it has no ticks or its first world cannot be made.

    levels         gives the level of a part; may take long for a level that is not loaded yet
    session        of the present part
    tick           number of ticks done, 0 to `ticks`; `seek_tick` changes it
    is_diverged    this version of the rules leads elsewhere; the recorded states of the walker are shown
    """

    def __init__(self, replay: Replay, levels: Callable[[ReplayPart], Level]) -> None:
        self.replay = replay
        self._levels = levels
        self._chunks: list[tuple[ReplayPart, TickChunk]] = [
            (part, chunk) for part in replay.parts for chunk in part.chunks
        ]
        if not self._chunks:
            raise ReplayError("it contains no ticks")
        counts = [len(chunk.commands) for _, chunk in self._chunks]
        lengths = [len(chunk.commands) / part.ticks_per_second for part, chunk in self._chunks]
        self._first_ticks = [0, *accumulate(counts)]  # of each chunk, and the number of ticks
        self._begins = [0.0, *accumulate(lengths)]  # s
        self.tick = 0
        self.is_diverged = False
        self.previous_view = self.current_view = (0.0, 0.0)  # yaw and pitch of the last two ticks
        self._part: ReplayPart | None = None
        self._sessions: dict[int, Session] = {}  # by the number of the part
        self.session: Session
        self._enter_part(self._chunks[0][0])
        self.seek_tick(0)

    # Position

    @property
    def ticks(self) -> int:
        """Number of recorded ticks."""
        return self._first_ticks[-1]

    @property
    def duration(self) -> float:
        """Length of the replay (s)."""
        return self._begins[-1]

    @property
    def is_finished(self) -> bool:
        """Whether no tick is left."""
        return self.tick >= self.ticks

    @property
    def level(self) -> Level:
        """The level of the present part."""
        return self.session.world.level

    def _locate(self, tick: int) -> tuple[int, int]:
        """Chunk of a tick, and its index there; the end belongs to the last chunk."""
        chunk = min(bisect_right(self._first_ticks, tick), len(self._chunks)) - 1
        return chunk, tick - self._first_ticks[chunk]

    def seconds_at(self, tick: int) -> float:
        """Time (s) from the start of the replay to a tick."""
        chunk, index = self._locate(min(max(tick, 0), self.ticks))
        return self._begins[chunk] + index / self._chunks[chunk][0].ticks_per_second

    @property
    def seconds(self) -> float:
        """Time (s) from the start of the replay."""
        return self.seconds_at(self.tick)

    def tick_at(self, seconds: float) -> int:
        """The tick nearest to a time (s), from 0 to `ticks`."""
        if not 0.0 < seconds < self.duration:
            return 0 if not seconds > 0.0 else self.ticks
        chunk = bisect_right(self._begins, seconds) - 1
        index = round((seconds - self._begins[chunk]) * self._chunks[chunk][0].ticks_per_second)
        return min(self._first_ticks[chunk] + index, self._first_ticks[chunk + 1])

    def seek(self, seconds: float) -> None:
        """Go to a time (s)."""
        self.seek_tick(self.tick_at(seconds))

    def seek_tick(self, tick: int) -> None:
        """Go to a tick: from the present one where it follows within the chunk, else from the start of its chunk."""
        tick = min(max(tick, 0), self.ticks)
        chunk, index = self._locate(tick)
        if self._part is not self._chunks[chunk][0] or not self._first_ticks[chunk] < self.tick <= tick:
            self._enter_part(self._chunks[chunk][0])
            self.tick = self._first_ticks[chunk]
            self._restore(self._chunks[chunk][1])
        while self.tick < tick:
            command = self.next_command()
            assert command is not None
            self.session.tick(command)
        self.session.reset_interpolation()
        self.session.pause()
        self._show_view(chunk, max(index - 1, 0))

    def _enter_part(self, part: ReplayPart) -> None:
        """Make the world of a part, unless it is the present one."""
        if part is not self._part:
            if part.number not in self._sessions:
                world = make_replay_world(part, self._levels(part), [])
                self._sessions[part.number] = Session(world, catch_up=CATCH_UP_SECONDS)
            self.session = self._sessions[part.number]
            self._part = part

    def _show_view(self, chunk: int, index: int) -> None:
        """Show the recorded view of a command without interpolation."""
        row = self._chunks[chunk][1].commands[index]
        self.previous_view = self.current_view = (float(row["heading"]), float(row["pitch"]))

    # Playing

    def next_command(self) -> Command | None:
        """The next recorded command, with the walker put into the recorded state; None at the end of a part."""
        if self.is_finished:
            return None
        number, index = self._locate(self.tick)
        part, chunk = self._chunks[number]
        if part is not self._part:
            return None
        if index == 0 and number > 0 and self._chunks[number - 1][1].end != chunk.first:
            self._restore(chunk)
        elif not (chunk.restarts[index] or self._is_as_recorded(chunk, index)):
            self.is_diverged = True
            self._correct_walker(chunk, index)
        if chunk.restarts[index]:
            self.session.restart()
        if chunk.returns[index]:
            self.session.return_to_checkpoint()
        row = chunk.commands[index]
        self.previous_view, self.current_view = self.current_view, (float(row["heading"]), float(row["pitch"]))
        self.tick += 1
        return command_of(row)

    def enter_next_part(self) -> bool:
        """Enter the part of the next tick; whether it is another one."""
        if self.is_finished or self._chunks[self._locate(self.tick)[0]][0] is self._part:
            return False
        self.seek_tick(self.tick)
        return True

    def _restore(self, chunk: TickChunk) -> None:
        """Restore the recorded state before a chunk; only that of the walker where the world's does not fit."""
        try:
            restore_chunk(self.session.world, chunk)
        except ReplayError:
            self.is_diverged = True
            self._correct_walker(chunk, 0)
        self.session.reset_interpolation()

    def _is_as_recorded(self, chunk: TickChunk, index: int) -> bool:
        """Whether the walker is in the recorded state."""
        recorded: bytes = chunk.states[index].tobytes()
        return self.session.world.walker_state.to_bytes() == recorded

    def _correct_walker(self, chunk: TickChunk, index: int) -> None:
        """Set the recorded state of the walker; where the row is none, the simulated one stays."""
        with contextlib.suppress(ValueError):
            self.session.world.walker_state = WalkerState(chunk.states[index])
            self.session.reset_interpolation()

    # Content

    def run_track(self) -> RunTrack | None:
        """The track of a recording that is one run: one level, no restart; else None."""
        if len({part.number for part, _ in self._chunks}) > 1 or any(chunk.restarts.any() for _, chunk in self._chunks):
            return None
        try:
            return read_track(self.replay)
        except ReplayError:
            return None

    def columns(self) -> Rows:
        """What was so after each tick (`TICK_COLUMNS`)."""
        return np.concatenate([columns_of(chunk.states[1:]) for _, chunk in self._chunks])

    def column(self, name: str) -> Any:
        """(ticks, ...) values of a field of the walker's recorded states, after each tick."""
        return np.concatenate([chunk.states[name][1:] for _, chunk in self._chunks])

    def part_ticks(self) -> list[tuple[int, int]]:
        """Ranges (first, end) of ticks in one part, without a restart or a jump of the body."""
        jumps = np.linalg.norm(np.diff(self.column("position"), axis=0), axis=1) > TELEPORT_DISTANCE
        cuts = set((np.flatnonzero(jumps) + 1).tolist())
        for number, (part, chunk) in enumerate(self._chunks):
            cuts.update((self._first_ticks[number] + np.flatnonzero(chunk.restarts)).tolist())
            if number and part is not self._chunks[number - 1][0]:
                cuts.add(self._first_ticks[number])
        edges = [0, *sorted(cuts - {0}), self.ticks]
        return list(pairwise(edges))
