"""Colours of plots and maps: colour-blind safe ones for walks, and a sequential scale for heat maps."""

from __future__ import annotations

import numpy as np

from ..core.srgb import BLUE, GREEN, ORANGE, REDDISH_PURPLE, SKY_BLUE, VERMILION
from ..core.vectors import Floats
from .canvas import Colour

WALK_COLOURS: tuple[Colour, ...] = tuple(
    (round(255 * red), round(255 * green), round(255 * blue))
    for red, green, blue in (VERMILION, BLUE, REDDISH_PURPLE, GREEN, ORANGE, SKY_BLUE)
)
MANY_COLOUR = WALK_COLOURS[1]  # of walks that are too many for a colour each
SPAWN: Colour = (28, 26, 24)  # of plots: unlike any walk
GOAL: Colour = (230, 159, 0)  # of plots
MAP_SPAWN: Colour = (38, 104, 184)  # of maps, with one path
MAP_GOAL: Colour = (214, 152, 16)
# After the scale "inferno" (Smith and van der Walt, 2015) without its darkest part: monotone in lightness, so that it
# reads without any colour too
HEAT_STOPS = ((252, 232, 164), (252, 180, 60), (236, 106, 38), (188, 54, 84), (106, 23, 110), (40, 11, 84))


def walk_colour(number: int, count: int = 1) -> Colour:
    """Colour of walk `number`, from 0, of `count`. With more walks than colours all have the same one."""
    return MANY_COLOUR if count > len(WALK_COLOURS) else WALK_COLOURS[number % len(WALK_COLOURS)]


def heat_colours(values: Floats) -> Floats:
    """(...,3) in 0..255: colours of values 0..1."""
    stops = np.linspace(0.0, 1.0, len(HEAT_STOPS))
    table = np.array(HEAT_STOPS, np.float64)
    return np.stack([np.interp(values, stops, table[:, k]) for k in range(3)], axis=-1)
