"""Errors of level tests."""

from __future__ import annotations

from ..core.errors import WalkerError


class LevelTestError(WalkerError):
    """A test that cannot be run: the message says what is wrong with it, `cure` what to do."""

    def __init__(self, message: str, cure: str = "") -> None:
        super().__init__(message)
        self.message, self.cure = message, cure
