"""Feedback to the player: the message in the middle of the picture, sounds, and markers that fade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..audio.captions import Captions
from ..audio.sound_events import SoundEvents
from ..display.objective_messages import TargetFade
from ..visuals.golf_visuals import GolfHud
from ..visuals.outlines import Outlines

if TYPE_CHECKING:
    from ...sim import World
    from ..audio.sound_cue import SoundCue

DEFAULT_SECONDS = 4.0  # s that a message is shown
MAX_SOUND_STEP = 0.05  # s, longest time step of the sounds in one frame
FADE_SECONDS = 0.3  # s from a bright to a dark picture, and back
MAX_FADE_STEP = 0.05  # s, longest time step of a fade in one frame


@dataclass(slots=True)
class ScreenMessage:
    """Two lines of text, shown until the clock passes `until` (s)."""

    text: str
    detail: str
    until: float


class Feedback:
    """Message and sounds of the present frame.

    message        shown in the middle of the picture
    sound_cues     sounds that this frame starts
    sound_events   sounds of the world that is played; None until the first tick
    """

    def __init__(self) -> None:
        self.message: ScreenMessage | None = None
        self.sound_events: SoundEvents | None = None
        self.sound_cues: list[SoundCue] = []
        self.target_fade = TargetFade()
        self.golf_hud = GolfHud()
        self.outlines, self.captions = Outlines(), Captions()
        self._now = 0.0

    def show_message(self, text: str, detail: str = "", seconds: float = DEFAULT_SECONDS) -> None:
        """Show a message for some seconds from the next frame on."""
        self.message = ScreenMessage(text, detail, self._now + seconds)

    def forget_moment(self, message: ScreenMessage | None) -> None:
        """Another moment is shown: remove its sounds, and its message if that is still shown."""
        self.sound_events = None
        if self.message is message:
            self.message = None

    def begin_frame(self, now: float) -> None:
        """Take the clock's reading `now` (s)."""
        self._now = now

    def remove_expired_message(self) -> None:
        """Remove the message when its time is over."""
        if self.message is not None and self._now > self.message.until:
            self.message = None

    def sounds_of(self, world: World) -> SoundEvents:
        """The sound events of a world, new ones where another world was played before."""
        if self.sound_events is None or self.sound_events.world is not world:
            self.sound_events = SoundEvents(world)
        return self.sound_events


class ScreenFade:
    """Fade of the whole picture to black on the way to another level.

    opacity       0 to 1
    waiting_for   line about what takes long to load, or nothing
    is_off        no fades: the picture changes at once
    """

    def __init__(self) -> None:
        self.is_off = False
        self.opacity, self.waiting_for = 0.0, ""

    def darken_for(self, seconds: float) -> None:
        """Set the opacity after `seconds` of fading out."""
        self.opacity = 0.0 if self.is_off else min(1.0, seconds / FADE_SECONDS)

    def brighten(self, seconds: float) -> None:
        """Fade in for a frame of `seconds`."""
        step = 1.0 if self.is_off else min(seconds, MAX_FADE_STEP) / FADE_SECONDS
        self.opacity = max(0.0, self.opacity - step)
