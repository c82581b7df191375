"""Guess of a surface's colour and texture from its name."""

from __future__ import annotations

import re

from ...format.values import NAMED_COLOURS

_SURFACES_BY_WORD = {
    "stone rock paving flag cobble ashlar granite slate": ("#8d8a83", "flagstone"),
    "brick": ("#a96f53", "brick"),
    "wood plank timber oak pine beam board door": ("#9a7146", "planks"),
    "grass moss lawn meadow leaf leaves hedge": ("#6d7a45", "grass"),
    "tile roof marble": ("#c4a784", "tiles"),
    "concrete cement pavement": ("#a9a59c", "concrete"),
    "plaster wall stucco paint ceiling": ("#d9cdb8", "plaster"),
    "metal iron steel copper": ("#8f979c", "metal"),
    "ice snow frost": ("#bfe3f0", "ice"),
    "glass": ("#cfe2e6", "ice"),
    "water pool river": ("#4f8a94", "ice"),
    "sand dirt earth soil mud path gravel": ("#bda57c", "plain"),
    "floor ground": ("#a08f78", "flagstone"),
}
_DEFAULT_COLOUR = "#a8a29a"


def guess_surface(name: str) -> str:
    """The fields of a surface as YAML: a colour, and a texture if the name suggests one."""
    words = re.findall("[a-z]+", name.lower())
    for known, (colour, texture) in _SURFACES_BY_WORD.items():
        stems = known.split()
        if any(word.startswith(stem) or word.removesuffix("s").endswith(stem) for word in words for stem in stems):
            colour_text = next(
                (word for word in words if word in NAMED_COLOURS and word not in ("tan", "sand")), f'"{colour}"'
            )
            return f"{{colour: {colour_text}, texture: {texture}}}"
    colour_text = next((word for word in words if word in NAMED_COLOURS), f'"{_DEFAULT_COLOUR}"')
    return f"{{colour: {colour_text}}}"
