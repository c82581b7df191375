"""Replay player: the ticks of a replay, shown again. Each part of it is a history in a world of its own."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ....sim import History, Replay, ReplayError, Respawned, Session
from ....sim.replay.history import columns_of
from ....sim.replay.verifier import make_replay_world
from ....sim.trial import RunTrack, read_track
from ..ghost import GhostReplay

if TYPE_CHECKING:
    from ....level import Level
    from ....physics import WalkerState
    from ....sim.events import Event
    from ....sim.replay.replay_file import ReplayPart, Rows

EPSILON = 1e-6  # ticks: a position so little after the end of a tick shows this tick
TELEPORT_DISTANCE = 2.0  # m in one tick: the body was put to another place
DIVERGED_TEXT = "this version of the game, or of the level, leads elsewhere than recorded"


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
    """Shows any position of a replay. ReplayError where it has no ticks, its world cannot be made, or it leads
    elsewhere.

    levels     gives the level of a part; may take long for a level that is not loaded yet
    position   time in ticks that is shown, 0 to `ticks`: k + 1 is the end of tick k
    session    of the part that is shown
    """

    def __init__(self, replay: Replay, levels: Callable[[ReplayPart], Level]) -> None:
        self.replay = replay
        self._levels = levels
        self._parts = [part for part in replay.parts if part.blocks]
        if not self._parts:
            raise ReplayError("it contains no ticks")
        counts = [part.blocks[-1].end - part.blocks[0].first for part in self._parts]
        lengths = [count / part.ticks_per_second for count, part in zip(counts, self._parts, strict=True)]
        self._edges = [0, *accumulate(counts)]  # ticks between the parts
        self._times = [0.0, *accumulate(lengths)]  # s
        self._sessions: dict[int, Session] = {}  # by the index of the part
        self._shown: tuple[int, WalkerState] | None = None  # the tick that is shown, and the walker before it
        self.position = 0.0
        self.session = self._session_of(0)
        self.seek(0.0)

    def _session_of(self, index: int) -> Session:
        if index not in self._sessions:
            part = self._parts[index]
            session = self._sessions[index] = Session(make_replay_world(part, self._levels(part), []))
            session.history = History.load(session.world, replace(self.replay, parts=[part]))
        return self._sessions[index]

    @property
    def history(self) -> History:
        """The part that is shown."""
        assert self.session.history is not None
        return self.session.history

    # Position

    @property
    def ticks(self) -> int:
        """Number of recorded ticks."""
        return self._edges[-1]

    @property
    def duration(self) -> float:
        """Length of the replay (s)."""
        return self._times[-1]

    @property
    def tick(self) -> int:
        """Number of ticks that are done at the position, with the one that is on its way."""
        return math.ceil(self.position - EPSILON)

    @property
    def is_finished(self) -> bool:
        """Whether no tick is left."""
        return self.position >= self.ticks

    def seconds_at(self, position: float) -> float:
        """The time (s) from the start of the replay to a position."""
        return float(np.interp(position, self._edges, self._times))

    @property
    def seconds(self) -> float:
        """Time (s) from the start of the replay."""
        return self.seconds_at(self.position)

    def position_at(self, seconds: float) -> float:
        """The position at a time (s)."""
        return float(np.interp(seconds, self._times, self._edges))

    def seek(self, position: float) -> tuple[Event, ...]:
        """Show a position. The events of its tick, where another one was shown before."""
        self.position = min(max(position, 0.0), float(self.ticks))
        tick = max(self.tick - 1, 0)
        events: tuple[Event, ...] = ()
        if self._shown is None or self._shown[0] != tick:
            self.session = self._session_of(bisect_right(self._edges, tick) - 1)
            before, events = self.history.seek(tick)
            if self.history.is_diverged:
                raise ReplayError(DIVERGED_TEXT)
            if any(isinstance(event, Respawned) for event in events):
                before = self.session.world.walker_state
            self._shown = tick, before
        self.session.show_replayed_tick(self._shown[1], self.position - tick)
        return events

    # Content

    def run_track(self) -> RunTrack | None:
        """The track of a recording that is one run: one level, no restart; else None."""
        if len(self._parts) > 1 or any(block.restarts.any() for block in self._parts[0].blocks):
            return None
        try:
            return read_track(self.replay)
        except ReplayError:
            return None

    def columns(self) -> Rows:
        """What was so after each tick (`TICK_COLUMNS`)."""
        return np.concatenate([columns_of(block.states[1:]) for part in self._parts for block in part.blocks])

    def column(self, name: str) -> Any:
        """(ticks, ...) values of a field of the walker's recorded states, after each tick."""
        return np.concatenate([block.states[name][1:] for part in self._parts for block in part.blocks])

    def part_ticks(self) -> list[tuple[int, int]]:
        """Ranges (first, end) of ticks in one part, without a restart or a jump of the body."""
        jumps = np.linalg.norm(np.diff(self.column("position"), axis=0), axis=1) > TELEPORT_DISTANCE
        restarts = np.concatenate([block.restarts for part in self._parts for block in part.blocks])
        cuts = {*(np.flatnonzero(jumps) + 1).tolist(), *np.flatnonzero(restarts).tolist(), *self._edges}
        return list(pairwise(sorted(cuts)))
