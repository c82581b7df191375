"""Display settings of a window: full screen, V-sync and the frame rate limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..settings.settings_table import NO_FRAME_CAP

if TYPE_CHECKING:
    from ..settings.settings_table import Settings

BASE_WINDOW_SIZE = (1280, 720)  # pixels, on a screen of 1080 lines


class DisplaySettings:
    """Applies the settings to one window. Full screen is a borderless window on the screen that holds the window's
    centre, in that screen's own mode, so no other monitor changes."""

    def __init__(self, window: Any) -> None:
        self.window = window
        self._applied: Settings | None = None
        self._vsync = True
        self._next_frame_time = 0.0

    def update(self, settings: Settings) -> bool:
        """Apply changed settings; True where the window was recreated, so that held keys must be reset."""
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

    def frame_wait(self, now: float, min_seconds: float, settings: Settings) -> float:
        """Seconds to wait until the next frame, for a frame time of at least `min_seconds` or the player's limit.

        A wait that took too long shortens the next one. A late frame does not.
        """
        if settings.frame_cap != NO_FRAME_CAP:
            min_seconds = max(min_seconds, 1.0 / int(settings.frame_cap))
        self._next_frame_time = max(self._next_frame_time + min_seconds, now)
        if self._next_frame_time > now + min_seconds:
            self._next_frame_time = now + min_seconds
        return self._next_frame_time - now


def default_window_size(width: int, height: int) -> tuple[int, int]:
    """Window size for a screen of so many pixels: the base size times the whole number of 1080 lines, cut to the
    screen."""
    factor = max(1, height // 1080)
    return min(BASE_WINDOW_SIZE[0] * factor, width), min(BASE_WINDOW_SIZE[1] * factor, height)


def effective_quality(settings: Settings, at_start: Settings, fixed: str | None, automatic: str) -> str:
    """The quality in force: `fixed` of the command line until the menu changes it, else the setting, else
    `automatic`."""
    if fixed and settings.quality == at_start.quality:
        return fixed
    return settings.quality or automatic


def screen_of_window(window: Any) -> Any:
    """The screen that holds the centre of the window."""
    x, y = window.get_location()
    x, y = x + window.width // 2, y + window.height // 2
    for screen in window.display.get_screens():
        if screen.x <= x < screen.x + screen.width and screen.y <= y < screen.y + screen.height:
            return screen
    return window.screen
