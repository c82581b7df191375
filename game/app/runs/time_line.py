"""Time line: any position in the ticks of the session that is played, or of a replay."""

from __future__ import annotations

import contextlib
import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...sim import History, Replay, ReplayError, Respawned, Session
from ...sim.replay.verifier import make_replay_world
from ...sim.trial import RunTrack, read_track
from ..launch.level_lookup import UserError
from .ghost import GhostReplay

if TYPE_CHECKING:
    from ...level import Level
    from ...physics import WalkerState
    from ...physics.character.state import States
    from ...sim.events import Event
    from ...sim.replay.replay_file import ReplayPart

EPSILON = 1e-6  # ticks: a position so little after the end of a tick shows this tick
TELEPORT_DISTANCE = 2.0  # m in one tick: the body was put to another place
DIVERGED_TEXT = "this version of the game, or of the level, leads elsewhere than recorded"


@dataclass(slots=True)
class ReplayRequest:
    """A replay that the time line mode is to show: the subject of the mode.

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


@dataclass(frozen=True, slots=True)
class ShownTick:
    """The tick at whose end the world stands: its number, the walker before it, what happened in it."""

    number: int
    before: WalkerState
    events: tuple[Event, ...]


class TimeLine:
    """A position in one history or several, one after the other.

    start, end   of the positions, in ticks: k + 1 is the end of tick k
    position     the wanted one
    shown        the tick that is shown; None before `show`
    session      of the part that is shown
    track        of a replay that is one run: one level, no restart; else None
    """

    def __init__(self, session_of: Callable[[int], Session], edges: Sequence[int], rates: Sequence[float]) -> None:
        """session_of: gives the session of a part, with its history. edges: numbers of the first tick of each part, and
        of the tick after the last part. rates: ticks per second of each part."""
        self._session_of = session_of
        self._edges = edges
        lengths = [(end - first) / rate for (first, end), rate in zip(pairwise(edges), rates, strict=True)]
        self._times = [0.0, *accumulate(lengths)]  # s, at the edges
        self.start, self.end = float(edges[0]), float(edges[-1])
        self.position = self.start
        self.shown: ShownTick | None = None
        self.track: RunTrack | None = None
        self.session = session_of(0)

    @property
    def history(self) -> History:
        """The part that is shown."""
        assert self.session.history is not None
        return self.session.history

    @property
    def tick(self) -> int:
        """Number of the tick in which the position is."""
        return max(math.ceil(self.position - EPSILON) - 1, self._edges[0])

    @property
    def waits(self) -> bool:
        """Whether the tick that is shown is not yet that of the position."""
        return self.shown is None or self.shown.number != self.tick

    @property
    def duration(self) -> float:
        """Length (s)."""
        return self._times[-1]

    @property
    def seconds(self) -> float:
        """Time (s) from the start to the position."""
        return self.seconds_at(self.position)

    def seconds_at(self, position: float) -> float:
        """The time (s) from the start to a position."""
        return float(np.interp(position, self._edges, self._times))

    @property
    def run_seconds(self) -> float:
        """`run_seconds_at` of the position."""
        return self.run_seconds_at(self.position)

    def run_seconds_at(self, position: float) -> float:
        """Clock of the run at a position; the time from the start where it is not one run."""
        start = 0.0 if self.track is None else self.track.start_tick / self.track.ticks_per_second
        return max(0.0, self.seconds_at(position) - start)

    def position_at(self, seconds: float) -> float:
        """The position at a time (s)."""
        return float(np.interp(seconds, self._times, self._edges))

    def move_to(self, position: float) -> None:
        """Want another position: the nearest one from `start` to `end`."""
        self.position = min(max(position, self.start), self.end)

    def show(self, may_continue: Callable[[], bool] | None = None) -> None:
        """Bring the session to the position.

        may_continue: asked where many ticks must be simulated; False: the former tick stays, until the next call
        """
        tick = self.tick
        if self.waits:
            session = self._session_of(bisect_right(self._edges, tick) - 1)
            history = session.history
            assert history is not None
            if self.shown is not None and may_continue is not None and not history.prepare(tick, may_continue):
                if session is self.session:
                    history.seek(self.shown.number)
                return
            before, events = history.seek(tick)
            if any(isinstance(event, Respawned) for event in events):
                before = session.world.walker_state  # it is not interpolated
            self.session, self.shown = session, ShownTick(tick, before, events)
        assert self.shown is not None
        self.session.show_replayed_tick(self.shown.before, self.position - tick)


def session_time_line(session: Session) -> TimeLine:
    """The time line of a session, which begins at the end of its oldest tick."""
    history = session.history
    assert history is not None
    time_line = TimeLine(lambda index: session, (history.first, history.end), (1.0 / session.tick_seconds,))
    time_line.start += 1.0
    return time_line


class ReplayTimeLine(TimeLine):
    """The time line of a replay, each part of which is a history in a world of its own. ReplayError, a sentence, where
    it has no ticks, or a level or a world is not there; `show` raises it too, also where a part leads elsewhere than
    recorded.

    states   of the walker, after each tick
    ranges   of ticks (first, end), in each of which the body neither restarts nor jumps, in one part
    """

    def __init__(self, replay: Replay, levels: Callable[[ReplayPart], Level]) -> None:
        """levels: gives the level of a part; may take long."""
        parts = [part for part in replay.parts if part.blocks]
        if not parts:
            raise ReplayError("it contains no ticks")

        @cache
        def session_of(index: int) -> Session:
            part = parts[index]
            session = Session(make_replay_world(part, levels(part), []))
            session.history = History.load(session.world, replace(replay, parts=[part]))
            return session

        edges = [0, *(part.blocks[-1].end for part in parts)]
        with _as_replay_errors():
            super().__init__(session_of, edges, [part.ticks_per_second for part in parts])
        blocks = [block for part in parts for block in part.blocks]
        self.states: States = np.concatenate([block.states[1:] for block in blocks])
        restarts = np.flatnonzero(np.concatenate([block.restarts for block in blocks])).tolist()
        jumps = np.linalg.norm(np.diff(self.states["position"], axis=0), axis=1) > TELEPORT_DISTANCE
        cuts = {*(np.flatnonzero(jumps) + 1).tolist(), *restarts, *edges}
        self.ranges = list(pairwise(sorted(cuts)))
        if len(parts) == 1 and not restarts:
            with contextlib.suppress(ReplayError):
                self.track = read_track(replay)

    def show(self, may_continue: Callable[[], bool] | None = None) -> None:
        with _as_replay_errors():
            super().show(may_continue)
        if self.history.is_diverged:
            raise ReplayError(DIVERGED_TEXT)


@contextlib.contextmanager
def _as_replay_errors() -> Iterator[None]:
    """Raise a ReplayError, with the first line of the reason, where a level or a world is not there."""
    try:
        yield
    except (ReplayError, UserError, ValueError, OSError, MemoryError) as error:
        raise ReplayError(str(error).partition("\n")[0] or "not enough memory") from error


def load_time_line(request: ReplayRequest) -> ReplayTimeLine | str:
    """The time line of a replay at its start, or a sentence where it cannot be shown."""
    try:
        loaded = ReplayTimeLine(request.replay, request.levels)
        loaded.show()
    except ReplayError as error:
        return str(error)
    return loaded
