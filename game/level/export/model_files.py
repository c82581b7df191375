"""Model files of a level: the triangles of each surface and layer, under names that an import reads back.

GLB has one mesh for each part, Wavefront OBJ one object; both have one material for each surface. Source: glTF 2.0
specification, sections 3.6 (buffers), 3.9 (materials) and 4.4 (GLB).
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.srgb import srgb_to_linear
from ...core.vectors import Colour, Flags, Floats, Ints
from ..edit.save import SaveError
from ..format.surfaces import Surface

FLOAT32 = 5126  # component type
UINT32 = 5125  # component type
VERTICES = 34962  # target of a buffer view
INDICES = 34963  # target of a buffer view


@dataclass(frozen=True, slots=True)
class SurfacePart:
    """Triangles (N,3,3) of one surface and layer. name: of the object, with the suffix of its layer.

    material: index into the materials. pairs: the first 2 * pairs triangles are the halves of quads.
    """

    name: str
    material: int
    triangles: Floats
    pairs: int

    def quads(self) -> Floats:
        """The quads (pairs,4,3), each from a corner on its diagonal: 0-1-2 and 0-2-3 are the two triangles."""
        first, second = self.triangles[0 : 2 * self.pairs : 2], self.triangles[1 : 2 * self.pairs : 2]
        by_first = _equal_corners(first[:, 2], second[:, 1])[:, None, None]  # divided along 0-2, else along 1-3
        quads: Floats = np.where(
            by_first,
            np.stack([first[:, 0], first[:, 1], first[:, 2], second[:, 2]], axis=1),
            np.stack([second[:, 0], second[:, 1], second[:, 2], first[:, 0]], axis=1),
        )
        return quads


def parts_by_surface(
    surfaces: Sequence[Surface], solid: tuple[Floats, Ints, Ints], drawn: tuple[Floats, Ints, Ints]
) -> list[SurfacePart]:
    """Parts of a level. solid, drawn: triangles (N,3,3), surface (N,) and face (N,) of what collides and is visible.

    Objects named `...-col` collide and are visible, `...-colonly` only collide, `... visible` do not collide, as
    `level.models.layer_suffixes` reads them. Raises SaveError if there is no triangle.
    """
    is_both = np.isin(solid[2], drawn[2])
    is_drawn_only = ~np.isin(drawn[2], solid[2])
    layers = (
        ("-col", tuple(array[is_both] for array in solid)),
        ("-colonly", tuple(array[~is_both] for array in solid)),
        (" visible", tuple(array[is_drawn_only] for array in drawn)),
    )
    names = unique_names([surface.name for surface in surfaces])
    parts = [
        _make_part(names[index] + suffix, index, triangles[kinds == index], faces[kinds == index])
        for index in range(len(surfaces))
        for suffix, (triangles, kinds, faces) in layers
        if (kinds == index).any()
    ]
    if not parts:
        raise SaveError("the level has no triangle to export; pieces of movers are left out")
    return parts


def _make_part(name: str, material: int, triangles: Floats, faces: Ints) -> SurfacePart:
    """Part with the halves of quads first. faces (N,): the halves of a quad follow each other and have the same."""
    first, second = triangles[:-1], triangles[1:]
    along_first = _equal_corners(first[:, 0], second[:, 0]) & _equal_corners(first[:, 2], second[:, 1])
    along_second = _equal_corners(first[:, 1], second[:, 0]) & _equal_corners(first[:, 2], second[:, 2])
    starts = np.flatnonzero((faces[:-1] == faces[1:]) & (along_first | along_second))
    paired = (starts[:, None] + (0, 1)).ravel()
    single = np.setdiff1d(np.arange(len(triangles)), paired)
    return SurfacePart(name, material, triangles[np.concatenate([paired, single])], len(starts))


def _equal_corners(a: Floats, b: Floats) -> Flags:
    """Mask (N,) of equal points (N,3)."""
    equal: Flags = (a == b).all(axis=1)
    return equal


def unique_names(names: Sequence[str], separator: str = " ") -> list[str]:
    """The names, with a number appended to each that occurred before: `a`, `a 2`."""
    taken: set[str] = set()
    result = []
    for name in names:
        unique = name
        count = 1
        while unique in taken:
            count += 1
            unique = f"{name}{separator}{count}"
        taken.add(unique)
        result.append(unique)
    return result


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


def encode_obj(parts: Sequence[SurfacePart], surfaces: Sequence[Surface], library: str) -> tuple[bytes, bytes]:
    """Bytes of the OBJ and of the MTL file. library: name of the MTL file.

    Quads stay quads. Positions have all digits of float64. Colours are sRGB, as most programs read `Kd`.
    """
    names = unique_names([_obj_name(surface.name) for surface in surfaces], "_")
    material_lines = []
    for name, surface in zip(names, surfaces, strict=True):
        colour = " ".join(f"{channel:.6g}" for channel in surface.colour)
        material_lines += [f"newmtl {name}", f"Kd {colour}", ""]
    faces = [part.quads() for part in parts] + [part.triangles[2 * part.pairs :] for part in parts]
    corners = np.concatenate([face.reshape(-1, 3) for face in faces]) + 0.0
    points, indices = np.unique(corners, axis=0, return_inverse=True)
    lines = [f"mtllib {library}", *(f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist())]
    ends = np.cumsum([face.shape[0] * face.shape[1] for face in faces])[:-1]
    rows = np.split(indices.ravel() + 1, ends)  # vertices count from 1
    numbers: list[Any] = [row.reshape(face.shape[:2]).tolist() for row, face in zip(rows, faces, strict=True)]
    for part, quads, triangles in zip(parts, numbers, numbers[len(parts) :], strict=False):
        lines += [f"o {_obj_name(part.name)}", f"usemtl {names[part.material]}"]
        lines += ["f " + " ".join(map(str, face)) for face in (*quads, *triangles)]
    return "\n".join([*lines, ""]).encode(), "\n".join(material_lines).encode()


def _obj_name(name: str) -> str:
    """A name without blanks, backslashes and other characters that an OBJ line cannot hold."""
    return re.sub(r"[^\w.+-]", "_", name)
