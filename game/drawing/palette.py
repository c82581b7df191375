"""Colours of plots and maps: colour-blind safe ones for walks, and a sequential scale for heat maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.srgb import BLUE, GREEN, ORANGE, REDDISH_PURPLE, SKY_BLUE, VERMILION
from ..core.vectors import Floats
from .canvas import Colour

WALK_COLOURS: tuple[Colour, ...] = tuple(
    (round(255 * red), round(255 * green), round(255 * blue))
    for red, green, blue in (VERMILION, BLUE, REDDISH_PURPLE, GREEN, ORANGE, SKY_BLUE)
)
SPAWN: Colour = (38, 104, 184)
GOAL: Colour = (214, 152, 16)
TARGET: Colour = (124, 84, 168)
EXIT: Colour = (22, 140, 130)
# After the scale "inferno" (Smith and van der Walt, 2015) without its darkest part: monotone in lightness, so that it
# reads without any colour too
HEAT_STOPS = ((252, 232, 164), (252, 180, 60), (236, 106, 38), (188, 54, 84), (106, 23, 110), (40, 11, 84))


def walk_colour(number: int) -> Colour:
    """Colour of walk `number`, from 0. After the last one they begin again."""
    return WALK_COLOURS[number % len(WALK_COLOURS)]


def gradient(stops: Sequence[Colour], values: Floats) -> Floats:
    """(...,3) in 0..255: colours of values 0..1, between `stops` at equal distances."""
    table = np.array(stops, np.float64)
    return np.stack([np.interp(values, np.linspace(0.0, 1.0, len(table)), table[:, k]) for k in range(3)], axis=-1)
