"""How sharp the world is drawn where a processor draws: as sharp as 30 frames a second leave it time for."""

from __future__ import annotations

from statistics import median

WANTED = 1 / 30  # s a frame
STEP = 0.04
LOOKED_AT = 24  # frames before each change: one that was held up by other work changes nothing
SURE = 0.85  # of the time for a frame that a sharper one is expected to take at most, so that it is not taken back


class Sharpness:
    """`scale` of the picture's width and height, from `least` to `most`: what the next frame is drawn with."""

    def __init__(self, most: float, least: float) -> None:
        self.most = self.scale = most
        self.least = least
        self._frames: list[float] = []

    def follow(self, seconds: float) -> None:
        """A frame has taken so long."""
        self._frames.append(seconds)
        if len(self._frames) < LOOKED_AT:
            return
        taken = median(self._frames)
        self._frames.clear()
        sharper = min(self.scale + STEP, self.most)
        if taken > WANTED:
            self.scale = max(self.scale - STEP, self.least)
        elif taken * (sharper / self.scale) ** 2 < SURE * WANTED:
            self.scale = sharper
