"""Sound bank: the sounds of assets/sounds in memory, also as they are heard in a room, in a hall and under water."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import error_reason
from ...core.vectors import Floats
from .sounds import sound_of

DRY, ROOM, HALL, WATER = "", "room", "hall", "water"  # surroundings of the listener; dry: outdoors
REVERBERATION = {ROOM: (0.4, 0.35), HALL: (1.8, 0.5)}  # s until the echo has lost 60 dB; its amplitude beside the sound
ECHO_DELAY = 0.008  # s from the sound to its echo
WATER_CUTOFF = 450.0  # Hz, from which on water dulls
RATES = (8000, 48000)  # Hz, of the samples of a file
MAX_SECONDS = 120  # of a file
FAST_SIZE = 4096  # samples: Fourier transforms of multiples are quick


def read_samples(path: Path) -> tuple[Floats, int]:
    """The samples (N,) of a wave file and their rate (Hz). Another file raises errors of many kinds."""
    with wave.open(str(path), "rb") as file:
        form, rate, count = (file.getnchannels(), file.getsampwidth()), file.getframerate(), file.getnframes()
        if form != (1, 2) or not RATES[0] <= rate <= RATES[1] or not 0 < count <= MAX_SECONDS * rate:
            raise ValueError(f"it needs 16 bits, one channel, {RATES[0]} to {RATES[1]} Hz and up to {MAX_SECONDS} s")
        data = file.readframes(count)
    if len(data) < 2:
        raise EOFError
    return np.frombuffer(data[: len(data) // 2 * 2], "<i2").astype(np.float64), rate


def under_water(samples: Floats, rate: int) -> Floats:
    """Samples (N,) without their high tones: as heard through water."""
    tones = np.fft.rfftfreq(len(samples), 1.0 / rate)
    return np.fft.irfft(np.fft.rfft(samples) / (1.0 + (tones / WATER_CUTOFF) ** 2), len(samples))


def with_echo(samples: Floats, rate: int, seconds: float, loud: float) -> Floats:
    """Samples (N,) followed by the echo of a room (M,): seeded noise that loses 60 dB in `seconds`."""
    time = np.arange(round(seconds * rate)) / rate
    echo = np.random.default_rng(1).normal(size=len(time)) * 10.0 ** (-3.0 * time / seconds)
    echo = np.convolve(echo, (0.25, 0.5, 0.25), "same")  # walls take high tones first
    echo = np.concatenate((np.zeros(round(ECHO_DELAY * rate)), echo * (loud / np.sqrt((echo**2).sum()))))
    count = len(samples) + len(echo)
    size = -(-count // FAST_SIZE) * FAST_SIZE
    heard = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(echo, size), size)[:count]
    heard[: len(samples)] += samples
    return heard


class SoundBank:
    """The sounds of a folder. problems: of files that cannot be played, each once; only they are silent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: list[str] = []
        self._sources: dict[tuple[str, str], Any] = {}
        self._silent: set[str] = set()
        self._is_loaded = False

    def load(self, make: Callable[[bytes, int, bool], Any], filtered: bool = True) -> None:
        """Load all sounds. make: a source of samples (16 bits), their rate (Hz) and whether they repeat for ever.
        filtered: also as they are heard in other surroundings; else the driver filters them.
        """
        paths = sorted(self.folder.glob("*.wav"))
        if not paths:
            self.problems.append(f"{self.folder} has no sounds")
        for path in paths:
            name = path.stem
            try:
                samples, rate = read_samples(path)
            except Exception as error:  # a broken file makes `wave` raise errors of many kinds
                self._give_up(name, f"cannot be played: {error_reason(error) or 'it ends too early'}")
                continue
            forms, sound = {DRY: samples}, sound_of(name)
            if filtered and sound.is_placed:
                forms[WATER] = under_water(samples, rate)
                if not sound.is_endless:
                    forms |= {room: with_echo(samples, rate, *form) for room, form in REVERBERATION.items()}
            for surroundings, form in forms.items():
                whole = form * min(1.0, 32767.0 / max(float(np.abs(form).max()), 1.0))
                self._sources[name, surroundings] = make(np.rint(whole).astype("<i2").tobytes(), rate, sound.is_endless)
        self._is_loaded = bool(paths)

    def source(self, name: str, surroundings: str = DRY) -> Any:
        """The source of a sound in these surroundings; None while it is not loaded, and for one that stays silent."""
        source = self._sources.get((name, surroundings)) or self._sources.get((name, DRY))
        if source is None and self._is_loaded:
            self._give_up(name, "is missing")
        return source

    def _give_up(self, name: str, reason: str) -> None:
        if name not in self._silent:
            self._silent.add(name)
            self.problems.append(f"{name}.wav {reason}")
