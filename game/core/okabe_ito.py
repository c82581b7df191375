"""Colours that differ with each kind of colour vision, sRGB 0..1.

Source: Okabe and Ito, Color Universal Design, 2008.
"""

from __future__ import annotations

from .vectors import Colour

SKY_BLUE: Colour = (0.337, 0.706, 0.914)
ORANGE: Colour = (0.902, 0.624, 0.0)
YELLOW: Colour = (0.941, 0.894, 0.259)
GREEN: Colour = (0.0, 0.620, 0.451)
BLUE: Colour = (0.0, 0.447, 0.698)
VERMILION: Colour = (0.835, 0.369, 0.0)
REDDISH_PURPLE: Colour = (0.800, 0.475, 0.655)
