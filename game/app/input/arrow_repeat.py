"""Repeat of a held key: after a delay, at a rate."""

from __future__ import annotations

DELAY, RATE = 0.35, 20.0  # s until a held key repeats, and repeats per second then


class ArrowRepeat:
    """The key that is held down last. key: its name, empty without one."""

    def __init__(self) -> None:
        self.key = ""
        self._seconds = self._credit = 0.0

    def press(self, key: str) -> None:
        """A key went down."""
        self.key, self._seconds, self._credit = key, 0.0, 0.0

    def release(self, key: str) -> None:
        """A key went up."""
        if key == self.key:
            self.key = ""

    def update(self, seconds: float) -> int:
        """Number of repeats in a frame of `seconds`."""
        self._seconds += seconds
        if not self.key or self._seconds <= DELAY:
            return 0
        self._credit += RATE * seconds
        repeats = int(self._credit)
        self._credit -= repeats
        return repeats
