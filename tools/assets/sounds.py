"""Synthesise the game's sounds from noise and decaying tones: `python -m tools.assets.sounds` writes assets/sounds.

16-bit mono, so that the sound player can place them in space. Seeded: every run gives the same samples.
"""

from __future__ import annotations

import argparse
import sys
import wave
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.assets import music as music_loop

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "sounds"
RATE = 22_050  # Hz, sample rate
LOUDEST = 0.85  # fraction of full scale
STEPS = 4  # variants of each footstep, so that consecutive ones differ

Wave = NDArray[np.float64]
Random = np.random.Generator


def silence(seconds: float) -> Wave:
    return np.zeros(round(seconds * RATE))


def band(random: Random, seconds: float, low: float, high: float, tilt: float = 0.0) -> Wave:
    """Looping noise between two frequencies (Hz), falling by `tilt` powers of the frequency; amplitude 1."""
    count = round(seconds * RATE)
    frequency = np.fft.rfftfreq(count, 1.0 / RATE)
    spectrum = random.normal(size=len(frequency)) + 1j * random.normal(size=len(frequency))
    edge = 1.0 / (1.0 + (low / np.maximum(frequency, 1e-3)) ** 6) / (1.0 + (frequency / high) ** 6)
    sound = np.fft.irfft(spectrum * edge * np.maximum(frequency, low) ** -tilt, count)
    return sound / np.abs(sound).max()


def fall(count: int, seconds: float, attack: float = 0.002) -> Wave:
    """Envelope: rises in `attack` seconds, then falls to a third every `seconds`."""
    t = np.arange(count) / RATE
    return np.minimum(t / attack, 1.0) * np.exp(-t / seconds)


def struck(seconds: float, tones: Sequence[tuple[float, float, float]]) -> Wave:
    """A struck body: decaying tones of (Hz, loudness, seconds to a third)."""
    t = np.arange(round(seconds * RATE)) / RATE
    sound = sum((loud * np.sin(2.0 * np.pi * hertz * t) * np.exp(-t / decay) for hertz, loud, decay in tones), 0.0 * t)
    return sound * np.minimum(t / 0.001, 1.0)


def add(sound: Wave, other: Wave, at: float = 0.0, loud: float = 1.0) -> None:
    """Mix `other` into `sound` from `at` seconds on, cut off at its end."""
    first = round(at * RATE)
    part = other[: max(len(sound) - first, 0)]
    sound[first : first + len(part)] += loud * part


def grains(random: Random, seconds: float, count: int, low: float, high: float, length: float) -> Wave:
    """Many short crackles, densest at the beginning."""
    sound = silence(seconds)
    for at in np.sort(random.beta(1.2, 2.5, count)) * (seconds - length):
        grain = band(random, length, low, high)
        add(sound, grain * fall(len(grain), length / 4), float(at), float(random.uniform(0.2, 1.0)))
    return sound


# Footsteps: a heel, then a toe


def _foot(heel: Wave, toe: Wave, gap: float = 0.055) -> Wave:
    sound = silence(0.30)
    add(sound, heel)
    add(sound, toe, gap, 0.6)
    return sound


def _thud(random: Random, hertz: float, decay: float) -> Wave:
    return struck(0.18, [(hertz * random.uniform(0.94, 1.06), 1.0, decay), (hertz * 1.7, 0.35, decay * 0.6)])


def _scuff(random: Random, seconds: float, low: float, high: float, decay: float) -> Wave:
    sound = band(random, seconds, low, high)
    return sound * fall(len(sound), decay)


def step_stone(random: Random) -> Wave:
    sound = _foot(_scuff(random, 0.10, 900, 4200, 0.014), _scuff(random, 0.12, 1400, 5200, 0.022))
    add(sound, _thud(random, 120, 0.022), 0.0, 0.7)
    return sound


def step_wood(random: Random) -> Wave:
    low, high = random.uniform(150, 175), random.uniform(310, 350)
    hollow = struck(0.22, [(low, 1.0, 0.045), (high, 0.6, 0.03), (720, 0.25, 0.012)])
    sound = _foot(_scuff(random, 0.08, 400, 2600, 0.012), _scuff(random, 0.08, 700, 3000, 0.014))
    add(sound, hollow, 0.0, 1.1)
    add(sound, hollow, 0.055, 0.4)
    return sound


def step_grass(random: Random) -> Wave:
    sound = _foot(_scuff(random, 0.16, 1800, 7000, 0.035), _scuff(random, 0.16, 2400, 8000, 0.04), 0.07)
    add(sound, _thud(random, 70, 0.03), 0.0, 0.5)
    add(sound, grains(random, 0.22, 14, 2500, 9000, 0.012), 0.01, 0.4)
    return sound


