"""Readers of levels by other authors: OBJ, and binary glTF with its nodes, only for collision.

The files are in ../shared/real beside a developer's checkout, or in the folder WALKER_REAL_LEVELS. Tests that need them
are skipped if there are none:

    @pytest.mark.parametrize("path", real_levels.PATHS, ids=real_levels.NAMES)
    def test_it(path):
        name, triangles = real_levels.read(path)
"""

from __future__ import annotations

import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(os.environ.get("WALKER_REAL_LEVELS") or Path(__file__).parents[3] / "shared" / "real")
FOUND = sorted([*FOLDER.glob("*.obj"), *FOLDER.glob("*.glb")])
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason="no real levels beside the checkout"))
PATHS = FOUND or [ABSENT]
NAMES = [path.name for path in FOUND] or ["absent"]

COMPONENT = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTH = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def read(path: Path) -> tuple[str, np.ndarray]:
    """(name, triangles (N,3,3)) of a file, Y up; polygons are cut into fans."""
    triangles = _obj(path.read_text()) if path.suffix == ".obj" else _glb(path.read_bytes())
    return path.name, np.asarray(triangles, np.float64).reshape(-1, 3, 3)


def _obj(text: str) -> list[tuple[tuple[float, ...], ...]]:
    vertices: list[tuple[float, ...]] = []
    triangles = []
    for line in text.splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            vertices.append(tuple(map(float, rest[:3])))
        elif word == "f":
            numbers = [int(corner.split("/")[0]) for corner in rest]
            corners = [vertices[n - 1 if n > 0 else n] for n in numbers]
            triangles += [(corners[0], *corners[k : k + 2]) for k in range(1, len(corners) - 1)]
    return triangles


def _glb(data: bytes) -> np.ndarray:
    chunks, at = {}, 12
    while at < len(data):
        size, kind = struct.unpack_from("<I4s", data, at)
        chunks[kind] = data[at + 8 : at + 8 + size]
        at += 8 + size
    document, binary = json.loads(chunks[b"JSON"]), chunks[b"BIN\0"]
    parts = [np.empty((0, 3, 3))]

    def visit(index: int, above: np.ndarray) -> None:
        node = document["nodes"][index]
        here = above @ _matrix(node)
        for primitive in document["meshes"][node["mesh"]]["primitives"] if "mesh" in node else ():
            if primitive.get("mode", 4) != 4:
                continue
            points = _accessor(document, binary, primitive["attributes"]["POSITION"])
            points = points @ here[:3, :3].T + here[:3, 3]
            if "indices" in primitive:
                points = points[_accessor(document, binary, primitive["indices"])[:, 0]]
            triangles = points.reshape(-1, 3, 3)
            parts.append(triangles[:, ::-1] if np.linalg.det(here[:3, :3]) < 0.0 else triangles)
        for child in node.get("children", ()):
            visit(child, here)

    for root in document["scenes"][document.get("scene", 0)]["nodes"]:
        visit(root, np.eye(4))
    return np.concatenate(parts)


def _matrix(node: dict) -> np.ndarray:
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix


def _accessor(document: dict, binary: bytes, index: int) -> np.ndarray:
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    kind, width = np.dtype(COMPONENT[accessor["componentType"]]), WIDTH[accessor["type"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    stride = view.get("byteStride", kind.itemsize * width)
    shape, strides = (accessor["count"], width), (stride, kind.itemsize)
    return np.ndarray(shape, kind, binary, start, strides)
