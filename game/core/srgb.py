"""sRGB 0..1: transfer function to and from linear light (IEC 61966-2-1), colours for each kind of colour vision."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .vectors import Colour, Floats

# Okabe and Ito, Color Universal Design, 2008
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


def srgb_to_linear(srgb: npt.ArrayLike) -> Floats:
    """sRGB 0..1 to linear light."""
    value = np.clip(np.asarray(srgb, dtype=np.float64), 0.0, 1.0)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(linear: npt.ArrayLike) -> Floats:
    """Linear light 0..1 to sRGB."""
    value = np.clip(np.asarray(linear, dtype=np.float64), 0.0, 1.0)
    return np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1.0 / 2.4) - 0.055)
