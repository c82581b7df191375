"""The display's settings act on a window at once: full screen on its own monitor, and the cap on frames."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from game.app.display.display_settings import DisplaySettings, default_window_size, screen_of_window
from game.app.settings.settings_table import OPTIONS_BY_NAME, Settings


class Window:
    """Two monitors beside each other, and a window on one of them."""

    def __init__(self, left=100):
        places = ((0, 0, 800, 600), (800, 0, 1920, 1080))
        self.screens = [SimpleNamespace(x=x, y=y, width=width, height=height) for x, y, width, height in places]
        self.display = SimpleNamespace(get_screens=lambda: self.screens)
        self.screen, self.fullscreen = self.screens[0], False
        self.width, self.height, self.x, self.did = 640, 360, left, []

    def get_location(self):
        return self.x, 50

    def set_vsync(self, on):
        self.did.append(("vsync", on))

    def set_fullscreen(self, on, screen=None):
        self.fullscreen = on
        self.did.append(("fullscreen", on, screen))


@pytest.mark.parametrize(("x", "screen"), [(100, 0), (479, 0), (480, 1), (900, 1), (-5000, 0)])
def test_full_screen_uses_the_screen_of_the_window_centre_and_returns(x, screen):
    window = Window(x)
    displaying = DisplaySettings(window)
    assert displaying.update(Settings(borderless=True))
    assert window.did == [("fullscreen", True, window.screens[screen])]
    assert screen_of_window(window) is window.screens[screen]
    assert not displaying.update(Settings(borderless=True, fov=80.0))
    assert displaying.update(Settings())
    assert window.did[1:] == [("fullscreen", False, None)]


def frames(displaying, settings, draws, min_seconds=1 / 250):
    """Whole seconds of frames by a clock of our own; each sleeps as long as it is asked to."""
    now, starts = 50.0, []
    for work in draws:
        starts.append(now)
        now += work
        wait = displaying.frame_wait(now, min_seconds, settings)
        assert wait >= 0.0
        now += wait
    return starts


@pytest.mark.parametrize("cap", [name for name in OPTIONS_BY_NAME["frame_cap"].choices if name != "none"])
def test_no_more_frames_than_the_cap_and_no_fewer_where_there_is_time(cap):
    starts = frames(DisplaySettings(Window()), Settings(frame_cap=cap), [0.001, 0.003] * int(cap))
    rate = min(int(cap), 250)
    assert (len(starts) - 2) / (starts[-1] - starts[1]) == pytest.approx(rate, rel=1e-6)


@pytest.mark.parametrize(
    ("screen", "window"),
    [
        ((1920, 1080), (1280, 720)),
        ((2560, 1440), (1280, 720)),
        ((3840, 2160), (2560, 1440)),
        ((1080, 1920), (1080, 720)),
        ((1024, 600), (1024, 600)),
        ((800, 600), (800, 600)),
    ],
)
def test_a_window_fits_its_screen_and_is_no_stamp_on_a_fine_one(screen, window):
    assert default_window_size(*screen) == window
