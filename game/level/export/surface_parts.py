"""Parts of a level for model files: the triangles of each surface and layer, under names that an import reads back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.vectors import Floats, Ints
from ..edit.save import SaveError
from ..format.surfaces import Surface


@dataclass(frozen=True, slots=True)
class SurfacePart:
    """Triangles (N,3,3) of one surface and layer. name: of the object, with the suffix of its layer.

    material: index into the materials.
    """

    name: str
    material: int
    triangles: Floats


def parts_by_surface(
    surfaces: Sequence[Surface],
    solid: tuple[Floats, Ints, Ints],
    drawn: tuple[Floats, Ints, Ints],
) -> list[SurfacePart]:
    """Parts of a level. solid, drawn: triangles (N,3,3), surface (N,) and face (N,) of what collides and is visible.

    Objects named `...-col` collide and are visible, `...-colonly` only collide, `... visible` do not collide, as
    `game.level.models.layer_suffixes` reads them. Raises SaveError if there is no triangle.
    """
    solid_faces, drawn_faces = solid[2], drawn[2]
    is_both, is_drawn_only = np.isin(solid_faces, drawn_faces), ~np.isin(drawn_faces, solid_faces)
    layers = (
        ("-col", solid[0][is_both], solid[1][is_both]),
        ("-colonly", solid[0][~is_both], solid[1][~is_both]),
        (" visible", drawn[0][is_drawn_only], drawn[1][is_drawn_only]),
    )
    names = unique_names([surface.name for surface in surfaces])
    parts = [
        SurfacePart(names[index] + suffix, index, triangles[kinds == index])
        for index in range(len(surfaces))
        for suffix, triangles, kinds in layers
        if (kinds == index).any()
    ]
    if not parts:
        raise SaveError("the level has no triangle to export; pieces of movers are left out")
    return parts


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, with a number appended to each that occurred before: `a`, `a 2`."""
    taken: set[str] = set()
    result = []
    for name in names:
        unique, count = name, 1
        while unique in taken:
            count += 1
            unique = f"{name} {count}"
        taken.add(unique)
        result.append(unique)
    return result
