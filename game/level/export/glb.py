"""Writer of GLB files: one mesh for each part, one material for each surface.

Source: glTF 2.0 specification, sections 3.6 (buffers), 3.9 (materials) and 4.4 (GLB).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.srgb import srgb_to_linear
from ...core.vectors import Colour
from ..format.surfaces import Surface
from .surface_parts import SurfacePart, unique_names

FLOAT32 = 5126  # component type
UINT32 = 5125  # component type
VERTICES = 34962  # target of a buffer view
INDICES = 34963  # target of a buffer view


def encode_glb(parts: Sequence[SurfacePart], surfaces: Sequence[Surface]) -> bytes:
    """Bytes of a GLB file. Positions are float32: rounded by up to 4 mm at 100 km from the origin.

    The halves of quads are triangles 2k and 2k + 1 of the whole file: an import merges such pairs first.
    """
    views: list[dict[str, Any]] = []
    accessors: list[dict[str, Any]] = []
    binary = bytearray()

    def add_accessor(array: np.ndarray[Any, Any], target: int, **fields: Any) -> int:
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": array.nbytes, "target": target})
        accessors.append({"bufferView": len(views) - 1, "count": len(array), **fields})
        binary.extend(array.tobytes())
        return len(accessors) - 1

    meshes = []
    parts = sorted(parts, key=lambda part: len(part.triangles) % 2)
    written = 0
    for part in parts:
        triangles = part.triangles
        if written % 2:  # an odd number: the last triangle, which is not half of a quad, goes first
            triangles = np.roll(triangles, 1, axis=0)
        written += len(triangles)
        corners = triangles.reshape(-1, 3).astype("<f4") + np.float32(0.0)  # no -0.0
        points, indices = np.unique(corners, axis=0, return_inverse=True)
        low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        position = add_accessor(points, VERTICES, componentType=FLOAT32, type="VEC3", min=low, max=high)
        index = add_accessor(indices.astype("<u4").ravel(), INDICES, componentType=UINT32, type="SCALAR")
        primitive = {"attributes": {"POSITION": position}, "indices": index, "material": part.material}
        meshes.append({"name": part.name, "primitives": [primitive]})
    document = {
        "asset": {"version": "2.0", "generator": "ellipsoid-walker"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(parts)))}],
        "nodes": [{"name": part.name, "mesh": number} for number, part in enumerate(parts)],
        "meshes": meshes,
        "materials": [
            _material(name, surface.colour)
            for name, surface in zip(unique_names([surface.name for surface in surfaces]), surfaces, strict=True)
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    length = 12 + 8 + len(text) + 8 + len(binary)
    head = struct.pack("<4sII", b"glTF", 2, length) + struct.pack("<I4s", len(text), b"JSON")
    return head + text + struct.pack("<I4s", len(binary), b"BIN\0") + bytes(binary)


def _material(name: str, colour: Colour) -> dict[str, Any]:
    red, green, blue = srgb_to_linear(colour).tolist()
    look = {"baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0, "roughnessFactor": 1.0}
    return {"name": name, "pbrMetallicRoughness": look}
