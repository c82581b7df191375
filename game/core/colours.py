"""Colours that people with colour vision deficiency tell apart, sRGB (Okabe and Ito, Color Universal Design, 2008)."""

from __future__ import annotations

from .vectors import Colour

SKY_BLUE: Colour = (0.337, 0.706, 0.914)
ORANGE: Colour = (0.902, 0.624, 0.0)
YELLOW: Colour = (0.941, 0.894, 0.259)
GREEN: Colour = (0.0, 0.620, 0.451)
BLUE: Colour = (0.0, 0.447, 0.698)
VERMILION: Colour = (0.835, 0.369, 0.0)
REDDISH_PURPLE: Colour = (0.800, 0.475, 0.655)

# Lighter than SKY_BLUE, so that it differs from ORANGE without any colour too
LIGHT_BLUE: Colour = (0.60, 0.84, 1.00)
WHITE: Colour = (0.96, 0.96, 0.96)
