"""A sound to be played once, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SoundCue:
    """A sound of assets/sounds to be played once: loudness 0..1, and how much faster (and higher) than it is."""

    name: str
    loudness: float = 1.0
    pitch: float = 1.0
