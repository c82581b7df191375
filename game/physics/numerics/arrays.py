"""Types of the kernels' arrays that only the physics uses; the others are in core/vectors.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.vectors import Floats, Ints

Bytes = NDArray[np.uint8]
Unsigned = NDArray[np.uint32]
Bitmasks = NDArray[np.uint64]

MeshArrayTuple = tuple[Floats, Ints, Floats, Ints, Floats]  # nodes, links, triangles, mates, materials
