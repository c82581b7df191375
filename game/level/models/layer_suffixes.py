"""The drawn and the colliding layer, by the names that Blender's users give (Godot's convention).

`-col` is drawn and collides, `-colonly` collides only, `-convcol` and `-convcolonly` are the same here, and a node
that ends in `-noimp` is left out with everything below it. Where no name says so, everything is drawn and collides;
where one does, what says nothing is only drawn. Blender's `.001` of a copy may follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .triangle_soup import ModelPart

_LAYER_SUFFIX = re.compile(r"[-_$](col|convcol|colonly|convcolonly|noimp)[\s._0-9]*$", re.IGNORECASE)


def layer_suffix(name: str) -> str:
    """What a name says of its layers: col, colonly, noimp, or nothing."""
    said = _LAYER_SUFFIX.search(name[-80:])
    return said[1].lower().replace("conv", "") if said else ""


def parts_with_layers(names: Sequence[str]) -> tuple[ModelPart, ...]:
    """Parts of those names, in the layers that they ask for."""
    words = [layer_suffix(name) for name in names]
    by_name = any(said in ("col", "colonly") for said in words)
    return tuple(
        ModelPart(name, collide=not by_name or said in ("col", "colonly"), visible=said != "colonly")
        for name, said in zip(names, words, strict=True)
    )
