"""Model formats by file extension: limits, units and readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .gltf import gltf_container
from .model_text import MAX_OBJ_BYTES
from .quake import map_parser
from .triangle_soup import FetchFile, TriangleSoup

if TYPE_CHECKING:
    from .model_pictures import ModelPictures
    from .texture_folder import TextureFolder

METRES_BY_UNIT = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "foot": 0.3048}  # names of `units` in a level

MAX_BYTES_BY_EXTENSION = {
    ".glb": gltf_container.MAX_GLB_BYTES,
    ".gltf": gltf_container.MAX_GLTF_BYTES,
    ".obj": MAX_OBJ_BYTES,
    ".map": map_parser.MAX_MAP_BYTES,
}
MODEL_EXTENSIONS = tuple(MAX_BYTES_BY_EXTENSION)
TEXT_EXTENSIONS = (".obj", ".map", ".gltf")  # findings in these name a line


def metres_per_unit(ending: str, units: str = "") -> float:
    """Metres of one unit: of `units` if given, else the default of the format."""
    return METRES_BY_UNIT[units] if units else map_parser.METRES_PER_UNIT if ending == ".map" else 1.0


def parse_model(
    data: bytes,
    ending: str,
    fetch: FetchFile,
    metres: float,
    pictures: ModelPictures | None = None,
    textures: TextureFolder | None = None,
) -> TriangleSoup:
    """The faces of a model file in its own units and axes. Raises ModelError.

    metres: length of one unit, for the merging of quads. pictures: finder of its textures; textures: of those of a map.
    """
    # Most levels have no model: the readers are imported here.
    if ending == ".map":
        from .quake import map_reader

        return map_reader.read_map(data, metres, textures)
    if ending == ".obj":
        from . import obj

        return obj.read_obj(data, fetch, metres, pictures)
    from .gltf import gltf_reader

    return gltf_reader.read_gltf(data, fetch, metres, pictures)
