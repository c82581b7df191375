"""Run of the player: its clock, movie, recording and ghosts, the assists of play, and undo of a restart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...physics.rules import NEVER
from ...sim.events import RespawnReason
from ...sim.trial import FALL_REASONS
from ...sim.world_state import off_platform
from .movies import MovieMaker
from .time_trial import KeptRun, TimeTrial

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...physics import WalkerState
    from ...sim import History, Respawned, Session, World
    from ..input.player_input import HeldActions, ViewAngles
    from ..launch.lab_registry import LabSession
    from ..settings.settings_file import Settings
    from ..visuals.feedback import Feedback
    from .recording import ReplayRecording

SLOW_MOTION_SPEED = 0.5  # of real time, with the key
FAILURES = frozenset(FALL_REASONS) - {RespawnReason.RETURNED}
MAX_SAFE_PLACES = 64
# A fall so soon after the last one means that the place was not safe: the one before it is used.
REPEATED_FALL_SECONDS = 3.0
UNDO_SECONDS = 12.0  # s of play in which a restart can be taken back: longer than it is offered, for a late hand
SLIP_SECONDS = 2.0  # s of play within which a second restart is taken as part of the first


class Assist:
    """Assists of play: slow motion, and no fail, which puts the body back at a safe place. With either a run has no
    time.

    slow_motion   whether the key has switched it on
    """

    def __init__(self, time_trial: TimeTrial) -> None:
        self._time_trial = time_trial
        self.slow_motion = False
        self._world: World | None = None
        self._safe_places: list[WalkerState] = []  # oldest first, without repetition
        self._last_tick = 0
        self._caught_tick: int | None = None

    def speed(self, settings: Settings) -> float:
        """Speed of the game's clock as a fraction of real time."""
        return min(settings.game_speed, SLOW_MOTION_SPEED if self.slow_motion else 1.0)

    def update(self, session: Session, settings: Settings) -> None:
        """Call once a frame of play, before its ticks."""
        session.speed = self.speed(settings)
        if session.speed < 1.0:
            self._time_trial.void("slow motion used", finishes=True)
        world = session.world
        if world is not self._world or world.tick < self._last_tick:
            self._world = world
            self._safe_places = []
            self._caught_tick = None
        self._last_tick = world.tick
        safe = world.safe_state
        if not self._safe_places or self._safe_places[-1] != safe:
            self._safe_places = [*self._safe_places[1 - MAX_SAFE_PLACES :], safe]

    def catch_fall(self, event: Respawned, world: World) -> WalkerState | None:
        """With `no_fail`: the last safe place, to which the body goes back after a fall; None where it was no fall.

        The level's rules have put it elsewhere, such as at the spawn. Targets, checkpoints and time stay.
        """
        if event.reason not in FAILURES or not self._safe_places:
            return None
        repeat = REPEATED_FALL_SECONDS * world.settings.ticks_per_second
        if self._caught_tick is not None and world.tick - self._caught_tick < repeat:
            del self._safe_places[-1 if len(self._safe_places) > 1 else len(self._safe_places) :]
        self._caught_tick = world.tick
        self._time_trial.void("no-fail used", finishes=True)
        return off_platform(self._safe_places[-1])


@dataclass(frozen=True, slots=True)
class RestartUndo:
    """Place in a history just before a restart, with the view (yaw and pitch) and the run there."""

    history: History
    tick: int
    view: tuple[float, float]
    run: KeptRun


class PlayerRuns:
    """What belongs to the run that is played.

    time_trial     the run against the clock
    assist         slow motion and no fail
    movies         the movie that is being made
    recording      the replay file that is being written
    restart_undo   what the last restart would lose
    lab            ghosts and exhibits of the level; None before there is a session
    """

    def __init__(self, feedback: Feedback, held: HeldActions, jobs: Jobs) -> None:
        self.time_trial = TimeTrial(feedback, held, jobs)
        self.assist = Assist(self.time_trial)
        self.movies = MovieMaker(feedback, held, jobs)
        self.recording: ReplayRecording | None = None
        self.restart_undo: RestartUndo | None = None
        self.lab: LabSession | None = None

    def keep_before_restart(self, session: Session, view: ViewAngles) -> bool:
        """Keep what a restart now would lose. False where nothing was played, or the run is over. A second restart
        right after the first keeps what the first would have lost."""
        if self.can_undo_restart(session, SLIP_SECONDS):
            return True
        self.restart_undo = None
        run, history = self.time_trial.run, session.history
        is_under_way = run is None or (run.began != NEVER and not run.is_finished)
        if session.world.tick != 0 and history is not None and is_under_way:
            kept = self.time_trial.keep_run()
            self.restart_undo = RestartUndo(history, history.end, (view.yaw, view.pitch), kept)
        return self.restart_undo is not None

    def can_undo_restart(self, session: Session, seconds: float = UNDO_SECONDS) -> bool:
        """Whether the world that was restarted is still played, for at most so many seconds since."""
        undo = self.restart_undo
        if undo is None or session.history is not undo.history or session.world is not undo.history.world:
            return False
        return undo.history.first < undo.tick <= undo.history.end and session.world.seconds <= seconds

    def undo_restart(self, session: Session, view: ViewAngles) -> bool:
        """Bring world, view and run back; what was played since the restart is dropped, and the run counts as before.
        False where that is not possible."""
        is_possible = self.can_undo_restart(session)
        undo, self.restart_undo = self.restart_undo, None
        if undo is None or not is_possible:
            return False
        undo.history.cut(undo.tick)
        session.reset_interpolation()
        self.time_trial.resume_run(undo.run)
        view.yaw, view.pitch = undo.view
        return True
