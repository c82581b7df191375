"""Draco decompression of glTF primitives, with the optional package DracoPy.

Source: KHR_draco_mesh_compression. The decoded arrays become buffers, so that everything else reads plain glTF.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...format.findings import quote_text
from ..triangle_soup import MAX_TRIANGLES, ModelError, too_many_triangles_error
from .gltf_accessors import FLOAT
from .gltf_container import GltfBuffer, GltfContainer, Json, whole_number
from .gltf_textures import extension_of

DRACO = "KHR_draco_mesh_compression"
DECOMPRESS_CURE = "write it without compression: npx @gltf-transform/cli copy IN.glb OUT.glb"
_KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}
_COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": FLOAT}


def decompress_draco(container: GltfContainer) -> GltfContainer:
    """The container with plain arrays in place of compressed primitives. Raises ModelError where that fails."""
    document = container.document
    used = document.get("extensionsUsed")
    if not isinstance(used, list) or DRACO not in used:
        return container
    decoder = _Decompressor(container)
    meshes = [decoder.plain_mesh(mesh) for mesh in container.checked_list("meshes")]
    required = document.get("extensionsRequired")
    plain: Json = {**document, "meshes": meshes}
    if isinstance(required, list):
        plain["extensionsRequired"] = [name for name in required if name != DRACO]
    plain["accessors"] = [*container.checked_list("accessors"), *decoder.accessors]
    plain["bufferViews"] = [*container.checked_list("bufferViews"), *decoder.views]
    return replace(container, document=plain, buffers=(*container.buffers, *decoder.buffers))


class _Decompressor:
    """New buffers, views and accessors with the decoded arrays."""

    def __init__(self, container: GltfContainer) -> None:
        self.container = container
        self.accessors: list[Json] = []
        self.views: list[Json] = []
        self.buffers: list[GltfBuffer] = []
        self._first_accessor = len(container.checked_list("accessors"))
        self._first_view = len(container.checked_list("bufferViews"))
        self._triangles = 0
        self._decoded: dict[int, Any] = {}

    def plain_mesh(self, mesh: Json) -> Json:
        """The mesh with plain primitives."""
        primitives = mesh.get("primitives")
        if not isinstance(primitives, list):
            return mesh
        return {**mesh, "primitives": [self._plain_primitive(primitive) for primitive in primitives]}

    def _plain_primitive(self, primitive: object) -> object:
        if not isinstance(primitive, dict) or (entry := extension_of(primitive, DRACO)) is None:
            return primitive
        attributes = primitive.get("attributes")
        numbers = entry.get("attributes")
        if not isinstance(attributes, dict) or not isinstance(numbers, dict):
            raise ModelError("a compressed mesh has no list of attributes", "export it again")
        made = self._decode(entry.get("bufferView"))
        plain = {name: index for name, index in attributes.items() if name not in numbers}
        for name, number in numbers.items():
            found = [one for one in made.attributes if one["unique_id"] == whole_number(number)]
            if not found:
                raise ModelError(f"a compressed mesh has no {quote_text(str(name)[:20])}", DECOMPRESS_CURE)
            accessor = self._written_accessor(attributes.get(name))
            plain[name] = self._add(found[0]["data"], accessor.get("normalized") is True)
        faces = made.faces.astype("<u4").reshape(-1, 1)
        rest = {key: value for key, value in primitive.items() if key != "extensions"}
        return {**rest, "mode": 4, "attributes": plain, "indices": self._add(faces)}

    def _written_accessor(self, index: object) -> Json:
        accessor = self.container.checked_entry("accessors", index)
        if whole_number(accessor.get("count")) > 3 * MAX_TRIANGLES:
            raise too_many_triangles_error(whole_number(accessor.get("count")) // 3)
        return accessor

    def _decode(self, view: object) -> Any:
        """The decoded mesh of a buffer view."""
        number = whole_number(view)
        if number not in self._decoded:
            buffer, start, size = self.container.view_bytes(view)
            try:
                import DracoPy
            except ImportError:
                cure = 'python -m pip install "ellipsoid-walker[models]", or ' + DECOMPRESS_CURE
                raise ModelError("it is compressed with Draco, and the package DracoPy is not there", cure) from None
            try:
                made = DracoPy.decode(bytes(buffer.data[start : start + size]))
                self._triangles += len(made.faces)
            except Exception as error:  # the package raises several types for damaged data
                raise ModelError(f"its Draco data is damaged: {str(error)[:80]}", "export it again") from None
            if self._triangles > MAX_TRIANGLES:
                raise too_many_triangles_error(self._triangles)
            self._decoded[number] = made
        return self._decoded[number]

    def _add(self, values: npt.NDArray[Any], normalized: bool = False) -> int:
        """Index of a new accessor of an array (N,K)."""
        rows = np.ascontiguousarray(values.reshape(len(values), -1))
        kind = rows.dtype.str[1:]
        if kind not in _COMPONENTS or rows.shape[1] not in _KINDS:
            raise ModelError("a compressed mesh has numbers of a type that is not supported", DECOMPRESS_CURE)
        data = rows.astype(rows.dtype.newbyteorder("<")).tobytes()
        self.buffers.append(GltfBuffer(memoryview(data)))
        self.views.append(
            {"buffer": len(self.container.buffers) + len(self.buffers) - 1, "byteOffset": 0, "byteLength": len(data)}
        )
        self.accessors.append(
            {
                "bufferView": self._first_view + len(self.views) - 1,
                "componentType": _COMPONENTS[kind],
                "count": len(rows),
                "type": _KINDS[rows.shape[1]],
                "normalized": normalized,
            }
        )
        return self._first_accessor + len(self.accessors) - 1
