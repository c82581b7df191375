"""Types of vectors and arrays that all packages share. Y is up; lengths are metres unless a docstring says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]  # x (east), y (up), z (south)
Point = Vector  # a position
Colour = tuple[float, float, float]  # sRGB: red, green, blue, 0 to 1
Corner = Sequence[float]  # a position as three numbers of any sequence

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
