"""Writer of Wavefront OBJ and MTL files: one object for each part, one material for each surface."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..format.surfaces import Surface
from .surface_parts import SurfacePart, unique_names


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
