"""Validation of a glTF document: checks every index and length before use."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....core.srgb import linear_to_srgb
from ....core.time_format import format_count
from ....core.vectors import Floats
from ...format.findings import quote_text
from ..layer_suffixes import layer_suffix
from ..triangle_soup import (
    MAX_MODEL_COORDINATE,
    MAX_PARTS,
    MAX_TRIANGLES,
    ModelError,
    ModelLamp,
    ModelNote,
    finite_numbers,
    too_many_triangles_error,
    unread_note,
)
from .gltf_accessors import INDEX_COMPONENTS, POSITION_COMPONENTS, AccessorView, check_accessor
from .gltf_container import GltfContainer, Json
from .gltf_draco import DECOMPRESS_CURE
from .gltf_textures import extension_of

MAX_NODE_DEPTH = 64  # nested nodes

MODE_TRIANGLES = 4  # the supported primitive modes
MODE_TRIANGLE_STRIP = 5
_KNOWN_EXTENSIONS = (
    "KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "KHR_mesh_quantization",
    "EXT_texture_", "MSFT_texture_", "KHR_node_visibility",
)  # fmt: skip
_LAMPS, _VISIBILITY = "KHR_lights_punctual", "KHR_node_visibility"
_READ_EXTENSIONS = {  # or named where they occur
    _LAMPS, _VISIBILITY, "KHR_texture_transform", "EXT_texture_webp", "KHR_texture_basisu", "KHR_materials_unlit",
    "KHR_materials_emissive_strength", "KHR_materials_pbrSpecularGlossiness", "KHR_mesh_quantization",
    "KHR_draco_mesh_compression", "EXT_meshopt_compression",
}  # fmt: skip
_UNSEEN_EXTENSIONS = (  # beginnings of the names of extensions that change neither the look nor the collision
    "KHR_xmp", "KHR_audio", "KHR_interactivity", "KHR_animation", "KHR_node_hover", "KHR_node_select",
    "KHR_materials_variants", "EXT_mesh_features", "EXT_structural_metadata", "EXT_instance_features", "MSFT_lod",
)  # fmt: skip
_LAMP_CANDELA = 500.0  # cd of a lamp of brightness 1
_LAMP_FADE = 0.01  # of the light of brightness 1 at 1 m: a lamp without `range` reaches as far as it has more
_EXTENSION_CURES = {"KHR_draco_mesh_compression": DECOMPRESS_CURE, "EXT_meshopt_compression": DECOMPRESS_CURE}
_REEXPORT_CURE = "export it again"


@dataclass(frozen=True, slots=True)
class PrimitiveUse:
    """A primitive that a node draws: (mesh, index in the mesh) and its material (-1: none)."""

    node: int
    primitive: tuple[int, int]
    material: int


@dataclass(frozen=True, slots=True)
class PrimitiveArrays:
    """The checked positions and indices (None: the vertices in their order) of a primitive of triangles or a strip."""

    positions: AccessorView
    indices: AccessorView | None
    is_strip: bool

    @property
    def triangle_count(self) -> int:
        count = (self.indices or self.positions).count
        return max(0, count - 2) if self.is_strip else count // 3


@dataclass(slots=True)
class GltfValidator:
    """Traversal of the scene that validates the document and records what is used.

    uses: the primitives with their nodes. arrays: of each primitive. matrices (4,4): from each visited node to the
    scene. notes: remarks for the author. lamps: those of the nodes. unread: what of the nodes is not read, in words,
    with the number of each.
    """

    container: GltfContainer
    uses: list[PrimitiveUse] = field(default_factory=list)
    arrays: dict[tuple[int, int], PrimitiveArrays] = field(default_factory=dict)
    matrices: dict[int, Floats] = field(default_factory=dict)
    notes: list[ModelNote] = field(default_factory=list)
    lamps: dict[int, Json] = field(default_factory=dict)
    unread: Counter[str] = field(default_factory=Counter)
    skipped: int = 0
    triangles: int = 0

    def validate(self) -> None:
        """Traverse the scene from its roots. Raises ModelError at the first error."""
        self._check_extensions()
        waiting = [(root, np.eye(4), 0) for root in reversed(self._scene_roots())]
        while waiting:
            index, above, depth = waiting.pop()
            node = self.container.checked_entry("nodes", index)
            if index in self.matrices:
                message = f"node {self._describe_node(index)} has two parents or contains itself"
                raise ModelError(message, _REEXPORT_CURE)
            if depth > MAX_NODE_DEPTH:
                raise ModelError(f"its nodes are nested deeper than {MAX_NODE_DEPTH}", "flatten them, or apply parents")
            if len(self.matrices) >= MAX_PARTS:
                raise ModelError(f"it has more than {MAX_PARTS} nodes", "merge parts that belong together")
            if layer_suffix(self.node_name(index)) == "noimp":
                continue
            if (extension_of(node, _VISIBILITY) or {}).get("visible") is False:  # nor are its children visible
                continue
            with np.errstate(all="ignore"):  # positions that are not finite are reported where they are read
                self.matrices[index] = above @ _local_matrix(node, self._describe_node(index))
            if "mesh" in node:
                self._visit_mesh(index, node["mesh"])
                self.unread["skin"] += "skin" in node
                mesh = self.container.checked_entry("meshes", node["mesh"])
                self.unread["shape key"] += any(node.get("weights") or mesh.get("weights") or ())
            if (lamp := extension_of(node, _LAMPS)) is not None:
                self._add_lamp(index, lamp.get("light"))
            children = node.get("children", [])
            if not isinstance(children, list):
                raise ModelError(f"`children` of node {self._describe_node(index)} is not a list", _REEXPORT_CURE)
            waiting += [(child, self.matrices[index], depth + 1) for child in reversed(children)]
        if self.skipped:
            self.unread["line, point or fan primitive"] += self.skipped
        self._note_unread()

    def _add_lamp(self, node: int, number: object) -> None:
        written = (extension_of(self.container.document, _LAMPS) or {}).get("lights")
        lamps = written if isinstance(written, list) else []
        if not isinstance(number, int) or not 0 <= number < len(lamps) or not isinstance(lamps[number], dict):
            self.notes.append(ModelNote(f"node {self._describe_node(node)} has a lamp that is not in the file"))
        elif lamps[number].get("type") == "directional":
            self.unread["directional lamp"] += 1
        else:
            self.unread["spot lamp cone"] += lamps[number].get("type") == "spot"
            self.lamps[node] = lamps[number]

    def _note_unread(self) -> None:
        """One remark about all that changes what is seen or collides, and is not read."""
        document = self.container.document
        used = document.get("extensionsUsed", [])
        names = {name for name in used if isinstance(name, str)} if isinstance(used, list) else set[str]()
        waiting: list[Any] = [document]
        while waiting:  # extensions that the list lacks
            entry = waiting.pop()
            if isinstance(entry, dict):
                extensions = entry.get("extensions")
                names |= extensions.keys() if isinstance(extensions, dict) else set()
            parts = entry.values() if isinstance(entry, dict) else entry
            waiting += [part for part in parts if isinstance(part, dict | list)]
        animations = document.get("animations")
        self.unread["animation"] += len(animations) if isinstance(animations, list) else 0
        unread = [format_count(count, kind) for kind, count in self.unread.items() if count]
        unread += [
            quote_text(name) for name in sorted(names - _READ_EXTENSIONS) if not name.startswith(_UNSEEN_EXTENSIONS)
        ]
        if unread:
            self.notes.append(unread_note(unread))

    def read_lamps(self, metres: float) -> tuple[ModelLamp, ...]:
        """The lamps at their nodes, the brightest first. Intensities are in candela, and colours linear."""
        found = []
        for node, written in self.lamps.items():
            intensity = finite_numbers([written.get("intensity", 1.0)], 1)
            colour = finite_numbers(written.get("color", [1.0, 1.0, 1.0]), 3)
            reach = finite_numbers([written.get("range", 0.0)], 1)
            is_known = written.get("type") in ("point", "spot")
            if not is_known or intensity is None or colour is None or reach is None:
                message = f"the lamp of node {self._describe_node(node)} has an invalid type, color, intensity or range"
                self.notes.append(ModelNote(message + "; it is left out", _REEXPORT_CURE))
                continue
            at = self.matrices[node][:3, 3] * metres
            if not (np.abs(at) <= MAX_MODEL_COORDINATE).all():
                continue
            brightness = min(100.0, max(0.05, intensity[0] / _LAMP_CANDELA))
            red, green, blue = linear_to_srgb(np.clip(colour, 0.0, 1.0)).tolist()
            x, y, z = at.tolist()
            far = reach[0] * metres if reach[0] > 0.0 else math.sqrt(brightness / _LAMP_FADE)
            reach_metres = min(100.0, max(0.5, far))
            found.append(ModelLamp((x, y, z), (red, green, blue), brightness, reach_metres))
        return tuple(sorted(found, key=lambda lamp: -lamp.brightness * lamp.reach))

    def node_name(self, node: int) -> str:
        """Name of a node, else of its mesh, else its number."""
        entry = self.container.checked_entry("nodes", node)
        mesh = entry.get("mesh")
        meshes = self.container.checked_list("meshes")
        mesh_name = meshes[mesh].get("name") if isinstance(mesh, int) and 0 <= mesh < len(meshes) else None
        name = entry.get("name") or mesh_name
        return name if isinstance(name, str) else f"node {node}"

    def _describe_node(self, index: object) -> str:
        return quote_text(self.node_name(index)) if isinstance(index, int) else "?"

    def _check_extensions(self) -> None:
        required = self.container.document.get("extensionsRequired", [])
        for name in required if isinstance(required, list) else ():
            if not isinstance(name, str) or not name.startswith(_KNOWN_EXTENSIONS):
                cure = (
                    _EXTENSION_CURES.get(name, _REEXPORT_CURE + " without it")
                    if isinstance(name, str)
                    else _REEXPORT_CURE
                )
                raise ModelError(f"it needs {quote_text(str(name))}, which is not supported", cure)

    def _scene_roots(self) -> list[Any]:
        scenes = self.container.checked_list("scenes")
        nodes = self.container.checked_list("nodes")
        if scenes:
            roots = self.container.checked_entry("scenes", self.container.document.get("scene", 0)).get("nodes", [])
            if not isinstance(roots, list):
                raise ModelError("the nodes of its scene are not a list", _REEXPORT_CURE)
            return roots
        children = [node.get("children") for node in nodes]
        below = {
            child for indices in children if isinstance(indices, list) for child in indices if isinstance(child, int)
        }
        return [index for index in range(len(nodes)) if index not in below]

    def _visit_mesh(self, node: int, index: object) -> None:
        primitives = self.container.checked_entry("meshes", index).get("primitives")
        if not isinstance(primitives, list) or not isinstance(index, int):
            raise ModelError(f"mesh {str(index)[:20]} has no primitives", _REEXPORT_CURE)
        for at, primitive in enumerate(primitives):
            if not isinstance(primitive, dict):
                raise ModelError(f"primitive {at} of mesh {index} is not an object", _REEXPORT_CURE)
            if primitive.get("mode", MODE_TRIANGLES) not in (MODE_TRIANGLES, MODE_TRIANGLE_STRIP):
                self.skipped += 1
                continue
            key = (index, at)
            if key not in self.arrays:
                self.arrays[key] = self._check_primitive(primitive, index)
            size = self.arrays[key].triangle_count
            self.triangles += size
            if self.triangles > MAX_TRIANGLES:
                raise too_many_triangles_error(self.triangles)
            material = primitive.get("material", -1)
            if material != -1:
                self.container.checked_entry("materials", material)
            if size:
                self.uses.append(PrimitiveUse(node, key, material))

    def _check_primitive(self, primitive: Json, mesh: int) -> PrimitiveArrays:
        attributes = primitive.get("attributes")
        if not isinstance(attributes, dict) or "POSITION" not in attributes:
            raise ModelError(f"mesh {mesh} has no positions", _REEXPORT_CURE)
        compressed = primitive.get("extensions")
        for name in compressed if isinstance(compressed, dict) else ():
            if name in _EXTENSION_CURES:
                raise ModelError(f"it needs {quote_text(name)}, which is not supported", _EXTENSION_CURES[name])
        positions = check_accessor(self.container, attributes["POSITION"], ("VEC3",), POSITION_COMPONENTS, "positions")
        indices = None
        if "indices" in primitive:
            indices = check_accessor(self.container, primitive["indices"], ("SCALAR",), INDEX_COMPONENTS, "indices")
        count = (indices or positions).count
        is_strip = primitive.get("mode", MODE_TRIANGLES) == MODE_TRIANGLE_STRIP
        if not is_strip and count % 3:
            raise ModelError(f"mesh {mesh} has {count} vertices, not a whole number of triangles", _REEXPORT_CURE)
        return PrimitiveArrays(positions, indices, is_strip)


def _local_matrix(node: Json, name: str) -> Floats:
    """Matrix (4,4) from a node to its parent. Raises ModelError if a part of it is not a list of finite numbers.

    Source: glTF 2.0 specification, section 3.5.3.
    """
    values = {"matrix": np.eye(4).ravel(), "translation": np.zeros(3), "rotation": np.eye(4)[3], "scale": np.ones(3)}
    for key, default in values.items():
        if key in node:
            numbers = finite_numbers(node[key], len(default))
            if numbers is None:
                wanted = f"{len(default)} numbers of at most {MAX_MODEL_COORDINATE:g}"
                raise ModelError(f"`{key}` of node {name} must be {wanted}", _REEXPORT_CURE)
            values[key] = np.array(numbers)
    x, y, z, w = values["rotation"] / (np.linalg.norm(values["rotation"]) or 1.0)
    placed = np.eye(4)
    placed[:3, :3] = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
    placed[:3, :3] *= values["scale"]
    placed[:3, 3] = values["translation"]
    matrix: Floats = values["matrix"].reshape(4, 4).T @ placed
    return matrix
