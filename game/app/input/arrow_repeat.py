"""Repeat of an action while its key is held: after a delay, at a rate."""

from __future__ import annotations

from .actions import Action

DELAY = 0.35  # s until a held key repeats
RATE = 20.0  # repeats per second then


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

    @property
    def is_repeating(self) -> bool:
        """Whether the key has been held long enough."""
        return self.action is not None and self._seconds > DELAY

    def advance(self, seconds: float) -> float:
        """Repeats in a frame of `seconds`, with the fraction of one."""
        self._seconds += seconds
        return RATE * seconds if self.is_repeating else 0.0

    def update(self, seconds: float) -> int:
        """Whole repeats in a frame of `seconds`."""
        self._credit += self.advance(seconds)
        repeats = int(self._credit)
        self._credit -= repeats
        return repeats
