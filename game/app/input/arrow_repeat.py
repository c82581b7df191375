"""Repeat of an action while its key is held: after a delay, at a rate."""

from __future__ import annotations

from .actions import Action

DELAY, RATE = 0.35, 20.0  # s until a held key repeats, and repeats per second then


class ArrowRepeat:
    """The action whose key went down last; None without one."""

    def __init__(self) -> None:
        self.action: Action | None = None
        self._seconds = self._credit = 0.0

    def press(self, action: Action) -> None:
        """The key of an action went down."""
        self.action = action
        self._seconds = self._credit = 0.0

    def release(self, action: Action) -> None:
        """The key of an action went up."""
        if action is self.action:
            self.action = None

    def update(self, seconds: float) -> int:
        """Number of repeats in a frame of `seconds`."""
        self._seconds += seconds
        if self.action is None or self._seconds <= DELAY:
            return 0
        self._credit += RATE * seconds
        repeats = int(self._credit)
        self._credit -= repeats
        return repeats