def step_metal(random: Random) -> Wave:
    plate = random.uniform(390, 410)
    ring = struck(0.30, [(plate, 0.6, 0.10), (1030, 0.5, 0.08), (1890, 0.35, 0.06), (2970, 0.2, 0.04)])
    sound = _foot(_scuff(random, 0.06, 1500, 7000, 0.008), _scuff(random, 0.06, 2000, 8000, 0.01))
    add(sound, ring, 0.0, 0.7)
    return sound


def step_tile(random: Random) -> Wave:
    click = struck(0.10, [(random.uniform(1500, 1700), 0.6, 0.012), (2650, 0.4, 0.008)])
    sound = _foot(_scuff(random, 0.06, 1800, 6500, 0.009), _scuff(random, 0.08, 2200, 7000, 0.013))
    add(sound, click, 0.0, 0.6)
    add(sound, _thud(random, 140, 0.018), 0.0, 0.5)
    return sound


def step_ice(random: Random) -> Wave:
    creak = struck(0.25, [(random.uniform(850, 950), 0.3, 0.05), (2310, 0.35, 0.05), (4120, 0.2, 0.03)])
    sound = _foot(_scuff(random, 0.20, 2600, 9000, 0.05), _scuff(random, 0.12, 3000, 9500, 0.03), 0.09)
    add(sound, creak, 0.0, 0.35)
    return sound


def step_carpet(random: Random) -> Wave:
    sound = _foot(_scuff(random, 0.12, 200, 1400, 0.02), _scuff(random, 0.12, 300, 1800, 0.025))
    add(sound, _thud(random, 80, 0.025), 0.0, 0.9)
    return sound


def step_sand(random: Random) -> Wave:
    sound = _foot(_scuff(random, 0.20, 900, 5200, 0.05), _scuff(random, 0.18, 1200, 6000, 0.05), 0.08)
    add(sound, grains(random, 0.26, 30, 2000, 8000, 0.006), 0.01, 0.5)
    return sound


# Body


def land(random: Random) -> Wave:
    sound = silence(0.40)
    add(sound, struck(0.40, [(58, 1.0, 0.09), (96, 0.6, 0.05), (170, 0.2, 0.03)]))
    add(sound, _scuff(random, 0.25, 300, 2600, 0.04), 0.0, 0.5)
    return sound


def jump(random: Random) -> Wave:
    sound = band(random, 0.28, 500, 2200)
    t = np.linspace(0.0, 1.0, len(sound))
    sound *= np.sin(np.pi * t**0.6) ** 2 * 0.5
    add(sound, _scuff(random, 0.06, 900, 4000, 0.01), 0.0, 0.7)
    return sound


def slide(random: Random) -> Wave:
    """A looping sliding sound."""
    sound = band(random, 1.5, 500, 3600, 0.4)
    swell = 1.0 + 0.25 * np.sin(2.0 * np.pi * 4.0 * np.arange(len(sound)) / len(sound) * 1.5)
    return sound * swell


def splash(random: Random) -> Wave:
    sound = silence(0.9)
    add(sound, _scuff(random, 0.8, 400, 5200, 0.16))
    for at in np.sort(random.uniform(0.03, 0.6, 12)):
        add(sound, _drop(random), float(at), float(random.uniform(0.1, 0.4)))
    return sound


def _drop(random: Random) -> Wave:
    t = np.arange(round(0.09 * RATE)) / RATE
    start = random.uniform(500, 1400)
    return np.sin(2.0 * np.pi * (start * t + 0.5 * start * 6.0 * t * t)) * np.exp(-t / 0.02)


def swim(random: Random) -> Wave:
    sound = band(random, 0.7, 250, 1800, 0.3)
    t = np.linspace(0.0, 1.0, len(sound))
    sound *= np.sin(np.pi * t) ** 2
    for at in np.sort(random.uniform(0.1, 0.5, 4)):
        add(sound, _drop(random), float(at), 0.3)
    return sound


def launch(random: Random) -> Wave:
    t = np.arange(round(0.5 * RATE)) / RATE
    hertz = 140.0 + 260.0 * (1.0 - np.exp(-t / 0.12))
    spring = np.sin(2.0 * np.pi * np.cumsum(hertz) / RATE) * np.exp(-t / 0.16)
    add(spring, _scuff(random, 0.3, 600, 4000, 0.08), 0.0, 0.5)
    return spring


def bump(random: Random) -> Wave:
    """The body against a wall."""
    sound = silence(0.30)
    add(sound, struck(0.30, [(74, 1.0, 0.05), (131, 0.5, 0.035), (240, 0.2, 0.02)]))
    add(sound, _scuff(random, 0.12, 200, 1500, 0.02), 0.0, 0.4)
    return sound


