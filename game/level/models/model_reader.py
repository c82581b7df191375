"""A model file by its ending."""

from __future__ import annotations

from . import gltf, gltf_container, obj
from .quake import map_parser, map_reader
from .triangle_soup import Fetch, Soup

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048}  # metres

MOST_BYTES = {
    ".glb": gltf_container.MOST_BYTES,
    ".gltf": gltf_container.MOST_TEXT,
    ".obj": obj.MOST_BYTES,
    ".map": map_parser.MOST_BYTES,
}
ENDINGS = tuple(MOST_BYTES)
WRITTEN = (".obj", ".map")  # these have lines to point at


def unit_of(ending: str, units: str = "") -> float:
    """Metres of one unit: as `units` says, else as the format does."""
    return UNITS[units] if units else map_reader.UNIT if ending == ".map" else 1.0


def read(data: bytes, ending: str, fetch: Fetch, metres: float) -> Soup:
    """The faces of a model file in its own units and axes; metres: of one unit, for the rule for quads.
    Raises ModelError."""
    if ending == ".map":
        return map_reader.read(data, metres)
    if ending == ".obj":
        return obj.read(data, fetch, metres)
    return gltf.read(data, fetch, metres)
