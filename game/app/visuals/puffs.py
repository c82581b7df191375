"""Puffs: dust under the feet on sand, and drops of water where one falls in or swims, with the sounds of a frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...core.vectors import Vector
from ...render.nature.particles import Particles, dust, no_particles, splash

if TYPE_CHECKING:
    from ...level import Level
    from ..audio.sounds import SoundCue

DUST_STEPS, LANDING = "step_sand_", "land"  # names of cues
SPLASHES = {"splash": (4.0, 90), "swim": (1.2, 14)}  # speed (m/s) and number of the drops at full loudness
DUST_PER_STEP, DUST_PER_LANDING = 9, 30
MAX_SECONDS = 3.0  # s after which all is over


class Puffs:
    """Particles that are `alive` (n,), by the clock of the picture."""

    def __init__(self) -> None:
        self.alive = no_particles()
        self._generator = np.random.default_rng(23)

    def update(self, cues: Iterable[SoundCue], feet: Vector, surface: Vector | None, time: float) -> Particles:
        """Particles (n,) at `time` (s), with those of new cues. feet: of the body, m. surface: point (m) of the water's
        surface that the body goes through, None for none."""
        begun = self.alive["in_origin"][:, 3]
        self.alive = self.alive[(begun <= time) & (begun > time - MAX_SECONDS)]
        cues = tuple(cues)
        landing = any(cue.name == LANDING for cue in cues)
        for cue in cues:
            if cue.name.startswith(DUST_STEPS):
                self._add(dust(feet, DUST_PER_LANDING if landing else DUST_PER_STEP, time, self._generator))
            elif cue.name in SPLASHES and cue.place is None and surface is not None:
                speed, count = SPLASHES[cue.name]
                speed *= 0.4 + 0.6 * cue.loudness
                self._add(splash(surface, speed, max(round(count * cue.loudness), 1), time, self._generator))
        return self.alive

    def _add(self, particles: Particles) -> None:
        self.alive = np.concatenate((self.alive, particles))


def surface_in(level: Level, feet: Vector, head: Vector) -> Vector | None:
    """Point (m) of the surface of still water between the feet and the head of an upright body; None for none."""
    for zone in level.all_zones:
        top = zone.centre[1] + zone.half[1]
        if (
            zone.facts.is_water
            and zone.mover < 0
            and feet[1] <= top <= head[1]
            and zone.contains((feet[0], top, feet[2]))
        ):
            return feet[0], top, feet[2]
    return None
