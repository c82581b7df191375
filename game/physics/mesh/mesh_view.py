"""Read-only view of a cooked mesh: the arrays that queries read, without a dependency on `TriangleMesh`."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .heightfield import HeightFields


class MeshView(Protocol):
    """N triangles in canonical order with their BVH and height fields. `TriangleMesh` implements it."""

    @property
    def triangles12(self) -> NDArray[np.float64]:
        """(N,12): corners a, b, c in metres, then the unit normal."""

    @property
    def nodes(self) -> NDArray[np.float64]:
        """(M,6): boxes of the BVH, see physics.mesh.bvh."""

    @property
    def links(self) -> NDArray[np.int32]:
        """(M,2): structure of the BVH."""

    @property
    def source(self) -> NDArray[np.int32]:
        """(N,): index of each triangle in the caller's array."""

    @property
    def heights(self) -> HeightFields:
        """Height fields, searched before the BVH."""

    def __len__(self) -> int:
        """N."""
