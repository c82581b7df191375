"""Sound cue: a sound to play once, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.vectors import Point


@dataclass(frozen=True, slots=True)
class SoundCue:
    """A file of assets/sounds to play once: its loudness 0..1, and `pitch` as a factor of its playback speed.

    loudness: at the player's ear. place: of the source (m), which gives the direction; None: at the player.
    hidden: 0 in sight of the ear to 1 behind a wall.
    """

    name: str
    loudness: float = 1.0
    pitch: float = 1.0
    place: Point | None = None
    hidden: float = 0.0
