"""The time trial in play: the clock, the splits, the ghost beside, and what is said at the end.

It follows the game's session by itself: a world that is played from its spawn begins a run; one that was changed under
way, or left by other means than walking, makes it void until the level is begun again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.time_format import clock, difference, strokes_in_words
from ...render import Snapshot
from ...sim.replay.recorder import Recorder
from ...sim.trial import NOTHING, Run, Split, ends_with
from ...sim.world import NEVER
from . import progress, run_verifier
from .ghost import Ghost, Pace
from .progress import Record
from .run_results import Result
from .run_verifier import Judge

if TYPE_CHECKING:
    from ...physics import Command
    from ...sim import Session, World
    from ...sim.events import Event
    from ..game import Game

SPLIT_SECONDS = 3.5  # that a split is shown
RESULT_AFTER = 1.2  # s of play from the goal to the result: one sees oneself arrive
MOST_BYTES = 64 << 20  # of a run that is kept
MOST_SECONDS = 3600.0
TOO_LONG = "too long to be kept"
CHANGED = "the level was changed"
NOT_FROM_THE_START = "not begun at the spawn"


class Trial:
    """Belongs to one game. `run` is None where the level has no end, or before it is played.

    voided    why the run does not count, in a few words; empty where it does
    record    what was done here before
    result    the run that has come to its end, until the next begins
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.on = True  # off for what nobody plays, such as a replay that is watched
        self.session: Session | None = None
        self.run: Run | None = None
        self.record = Record()
        self.voided = ""
        self.said: list[str] = []  # sentences for the player that have not been told
        self.result: Result | None = None
        self.judge: Judge | None = None
        self.ghost = Ghost()
        self.pace = Pace()
        self._world: World | None = None
        self._recorder: Recorder | None = None
        self._data = bytearray()
        self._path: list[tuple[float, float, float]] = []
        self._marks: list[tuple[float, float, float]] = []  # where the splits were
        self._split: tuple[Split, float] | None = None  # the last one, and the clock until which it is shown
        self._left = 0.0  # s until the result is shown

    # What others call

    def void(self, why: str) -> None:
        """The run does not count any more, until the level is begun again. why: "flown", a few words."""
        if self.run is not None and not self.run.done and not self.voided:
            self.voided, self._recorder = why, None
            self._data.clear()

    def follow(self, seconds: float) -> bool:
        """Once a frame in which is played, ahead of its ticks; False where the result is shown instead. seconds: since
        the last frame."""
        session = self.game.session
        if session is None or not self.on:
            return True
        if session is not self.session:
            self._enter(session)
        elif session.world is not self._world:
            self._world = session.world
            self.void(CHANGED)
        if self.result is not None and self._left > 0.0:
            self._left -= seconds
            if self._left <= 0.0:
                self.game.show_result(self.result)
                return False
        if self.said and self.game.message is None:
            self.game.say("Your progress", self.said.pop(0), 8.0)
        return True

    # As a watcher of the session

    def stepped(self, command: Command, events: tuple[Event, ...]) -> None:
        """A tick was made."""
        run, session = self.run, self.session
        if run is None or session is None or session.world is not self._world or run.done:
            return
        fresh = run.stepped(command, events)
        feet = session.world.walker_state.feet
        if run.seconds > 0.0:
            self._path.append(feet)
        if fresh:
            self._marks.append(feet)
            self._split = fresh[-1], run.seconds + SPLIT_SECONDS
        if self._recorder is not None:
            self._recorder.stepped(command)
            if len(self._data) > MOST_BYTES or run.ticks * session.tick_seconds > MOST_SECONDS:
                self.void(TOO_LONG)
        if run.ended != NEVER:
            self._finish(run)

    def restarted(self) -> None:
        """The level was begun again."""
        if self.session is not None:
            self._begin(self.session.world)

    # What a frame shows

    def said_at_the_goal(self, seconds: float) -> tuple[str, str]:
        """Two lines for who comes to the goal, `seconds` after the spawn."""
        run, again = self.run, f"{self.game.held.told('restart')} starts again"
        if run is None:
            return "You made it", f"{clock(seconds)}   ·   {again}"
        if self.voided:
            return "You made it", f"{clock(run.seconds)}   ·   does not count: {self.voided}   ·   {again}"
        return "You made it", clock(run.seconds)

    def tells(self, name: str) -> bool:
        """Whether the split at this checkpoint stands below the clock."""
        fresh = self._split is not None and self._split[0].name == name
        return fresh and self.game.settings.trial_clock and not self.voided

    def over(self, shot: Snapshot) -> Snapshot:
        """The picture with the clock and the ghost."""
        run, session = self.run, self.session
        if run is None or session is None or session is not self.game.session or self.game.menus.title is not None:
            return shot
        self.hear()
        settings = self.game.settings
        if settings.trial_clock and shot.hud.panel is None:
            time, below = self._lines(run)
            shot = replace(shot, hud=replace(shot.hud, timer=time, timer_below=below))
        if settings.ghost and run.began != NEVER:
            seconds = max(0.0, run.seconds if run.done else run.seconds - (1.0 - session.alpha) * session.tick_seconds)
            shot = replace(shot, ellipsoids=(*shot.ellipsoids, *self.ghost.look(self._beyond(seconds), shot.view.eye)))
        return shot

    def _beyond(self, seconds: float) -> float:
        """The ghost's clock: it walks on when the run is done."""
        assert self.run is not None
        assert self.session is not None
        if self.run.done:
            seconds += (self.session.world.tick - self.run.ended) * self.session.tick_seconds
        return seconds

    def _lines(self, run: Run) -> tuple[str, str]:
        """The clock, and what stands below it."""
        best = self.record.best
        if self.voided:
            return clock(run.seconds), f"does not count: {self.voided}"
        if run.began == NEVER:
            if best is None:
                return clock(0.0), ""
            score = "" if best.strokes is None else f"{strokes_in_words(best.strokes)}, "
            return clock(0.0), f"best {score}{clock(best.seconds)}"
        if run.done:
            return clock(run.seconds), ""
        if self._split is not None and run.seconds < self._split[1]:
            split = self._split[0]
            known = {} if best is None else dict(best.splits)
            told = f"   {difference(split.seconds - known[split.name])}" if split.name in known else ""
            return clock(run.seconds), f"{split.name}   {clock(split.seconds)}{told}"
        assert self.session is not None
        behind = self.pace.follow(self.ghost.track, self.session.world.walker_state.position, run.seconds)
        return clock(run.seconds), "" if behind is None else difference(behind)

    # A run from its beginning to its end

    def _enter(self, session: Session) -> None:
        """Another world is played."""
        if self.session is not None and self in self.session.watchers:
            self.session.watchers.remove(self)
        self.session, world = session, session.world
        session.watchers.append(self)
        self._begin(world)

    def _begin(self, world: World) -> None:
        self._world = world
        if self.judge is None or self.judge.level is not world.level or self.judge.spawn != world.start.name:
            problem = progress.visited(world.level, world.start.name)
            self.said = [*progress.notes(), *filter(None, [problem])]
            self.judge = Judge(world.level, world.start.name)
            if ends_with(world.level) != NOTHING:
                self.judge.catch_up()
        self.voided, self.result, self._split = "", None, None
        self.pace.clear()
        self._data.clear()
        self._path, self._marks = [], []
        self._recorder = self.run = None
        if ends_with(world.level) == NOTHING:
            return
        self.run = Run(world)
        self.record = progress.record(world.level, world.start.name)
        self._haunt()
        if world.tick == 0:
            self._recorder = Recorder(world, self._data.extend)
        else:
            self.voided = NOT_FROM_THE_START

    def _haunt(self) -> None:
        """The ghost of the best run, where it is not there already."""
        best = self.record.best
        name = "" if best is None else best.run
        if name != self.ghost.name:
            self.ghost = Ghost(progress.runs_folder() / name if name else None)

    def _finish(self, run: Run) -> None:
        assert self._world is not None
        level, recorder, known = self._world.level, self._recorder, self.ghost.track
        best = None if known is None else known.path
        result = self.result = Result(run, self.record, self._path, best, self._marks, why=self.voided)
        if recorder is None or self.judge is None:
            return
        recorder.close("the end of the level")
        data = bytes(self._data)
        self._data.clear()
        self._recorder, self._left = None, RESULT_AFTER
        result.file = run_verifier.file_name(level)
        problem = run_verifier.keep(result.file, data)
        if problem:
            self.said.append(problem)
        result.draw()
        self.judge.hand_in(result.file, data)

    def hear(self) -> None:
        """Take in what the judge has found."""
        for verdict in [] if self.judge is None else self.judge.answers():
            if verdict.problem:
                self.said.append(verdict.problem)
            if self.result is not None and self.result.file == verdict.file:
                self.result.verdict = verdict
