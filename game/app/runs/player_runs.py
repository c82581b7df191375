"""Run of the player: its clock, movie, recording and ghosts, and the assists of play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...sim.events import RespawnReason
from ...sim.trial import FALL_REASONS
from ...sim.world_state import off_platform
from .movies import MovieMaker
from .time_trial import TimeTrial

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...physics import WalkerState
    from ...sim import Respawned, Session, World
    from ..input.player_input import HeldActions
    from ..launch.lab_registry import LabSession
    from ..settings.settings_file import Settings
    from ..visuals.feedback import Feedback
    from .recording import ReplayRecording
    from .time_trial import RestartUndo

SLOW_MOTION_SPEED = 0.5  # of real time, with the key
FAILURES = frozenset(FALL_REASONS) - {RespawnReason.RETURNED}
MAX_SAFE_PLACES = 64
# A fall so soon after the last one means that the place was not safe: the one before it is used.
REPEATED_FALL_SECONDS = 3.0


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
