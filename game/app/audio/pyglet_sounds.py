"""Sounds for pyglet's players. Its import opens the sound device, so a background thread does it."""

from __future__ import annotations

from pyglet.media import Player as Player
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
