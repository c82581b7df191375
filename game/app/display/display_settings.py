"""What the settings of the display do to a window: full screen, waiting for the screen, and how often it draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..settings.settings_table import NO_FRAME_CAP

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

BASE_WINDOW_SIZE = (1280, 720)  # of a window on a screen of 1080 lines


class DisplaySettings:
    """Keeps one window as the player set it. Fills the screen that the window's middle is on, in that screen's own
    mode: the picture is the window's, without borders, and no other monitor changes.
    """

    def __init__(self, window: Any) -> None:
        self.window = window
        self._applied: Settings | None = None
        self._vsync = True
        self._next_frame_time = 0.0

    def update(self, settings: Settings) -> bool:
        """Bring the window to what is set; whether it was made anew, so that keys and mouse begin anew too."""
        if settings is self._applied:
            return False
        self._applied = settings
        if settings.vsync != self._vsync:
            self._vsync = settings.vsync
            self.window.set_vsync(settings.vsync)
        if settings.borderless == self.window.fullscreen:
            return False
        self.window.set_fullscreen(
            settings.borderless, screen=screen_of_window(self.window) if settings.borderless else None
        )
        return True

    def frame_wait(self, now: float, least: float, settings: Settings) -> float:
        """Seconds to wait until the next frame, of which each takes `least` seconds, or what the player's cap asks.

        A wait that was too long is made up for in the next one; a frame that was late is not.
        """
        if settings.frame_cap != NO_FRAME_CAP:
            least = max(least, 1.0 / int(settings.frame_cap))
        self._next_frame_time = max(self._next_frame_time + least, now)
        if self._next_frame_time > now + least:
            self._next_frame_time = now + least
        return self._next_frame_time - now


def default_window_size(width: int, height: int) -> tuple[int, int]:
    """The size of a window for a screen of that many pixels: the usual one, so many times as large as there are times
    1080 lines, or less where the screen is small."""
    times = max(1, height // 1080)
    return min(BASE_WINDOW_SIZE[0] * times, width), min(BASE_WINDOW_SIZE[1] * times, height)


def effective_quality(settings: Settings, at_start: Settings, fixed: str | None, automatic: str) -> str:
    """The quality to draw with: of the command line (`fixed`) until the menu changes it, of the settings, or what the
    machine is good for."""
    if fixed and settings.quality == at_start.quality:
        return fixed
    return settings.quality or automatic


def screen_of_window(window: Any) -> Any:
    """The screen with the window's middle on it."""
    x, y = window.get_location()
    x, y = x + window.width // 2, y + window.height // 2
    for screen in window.display.get_screens():
        if screen.x <= x < screen.x + screen.width and screen.y <= y < screen.y + screen.height:
            return screen
    return window.screen
