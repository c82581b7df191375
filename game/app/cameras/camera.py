"""Common interface of the cameras: each takes the snapshot of a frame and returns it with its own view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ...render import Snapshot
    from ...sim import Session
    from ..audio.sound_events import SoundEvents
    from ..settings.settings_file import Settings


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """Input of a camera for one frame.

    seconds   time since the previous frame (s); 0 while the world stands still
    aspect    width of the picture over its height
    sounds    footsteps that the head bob keeps in step with, None without sound
    """

    session: Session
    settings: Settings
    seconds: float
    aspect: float
    sounds: SoundEvents | None = None


class ViewCamera(Protocol):
    """A camera that places the view of a frame."""

    def apply_to_frame(self, shot: Snapshot, frame: CameraFrame) -> Snapshot:
        """The snapshot seen by this camera. `shot.view` is the view of the camera before it, or of the input."""
        ...
