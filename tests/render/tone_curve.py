"""The tone curve of include/tone_mapping.glsl in Python."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from game.core.srgb import linear_to_srgb
from game.core.vectors import Floats
from game.render.gl.programs import SHADER_CONSTANTS


def shown_colour(radiance: npt.ArrayLike, exposure: float = 1.0) -> Floats:
    """sRGB (..., 3) 0..1 of linear radiance (..., 3), as the shader shows it."""
    linear = exposure * np.asarray(radiance, dtype=np.float64)
    mix = SHADER_CONSTANTS["CHANNEL_MIX"]
    mixed = (linear + mix * (linear.mean(axis=-1, keepdims=True) - linear)) ** SHADER_CONSTANTS["TONE_CONTRAST"]
    return linear_to_srgb(mixed / (1.0 + mixed))