def gravity(random: Random) -> Wave:
    """Gravity turns: a whirl that rises and sinks."""
    t = np.linspace(0.0, 1.0, round(1.1 * RATE))
    tone = np.sin(2.0 * np.pi * np.cumsum(110.0 + 190.0 * np.sin(np.pi * t) ** 2) / RATE)
    return (0.6 * tone + 0.8 * band(random, 1.1, 300, 2400, 0.4)) * np.sin(np.pi * t) ** 2


# Balls and signals


def ball(random: Random) -> Wave:
    sound = struck(0.20, [(420, 1.0, 0.03), (1130, 0.4, 0.015), (2480, 0.15, 0.008)])
    add(sound, _scuff(random, 0.03, 1500, 6000, 0.004), 0.0, 0.5)
    return sound


def throw(random: Random) -> Wave:
    sound = band(random, 0.22, 700, 3000)
    t = np.linspace(0.0, 1.0, len(sound))
    return sound * np.sin(np.pi * t**0.7) ** 3


def _bell(hertz: float, seconds: float = 1.4) -> Wave:
    parts = ((1.0, 1.0, 0.5), (2.0, 0.5, 0.35), (2.76, 0.22, 0.22), (5.4, 0.10, 0.10))
    return struck(seconds, [(hertz * ratio, loud, decay * seconds / 1.4) for ratio, loud, decay in parts])


def goal(_: Random) -> Wave:
    sound = silence(2.4)
    for k, hertz in enumerate((523.25, 659.25, 783.99, 1046.5)):  # C major, ascending
        add(sound, _bell(hertz, 1.8), 0.13 * k, 0.8)
    return sound


def target(_: Random) -> Wave:
    sound = silence(1.0)
    add(sound, _bell(880.0, 0.9))
    add(sound, _bell(1318.5, 0.8), 0.08, 0.7)
    return sound


def checkpoint(_: Random) -> Wave:
    sound = silence(0.9)
    add(sound, _bell(587.33, 0.7))
    add(sound, _bell(440.0, 0.8), 0.12, 0.7)
    return sound


def fell(random: Random) -> Wave:
    t = np.arange(round(0.7 * RATE)) / RATE
    tone = np.sin(2.0 * np.pi * np.cumsum(330.0 * np.exp(-t / 0.5)) / RATE) * np.exp(-t / 0.25)
    add(tone, _scuff(random, 0.5, 300, 1800, 0.15), 0.0, 0.4)
    return tone


def door(random: Random) -> Wave:
    """The sound of passing into another level."""
    sound = band(random, 1.1, 180, 2400, 0.5)
    t = np.linspace(0.0, 1.0, len(sound))
    sound *= np.sin(np.pi * t) ** 2
    add(sound, _bell(392.0, 1.0), 0.15, 0.25)
    return sound


# Menus


def menu_move(_: Random) -> Wave:
    return struck(0.06, [(1240, 1.0, 0.008), (2480, 0.3, 0.004)])


def menu_choose(_: Random) -> Wave:
    sound = silence(0.16)
    add(sound, struck(0.10, [(990, 1.0, 0.02), (1980, 0.3, 0.01)]))
    add(sound, struck(0.11, [(1320, 1.0, 0.025), (2640, 0.3, 0.012)]), 0.045)
    return sound


def menu_back(_: Random) -> Wave:
    sound = silence(0.16)
    add(sound, struck(0.10, [(990, 1.0, 0.02), (1980, 0.3, 0.01)]))
    add(sound, struck(0.11, [(660, 1.0, 0.025), (1320, 0.3, 0.012)]), 0.045)
    return sound


# Places: loops


def wind(random: Random) -> Wave:
    sound = band(random, 6.0, 180, 1300, 0.6)
    t = np.arange(len(sound)) / len(sound)
    return sound * (0.65 + 0.25 * np.sin(2.0 * np.pi * 2.0 * t) + 0.10 * np.sin(2.0 * np.pi * 7.0 * t + 2.0))


def flow(random: Random) -> Wave:
    """Water that runs and drips."""
    sound = 0.5 * band(random, 4.0, 350, 5200, 0.45)
    for at in np.sort(random.uniform(0.0, 3.9, 60)):
        add(sound, _drop(random), float(at), float(random.uniform(0.05, 0.2)))
    return sound


