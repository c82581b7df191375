"""Layers by name suffix, as in Godot's import: which parts of a model are visible and which collide.

`-col` is visible and collides, `-colonly` only collides; `-convcol` and `-convcolonly` mean the same here. A node with
`-noimp` is left out with everything below it. If no part of a file has a suffix, all parts are visible and collide. If
one has, parts without a suffix are only visible. Blender's copy number (`.001`) may follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .triangle_soup import ModelPart

_LAYER_SUFFIX = re.compile(r"[-_$](col|convcol|colonly|convcolonly|noimp)[\s._0-9]*$", re.IGNORECASE)


def layer_suffix(name: str) -> str:
    """The layer suffix of a name: `col`, `colonly`, `noimp`, or an empty text."""
    match = _LAYER_SUFFIX.search(name[-80:])
    return match[1].lower().replace("conv", "") if match else ""


def parts_with_layers(names: Sequence[str]) -> tuple[ModelPart, ...]:
    """Parts with these names, in the layers that the names ask for."""
    suffixes = [layer_suffix(name) for name in names]
    by_name = any(suffix in ("col", "colonly") for suffix in suffixes)
    return tuple(
        ModelPart(name, collide=not by_name or suffix in ("col", "colonly"), visible=suffix != "colonly")
        for name, suffix in zip(names, suffixes, strict=True)
    )
