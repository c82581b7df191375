"""Puffs: dust under the feet on sand, and drops of water where one falls in or swims, with the sounds of a frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Vector
from ...render.nature.particles import Particles, dust, no_particles, splash

if TYPE_CHECKING:
    from ..audio.sound_cue import SoundCue

DUST_STEPS, LANDING = "step_sand_", "land"  # names of cues
SPLASHES = {"splash": (4.0, 90), "swim": (1.2, 14)}  # speed (m/s) and number of the drops at full loudness
DUST_PER_STEP, DUST_PER_LANDING = 9, 30
MAX_SECONDS = 3.0  # s after which all is over


class Puffs:
    """The particles that are alive, by the clock of the picture."""

    def __init__(self) -> None:
        self._alive = no_particles()
        self._generator = np.random.default_rng(23)

    def update(self, cues: Iterable[SoundCue], feet: Vector, middle: Vector, time: float) -> Particles:
        """Particles (n,) at `time` (s), those of new cues with them. feet, middle: of the body, m."""
        begun = self._alive["in_origin"][:, 3]
        self._alive = self._alive[(begun <= time) & (begun > time - MAX_SECONDS)]
        cues = tuple(cues)
        landing = any(cue.name == LANDING for cue in cues)
        for cue in cues:
            if cue.name.startswith(DUST_STEPS):
                self._add(dust(feet, DUST_PER_LANDING if landing else DUST_PER_STEP, time, self._generator))
            elif cue.name in SPLASHES and cue.place is None:
                speed, count = SPLASHES[cue.name]
                speed *= 0.4 + 0.6 * cue.loudness
                self._add(splash(middle, speed, max(round(count * cue.loudness), 1), time, self._generator))
        return self._alive

    def _add(self, particles: Particles) -> None:
        self._alive = np.concatenate((self._alive, particles))