def mover(random: Random) -> Wave:
    """The drive of a lift or door: whole periods of a low tone, and a rattle."""
    t = np.arange(round(2.0 * RATE)) / RATE
    tones = ((55.0, 1.0), (110.0, 0.6), (165.0, 0.25), (220.5, 0.2), (331.0, 0.1))
    hum = sum((loud * np.sin(2.0 * np.pi * hertz * t) for hertz, loud in tones), 0.0 * t)
    return hum * (1.0 + 0.2 * np.sin(2.0 * np.pi * 6.0 * t)) + 0.5 * band(random, 2.0, 200, 1800, 0.5)


def lamp(random: Random) -> Wave:
    """The hum of an electric lamp: whole periods of the mains."""
    t = np.arange(round(1.0 * RATE)) / RATE
    tones = ((100.0, 1.0), (200.0, 0.5), (300.0, 0.3), (500.0, 0.12))
    hum = sum((loud * np.sin(2.0 * np.pi * hertz * t) for hertz, loud in tones), 0.0 * t)
    return hum + 0.05 * band(random, 1.0, 2000, 6000)


def torch(random: Random) -> Wave:
    """A fire that rustles and crackles."""
    sound = 0.35 * band(random, 5.0, 90, 900, 0.7)
    for at in np.sort(random.uniform(0.0, 4.9, 45)):
        crack = band(random, 0.03, 1200, 7000)
        add(sound, crack * fall(len(crack), 0.005), float(at), float(random.uniform(0.1, 0.9) ** 2))
    return sound


def music(random: Random) -> Wave:
    return music_loop.music(random, RATE)


# Ambience of a level: loops


def outdoors(random: Random) -> Wave:
    sound = band(random, 12.0, 120, 900, 0.8)
    t = np.arange(len(sound)) / len(sound)
    gusts = 0.55 + 0.25 * np.sin(2.0 * np.pi * 2.0 * t + 1.0) + 0.20 * np.sin(2.0 * np.pi * 5.0 * t)
    sound *= 0.5 * gusts
    for at in np.sort(random.uniform(0.5, 11.0, 6)):
        _bird(random, sound, float(at))
    return sound


def _bird(random: Random, sound: Wave, at: float) -> None:
    base, loud = random.uniform(2600, 4200), random.uniform(0.02, 0.06)
    for k in range(int(random.integers(2, 6))):
        t = np.arange(round(random.uniform(0.05, 0.11) * RATE)) / RATE
        bend = base * (1.0 + random.uniform(-0.25, 0.35) * t / t[-1])
        chirp = np.sin(2.0 * np.pi * np.cumsum(bend) / RATE) * np.sin(np.pi * t / t[-1]) ** 2
        add(sound, chirp, at + 0.13 * k, loud)


def indoors(random: Random) -> Wave:
    return 0.35 * band(random, 8.0, 60, 320, 1.0)


def underwater(random: Random) -> Wave:
    sound = 0.6 * band(random, 8.0, 50, 420, 0.8)
    for at in np.sort(random.uniform(0.2, 7.6, 14)):
        add(sound, _drop(random), float(at), float(random.uniform(0.05, 0.15)))
    return sound


KINDS: tuple[Callable[[Random], Wave], ...] = (
    step_stone, step_wood, step_grass, step_metal, step_tile, step_ice, step_carpet, step_sand,
)  # fmt: skip
ONCE: tuple[Callable[[Random], Wave], ...] = (
    land, jump, slide, splash, swim, launch, ball, throw, goal, target, checkpoint, fell, door, outdoors, indoors,
    underwater, bump, gravity, menu_move, menu_choose, menu_back, wind, flow, mover, lamp, torch, music,
)  # fmt: skip
LOOPS = (
    "slide", "outdoors", "indoors", "underwater", "wind", "flow", "mover", "lamp", "torch", "music",
)  # fmt: skip


def sounds() -> dict[str, NDArray[np.int16]]:
    """All sounds by name, as samples."""
    made = {}
    takes = [(f"{make.__name__}_{k + 1}", make) for make in KINDS for k in range(STEPS)]
    for name, make in [*takes, *((make.__name__, make) for make in ONCE)]:
        sound = make(np.random.default_rng(zlib.crc32(name.encode())))
        if name not in LOOPS:  # fade out, so that no sound ends in a click
            count = min(len(sound), RATE // 100)
            sound[-count:] *= np.linspace(1.0, 0.0, count)
        made[name] = np.rint(sound * (LOUDEST * 32767.0 / np.abs(sound).max())).astype(np.int16)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.assets.sounds", description=__doc__)
    parser.parse_args(arguments)
    FOLDER.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, samples in sounds().items():
        with wave.open(str(FOLDER / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(samples.astype("<i2").tobytes())
        total += 2 * len(samples)
    print(f"{FOLDER}: {len(sounds())} sounds, {total / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
