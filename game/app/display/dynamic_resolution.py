"""Dynamic resolution for software rendering: the largest render scale that allows 30 frames per second."""

from __future__ import annotations

from statistics import median

TARGET_FRAME_SECONDS = 1 / 30
SCALE_STEP = 0.04
WINDOW_FRAMES = 24  # frames per change; the median ignores single late frames
HEADROOM = 0.85  # of the target: expected frame time below which the scale grows, so that it does not oscillate


class DynamicResolution:
    """`scale`: factor of width and height for the next frame, from `least` to `most`."""

    def __init__(self, max_scale: float, min_scale: float) -> None:
        self.max_scale = self.scale = max_scale
        self.min_scale = min_scale
        self._frame_times: list[float] = []

    def update(self, seconds: float) -> None:
        """Record the time of a frame (s); after WINDOW_FRAMES of them, adjust the scale."""
        self._frame_times.append(seconds)
        if len(self._frame_times) < WINDOW_FRAMES:
            return
        typical = median(self._frame_times)
        self._frame_times.clear()
        sharper = min(self.scale + SCALE_STEP, self.max_scale)
        if typical > TARGET_FRAME_SECONDS:
            self.scale = max(self.scale - SCALE_STEP, self.min_scale)
        elif typical * (sharper / self.scale) ** 2 < HEADROOM * TARGET_FRAME_SECONDS:
            self.scale = sharper
