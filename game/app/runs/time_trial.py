"""Time trial in play: run timer, splits, ghost, and the result page.

It observes the session of the game. A world that is played from its spawn starts a run. A run that is walked to the end
counts. One that was rewound or slowed has no time and no medal, and finishes the level all the same. A practice run, in
which the level changed or the player flew, does not finish it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ...core.time_format import format_result, format_time, format_time_difference
from ...core.vectors import Floats
from ...physics.rules import NEVER
from ...render import Snapshot
from ...sim.golf import BALL_MOVING
from ...sim.replay import fingerprint
from ...sim.trial import LevelEnd, SplitTime, TrialRun, level_end
from ..input.actions import PlayAction
from . import medals, progress
from .ghost import GhostPace, GhostReplay
from .library import daily_files, run_library
from .medals import MedalLimits
from .progress import BestRun, LevelRecord
from .recording import present_time
from .run_results import RunResult, split_label

if TYPE_CHECKING:
    from ...core.jobs import Jobs
    from ...level import Level
    from ...physics import Command
    from ...sim import History, Session, World
    from ...sim.events import Event, Respawned
    from ..cameras.camera import CameraFrame
    from ..input.player_input import HeldActions
    from ..visuals.feedback import Feedback

SPLIT_SECONDS = 3.5  # that a split is shown
RESULT_DELAY = 1.2  # s of play from the goal to the result page
MAX_RUN_SECONDS = 3600.0
REWOUND_REASON = "rewind used"
TOO_LONG_REASON = "too long to save"
LEVEL_CHANGED_REASON = "level changed during the run"
NOT_FROM_SPAWN_REASON = "not started at the beginning"
BOT_NAME = "the bot"


# ---- run that a restart puts aside


@dataclass(slots=True)
class KeptRun:
    """The parts of a run that a restart makes anew (see `TimeTrial`).

    first           number of its first tick in the history of the session
    shown_split     a split, the run time until which it is shown, and how much later than the ghost it was (s)
    result_delay    s until the result is shown
    """

    run: TrialRun | None = None
    first: int = 0
    void_reason: str = ""
    finishes: bool = True
    result: RunResult | None = None
    shown_split: tuple[SplitTime, float, float | None] | None = None
    result_delay: float = 0.0
    pace: GhostPace = field(default_factory=GhostPace)


# ---- time trial


class TimeTrial:
    """Time trial of one game. `run` is None in a level without an end, or before it is played.

    void_reason  why it has no time, in a few words; empty where it counts
    finishes     whether the goal finishes the level all the same
    record       record of this level and spawn
    ghost        of the run that was chosen for this level and spawn, else of the best one
    result       the finished run, until the next one begins
    """

    def __init__(self, feedback: Feedback, held: HeldActions, jobs: Jobs) -> None:
        self._feedback = feedback
        self._held = held
        self._jobs = jobs
        self.enabled = True  # off in the replay viewer
        self.session: Session | None = None
        self.record = LevelRecord()
        self.medal_limits: MedalLimits | None = None
        self.pending_messages: list[str] = []  # sentences for the player, not shown yet
        self.ghost = GhostReplay()
        self._chosen_ghost: tuple[str, GhostReplay] | None = None  # key of its level and spawn, and the ghost
        self._world: World | None = None
        self._visited_level: Level | None = None  # of the last visit that was recorded
        self._visited_spawn = ""
        self._set_run(KeptRun())

    def _set_run(self, kept: KeptRun) -> None:
        self.run = kept.run
        self.first = kept.first
        self.void_reason = kept.void_reason
        self.finishes = kept.finishes
        self.result = kept.result
        self.pace = kept.pace
        self._shown_split = kept.shown_split
        self._result_delay = kept.result_delay

    # Interface

    def void(self, reason: str, finishes: bool = False) -> None:
        """Make it a practice run until the level is restarted. reason: a few words, such as "flying used"; finishes:
        the goal finishes the level all the same."""
        if self.run is None or self.run.is_finished or (self.void_reason and finishes >= self.finishes):
            return
        self.void_reason, self.finishes = reason, finishes

    def rewound(self, tick: int) -> None:
        """The history was cut at a tick, by the player's will."""
        self.first = min(self.first, tick)
        self.void(REWOUND_REASON, finishes=True)

    @property
    def history(self) -> History | None:
        """The history of the session, where a replay can be made of it."""
        is_named = self._world is not None and self._world.has_level_file
        return self.session.history if is_named and self.session is not None else None

    def update(self, session: Session | None, seconds: float) -> bool:
        """Call once a frame of play, before its ticks; False when the result is to be shown. seconds: since the last
        frame."""
        if session is None or not self.enabled:
            return True
        if session is not self.session:
            self._enter(session)
        elif session.world is not self._world:
            self._world = session.world
            self.first = 0  # with another history
            self.void(LEVEL_CHANGED_REASON)
        if self.result is not None and self._result_delay > 0.0:
            self._result_delay -= seconds
            if self._result_delay <= 0.0:
                return False
        if self.pending_messages and self._feedback.message is None:
            self._feedback.show_message("Your progress", self.pending_messages.pop(0), 8.0)
        return True

    def choose_ghost(self, record_key: str, ghost: GhostReplay) -> None:
        """Show this ghost in place of the best run, in the level and from the spawn of a `progress.record_key`."""
        self._chosen_ghost = record_key, ghost
        if self._world is not None:
            self._load_ghost(self._world)

    @property
    def has_chosen_ghost(self) -> bool:
        """Whether the ghost is that of a run that the player has chosen."""
        return self._chosen_ghost is not None and self.ghost is self._chosen_ghost[1]

    @property
    def is_run_in_progress(self) -> bool:
        """Whether the clock of a run is running."""
        return self.run is not None and self.run.began != NEVER and not self.run.is_finished

    @property
    def rewind_costs_time(self) -> bool:
        """Whether a rewind leaves the run without its time."""
        return self.is_run_in_progress and not self.void_reason

    def keep_run(self) -> KeptRun:
        """The present run, to be put aside; the next begin leaves these objects alone."""
        return KeptRun(
            self.run, self.first, self.void_reason, self.finishes, self.result, self._shown_split,
            self._result_delay, self.pace,
        )  # fmt: skip

    def resume_run(self, kept: KeptRun) -> None:
        """Continue a run that was put aside, in the same world and state."""
        self._set_run(kept)

    # SessionObserver

    def stepped(self, command: Command, events: tuple[Event, ...]) -> None:
        """A tick with this command is done."""
        run = self.run
        session = self.session
        if session is None or session.world is not self._world:
            return
        if run is None or run.is_finished:
            return
        new_splits = run.stepped(command, events)
        if new_splits:
            split = new_splits[-1]
            self._shown_split = split, run.seconds + SPLIT_SECONDS, self._seconds_behind_at(split)
        is_dropped = session.history is not None and session.history.first > self.first
        if is_dropped or run.ticks * session.tick_seconds > MAX_RUN_SECONDS:
            self.void(TOO_LONG_REASON, finishes=True)
        if run.ended != NEVER:
            self._finish(run)

    def restarted(self) -> None:
        """The world was restarted at its spawn."""
        if self.session is not None:
            self._begin(self.session.world)

    def returned(self, event: Respawned) -> None:
        """The walker was put back to its checkpoint: the clock goes on."""
        run = self.run
        session = self.session
        if session is None or session.world is not self._world:
            return
        if run is not None:
            run.returned(event)

    # Frame

    def goal_message(self, seconds: float) -> tuple[str, str]:
        """Two lines for a player who reaches the goal, `seconds` after the spawn."""
        run = self.run
        hint = f"{self._held.describe(PlayAction.RESTART)}: restart"
        if run is None:
            return "Goal reached", f"{format_time(seconds)}   ·   {hint}" if self.enabled else format_time(seconds)
        if self.void_reason:
            return "Goal reached", f"{format_time(run.seconds)}   ·   {self.state_text}   ·   {hint}"
        return "Goal reached", format_time(run.seconds)

    @property
    def state_text(self) -> str:
        """What a run at its end is worth where it has no time; else empty."""
        if not self.void_reason:
            return ""
        return f"Finished. No time, no medal: {self.void_reason}" if self.finishes else self._practice_text

    @property
    def _practice_text(self) -> str:
        return f"Practice run ({self.void_reason})"

    def is_split_shown(self, name: str) -> bool:
        """Whether the split of this checkpoint is shown below the run timer."""
        is_shown = self._shown_split is not None and self._shown_split[0].name == name
        return is_shown and not self.void_reason

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot with the run timer and the ghost."""
        run = self.run
        session = self.session
        if run is None or session is None or session is not frame.session:
            return shot
        settings = frame.settings
        if settings.trial_clock and shot.hud.panel is None:
            timer, caption = format_time(run.seconds), self._timer_caption(run)
            shot = replace(shot, hud=replace(shot.hud, timer=timer, timer_caption=caption))
        if (settings.ghost or self.has_chosen_ghost) and run.began != NEVER:
            seconds = max(0.0, run.seconds - (1.0 - session.alpha) * session.tick_seconds)
            if run.is_finished:  # the ghost goes on after the end of the run
                seconds = run.seconds + (session.world.tick - run.ended) * session.tick_seconds
            shot = replace(shot, ellipsoids=(*shot.ellipsoids, *self.ghost.ellipsoids_at(seconds, shot.view.eye)))
        return shot

    def _timer_caption(self, run: TrialRun) -> str:
        """The line below the run timer."""
        best = self.record.best
        if self.void_reason:
            return f"No time, no medal: {self.void_reason}" if self.finishes else self._practice_text
        if run.began == NEVER and self.has_chosen_ghost:
            return f"Ghost: {self.ghost.name}"
        if run.began == NEVER and best is not None:
            return f"Best {format_result(best.seconds, best.strokes)}"
        if run.is_finished:
            return ""
        if self._shown_split is not None and run.seconds < self._shown_split[1]:
            split, _, behind = self._shown_split
            caption = f"{split_label(split)}   {format_time(split.seconds)}"
            return caption if behind is None else f"{caption}   {self._describe_gap(behind)}"
        behind = self._seconds_behind_here(run)
        return self._medal_in_reach(run) if behind is None else self._describe_gap(behind)

    def _seconds_behind_here(self, run: TrialRun) -> float | None:
        """How much later than the ghost the player is at this place (s)."""
        return self.pace.update(self.ghost.track, run.world.walker_state, run.seconds)

    def _seconds_behind_at(self, split: SplitTime) -> float | None:
        """How much later the player is at a split than the best run was, or than a chosen ghost at this place (s)."""
        if self.has_chosen_ghost and self.run is not None:
            return self._seconds_behind_here(self.run)
        best_splits = {} if self.record.best is None else dict(self.record.best.splits)
        return split.seconds - best_splits[label] if (label := split_label(split)) in best_splits else None

    def _describe_gap(self, behind: float) -> str:
        gap = format_time_difference(behind)
        return f"{gap}   to {self.ghost.name}" if self.ghost.name else gap

    def _medal_in_reach(self, run: TrialRun) -> str:
        """The next medal that this run can still win, with its limit; empty where there is none."""
        if self.medal_limits is None:
            return ""
        best = self.record.best
        owned = None if best is None else self.medal_limits.medal_for(best.seconds, best.strokes)
        wanted = self.medal_limits.next_above(owned)
        golf = run.world.golf
        needed = 0 if golf is None else golf.holes_left - (golf.phase == BALL_MOVING)  # strokes at least
        reach = self.medal_limits.medal_for(run.seconds, run.strokes + needed)
        if wanted is None or reach is None or not self.medal_limits.is_as_good(reach, wanted):
            return ""
        return self.medal_limits.describe(wanted)

    # Start and end of a run

    def _enter(self, session: Session) -> None:
        """Observe another session."""
        if self.session is not None and self in self.session.observers:
            self.session.observers.remove(self)
        self.session = session
        world = session.world
        session.observers.append(self)
        self._begin(world)

    def _begin(self, world: World) -> None:
        self._world = world
        if self._visited_level is not world.level or self._visited_spawn != world.start.name:
            self._visited_level, self._visited_spawn = world.level, world.start.name
            problem = progress.record_visit(world.level, world.start.name)
            self.pending_messages = [*progress.take_notes(), *run_library.take_notes(), *filter(None, [problem])]
            self._jobs.thread("runs", run_library.scan_folder)
        history = None if self.session is None else self.session.history
        self._set_run(KeptRun(first=0 if history is None else history.end))
        if level_end(world.level) == LevelEnd.NONE:
            return
        self.run = TrialRun(world)
        self.record = progress.level_record(world.level, world.start.name)
        self.medal_limits = medals.medal_limits(world.level, world.start.name)
        self._load_ghost(world)
        if world.tick != 0:
            self.void(NOT_FROM_SPAWN_REASON)

    def _load_ghost(self, world: World) -> None:
        """Load the ghost: the chosen one, else that of the best run, else that of the bot in a course of the day."""
        key = progress.record_key(world.level, world.start.name)
        if self._chosen_ghost is not None and self._chosen_ghost[0] == key:
            self.ghost = self._chosen_ghost[1]
            return
        best = self.record.best
        if best is None:
            path, name = daily_files.ghost_file(world.level.path), BOT_NAME
        else:
            path, name = progress.runs_folder() / best.run if best.run else None, ""
        if path != self.ghost.path:  # else it is loaded already
            self.ghost = GhostReplay.read(self._jobs, path, name)

    def _finish(self, run: TrialRun) -> None:
        """Keep the run, and its time as the best one where it counts and is."""
        assert self._world is not None
        level, spawn = self._world.level, self._world.start.name
        found = len(level.targets) - self._world.targets_left
        result = self.result = RunResult(run, self.record, self._path(run), self.ghost, found, self.state_text)
        if self.history is None:
            return
        problem = ""
        if self.void_reason != TOO_LONG_REASON:
            remark = run_library.end_remark(self.void_reason)
            data = self.history.data(self.first, note=present_time(), reason=remark)
            result.file, problem = run_library.keep_run(
                level, spawn, data, run.seconds, result.strokes, self.void_reason
            )
        if self.finishes:
            best = None
            if not self.void_reason:
                splits = tuple((split_label(split), split.seconds) for split in run.splits)
                best = BestRun(run.seconds, result.strokes, splits, result.file, str(fingerprint.RULES_VERSION))
            challenges = () if best is None else run.kept_challenges
            result.previous_record, record_problem = progress.record_finish(level, spawn, best, challenges)
            problem = problem or record_problem
        if problem:
            self.pending_messages.append(problem)
        run_library.remove_old_runs()
        self._result_delay = RESULT_DELAY
        self._jobs.thread("map", result.draw_map)

    def _path(self, run: TrialRun) -> Floats:
        """(n, 3) feet (m) from the first movement to the end of the run, as far as its ticks are kept."""
        history = None if self.session is None else self.session.history
        return np.zeros((0, 3)) if history is None else history.columns(self.first + run.began, history.end)["feet"]
