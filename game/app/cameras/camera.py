"""Input of the cameras. Each has `apply_to_frame`, which takes the snapshot of a frame and returns it with its view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .hero import REST, HeroPose

if TYPE_CHECKING:
    from ...sim import Session
    from ..audio.sound_events import SoundEvents
    from ..settings.settings_file import Settings


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """Input of a camera for one frame.

    seconds   time since the previous frame (s); 0 while the world stands still
    aspect    width of the picture over its height
    sounds    footsteps that the head bob keeps in step with, None without sound
    hero      pose of the player's figure
    """

    session: Session
    settings: Settings
    seconds: float
    aspect: float
    sounds: SoundEvents | None = None
    hero: HeroPose = REST
