"""Types of the kernels' arrays that only the physics uses; the others are in core/vectors.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Unsigned = NDArray[np.uint32]
Bitmasks = NDArray[np.uint64]
