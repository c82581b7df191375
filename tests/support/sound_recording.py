"""Record what the sound player sends to OpenAL Soft, and measure it.

The wave driver of OpenAL Soft writes a file in place of a device. The recording has one part for each scene.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from game.app.audio.sound_bank import DRY, HALL, ROOM, WATER
from game.app.audio.sound_player import SoundPlayer
from game.app.audio.sound_sources import FLOW_REACH, SoundSource, loudness_at
from game.app.audio.sounds import SoundCue

RATE = 44_100  # Hz of the recording
PART = 0.45  # s of a scene of a loop
ECHO_PART = 0.9  # s of a scene of one sound
LATE = 0.4  # s after the beginning of a scene, from which on only an echo is left
MOMENT = 0.02  # s
HIGH = 2000.0  # Hz
QUIETEST = -100.0  # dB that are said of silence
UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))  # right, up, forward
HANGING = ((-1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
Point = tuple[float, float, float]


class Scene(NamedTuple):
    """A loop at a place, or a sound, around a listener at the origin who looks to the north."""

    name: str
    place: Point | None
    surroundings: str = DRY
    axes: tuple[Point, Point, Point] = UPRIGHT
    cue: str = ""
    loop: str = "flow"
    seconds: float = PART
    size: float = 0.0
    hidden: float = 0.0


class Measured(NamedTuple):
    """Levels (dB) of a part: left, right, tones above HIGH beside all, after LATE beside the beginning, and of the
    quietest MOMENT of a loop beside all of it."""

    left: float
    right: float
    high: float
    late: float
    quietest: float


SCENES = (
    Scene("ahead", (0.0, 0.0, -2.5)),
    Scene("left", (-2.5, 0.0, 0.0)),
    Scene("right", (2.5, 0.0, 0.0)),
    Scene("left, hanging", (-2.5, 0.0, 0.0), axes=HANGING),
    Scene("far ahead", (0.0, 0.0, -20.0)),
    Scene("under water", (0.0, 0.0, -2.5), WATER),
    Scene("a loop for longer than it is", (0.0, 0.0, -1.0), loop="lamp", seconds=1.5),
    Scene("bell left", (-9.0, 0.0, 0.0), cue="target", seconds=ECHO_PART),
    Scene("step outdoors", None, cue="step_stone_1", seconds=ECHO_PART),
    Scene("step in a room", None, ROOM, cue="step_stone_1", seconds=ECHO_PART, size=1.5),
    Scene("step in a hall", None, HALL, cue="step_stone_1", seconds=ECHO_PART, size=6.0),
    Scene("step after the hall", None, cue="step_stone_1", seconds=ECHO_PART),
    Scene("behind a wall", (0.0, 0.0, -2.5), hidden=1.0),
)


def play() -> None:
    """Play the scenes, one after the other, each from a whole part of the recording on."""
    import pyglet

    pyglet.options.shadow_window = False
    pyglet.options.audio = ("openal",)
    from game.app.audio import pyglet_sounds

    player = SoundPlayer(pyglet_sounds)
    due = time.perf_counter()
    for scene in SCENES:
        player.listen((0.0, 0.0, 0.0), *scene.axes)
        player.enter(scene.surroundings, scene.size, 1.0)
        if scene.cue:
            player.play_cues([SoundCue(scene.cue, place=scene.place, hidden=scene.hidden)], lambda name: 1.0)
        else:
            assert scene.place is not None
            loud = float(loudness_at(float(np.linalg.norm(scene.place)), 1.0, FLOW_REACH))
            source = SoundSource((scene.loop, 0), scene.loop, scene.place, loud, scene.hidden)
            for _ in range(2):  # begins, and fades in
                player.set_sources([source], lambda name: 1.0, 1.0)
            time.sleep(scene.seconds - 0.1)
            player.set_sources([], lambda name: 1.0, 1.0)
        due += scene.seconds
        time.sleep(max(due - time.perf_counter(), 0.0))
    player.close()


def record(target: Path, effects: bool = True) -> None:
    """Record the scenes into a wave file (stereo, 16 bits, RATE). CalledProcessError where OpenAL is missing.

    effects: with those of EFX where OpenAL has it.
    """
    with tempfile.TemporaryDirectory() as folder:
        conf = Path(folder) / "alsoft.conf"
        lines = f"[general]\ndrivers = wave\nchannels = stereo\nfrequency = {RATE}\nsample-type = int16\nhrtf = false\n"
        lines += "" if effects else "excludefx = reverb\n"
        conf.write_text(f"{lines}[wave]\nfile = {target.resolve()}\n", encoding="utf-8")
        env = {**os.environ, "ALSOFT_CONF": str(conf), "ALSOFT_DRIVERS": "wave"}
        command = [sys.executable, "-m", "tests.support.sound_recording"]
        subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=120)


def decibels(power: float) -> float:
    """A power beside 1, in dB."""
    return max(10.0 * float(np.log10(max(power, 1e-30))), QUIETEST)


def measure(path: Path) -> dict[str, Measured]:
    """Measure a recording: the part of each scene by its name. The first sound begins the first part."""
    data = path.read_bytes()
    data = data[data.index(b"data") + 8 :]  # the header is of a kind that `wave` reads from Python 3.12 on
    samples: NDArray[np.float64] = np.frombuffer(data[: len(data) // 4 * 4], "<i2").reshape(-1, 2) / 32768.0
    first = int(np.argmax(np.abs(samples).max(axis=1) > 0.003))
    late = round(LATE * RATE)
    found = {}
    for scene in SCENES:
        count = round(scene.seconds * RATE)
        part, first = samples[first : first + count], first + count
        loud = part[RATE // 20 : -RATE // 6] if not scene.cue else part[:late]
        spectrum = np.abs(np.fft.rfft(loud.sum(axis=1))) ** 2
        high = spectrum[np.fft.rfftfreq(len(loud), 1.0 / RATE) > HIGH].sum()
        rest = part[late : -RATE // 10] if scene.cue else loud
        moment = round(MOMENT * RATE)
        moments = (loud[: len(loud) // moment * moment].reshape(-1, moment, 2) ** 2).mean(axis=(1, 2))
        left, right = (loud**2).mean(axis=0).tolist()
        found[scene.name] = Measured(
            decibels(left),
            decibels(right),
            decibels(high / max(spectrum.sum(), 1e-30)),
            decibels((rest**2).mean() / max((loud**2).mean(), 1e-30)),
            decibels(moments.min() / max(moments.mean(), 1e-30)),
        )
    return found


if __name__ == "__main__":
    play()
