"""A walk over a glTF document that believes nothing: every index and length is looked at before it is used, and what
trimesh is then given holds nodes and geometry and nothing else."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any

from ..format.findings import quoted
from .gltf_container import Container
from .gltf_materials import material, numbers
from .layer_suffixes import word
from .triangle_soup import MOST_MATERIALS, MOST_PARTS, MOST_TRIANGLES, Material, ModelError, Note, too_many

MOST_DEPTH = 64  # nodes inside each other
MOST_LISTED = 100_000  # nodes, meshes, materials, each

TRIANGLES, STRIP = 4, 5  # the modes that are read
_SIZE = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_WHOLE = (5121, 5123, 5125)  # component types of indices
_FLOAT = 5126
_HARMLESS = ("KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "EXT_texture_", "MSFT_texture_")
_CURE = {
    "KHR_draco_mesh_compression": "export it without compression (Blender: Compression off)",
    "EXT_meshopt_compression": "export it without compression",
    "KHR_mesh_quantization": "export it without quantization",
}
_EXPORT = "export it again"

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Use:
    """One primitive at one node."""

    node: int
    primitive: tuple[int, int]
    material: int


@dataclass(slots=True)
class Survey:
    """A walk over the document that believes nothing, and notes what is used."""

    container: Container
    uses: list[Use] = field(default_factory=list)
    vertices: dict[tuple[int, int], int] = field(default_factory=dict)  # corners of each primitive
    sizes: dict[tuple[int, int], int] = field(default_factory=dict)  # triangles of each primitive
    above: dict[int, int] = field(default_factory=dict)  # the parent of each node that was reached, -1 for roots
    notes: list[Note] = field(default_factory=list)
    skipped: int = 0
    triangles: int = 0

    def walk(self) -> None:
        """Down from the roots of the scene; every node once."""
        self._extensions()
        waiting = [(root, -1, 0) for root in reversed(self._roots())]
        while waiting:
            index, above, depth = waiting.pop()
            node = self.entry("nodes", index)
            if index in self.above:
                raise ModelError(f"node {self._called(index)} hangs in two places, or inside itself", _EXPORT)
            if depth > MOST_DEPTH:
                raise ModelError(f"its nodes are nested deeper than {MOST_DEPTH}", "flatten them, or apply parents")
            if len(self.above) >= MOST_PARTS:
                raise ModelError(f"it has more than {MOST_PARTS} nodes", "join what belongs together")
            if word(self.name(index)) == "noimp":
                continue
            self.above[index] = above
            _transform(node, self._called(index))
            if "mesh" in node:
                self._mesh(index, node["mesh"])
            children = node.get("children", [])
            if not isinstance(children, list):
                raise ModelError(f"`children` of node {self._called(index)} is no list", _EXPORT)
            waiting += [(child, index, depth + 1) for child in reversed(children)]
        if self.skipped:
            self.notes.append(Note(f"{self.skipped} groups of lines, points or fans in it are left out"))

    def reduced(self) -> bytes:
        """A GLB of what is used and nothing else: nodes by their numbers `n0` ..., each use of a primitive one more
        below its node, `u0` ..."""
        document, views, accessors = self.container.document, _Picked(), _Picked()
        primitives = {key: rank for rank, key in enumerate(dict.fromkeys(use.primitive for use in self.uses))}
        meshes = []
        for rank, (mesh, at) in enumerate(primitives):
            written = document["meshes"][mesh]["primitives"][at]
            primitive: Json = {"attributes": {"POSITION": accessors.add(written["attributes"]["POSITION"])}}
            if "indices" in written:
                primitive["indices"] = accessors.add(written["indices"])
            primitive["mode"] = written.get("mode", TRIANGLES)
            meshes.append({"name": f"p{rank}", "primitives": [primitive]})
        lean = []
        for index in accessors.order:
            accessor = {
                key: document["accessors"][index][key]
                for key in ("bufferView", "byteOffset", "componentType", "count", "type")
                if key in document["accessors"][index]
            }
            lean.append({**accessor, "bufferView": views.add(accessor["bufferView"])})
        binary, written_views = bytearray(), []
        for index in views.order:
            view = document["bufferViews"][index]
            start, size = view.get("byteOffset", 0), view["byteLength"]
            stride = {"byteStride": view["byteStride"]} if "byteStride" in view else {}
            written_views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": size, **stride})
            binary += self.container.buffers[view["buffer"]][start : start + size]
            binary += bytes(-len(binary) % 4)
        nodes, roots = self._nodes(primitives)
        header = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": roots}],
            "nodes": nodes,
            "meshes": meshes,
            "accessors": lean,
            "bufferViews": written_views,
            "buffers": [{"byteLength": len(binary)}],
        }
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(binary)
        return b"".join(
            [
                struct.pack("<4sII", b"glTF", 2, size),
                struct.pack("<I4s", len(text), b"JSON"), text,
                struct.pack("<I4s", len(binary), b"BIN\0"), binary,
            ]
        )  # fmt: skip

    def lineage(self) -> dict[int, int]:
        """The parent (-1: none) of every node that something drawn hangs on, parents before their children."""
        wanted = set()
        for use in self.uses:
            index = use.node
            while index >= 0 and index not in wanted:
                wanted.add(index)
                index = self.above[index]
        return {index: above for index, above in self.above.items() if index in wanted}

    def _nodes(self, primitives: dict[tuple[int, int], int]) -> tuple[list[Json], list[int]]:
        """Only nodes that something drawn hangs on, by their place and turn alone."""
        ranks: dict[int, int] = {}
        nodes: list[Json] = []
        for index in self.lineage():
            node = self.container.document["nodes"][index]
            ranks[index] = len(nodes)
            placing = {key: node[key] for key in ("matrix", "translation", "rotation", "scale") if key in node}
            nodes.append({"name": f"n{index}", "children": [], **placing})
        roots: list[int] = []
        for index, rank in ranks.items():
            above = self.above[index]
            (nodes[ranks[above]]["children"] if above >= 0 else roots).append(rank)
        for rank, use in enumerate(self.uses):
            nodes[ranks[use.node]]["children"].append(len(nodes))
            nodes.append({"name": f"u{rank}", "mesh": primitives[use.primitive]})
        for node in nodes:
            if not node.get("children", True):
                del node["children"]
        return nodes, roots

    def materials(self) -> tuple[Material, ...]:
        listed = self.listed("materials")
        if len(listed) > MOST_MATERIALS:
            raise ModelError(f"it has {len(listed)} materials, and {MOST_MATERIALS} are the most", _EXPORT)
        return tuple(material(entry, index) for index, entry in enumerate(listed))

    def name(self, node: int) -> str:
        """A node's name, else its mesh's, else its number."""
        entry = self.entry("nodes", node)
        mesh = entry.get("mesh")
        meshes = self.listed("meshes")
        below = meshes[mesh].get("name") if isinstance(mesh, int) and 0 <= mesh < len(meshes) else None
        named = entry.get("name") or below
        return named if isinstance(named, str) else f"node {node}"

    def listed(self, what: str) -> list[Json]:
        found = self.container.document.get(what, [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            raise ModelError(f"`{what}` is no list of objects", _EXPORT)
        if len(found) > MOST_LISTED:
            raise ModelError(f"it has {len(found)} {what}", "join what belongs together")
        return found

    def entry(self, what: str, index: object) -> Json:
        listed = self.container.document.get(what)
        if not isinstance(listed, list) or not 0 <= _whole(index) < len(listed):
            raise ModelError(f"it speaks of number {str(index)[:20]} of its `{what}`, which is not there", _EXPORT)
        found = listed[_whole(index)]
        if not isinstance(found, dict):
            raise ModelError(f"number {index} of its `{what}` is no object", _EXPORT)
        return found

    def _called(self, index: object) -> str:
        return quoted(self.name(index)) if isinstance(index, int) else "?"

    def _extensions(self) -> None:
        required = self.container.document.get("extensionsRequired", [])
        for name in required if isinstance(required, list) else ():
            if not isinstance(name, str) or not name.startswith(_HARMLESS):
                cure = _CURE.get(name, _EXPORT + " without it") if isinstance(name, str) else _EXPORT
                raise ModelError(f"it needs {quoted(str(name))}, which is not read here", cure)

    def _roots(self) -> list[Any]:
        scenes = self.listed("scenes")
        nodes = self.listed("nodes")
        if scenes:
            roots = self.entry("scenes", self.container.document.get("scene", 0)).get("nodes", [])
            if not isinstance(roots, list):
                raise ModelError("the nodes of its scene are no list", _EXPORT)
            return roots
        children = [node.get("children") for node in nodes]
        below = {child for some in children if isinstance(some, list) for child in some if isinstance(child, int)}
        return [index for index in range(len(nodes)) if index not in below]

    def _mesh(self, node: int, index: object) -> None:
        primitives = self.entry("meshes", index).get("primitives")
        if not isinstance(primitives, list) or not isinstance(index, int):
            raise ModelError(f"mesh {str(index)[:20]} has no primitives", _EXPORT)
        for at, primitive in enumerate(primitives):
            if not isinstance(primitive, dict):
                raise ModelError(f"primitive {at} of mesh {index} is no object", _EXPORT)
            if primitive.get("mode", TRIANGLES) not in (TRIANGLES, STRIP):
                self.skipped += 1
                continue
            key = (index, at)
            if key not in self.sizes:
                self.sizes[key] = self._primitive(primitive, key)
            self.triangles += self.sizes[key]
            if self.triangles > MOST_TRIANGLES:
                raise too_many(self.triangles)
            material = primitive.get("material", -1)
            if material != -1:
                self.entry("materials", material)
            if self.sizes[key]:
                self.uses.append(Use(node, key, material))

    def _primitive(self, primitive: Json, key: tuple[int, int]) -> int:
        """How many triangles, after every number in it was looked at."""
        attributes = primitive.get("attributes")
        if not isinstance(attributes, dict) or "POSITION" not in attributes:
            raise ModelError(f"mesh {key[0]} has no positions", _EXPORT)
        compressed = primitive.get("extensions")
        for name in compressed if isinstance(compressed, dict) else ():
            if name in _CURE:
                raise ModelError(f"it needs {quoted(name)}, which is not read here", _CURE[name])
        corners = self.vertices[key] = self._accessor(attributes["POSITION"], "VEC3", (_FLOAT,), "positions")
        count = corners
        if "indices" in primitive:
            count = self._accessor(primitive["indices"], "SCALAR", _WHOLE, "indices")
        if primitive.get("mode", TRIANGLES) == STRIP:
            return max(0, count - 2) if count else 0
        if count % 3:
            raise ModelError(f"mesh {key[0]} has {count} corners, which makes no whole number of triangles", _EXPORT)
        return count // 3

    def _accessor(self, index: object, kind: str, components: tuple[int, ...], what: str) -> int:
        """How many values; all of them within their buffer."""
        accessor = self.entry("accessors", index)
        if "sparse" in accessor:
            raise ModelError(f"its {what} are a sparse accessor, which is not read here", "apply the shape keys")
        component = accessor.get("componentType")
        if accessor.get("type") != kind or component not in components:
            raise ModelError(f"its {what} are of a type that is not read here", "export it without quantization")
        if "bufferView" not in accessor:
            raise ModelError(f"its {what} are not in the file, or compressed", "export it without compression")
        view = self.entry("bufferViews", accessor["bufferView"])
        number, count, offset = (
            _whole(view.get("buffer")), _whole(accessor.get("count")), _whole(accessor.get("byteOffset", 0))
        )  # fmt: skip
        start, size = _whole(view.get("byteOffset", 0)), _whole(view.get("byteLength"))
        if min(number, count, offset, start, size) < 0 or number >= len(self.container.buffers):
            raise ModelError(f"its {what} lie in no buffer", _EXPORT)
        width = _SIZE[component] * (3 if kind == "VEC3" else 1)
        if start + size > len(self.container.buffers[number]):
            raise ModelError(f"its {what} reach beyond their buffer", "it is cut off or damaged: " + _EXPORT)
        stride = _whole(view.get("byteStride", width))
        if not width <= stride <= 252:
            raise ModelError(f"its {what} lie too near together, or too far apart", _EXPORT)
        if count and offset + (count - 1) * stride + width > size:
            raise ModelError(f"its {what} reach beyond their part of the buffer", _EXPORT)
        if count > 3 * MOST_TRIANGLES:
            raise too_many(count // 3)
        return count


class _Picked:
    """Numbers of a list that are kept, and which they become."""

    def __init__(self) -> None:
        self.order: dict[int, int] = {}

    def add(self, index: int) -> int:
        return self.order.setdefault(index, len(self.order))


def _whole(value: object) -> int:
    """A whole number from 0 to 2**53, -1 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else -1


def _transform(node: Json, called: str) -> None:
    """Refuse a placing that is no list of so many finite numbers."""
    for key, count in (("matrix", 16), ("translation", 3), ("rotation", 4), ("scale", 3)):
        if key in node and numbers(node[key], count) is None:
            raise ModelError(f"`{key}` of node {called} is no list of {count} numbers", _EXPORT)
