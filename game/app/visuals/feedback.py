"""Feedback to the player: the message in the middle of the picture, sounds, and markers that fade."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..audio.captions import Captions
from ..audio.sound_events import SoundEvents
from ..audio.sounds import SoundCue
from .golf_visuals import GolfHud
from .outlines import Outlines
from .puffs import Puffs

if TYPE_CHECKING:
    from ...physics import Command
    from ...sim import Event, Respawned, Session

DEFAULT_SECONDS = 4.0  # s that a message is shown
OFFER_SECONDS = 10.0  # s that a message is shown that offers a key
MAX_SOUND_STEP = 0.05  # s, longest time step of the sounds in one frame
TARGET_FADE_SECONDS = 1.1  # s that the mark of a reached target takes to fade


@dataclass(slots=True)
class ScreenMessage:
    """Two lines of text, shown until the clock passes `until` (s)."""

    text: str
    detail: str
    until: float


class TargetFade:
    """Fade of the mark of each target: 0 not reached, 1 faded."""

    def __init__(self) -> None:
        self.fractions: tuple[float, ...] = ()

    def update(self, reached: Iterable[int], seconds: float, jump: bool = False) -> tuple[float, ...]:
        """The fades `seconds` later; `jump`, or another number of targets, sets all to their end."""
        wanted = tuple(float(flag) for flag in reached)
        if jump or len(wanted) != len(self.fractions):
            self.fractions = wanted
        step = seconds / TARGET_FADE_SECONDS
        self.fractions = tuple(
            min(fade + step, 1.0) if flag else 0.0 for fade, flag in zip(self.fractions, wanted, strict=True)
        )
        return self.fractions


class Feedback:
    """Message and sounds of the present frame.

    message        shown in the middle of the picture
    sound_cues     sounds of the world that this frame starts
    sound_events   sounds of the world that is played; None until the first tick
    """

    def __init__(self) -> None:
        self.message: ScreenMessage | None = None
        self.sound_events: SoundEvents | None = None
        self.sound_cues: list[SoundCue] = []
        self._menu_cues: list[SoundCue] = []
        self.target_fade = TargetFade()
        self.golf_hud = GolfHud()
        self.outlines = Outlines()
        self.captions = Captions()
        self.puffs = Puffs()
        self._now = 0.0

    def show_message(self, text: str, detail: str = "", seconds: float = DEFAULT_SECONDS) -> None:
        """Show a message for some seconds from the next frame on."""
        self.message = ScreenMessage(text, detail, self._now + seconds)

    def forget_moment(self, message: ScreenMessage | None) -> None:
        """Another moment is shown: remove its sounds, and its message if that is still shown."""
        self.sound_events = None
        if self.message is message:
            self.message = None

    def click(self, name: str) -> None:
        """Let a sound of the menus be heard with the next frame: `move`, `choose` or `back`."""
        self._menu_cues = [SoundCue(f"menu_{name}", 0.5)]

    def take_clicks(self) -> list[SoundCue]:
        """The sound of the menus since the last frame, at most one."""
        found, self._menu_cues = self._menu_cues, []
        return found

    def begin_frame(self, now: float) -> None:
        """Take the clock's reading `now` (s)."""
        self._now = now

    def remove_expired_message(self) -> None:
        """Remove the message when its time is over."""
        if self.message is not None and self._now > self.message.until:
            self.message = None

    def sounds_of(self, session: Session) -> SoundEvents:
        """The sound events of a session's world, new ones where another world was played before."""
        if self not in session.observers:
            session.observers.append(self)
        if self.sound_events is None or self.sound_events.world is not session.world:
            self.sound_events = SoundEvents(session.world)
        return self.sound_events

    # Observer of the session whose sounds are heard

    def stepped(self, command: Command, events: tuple[Event, ...]) -> None:
        """A tick is done: its sounds begin in the next frame."""
        if self.sound_events is not None:
            self.sound_events.after_tick()

    def restarted(self) -> None:
        """Nothing to do: the screen says it."""

    def returned(self, event: Respawned) -> None:
        """Nothing to do: the mode shows the event."""
