"""sRGB transfer function (IEC 61966-2-1) between encoded values and linear light, both 0..1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .vectors import Floats


def srgb_to_linear(srgb: npt.ArrayLike) -> Floats:
    """sRGB 0..1 to linear light."""
    value = np.clip(np.asarray(srgb, dtype=np.float64), 0.0, 1.0)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(linear: npt.ArrayLike) -> Floats:
    """Linear light 0..1 to sRGB."""
    value = np.clip(np.asarray(linear, dtype=np.float64), 0.0, 1.0)
    return np.where(value <= 0.0031308, 12.92 * value, 1.055 * value ** (1.0 / 2.4) - 0.055)
