"""The game's music, a quiet loop of chords and plucked notes: `tools.assets.sounds` writes it. Seeded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SECONDS = 32.0  # of the loop
CHORDS = ((50, 57, 62, 66), (47, 54, 62, 66), (43, 50, 59, 62), (45, 52, 57, 61))  # D, B minor, G, A: MIDI numbers
NOTES = (74, 76, 78, 81, 83, 86)  # pentatonic
PLUCKS = 24
SWELL = 2.5  # s in which a chord comes and goes

Wave = NDArray[np.float64]
Random = np.random.Generator


def hertz(note: int) -> float:
    """Frequency of a MIDI note."""
    return 440.0 * 2.0 ** ((note - 69) / 12.0)


def add_around(sound: Wave, other: Wave, first: int) -> None:
    """Mix `other` into a loop from sample `first` on; what is beyond the end goes on at the beginning."""
    np.add.at(sound, (first + np.arange(len(other))) % len(sound), other)


def chord(notes: tuple[int, ...], seconds: float, rate: int) -> Wave:
    """A soft chord: three partials a note, slightly detuned, that swells and fades."""
    t = np.arange(round((seconds + SWELL) * rate)) / rate
    envelope = np.minimum(1.0, np.minimum(t, t[-1] - t) / SWELL)
    sound = np.zeros_like(t)
    for note in notes:
        for partial, loud in ((1.0, 1.0), (2.003, 0.30), (2.995, 0.10)):
            sound += loud * np.sin(2.0 * np.pi * hertz(note) * partial * t + note)
    swing: Wave = sound * np.sin(0.5 * np.pi * envelope) ** 2
    return swing


def pluck(note: int, rate: int) -> Wave:
    """A plucked string of a high note."""
    t = np.arange(round(2.2 * rate)) / rate
    tone = np.sin(2.0 * np.pi * hertz(note) * t) + 0.35 * np.sin(4.0 * np.pi * hertz(note) * t) * np.exp(-t / 0.2)
    return tone * np.minimum(t / 0.004, 1.0) * np.exp(-t / 0.55) * np.minimum(1.0, (t[-1] - t) / 0.05)


def music(random: Random, rate: int) -> Wave:
    """The loop (N,): four chords, with plucked notes on the beat."""
    sound = np.zeros(round(SECONDS * rate))
    length = SECONDS / len(CHORDS)
    for k, notes in enumerate(CHORDS):
        add_around(sound, 0.22 * chord(notes, length, rate), round(k * length * rate))
    beats = np.sort(random.choice(64, PLUCKS, replace=False))
    for beat in beats:
        loud, note = random.uniform(0.25, 0.6), int(random.choice(NOTES))
        for echo in range(3):
            start = round((beat * SECONDS / 64 + 0.375 * echo) * rate)
            add_around(sound, loud * 0.4**echo * pluck(note, rate), start)
    return sound
