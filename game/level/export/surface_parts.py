"""Parts of a level for model files: the triangles of each surface and layer, under names that an import reads back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Flags, Floats, Ints
from ..edit.save import SaveError
from ..format.surfaces import Surface


@dataclass(frozen=True, slots=True)
class SurfacePart:
    """Triangles (N,3,3) of one surface and layer. name: of the object, with the suffix of its layer.

    material: index into the materials. pairs: the first 2 * pairs triangles are the halves of quads.
    """

    name: str
    material: int
    triangles: Floats
    pairs: int

    def quads(self) -> Floats:
        """The quads (pairs,4,3), each from a corner on its diagonal: 0-1-2 and 0-2-3 are the two triangles."""
        first, second = self.triangles[0 : 2 * self.pairs : 2], self.triangles[1 : 2 * self.pairs : 2]
        by_first = _equal_corners(first[:, 2], second[:, 1])[:, None, None]  # divided along 0-2, else along 1-3
        quads: Floats = np.where(
            by_first,
            np.stack([first[:, 0], first[:, 1], first[:, 2], second[:, 2]], axis=1),
            np.stack([second[:, 0], second[:, 1], second[:, 2], first[:, 0]], axis=1),
        )
        return quads


def parts_by_surface(
    surfaces: Sequence[Surface], solid: tuple[Floats, Ints, Ints], drawn: tuple[Floats, Ints, Ints]
) -> list[SurfacePart]:
    """Parts of a level. solid, drawn: triangles (N,3,3), surface (N,) and face (N,) of what collides and is visible.

    Objects named `...-col` collide and are visible, `...-colonly` only collide, `... visible` do not collide, as
    `level.models.layer_suffixes` reads them. Raises SaveError if there is no triangle.
    """
    is_both = np.isin(solid[2], drawn[2])
    is_drawn_only = ~np.isin(drawn[2], solid[2])
    layers = (
        ("-col", tuple(array[is_both] for array in solid)),
        ("-colonly", tuple(array[~is_both] for array in solid)),
        (" visible", tuple(array[is_drawn_only] for array in drawn)),
    )
    names = unique_names([surface.name for surface in surfaces])
    parts = [
        _make_part(names[index] + suffix, index, triangles[kinds == index], faces[kinds == index])
        for index in range(len(surfaces))
        for suffix, (triangles, kinds, faces) in layers
        if (kinds == index).any()
    ]
    if not parts:
        raise SaveError("the level has no triangle to export; pieces of movers are left out")
    return parts


def _make_part(name: str, material: int, triangles: Floats, faces: Ints) -> SurfacePart:
    """Part with the halves of quads first. faces (N,): the halves of a quad follow each other and have the same."""
    first, second = triangles[:-1], triangles[1:]
    along_first = _equal_corners(first[:, 0], second[:, 0]) & _equal_corners(first[:, 2], second[:, 1])
    along_second = _equal_corners(first[:, 1], second[:, 0]) & _equal_corners(first[:, 2], second[:, 2])
    starts = np.flatnonzero((faces[:-1] == faces[1:]) & (along_first | along_second))
    paired = (starts[:, None] + (0, 1)).ravel()
    single = np.setdiff1d(np.arange(len(triangles)), paired)
    return SurfacePart(name, material, triangles[np.concatenate([paired, single])], len(starts))


def _equal_corners(a: Floats, b: Floats) -> Flags:
    """Mask (N,) of equal points (N,3)."""
    equal: Flags = (a == b).all(axis=1)
    return equal


def unique_names(names: Sequence[str], separator: str = " ") -> list[str]:
    """The names, with a number appended to each that occurred before: `a`, `a 2`."""
    taken: set[str] = set()
    result = []
    for name in names:
        unique = name
        count = 1
        while unique in taken:
            count += 1
            unique = f"{name}{separator}{count}"
        taken.add(unique)
        result.append(unique)
    return result
