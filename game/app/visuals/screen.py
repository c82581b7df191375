"""Screen: what the game and its window tell each other, and what the user has chosen about the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...render.materials.picture_textures import PictureFigures

FADE_SECONDS = 0.3  # s from a bright to a dark picture, and back
MAX_FADE_STEP = 0.05  # s, longest time step of a fade in one frame
LOAD_SECONDS = 4.0  # s that a large level takes to load
MAX_LOADING_FRACTION = 0.99  # of a bar whose work is not done yet
GRID_SIZES = (1.0, 0.5, 0.25, 0.1)  # m, of the editor


@dataclass(frozen=True, slots=True)
class EditorChoices:
    """Choices in the editor: step of the grid (m), snapping, and the names of the geometry views that are shown."""

    grid: float = GRID_SIZES[1]
    is_snapping: bool = True
    views: frozenset[str] = frozenset()


class Screen:
    """The picture and the window, as the game sees them.

    quality                    of the renderer
    requests                   for the window: "quit", "fullscreen", "screenshot", "clipboard" (of `clipboard`)
    debug                      whether the debug view is on (F3)
    picture_figures            the level's pictures and their video memory; None before the first frame
    progress, progress_label   of the compilation
    is_compiling               whether kernels run in Python, while they are compiled
    editor_choices             stay from level to level
    """

    def __init__(self, quality: str) -> None:
        self.quality = quality
        self.requests: list[str] = []
        self.clipboard = ""
        self.debug = False
        self.fade = ScreenFade()
        self.picture_figures: PictureFigures | None = None
        self.progress = 0.0
        self.progress_label = ""
        self.is_compiling = False
        self.editor_choices = EditorChoices()

    def copy(self, text: str) -> None:
        """Let the window copy a text to the clipboard."""
        self.clipboard = text
        self.requests.append("clipboard")


class LoadingBar:
    """Bar that moves in every frame, ever slower, and is full only when the work is done.

    fraction   0 to 1
    """

    def __init__(self, seconds: float) -> None:
        """seconds: that the work is expected to take."""
        self.fraction = 0.0
        self._seconds = seconds

    def update(self, seconds: float, done: float = 0.0) -> float:
        """The fraction after a frame of `seconds`. done: the fraction that is known to be done."""
        self.fraction = 1.0 - 1.0 / (1.0 / (1.0 - self.fraction) + 0.5 * seconds / self._seconds)
        self.fraction = max(self.fraction, min(done, MAX_LOADING_FRACTION))
        return self.fraction


class ScreenFade:
    """Fade of the whole picture to black on the way to another level.

    opacity       0 to 1
    waiting_for   line about what takes long to load, or nothing
    bar           of that load
    picture       image file of it, as visible as the fade is dark
    is_off        no fades: the picture changes at once
    """

    def __init__(self) -> None:
        self.is_off = False
        self.opacity = 0.0
        self.waiting_for = ""
        self.bar = LoadingBar(LOAD_SECONDS)
        self.picture = ""

    def darken_for(self, seconds: float, picture: str = "") -> None:
        """Set the opacity after `seconds` of fading out, and the picture that is seen instead."""
        self.picture = picture
        self.opacity = 0.0 if self.is_off else min(1.0, seconds / FADE_SECONDS)

    def brighten(self, seconds: float) -> None:
        """Fade in for a frame of `seconds`. Nothing is waited for, unless the mode says so again in this frame."""
        step = 1.0 if self.is_off else min(seconds, MAX_FADE_STEP) / FADE_SECONDS
        self.opacity = max(0.0, self.opacity - step)
        self.picture = self.picture if self.opacity > 0.0 else ""
        self.waiting_for = ""
