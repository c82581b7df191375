"""Sounds for pyglet's players. Its import opens the sound device, so a background thread does it."""

from __future__ import annotations

from typing import Any

import pyglet.media
from pyglet.media.codecs.base import AudioData, AudioFormat, StaticMemorySource


class MemorySound(StaticMemorySource):  # type: ignore[misc]
    """Samples (16 bits, mono) that any number of players play. endless: again and again, without a gap."""

    def __init__(self, data: bytes, rate: int, endless: bool) -> None:
        super().__init__(data, AudioFormat(1, 16, rate))
        self._sound = (data, rate, endless)

    def get_queue_source(self) -> MemorySound:
        """The same sound from its beginning, for one player."""
        return MemorySound(*self._sound)

    def get_audio_data(self, num_bytes: float, compensation_time: float = 0.0) -> AudioData | None:
        """The next samples; None at the end."""
        found = super().get_audio_data(num_bytes, compensation_time)
        if found is None and self._sound[2]:
            self._file.seek(0)
            found = super().get_audio_data(num_bytes, compensation_time)
        return found


def _open_effects() -> Any:
    """Reverb and filters where the driver has them, else None: then sounds are filtered before they are played."""
    try:
        from .openal_effects import OpenAlEffects

        return OpenAlEffects()
    except Exception:  # another driver, or an OpenAL without EFX: libraries raise errors of many kinds
        return None


effects = _open_effects()


class Player(pyglet.media.Player):  # type: ignore[misc]
    """A player that also plays through the effects, once it has a tone."""

    _tone: float | None = None

    @property
    def tone(self) -> float | None:
        """What is left of the high tones, 0..1. None: the sound is no part of the world, and has no effects."""
        return self._tone

    @tone.setter
    def tone(self, tone: float) -> None:
        if tone != self._tone:
            self._tone = tone
            self._connect()

    def _create_audio_player(self) -> None:
        super()._create_audio_player()
        self._connect()  # before it is heard

    def _connect(self) -> None:
        if effects is not None and self._tone is not None and self._audio_player is not None:
            effects.connect(self._audio_player.alsource._al_source, self._tone)
