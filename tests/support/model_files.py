"""Builders of glTF and OBJ files and their pictures, damaged copies, and measures of faces: volume and closedness."""

from __future__ import annotations

import base64
import io
import json
import random
import struct
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from game.level import Finding, Level, check

Place = Callable[..., Path]  # `level_with` in the folder of a test

BOX_CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
BOX_QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
BOX_TRIANGLES = [corner for a, b, c, d in BOX_QUADS for corner in (a, b, c, a, c, d)]


class Glb:
    """Builder of a glTF file. `mesh` and `node` return the index of the added object."""

    def __init__(self) -> None:
        self.binary = bytearray()
        self.document: dict[str, Any] = {
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}],
            "nodes": [], "meshes": [], "accessors": [], "bufferViews": [], "materials": [],
        }  # fmt: skip

    def accessor(self, values: np.ndarray, component: int, kind: str, stride: int = 0) -> int:
        rows = np.ascontiguousarray(values)
        rows = rows.reshape(len(rows), -1)
        width = rows.dtype.itemsize * rows.shape[1]
        self.binary += bytes(-len(self.binary) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.binary)}
        if stride:
            padded = np.zeros((len(rows), stride), np.uint8)
            padded[:, :width] = rows.view(np.uint8).reshape(len(rows), width)
            self.binary += padded.tobytes()
            view["byteStride"] = stride
        else:
            self.binary += rows.tobytes()
        view["byteLength"] = len(self.binary) - view["byteOffset"]
        self.document["bufferViews"].append(view)
        entry = {"bufferView": len(self.document["bufferViews"]) - 1, "componentType": component}
        self.document["accessors"].append({**entry, "count": len(rows), "type": kind})
        return len(self.document["accessors"]) - 1

    def primitive(
        self,
        corners: Any = BOX_CORNERS,
        indices: Any = BOX_TRIANGLES,
        component: int = 5123,
        stride: int = 0,
        **more: Any,
    ) -> dict[str, Any]:
        found = {"attributes": {"POSITION": self.accessor(np.asarray(corners, "<f4"), 5126, "VEC3", stride)}, **more}
        if indices is not None:
            kind = {5121: "u1", 5123: "<u2", 5125: "<u4"}[component]
            found["indices"] = self.accessor(np.asarray(indices, kind), component, "SCALAR")
        return found

    def image(self, data: bytes) -> dict[str, Any]:
        """Bytes of a picture in the buffer; the image object is not yet in the document."""
        self.binary += bytes(-len(self.binary) % 4)
        self.document["bufferViews"].append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        return {"bufferView": len(self.document["bufferViews"]) - 1, "mimeType": "image/png"}

    def attribute(
        self, name: str, values: np.ndarray, component: int, kind: str, normal: bool = False, **more: int
    ) -> None:
        """Give the first primitive this attribute; normal: whether its integers stand for 0 to 1."""
        index = self.accessor(values, component, kind, **more)
        if normal:
            self.document["accessors"][index]["normalized"] = True
        self.document["meshes"][0]["primitives"][0]["attributes"][name] = index

    def mesh(self, *primitives: dict[str, Any], **more: Any) -> int:
        self.document["meshes"].append({"primitives": list(primitives) or [self.primitive()], **more})
        return len(self.document["meshes"]) - 1

    def node(self, root: bool = True, **fields: Any) -> int:
        self.document["nodes"].append(fields)
        number = len(self.document["nodes"]) - 1
        if root:
            self.document["scenes"][0]["nodes"].append(number)
        return number

    def glb(self) -> bytes:
        document = {**self.document, "buffers": [{"byteLength": len(self.binary)}]}
        return packed(json.dumps(document).encode(), bytes(self.binary))

    def gltf(self, uri: str = "") -> bytes:
        """The file as JSON, with the buffer embedded or in a named file."""
        uri = uri or "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        return json.dumps({**self.document, "buffers": [{"byteLength": len(self.binary), "uri": uri}]}).encode()


def packed(text: bytes, binary: bytes) -> bytes:
    """A GLB of these two chunks."""
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def box_obj(corners: np.ndarray = BOX_CORNERS, first: int = 1, quads: Any = BOX_QUADS) -> str:
    """Vertices and quads of a box as OBJ lines."""
    rows = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in corners]
    return "\n".join([*rows, *("f " + " ".join(str(k + first) for k in quad) for quad in quads)]) + "\n"


def triangles_of(corners: np.ndarray) -> np.ndarray:
    """Faces (M,4,3) as triangles; a face that repeats its third corner is one triangle."""
    one, other = corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]
    return np.concatenate([one, other[~np.all(corners[:, 2] == corners[:, 3], axis=-1)]])


def volume(triangles: np.ndarray) -> float:
    """Volume of a closed surface; positive if it faces outward."""
    return float(np.einsum("nd,nd->n", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])).sum() / 6)


