"""Parts and poses of a cooked mesh for queries: the triangles of some surfaces, or all triangles moved rigidly.

A query of a part runs the same kernels on fewer triangles. Queries without a filter take no extra time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import as_integer, describe_value
from ...core.vectors import Floats, Ints
from ..mesh.bvh import build_bvh, fit_bvh_boxes
from ..mesh.heightfield import HeightFields
from ..mesh.mesh_view import MeshView

SurfaceFilter = int | str | Sequence[int | str] | NDArray[np.integer[Any]]  # surfaces by index or name

MAX_SHOWN_NAMES = 12  # of surfaces in a message


@dataclass(frozen=True, slots=True, eq=False)
class MeshPart:
    """N triangles of a mesh with a BVH of their own, in the mesh's order; a `MeshView`. No height fields.

    The arrays are made read-only, as those of a `TriangleMesh` are: a kernel is compiled again for writable ones.
    """

    triangles12: NDArray[np.float64]
    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    source: NDArray[np.int32]
    heights: HeightFields

    def __post_init__(self) -> None:
        arrays: tuple[Floats | Ints, ...] = (self.triangles12, self.nodes, self.links, self.source)
        for array in arrays:
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.source)


def select_triangles(mesh: MeshView, kept: NDArray[np.bool_]) -> MeshPart:
    """The triangles with a true value in kept (N,). Their positions in the mesh stand for the Morton codes."""
    rows = np.flatnonzero(kept)
    triangles, source = np.ascontiguousarray(mesh.triangles12[rows]), mesh.source[rows]
    nodes, links = build_bvh(triangles, np.arange(len(rows)))
    return MeshPart(triangles, nodes, links, source, HeightFields((), source, triangles, nodes, links))


def pose_mesh(mesh: MeshView, rotation: Floats, position: Floats) -> MeshPart:
    """The mesh with x_world = rotation (3,3) x + position (3,), m; the BVH has the same tree and new boxes."""
    triangles = np.empty_like(mesh.triangles12)
    for k in (0, 3, 6, 9):
        moved = rotate_vectors(rotation, mesh.triangles12[:, k : k + 3])
        triangles[:, k : k + 3] = moved if k == 9 else moved + position
    nodes, links = np.empty_like(mesh.nodes), mesh.links.copy()  # writable, as where a mesh is built: the same kernel
    fit_bvh_boxes(triangles, links, np.zeros(len(triangles), np.uint8), nodes)
    return MeshPart(triangles, nodes, links, mesh.source, HeightFields((), mesh.source, triangles, nodes, links))


def rotate_vectors(rotation: Floats, vectors: Floats) -> Floats:
    """rotation (3,3) times each of vectors (..., 3), with a fixed order of operations."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    rows = [row[0] * x + row[1] * y + row[2] * z for row in rotation.tolist()]
    return np.stack(rows, axis=-1)


def chosen_surfaces(value: SurfaceFilter, name: str, names: Sequence[str], count: int) -> frozenset[int]:
    """Indices of the surfaces in a filter. ValueError for surfaces that the mesh does not have.

    name: of the argument, for messages. names: of the mesh's surfaces, may be empty. count: number of surfaces of the
    mesh; 0 if every integer is a surface.
    """
    members: Iterable[object] = [value] if isinstance(value, (str, bytes)) or not np.iterable(value) else value
    found: set[int] = set()
    for member in members:
        if isinstance(member, str):
            found |= _surfaces_of_name(member, name, names)
            continue
        try:
            number = as_integer(member, name, -(2**31), 2**31 - 1)
        except ValueError:
            raise ValueError(f"{name}: expected indices or names of surfaces, not {describe_value(member)}") from None
        if count and not 0 <= number < count:
            raise ValueError(f"{name}: the mesh has the surfaces 0 to {count - 1}, not {number}")
        found.add(number)
    return frozenset(found)


def _surfaces_of_name(wanted: str, name: str, names: Sequence[str]) -> set[int]:
    """Indices of the surfaces of that name: several where included files use it too."""
    found = {index for index, other in enumerate(names) if other == wanted}
    if found:
        return found
    if not names:
        raise ValueError(
            f"{name}: this mesh has no surface names, so {wanted!r} must be an index; level.mesh has names, "
            "TriangleMesh(..., surface_names=[...]) gives them"
        )
    near = get_close_matches(wanted, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(set(names))[:MAX_SHOWN_NAMES])}"
    raise ValueError(f"{name}: no surface is called {wanted!r}; {hint}")
