"""Base class of the modes that show any tick of what was played: rewind (`rewind.py`) and replays (`replay.py`)."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ...sim import ReplayError
from ...sim.replay.tick_report import describe_tick
from ..cameras.replay_cameras import ReplayCameras
from ..input.actions import Action, TimeLineAction
from ..runs.time_line import TimeLine
from ..visuals import tick_anatomy
from ..visuals.tick_anatomy import TickAnatomy
from ..visuals.timelines import Columns, Marks
from .mode import Mode

if TYPE_CHECKING:
    from ...render import Hud, Snapshot
    from ...render.overlay_layers import OverlayPoints
    from ...render.snapshot import EllipsoidInstance
    from ..cameras.camera import CameraFrame
    from ..game import Game

STEPS: Mapping[Action, int] = {TimeLineAction.STEP_BACK: -1, TimeLineAction.STEP_FORWARD: 1}
REPEAT_DELAY = 0.35  # s until a held step repeats
REPEAT_RATE = 20.0  # steps per second then
LARGE_STEP = 10  # ticks, with Shift
MAX_SMOOTH_TICKS = 20  # that the position moves in a frame; more is a jump
PAGE_SECONDS = 10.0


class TimeLineMode(Mode):
    """Shows a position of a time line.

    time_line    None while it is loaded
    is_playing   whether the position moves by itself, forwards or back
    plays_on     whether it still does after `go_to`
    """

    shows_run_clock = False
    plays_on = False
    max_simulation = 0.012  # s a frame for ticks that are simulated on the way to the one that is wanted

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._reset()

    def _reset(self) -> None:
        self.time_line: TimeLine | None = None
        self.is_playing = True
        self.cameras = ReplayCameras()
        self._columns: Columns = ()
        self._marks: Marks = ()
        self._step: Action | None = None  # whose key is held
        self._held_seconds = 0.0  # for which the key that steps or runs back has been held
        self._anatomy: tuple[int, TickAnatomy] | None = None
        self._trail: tuple[int, OverlayPoints] | None = None
        self._camera_placed = False

    def leave(self) -> None:
        self.game.input.view.skip_pointer_jump()
        self._reset()

    def _give_up(self, reason: str) -> None:
        """Go back, with a sentence."""
        what = "This run" if self.time_line is None else "The rest of this run"
        self.game.pop_mode()
        self.game.feedback.show_message(f"{what} cannot be shown", reason, 8.0)

    def focus_lost(self, reason: str = "") -> None:
        """Release all keys."""
        self._step = None

    # State

    @property
    def _shown(self) -> TimeLine:
        """The time line, once it is loaded."""
        assert self.time_line is not None
        return self.time_line

    @property
    def is_finished(self) -> bool:
        """Whether no tick is left."""
        return self.time_line is not None and self.time_line.position >= self.time_line.end

    @property
    def plays(self) -> bool:
        """Whether the position moves by itself in this frame."""
        return self.is_playing

    @property
    def is_moving(self) -> bool:  # type: ignore[override]
        """Whether time passes in the picture."""
        repeats = self._step is not None and self._held_seconds > REPEAT_DELAY
        return self.time_line is not None and (repeats or self.plays)

    # Keys

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        shown = self.time_line
        if shown is None:
            return {TimeLineAction.BACK: self.game.resume}
        page = round(PAGE_SECONDS / shown.session.tick_seconds)
        return {
            TimeLineAction.BACK: self.game.resume,
            TimeLineAction.STEP_BACK: lambda: self._press_step(TimeLineAction.STEP_BACK),
            TimeLineAction.STEP_FORWARD: lambda: self._press_step(TimeLineAction.STEP_FORWARD),
            TimeLineAction.PAGE_BACK: lambda: self.step(-page),
            TimeLineAction.PAGE_FORWARD: lambda: self.step(page),
            TimeLineAction.GO_TO_START: self.go_to_start,
            TimeLineAction.GO_TO_END: lambda: self.go_to(shown.end),
        }

    def end_action(self, action: Action) -> None:
        if action is self._step:
            self._step = None

    def _press_step(self, action: Action) -> None:
        """A step, which repeats while the key is held, unless the time line plays on after it."""
        self.step(STEPS[action] * self._step_ticks)
        if not self.plays:
            self._step, self._held_seconds = action, 0.0

    @property
    def _step_ticks(self) -> int:
        return LARGE_STEP if TimeLineAction.LARGE_STEP in self.active_actions else 1

    def mouse_moved(self, dx: float, dy: float) -> None:
        """Turn the outside camera."""
        settings = self.game.settings
        self.cameras.orbit.rotate_by_mouse(-dx if settings.invert_x else dx, -dy if settings.invert_y else dy)

    def scrolled(self, by: float) -> None:
        self.cameras.orbit.zoom(by)

    # Time

    def go_to(self, position: float) -> None:
        """Go to a position (ticks). Where `plays_on`, a time line that plays goes on from there, unless it is the
        end."""
        self._shown.move_to(position)
        self.is_playing = self.is_playing and self.plays_on and not self.is_finished
        self._show()

    def go_to_start(self) -> None:
        """Go to the start."""
        self.go_to(self._shown.start)

    def step(self, ticks: int) -> None:
        """Step by whole ticks, backwards where negative."""
        at = self._shown.position
        self.go_to((math.floor(at) if ticks > 0 else math.ceil(at)) + ticks)

    def update(self, now: float, seconds: float) -> None:
        """Move the position: by a step that repeats, by itself, or to the end of its tick."""
        shown = self._shown
        self._held_seconds += seconds
        if self._step is not None:
            if self._held_seconds > REPEAT_DELAY:
                shown.move_to(shown.position + STEPS[self._step] * self._step_ticks * REPEAT_RATE * seconds)
        elif self.plays:
            if not shown.waits:
                self._play(seconds)
        elif shown.position != math.ceil(shown.position):
            shown.move_to(math.ceil(shown.position))
            self.game.cameras.first_person.snap(shown.session.pose())
        if self.time_line is not None:  # else `_play` has given up
            self._show()

    def _play(self, seconds: float) -> None:
        """Move the position by itself, for a frame of `seconds`."""
        raise NotImplementedError

    def _show(self, plays: bool = False) -> None:
        """Bring world and cameras to the position, or a part of the way where many ticks must be simulated; go back
        where it cannot be shown. plays: a replay plays on to the next tick."""
        shown = self._shown
        before, until = shown.shown, time.perf_counter() + self.max_simulation
        try:
            shown.show(None if plays else lambda: time.perf_counter() < until)
        except ReplayError as error:
            self._give_up(str(error))
            return
        if shown.shown is not None and shown.shown is not before and not plays:
            flags = shown.session.world.reached_targets
            self.game.feedback.target_fade.update(flags, 0.0, jump=True)
            if before is None or not self.is_moving or abs(shown.shown.number - before.number) > MAX_SMOOTH_TICKS:
                self._skip_smoothing()

    def _skip_smoothing(self) -> None:
        """Another moment is shown."""
        game, session = self.game, self._shown.session
        game.cameras.first_person.snap(session.pose())
        self.cameras.snap()
        game.feedback.sound_events = None
        game.feedback.target_fade.update(session.world.reached_targets, 0.0, jump=True)

    def anatomy(self) -> TickAnatomy:
        """Anatomy of the tick that is shown; computed once per tick."""
        shown, history = self._shown.shown, self._shown.history
        assert shown is not None
        if self._anatomy is None or self._anatomy[0] != shown.number:
            if history.world.trace is None:
                history.seek(shown.number)
            report = describe_tick(history.world, shown.before, history.command(shown.number), shown.events)
            self._anatomy = shown.number, TickAnatomy(report, self.game.settings.palette)
        return self._anatomy[1]

    def _trail_dots(self) -> OverlayPoints:
        """Trail of the feet around the position; computed once per half tick."""
        shown = self._shown
        half_tick = round(2.0 * shown.position)
        if self._trail is None or self._trail[0] != half_tick:
            self._trail = half_tick, tick_anatomy.trail_dots(shown.history, shown.position)
        return self._trail[1]

    def place_camera(self) -> None:
        """Move the outside camera to the best view of the tick that is shown."""
        session, report = self.game.played_session, self.anatomy().report
        normals = [surface.normal for surface in report.surfaces if surface.kind != "walkable"]
        self.cameras.orbit.choose_viewpoint(session.world, session.pose(), session.movers(), report.wished, normals)
        self._camera_placed = True

    # Frame

    def view_direction(self) -> tuple[float, float]:
        """Recorded view, interpolated as the body is."""
        shown = self.time_line
        if shown is None or shown.shown is None:
            return super().view_direction()
        return shown.history.view(shown.position if not shown.waits else shown.shown.number + 1.0)

    def _explains(self, is_still: bool) -> bool:
        """Whether the outside camera shows the tick with the body and its trail."""
        return True

    def _ghosts(self, shot: Snapshot) -> tuple[EllipsoidInstance, ...]:
        """Bodies beside that of the time line."""
        return ()

    def _fill_hud(self, hud: Hud) -> Hud:
        """The HUD with the time line and its keys."""
        raise NotImplementedError

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        game, shown = self.game, self._shown
        is_still = not self.is_moving and not shown.waits
        explains = self._explains(is_still)
        if explains and is_still and not self._camera_placed:
            self.place_camera()
        shot = self.cameras.apply_to_frame(shot, frame, shown.tick, explains)
        shot = replace(shot, ellipsoids=(*shot.ellipsoids, *self._ghosts(shot)))
        if shot.hud.panel is not None:  # the help page, or the menu of the viewer
            return replace(shot, hud=replace(shot.hud, hint=""))
        shot = replace(shot, hud=self._fill_hud(replace(shot.hud, crosshair=False, hint="", cards=())))
        if explains and self.cameras.shows_orbit:
            shot = tick_anatomy.show_body(shot, shown.session.pose(), self._trail_dots())
        if is_still and game.screen.debug:
            shot = self.anatomy().apply_to_frame(shot, game.world, frame.aspect)
        return shot
