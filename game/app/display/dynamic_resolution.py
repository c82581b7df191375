"""How sharp the world is drawn where a processor draws: as sharp as 30 frames a second leave it time for."""

from __future__ import annotations

from statistics import median

TARGET_FRAME_SECONDS = 1 / 30  # s a frame
SCALE_STEP = 0.04
WINDOW_FRAMES = 24  # frames before each change: one that was held up by other work changes nothing
HEADROOM = 0.85  # of the time for a frame that a sharper one is expected to take at most, so that it is not taken back


class DynamicResolution:
    """`scale` of the picture's width and height, from `least` to `most`: what the next frame is drawn with."""

    def __init__(self, most: float, least: float) -> None:
        self.max_scale = self.scale = most
        self.min_scale = least
        self._frame_times: list[float] = []

    def update(self, seconds: float) -> None:
        """A frame has taken so long."""
        self._frame_times.append(seconds)
        if len(self._frame_times) < WINDOW_FRAMES:
            return
        taken = median(self._frame_times)
        self._frame_times.clear()
        sharper = min(self.scale + SCALE_STEP, self.max_scale)
        if taken > TARGET_FRAME_SECONDS:
            self.scale = max(self.scale - SCALE_STEP, self.min_scale)
        elif taken * (sharper / self.scale) ** 2 < HEADROOM * TARGET_FRAME_SECONDS:
            self.scale = sharper