def area(triangles: np.ndarray) -> float:
    edges = triangles[:, 1:] - triangles[:, :1]
    return float(np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1).sum() / 2)


def is_closed(corners: np.ndarray) -> bool:
    """True if every directed edge of faces (M,4,3) has an opposite one, compared exactly."""
    edges: Counter[tuple[bytes, bytes]] = Counter()
    for face in corners:
        ring = [point.tobytes() for point in face + 0.0]
        ring = [point for k, point in enumerate(ring) if point != ring[k - 1]]
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            edges[(a, b)] += 1
            edges[(b, a)] -= 1
    return not any(edges.values())


def nested(seed: int) -> Glb:
    """Boxes at nested nodes with every kind of transform, also mirrors."""
    rng = np.random.default_rng(seed)
    glb = Glb()
    meshes = [glb.mesh(), glb.mesh(glb.primitive(component=5125, stride=20), glb.primitive(BOX_CORNERS * 2))]
    made: list[int] = []
    for number in range(8):
        fields: dict[str, Any] = {"name": f"node {number % 3}"}
        if rng.random() < 0.3:
            matrix = np.eye(4)
            matrix[:3, :3] = rng.normal(size=(3, 3))
            matrix[:3, 3] = rng.uniform(-5, 5, 3)
            fields["matrix"] = matrix.T.ravel().tolist()
        else:
            fields["translation"] = rng.uniform(-5, 5, 3).tolist()
            fields["rotation"] = (lambda q: (q / np.linalg.norm(q)).tolist())(rng.normal(size=4))
            fields["scale"] = (rng.uniform(0.5, 2, 3) * rng.choice([-1, 1], 3)).tolist()
        if rng.random() < 0.8:
            fields["mesh"] = int(rng.integers(2))
        root = not made or rng.random() < 0.4
        if not root:
            above = int(rng.choice(made))
        made.append(glb.node(root, **fields))
        if not root:
            glb.document["nodes"][above].setdefault("children", []).append(made[-1])
    glb.node(mesh=meshes[0])
    return glb


def level_with(tmp_path: Path, piece: str = "", surfaces: str = "", **files: bytes | str | Glb) -> Path:
    """A level with one model piece, a distant floor and companion files: `parts__box_bin` is parts/box.bin.

    piece: the fields of the model; without them it is the first file.
    """
    folder = tmp_path / "levels" / "mine"
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data.glb() if isinstance(data, Glb) else data.encode() if isinstance(data, str) else data)
        piece = piece or f"{{file: {path.name}}}"
    level = folder / "level.yaml"
    floor = "  - floor: {from: [50, 50], to: [60, 60]}\n"
    level.write_text(f"format: 1\nspawn: {{at: [55, 0, 55]}}\n{surfaces}pieces:\n{floor}  - model: {piece}\n")
    return level


def model_faces(level: Level) -> np.ndarray:
    return level.faces.corners[[level.origins[k].kind == "model" for k in level.faces.origin]]


def findings_of(path: Path, severity: str = "dropped") -> list[Finding]:
    return [finding for finding in check(path) if finding.severity == severity]


def nothing(*_: object) -> bytes:
    raise AssertionError("nothing is beside this file")


def encoded_picture(format: str = "PNG", size: tuple[int, int] = (4, 4), **options: object) -> bytes:
    """A picture of one colour, as a file."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (200, 30, 90)).save(buffer, format, **options)
    return buffer.getvalue()


def mutated(rng: random.Random, data: bytes, tokens: tuple[bytes, ...]) -> bytes:
    """The data with bytes, words or numbers changed in up to five places, parts removed, or the end cut off."""
    for _ in range(rng.randint(1, 5)):
        where = rng.randrange(len(data) + 1)
        kind = rng.randrange(8)
        if kind == 0:
            data = data[:where] + bytes([rng.randrange(256)]) + data[where + 1 :]
        elif kind == 1:
            data = data[:where] + data[where + rng.randint(1, 60) :]
        elif kind == 2:
            data = data[:where] + rng.choice(tokens) + data[where:]
        elif kind == 3:
            data = data[:where] + rng.randbytes(4) + data[where + 4 :]
        elif kind == 4 and rng.random() < 0.4:
            data = data[:where]
        elif kind == 5:
            words = data.split(b" ")
            words[rng.randrange(len(words))] = rng.choice((*words, *tokens))
            data = b" ".join(words)
        else:
            digits = [k for k in range(len(data[:20_000])) if 48 <= data[k] <= 57]
            if digits:
                at = rng.choice(digits)
                data = data[:at] + rng.choice((b"0", b"7", b"255", b"4096", b"-3", b"5126", b"{}")) + data[at + 1 :]
    return data
