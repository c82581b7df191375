"""A model file by its ending."""

from __future__ import annotations

from game.level.models import container, gltf, obj
from game.level.models.quake import solid, text
from game.level.models.soup import Fetch, Soup

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048}  # metres

MOST_BYTES = {
    ".glb": container.MOST_BYTES, ".gltf": container.MOST_TEXT, ".obj": obj.MOST_BYTES, ".map": text.MOST_BYTES,
}  # fmt: skip
ENDINGS = tuple(MOST_BYTES)
WRITTEN = (".obj", ".map")  # these have lines to point at


def unit_of(ending: str, units: str = "") -> float:
    """Metres of one unit: as `units` says, else as the format does."""
    return UNITS[units] if units else solid.UNIT if ending == ".map" else 1.0


def read(data: bytes, ending: str, fetch: Fetch, metres: float) -> Soup:
    """The faces of a model file in its own units and axes; metres: of one unit, for the rule for quads.
    Raises ModelError."""
    if ending == ".map":
        return solid.read(data, metres)
    if ending == ".obj":
        return obj.read(data, fetch, metres)
    return gltf.read(data, fetch, metres)
