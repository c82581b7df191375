"""Guide: title card, goal markers and hints of the level that is played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..settings.mode_names import PLAYING
from . import title_card
from .goal_marker import project_objective
from .hints import HintGuide, is_walking
from .objectives import ObjectiveFinder
from .title_card import CardTimer

if TYPE_CHECKING:
    from ...render import Snapshot
    from ...render.guidance_content import ScreenMarker, TitleCard
    from ...sim import Session
    from ...sim.events import Event
    from ..runs.played_game import PlayedGame

HINT_SECONDS = 0.045  # s between two updates of the hints: every third frame at 60 fps
MARKER_SECONDS = 7.0  # s that the markers are shown after the key where they are turned off


class Guide:
    """Guidance of one game. It reads the game's state and changes nothing but the picture."""

    def __init__(self, context: PlayedGame) -> None:
        self.context = context
        self.hints = HintGuide()
        self.card_timer = CardTimer()
        self.objectives = ObjectiveFinder()
        self._session: Session | None = None
        self._card: TitleCard | None = None
        self._markers_left = 0.0  # s
        self._hint_seconds = 0.0  # s since the hints were updated

    @property
    def is_active(self) -> bool:
        """Whether a player plays: not in the replay viewer."""
        return self.context.runs.time_trial.enabled and self.context.session is not None

    def show_aim(self) -> None:
        """Show the card with the present progress, and the markers; a second time hides the card."""
        if not self.is_active:
            return
        self.hints.mark_used("aim")
        if self.card_timer.is_up:
            self.card_timer.end()
            self._markers_left = 0.0
            return
        self._card = title_card.describe_level(self.context.world)
        self.card_timer.begin(title_card.CALLED_SECONDS, title_card.CALLED_SECONDS)
        self._markers_left = MARKER_SECONDS

    def on_event(self, event: Event) -> None:
        """An event of a tick."""
        if self.is_active:
            self.hints.on_event(event)

    def update(self, seconds: float) -> None:
        """Advance by a frame of play of `seconds`."""
        context, session = self.context, self.context.session
        if session is None or not self.is_active:
            return
        if session is not self._session:
            self._session = session
            self.objectives = ObjectiveFinder()
            self.hints.begin_level()
            self._card = title_card.describe_level(session.world)
            self.card_timer.begin()
            self._hint_seconds = HINT_SECONDS
        self.card_timer.update(seconds, is_walking(context.input.held))
        self._markers_left -= seconds
        self._hint_seconds += seconds
        if self._hint_seconds >= HINT_SECONDS:
            self.hints.update(context, self._hint_seconds)
            self._hint_seconds = 0.0
        problem = self.hints.memory.problem
        if problem and context.feedback.message is None:
            context.feedback.show_message("Your hints", self.hints.memory.take_problem(), 8.0)

    @property
    def hint_text(self) -> str:
        """The hint of this frame; empty where none is needed."""
        return self.hints.text(self.context) if self.is_active else ""

    def apply_to_frame(self, shot: Snapshot, mode: str, aspect: float) -> Snapshot:
        """The finished snapshot of a frame with the card and the markers, over play only."""
        context = self.context
        if mode != PLAYING or not self.is_active or shot.hud.panel is not None or self._session is not context.session:
            return shot
        opacity = self.card_timer.opacity(not context.settings.reduce_motion)
        card = None if self._card is None or opacity <= 0.0 else replace(self._card, opacity=opacity)
        markers: tuple[ScreenMarker, ...] = ()
        if context.settings.goal_marker or self._markers_left > 0.0:
            found = (project_objective(one, shot.view, aspect) for one in self.objectives.find(context.world))
            markers = tuple(marker for marker in found if marker is not None)
        if card is None and not markers:
            return shot
        return replace(shot, hud=replace(shot.hud, title_card=card, markers=markers))
