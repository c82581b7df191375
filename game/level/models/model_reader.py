"""Model formats by file extension: limits, units and readers."""

from __future__ import annotations

from . import gltf, gltf_container, obj
from .quake import map_parser, map_reader
from .triangle_soup import FetchFile, TriangleSoup

METRES_BY_UNIT = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048}  # names of `units` in a level

MAX_BYTES_BY_EXTENSION = {
    ".glb": gltf_container.MAX_GLB_BYTES,
    ".gltf": gltf_container.MAX_GLTF_BYTES,
    ".obj": obj.MAX_OBJ_BYTES,
    ".map": map_parser.MAX_MAP_BYTES,
}
MODEL_EXTENSIONS = tuple(MAX_BYTES_BY_EXTENSION)
TEXT_EXTENSIONS = (".obj", ".map")  # findings in these name a line


def metres_per_unit(ending: str, units: str = "") -> float:
    """Metres of one unit: of `units` if given, else the default of the format."""
    return METRES_BY_UNIT[units] if units else map_reader.METRES_PER_UNIT if ending == ".map" else 1.0


def parse_model(data: bytes, ending: str, fetch: FetchFile, metres: float) -> TriangleSoup:
    """The faces of a model file in its own units and axes. Raises ModelError.

    metres: length of one unit, for the merging of quads.
    """
    if ending == ".map":
        return map_reader.read_map(data, metres)
    if ending == ".obj":
        return obj.read_obj(data, fetch, metres)
    return gltf.read_gltf(data, fetch, metres)
