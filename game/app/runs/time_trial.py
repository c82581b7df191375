"""Time trial in play: run timer, splits, ghost, and the result page.

It observes the session of the game. A world that is played from its spawn starts a run. A changed level, or a movement
other than walking, voids the run until the level is restarted.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.time_format import format_result, format_time, format_time_difference
from ...render import Snapshot
from ...sim.replay import replay_file
from ...sim.trial import LevelEnd, TrialRun, level_end
from ...sim.world import NEVER
from ..input.actions import PlayAction
from . import medals, progress, run_verifier
from .ghost import RIVAL_COLOUR, GhostReplay, Rival
from .kept_run import KeptRun
from .library import daily_files, run_library
from .medals import MedalLimits
from .progress import LevelRecord
from .recording import RunRecorder
from .run_results import RunResult
from .run_verifier import RunVerdict, RunVerifier
from .trial_messages import split_label, split_title

if TYPE_CHECKING:
    from ...physics import Command
    from ...sim import Replay, Session, World
    from ...sim.events import Event, Respawned
    from ..cameras.camera import CameraFrame
    from ..input.player_input import HeldActions
    from ..visuals.feedback import Feedback

SPLIT_SECONDS = 3.5  # that a split is shown
RESULT_DELAY = 1.2  # s of play from the goal to the result page
MAX_RUN_BYTES = 64 << 20  # largest recorded run
MAX_RUN_SECONDS = 3600.0
TOO_LONG_REASON = "too long to save"
LEVEL_CHANGED_REASON = "level changed during the run"
NOT_FROM_SPAWN_REASON = "not started at the beginning"


class TimeTrial:
    """Time trial of one game. `run` is None in a level without an end, or before it is played.

    void_reason  why the run does not count, in a few words; empty where it counts
    record       record of this level and spawn
    result       the finished run, until the next one begins
    """

    def __init__(self, feedback: Feedback, held: HeldActions) -> None:
        self._feedback = feedback
        self._held = held
        self.enabled = True  # off in the replay viewer
        self.session: Session | None = None
        self.record = LevelRecord()
        self.medal_limits: MedalLimits | None = None
        self.pending_messages: list[str] = []  # sentences for the player, not shown yet
        self.run_verifier: RunVerifier | None = None
        self.ghost = GhostReplay()
        self.rival: Rival | None = None  # its ghost replaces that of the best run, in its level and from its spawn
        self._finished_data = b""  # replay file of `result`
        self._world: World | None = None
        self._behind_rival: float | None = None  # s to the rival at the shown split
        self._set_run(KeptRun())

    def _set_run(self, kept: KeptRun) -> None:
        self.run = kept.run
        self.void_reason = kept.void_reason
        self.result = kept.result
        self.pace = kept.pace
        self.recorder: RunRecorder | None = kept.recorder
        self._path = kept.path
        self._split_positions = kept.split_positions
        self._shown_split = kept.shown_split
        self._result_delay = kept.result_delay

    # Interface

    def void(self, reason: str) -> None:
        """Void the run until the level is restarted. reason: a few words, such as "flying used"."""
        if self.run is not None and not self.run.is_finished and not self.void_reason:
            self.void_reason = reason

    def update(self, session: Session | None, seconds: float) -> bool:
        """Call once a frame of play, before its ticks; False when the result is to be shown. seconds: since the last
        frame."""
        if session is None or not self.enabled:
            return True
        if session is not self.session:
            self._enter(session)
        elif session.world is not self._world:
            self._world = session.world
            self.void(LEVEL_CHANGED_REASON)
        if self.recorder is not None:
            self.recorder.synchronise(session.world)
        if self.result is not None and self._result_delay > 0.0:
            self._result_delay -= seconds
            if self._result_delay <= 0.0:
                return False
        if self.pending_messages and self._feedback.message is None:
            self._feedback.show_message("Your progress", self.pending_messages.pop(0), 8.0)
        return True

    @property
    def present_rival(self) -> Rival | None:
        """The rival, where it started in this level from this spawn."""
        rival = self.rival
        world = self._world
        if rival is None or world is None or rival.spawn != world.start.name:
            return None
        return rival if rival.level_hash == progress.cached_level_hash(world.level) else None

    def finished_replay(self) -> Replay | None:
        """The run that was finished last, as a replay; None before."""
        data = self._finished_data
        return replay_file.decode_replay(data, Path("run.replay")) if data and self.result is not None else None

    @property
    def finished_data(self) -> bytes | None:
        """Bytes of the replay file of the run that was finished last."""
        return self._finished_data or None

    @property
    def is_run_in_progress(self) -> bool:
        """Whether the clock of a run is running."""
        return self.run is not None and self.run.began != NEVER and not self.run.is_finished

    def keep_run(self) -> KeptRun:
        """The present run, to be put aside; the next begin leaves these objects alone."""
        return KeptRun(
            self.run, self.void_reason, self.result, self.recorder, self._path, self._split_positions,
            self._shown_split, self._result_delay, self.pace,
        )  # fmt: skip

    def resume_run(self, kept: KeptRun) -> None:
        """Continue a run that was put aside, in the same world and state."""
        self._set_run(kept)
        if self.recorder is not None:
            self.recorder.accept_state()
        elif self._world is not None and self._world.has_level_file:
            self.recorder = RunRecorder(self._world)

    # SessionObserver

    def stepped(self, command: Command, events: tuple[Event, ...]) -> None:
        """A tick with this command is done."""
        run = self.run
        session = self.session
        if session is None or session.world is not self._world:
            return
        if self.recorder is not None:
            self.recorder.stepped(command)
        if run is None or run.is_finished:
            return
        new_splits = run.stepped(command, events)
        feet = session.world.walker_state.feet
        if run.seconds > 0.0:
            self._path.append(feet)
        if new_splits:
            self._split_positions.append(feet)
            self._shown_split = new_splits[-1], run.seconds + SPLIT_SECONDS
            rival = self.present_rival
            centre = session.world.walker_state.position
            self._behind_rival = None if rival is None else self.pace.update(rival.ghost.track, centre, run.seconds)
        too_large = self.recorder is not None and self.recorder.byte_count > MAX_RUN_BYTES
        if too_large or run.ticks * session.tick_seconds > MAX_RUN_SECONDS:
            self.void(TOO_LONG_REASON)
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
        if self.recorder is not None:
            self.recorder.returned()
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
            return "Goal reached", f"{format_time(run.seconds)}   ·   Practice run ({self.void_reason})   ·   {hint}"
        return "Goal reached", format_time(run.seconds)

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
        self.receive_verdicts()
        settings = frame.settings
        if settings.trial_clock and shot.hud.panel is None:
            time, caption = self._clock_lines(run)
            shot = replace(shot, hud=replace(shot.hud, timer=time, timer_caption=caption))
        rival = self.present_rival
        if (settings.ghost or rival is not None) and run.began != NEVER:
            ghost = self.ghost if rival is None else rival.ghost
            seconds = max(
                0.0, run.seconds if run.is_finished else run.seconds - (1.0 - session.alpha) * session.tick_seconds
            )
            shot = replace(
                shot,
                ellipsoids=(*shot.ellipsoids, *ghost.ellipsoids_at(self._ghost_seconds(seconds), shot.view.eye)),
            )
        return shot

    def _ghost_seconds(self, seconds: float) -> float:
        """Time of the ghost on its track (s); it continues after the end of the run."""
        assert self.run is not None
        assert self.session is not None
        if self.run.is_finished:
            seconds += (self.session.world.tick - self.run.ended) * self.session.tick_seconds
        return seconds

    def _clock_lines(self, run: TrialRun) -> tuple[str, str]:
        """The run timer, and the line below it."""
        best = self.record.best
        if self.void_reason:
            return format_time(run.seconds), f"Practice run ({self.void_reason})"
        rival = self.present_rival
        if run.began == NEVER and rival is not None:
            return format_time(0.0), f"Ghost: {rival.name}"
        if run.began == NEVER:
            if best is None:
                return format_time(0.0), self._medal_in_reach(run)
            return format_time(0.0), best.described(f"Best {format_result(best.seconds, best.strokes)}")
        if run.is_finished:
            return format_time(run.seconds), ""
        if self._shown_split is not None and run.seconds < self._shown_split[1]:
            split = self._shown_split[0]
            best_splits = {} if best is None else dict(best.splits)
            label = split_label(split)
            caption = f"{split_title(split, run.world.level.name)}   {format_time(split.seconds)}"
            if rival is not None and self._behind_rival is not None:
                caption += f"   {format_time_difference(self._behind_rival)}   to   {rival.name}"
            elif label in best_splits:
                caption += f"   {format_time_difference(split.seconds - best_splits[label])}"
            return format_time(run.seconds), caption
        assert self.session is not None
        track = self.ghost.track if rival is None else rival.ghost.track
        behind = self.pace.update(track, self.session.world.walker_state.position, run.seconds)
        if behind is None:
            return format_time(run.seconds), self._medal_in_reach(run)
        name = "   to the bot" if best is None else ""
        name = name if rival is None else f"   to   {rival.name}"
        return format_time(run.seconds), format_time_difference(behind) + name

    def _medal_in_reach(self, run: TrialRun) -> str:
        """The next medal that this run can still win, with its limit; empty where there is none."""
        if self.medal_limits is None:
            return ""
        best = self.record.best
        owned = None if best is None else self.medal_limits.medal_for(best.seconds, best.strokes)
        wanted = self.medal_limits.next_above(owned)
        reach = self.medal_limits.medal_for(run.seconds, run.strokes)
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
        if (
            self.run_verifier is None
            or self.run_verifier.level is not world.level
            or self.run_verifier.spawn != world.start.name
        ):
            problem = progress.record_visit(world.level, world.start.name)
            self.pending_messages = [*progress.take_notes(), *run_library.take_notes(), *filter(None, [problem])]
            self.run_verifier = RunVerifier(world.level, world.start.name)
            if level_end(world.level) != LevelEnd.NONE:
                self.run_verifier.submit_unverified()
        self._set_run(KeptRun(recorder=RunRecorder(world) if world.has_level_file else None))
        if level_end(world.level) == LevelEnd.NONE:
            return
        self.run = TrialRun(world)
        self.record = progress.level_record(world.level, world.start.name)
        self.medal_limits = medals.medal_limits(world.level, world.start.name)
        self._load_ghost()
        if world.tick != 0:
            self.void_reason = NOT_FROM_SPAWN_REASON

    def _load_ghost(self) -> None:
        """Load the ghost of the best run, or of the bot in a course of the day, unless it is loaded already."""
        assert self._world is not None
        best = self.record.best
        if best is None:
            path = daily_files.ghost_file(self._world.level.path)
        else:
            path = progress.runs_folder() / best.run if best.run else None
        if ("" if path is None else path.name) != self.ghost.run_file:
            self.ghost = GhostReplay(path)

    def _finish(self, run: TrialRun) -> None:
        assert self._world is not None
        level = self._world.level
        recorder = self.recorder
        track = self.ghost.track
        best_path = None if track is None else track.path
        result = self.result = RunResult(
            run, self.record, self._path, best_path, self._split_positions, rejection_reason=self.void_reason
        )
        if recorder is None or self.run_verifier is None or self.void_reason == TOO_LONG_REASON:
            return
        data = self._finished_data = recorder.file_bytes(run_library.end_remark(self.void_reason))
        result.file = run_verifier.run_file_name(level)
        entry = run_library.own_entry(
            level, self._world.start.name, result.file, run.seconds, result.strokes, self.void_reason
        )
        problem = run_library.add_entry(entry) or run_verifier.write_run(result.file, data)
        if problem:
            self.pending_messages.append(problem)
        self._result_delay = RESULT_DELAY
        result.start_map_drawing()
        if self.void_reason:
            run_library.remove_old_runs()
        else:
            self.run_verifier.submit(result.file, data)

    def receive_verdicts(self) -> None:
        for verdict in [] if self.run_verifier is None else self.run_verifier.take_verdicts():
            if verdict.problem:
                self.pending_messages.append(verdict.problem)
            if self.result is not None and self.result.file == verdict.file:
                self.result.verdict = verdict
            if verdict.is_friend and verdict.track is not None:
                self._take_rival(verdict)

    def _take_rival(self, verdict: RunVerdict) -> None:
        """Show the ghost of a friend's run that has been verified, or that this machine does not repeat."""
        entry = run_library.read_library().get(verdict.file)
        if entry is None:
            return
        ghost = GhostReplay(track=verdict.track, colour=RIVAL_COLOUR)
        name = f"{entry.name} (unverified)" if verdict.reason else entry.name
        self.rival = Rival(entry.file, name, entry.level_hash, entry.spawn, ghost)
        self.pace.reset()
        state = f"Unverified: {verdict.reason}" if verdict.reason else "Run verified"
        self._feedback.show_message(f"Ghost: {entry.name}", state)
