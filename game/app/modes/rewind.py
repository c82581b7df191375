"""Rewind mode: the session that is played runs back, and play goes on from the tick that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..cameras.replay_cameras import OUTSIDE
from ..input.actions import (
    GLOBAL_ACTIONS,
    MOVEMENT_ACTIONS,
    REWIND_ACTIONS,
    Action,
    PlayAction,
    RewindAction,
    TimeLineAction,
)
from ..runs.time_line import session_time_line
from ..settings.mode_names import REWIND
from ..visuals import timelines
from .time_line import TimeLineMode

if TYPE_CHECKING:
    from ...render import Hud

START_SPEED, MAX_SPEED = 1.0, 4.0  # of running back, multiples of real time
SPEED_GAIN = 1.5  # multiples of real time per second of holding
# After these seconds of holding the speed doubles every second, up to the factor, so that an hour takes half a minute.
FAST_AFTER_SECONDS = 4.0
MAX_FAST_FACTOR = 64.0


class RewindMode(TimeLineMode):
    """Rewind of the session that is played, which goes on from the tick that is chosen."""

    name = REWIND
    contexts = (
        (PlayAction.REWIND, TimeLineAction.NEXT_CAMERA, TimeLineAction.BACK),
        REWIND_ACTIONS,
        (*MOVEMENT_ACTIONS, PlayAction.JUMP, *GLOBAL_ACTIONS),
    )

    def _reset(self) -> None:
        super()._reset()
        self._goes_on_at: int | None = None  # tick from which play goes on; None: the latest

    def enter(self, subject: Any = None) -> None:
        game = self.game
        game.stop_input()
        game.feedback.message = None
        game.cameras.free.is_active = False
        session = game.played_session
        self.time_line = loaded = session_time_line(session)
        history = loaded.history
        self._columns = timelines.speed_columns(history.columns(history.first, history.end), game.settings.palette)
        self._marks = timelines.event_marks(history)
        loaded.move_to(history.end - 1 + session.alpha)
        loaded.show()
        self.cameras.choose(OUTSIDE, session, blend=0.0)

    def leave(self) -> None:
        """Play goes on from the tick that was chosen; the later ones are dropped."""
        game, session = self.game, self.game.played_session
        history = self._shown.history
        at = history.end if self._goes_on_at is None else self._goes_on_at
        is_earlier = at < history.end
        self._shown.move_to(at)
        self._shown.show()
        game.input.view.yaw, game.input.view.pitch = history.view(at)
        history.cut(at)
        session.reset_interpolation()
        session.pause()
        game.cameras.first_person.snap(session.pose())
        game.feedback.target_fade.update(session.world.reached_targets, 0.0, jump=True)
        if is_earlier:
            game.runs.time_trial.rewound(at)
            if game.runs.lab is not None:
                game.runs.lab.reset_ghosts()
            game.feedback.sound_events = None
        super().leave()

    def play_from_here(self) -> None:
        """Play from the tick that is shown."""
        self._shown.show()
        self._goes_on_at = self._shown.tick + 1
        self.game.resume()

    def focus_lost(self, reason: str = "") -> None:
        """Release all keys: a rewind stands still."""
        super().focus_lost(reason)
        self.is_playing = False

    @property
    def _toggles(self) -> bool:
        """Whether the rewind key starts and stops instead of being held (setting `rewind_key`)."""
        return self.game.settings.rewind_key == "toggle"

    @property
    def captures_mouse(self) -> bool:
        return True

    def commands(self) -> Mapping[Action, Callable[[], None]]:
        return {
            **super().commands(),
            PlayAction.REWIND: self._press_rewind,
            RewindAction.PLAY_FROM_HERE: self.play_from_here,
            RewindAction.GO_TO_START: self.go_to_start,
            TimeLineAction.NEXT_CAMERA: self.cameras.orbit.toggle,
        }

    def hold_key(self, key: str) -> None:
        """A key that walks: play on with it."""
        self.play_from_here()
        self.game.input.held.press(key)

    def end_action(self, action: Action) -> None:
        super().end_action(action)
        if action is PlayAction.REWIND:
            self.is_playing = self.is_playing and self._toggles

    def _press_rewind(self) -> None:
        self.is_playing = not (self.is_playing and self._toggles)
        self._held_seconds = 0.0
        self._step = None

    def _play(self, seconds: float) -> None:
        """Move the position back for a frame of `seconds`."""
        shown = self._shown
        history = shown.history
        fast = 2.0 ** max(0.0, self._held_seconds - FAST_AFTER_SECONDS)
        speed = min(START_SPEED + SPEED_GAIN * self._held_seconds, MAX_SPEED) * min(fast, MAX_FAST_FACTOR)
        before = shown.position
        shown.move_to(before - speed * seconds / shown.session.tick_seconds)
        if not history.is_quick(shown.tick):
            keyframe = history.keyframe_before(shown.tick)
            if before - shown.position > shown.tick - keyframe:  # from keyframe to keyframe nothing is simulated
                shown.move_to(keyframe + 1.0)

    def _fill_hud(self, hud: Hud) -> Hud:
        shown, held = self._shown, self.game.input.held
        tick_seconds, is_earlier = shown.session.tick_seconds, shown.tick + 1 < shown.end
        timeline = timelines.rewind_timeline(shown.seconds, shown.duration, tick_seconds, self._columns, self._marks)
        costs_time = is_earlier and self.game.runs.time_trial.rewind_costs_time
        return replace(hud, timeline=timeline, key_strip=timelines.rewind_keys(held, self._toggles, costs_time))
