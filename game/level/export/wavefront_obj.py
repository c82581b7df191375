"""Writer of Wavefront OBJ and MTL files: one object for each part, one material for each surface."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..format.surfaces import Surface
from .surface_parts import SurfacePart, unique_names


def encode_obj(parts: Sequence[SurfacePart], surfaces: Sequence[Surface], library: str) -> tuple[bytes, bytes]:
    """Bytes of the OBJ and of the MTL file. library: name of the MTL file.

    Positions have all digits of float64. Colours are sRGB, as most programs read `Kd`.
    """
    names = [re.sub(r"\s", "_", name) for name in unique_names([_obj_name(surface.name) for surface in surfaces])]
    material_lines = []
    for name, surface in zip(names, surfaces, strict=True):
        colour = " ".join(f"{channel:.6g}" for channel in surface.colour)
        material_lines += [f"newmtl {name}", f"Kd {colour}", ""]
    corners = np.concatenate([part.triangles.reshape(-1, 3) for part in parts]) + 0.0
    points, indices = np.unique(corners, axis=0, return_inverse=True)
    lines = [f"mtllib {library}", *(f"v {x!r} {y!r} {z!r}" for x, y, z in points.tolist())]
    faces = (indices.reshape(-1, 3) + 1).tolist()
    start = 0
    for part in parts:
        end = start + len(part.triangles)
        lines += [f"o {_obj_name(part.name)}", f"usemtl {names[part.material]}"]
        lines += [f"f {a} {b} {c}" for a, b, c in faces[start:end]]
        start = end
    return "\n".join([*lines, ""]).encode(), "\n".join(material_lines).encode()


def _obj_name(name: str) -> str:
    """A name without blanks, backslashes and other characters that an OBJ line cannot hold."""
    return re.sub(r"[^\w.+-]", "_", name)
