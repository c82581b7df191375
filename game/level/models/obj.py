"""Reader of Wavefront OBJ with MTL. Polygons are read as written, so that a quad stays a quad.

This reader does not use trimesh, which triangulates every polygon as a fan (wrong for non-convex ones), does not keep
quads, and does not name the line of an error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ...core.vectors import Colour, Ints
from ..format.findings import quote_text
from .layer_suffixes import layer_suffix, parts_with_layers
from .postprocess import MAX_EAR_TESTS, add_polygons, finish_soup
from .triangle_soup import (
    MAX_MATERIALS,
    MAX_MODEL_COORDINATE,
    MAX_PARTS,
    MAX_TRIANGLES,
    FetchFile,
    ModelError,
    ModelMaterial,
    ModelNote,
    SoupBuilder,
    TriangleSoup,
    too_many_triangles_error,
)

MAX_OBJ_BYTES = 64 * 2**20
MAX_MTL_BYTES = 2**20
MAX_POLYGON_CORNERS = 1000  # in one polygon
MAX_POINTS = 3 * MAX_TRIANGLES
MAX_LINE_LENGTH = 100_000  # characters

_KNOWN_KEYWORDS = re.compile(
    "v[tnp]|[slp]|mg|cstype|deg|bmat|step|curv2?|surf|parm|trim|hole|scrv|sp|end|con|lod|bevel|[cd]_interp|usemap"
    "|shadow_obj|trace_obj|[cs]tech|maplib|call|csh"
)


def read_obj(data: bytes, fetch: FetchFile, metres: float = 1.0) -> TriangleSoup:
    """All faces of the file, one part for each object (for each group if there is at most one object).

    metres: length of one unit, for the merging of quads.
    """
    text = decode_model_text(data, "OBJ")
    reader = _ObjReader()
    reader.read_lines(text)
    if not reader.polygons:
        raise ModelError("the file has no face", "export the objects as meshes")
    points = np.array(reader.points, np.float64).reshape(-1, 3)
    if not (np.abs(points) <= MAX_MODEL_COORDINATE).all():
        row = int(np.argmax(~(np.abs(points) <= MAX_MODEL_COORDINATE).all(axis=1)))
        raise ModelError("a vertex position is not finite or too large", "", reader.point_lines[row])
    builder = SoupBuilder()
    notes = list(reader.notes)
    by_object = len(reader.objects) > 1
    names = list(reader.objects if by_object else reader.groups)
    part_by_rank = [object_ if by_object else group for object_, group in reader.ranks]
    keep = [layer_suffix(name) != "noimp" for name in names]
    ears = MAX_EAR_TESTS
    for size in sorted(reader.polygons):
        rows = reader.polygons[size]
        numbers = _vertex_indices(rows, size, len(points))
        tags = np.array([(part_by_rank[row.rank], row.material) for row in rows], np.int32).reshape(-1, 2)
        chosen = np.array([keep[part] for part in tags[:, 0].tolist()], np.bool_)
        ears = add_polygons(builder, points[numbers[chosen]], tags[chosen], metres, ears)
    materials = _read_materials(reader, fetch, notes)
    parts = parts_with_layers([name or "unnamed" for name in names])
    return finish_soup(builder, parts, materials, tuple(notes), metres=metres)


def decode_model_text(data: bytes, format_name: str) -> str:
    """The text of an OBJ, MTL or MAP file. Invalid UTF-8 is replaced; raises ModelError if the file is not text."""
    if not data.strip():
        raise ModelError("the file is empty", "export it again")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ModelError("the file is encoded as UTF-16", "save it as UTF-8")
    if b"\0" in data[:4096]:
        raise ModelError(f"the file is not text, so not a valid {format_name} file", "export it again")
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _iterate_lines(text: str) -> Iterator[str]:
    """The lines one by one: a list of all of them would need more memory than the file."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


@dataclass(frozen=True, slots=True)
class _ObjPolygon:
    """A polygon: its line, `rank` (object and group), material and vertex indices (from 0)."""

    line: int
    rank: int
    material: int
    vertices: list[int]


@dataclass(slots=True)
class _ObjReader:
    """State while the lines of a file are read."""

    points: list[float] = field(default_factory=list)
    point_lines: list[int] = field(default_factory=list)
    polygons: dict[int, list[_ObjPolygon]] = field(default_factory=dict)
    objects: dict[str, int] = field(default_factory=lambda: {"": 0})
    groups: dict[str, int] = field(default_factory=lambda: {"": 0})
    ranks: dict[tuple[int, int], int] = field(default_factory=lambda: {(0, 0): 0})  # (object, group)
    materials: dict[str, int] = field(default_factory=dict)
    libraries: dict[str, int] = field(default_factory=dict)
    notes: list[ModelNote] = field(default_factory=list)
    triangles: int = 0

    def read_lines(self, text: str) -> None:
        """Read all lines. Raises ModelError with the line of the first error."""
        material = -1
        object_ = group = rank = 0
        unknown = 0
        continued = ""
        for number, line in enumerate(_iterate_lines(text), 1):
            if not continued and line.startswith(("vt", "vn", "#")) and not line.endswith("\\"):
                continue  # texture coordinates and normals: half of most files
            if len(line) + len(continued) > MAX_LINE_LENGTH:
                raise ModelError("a line is too long", "export it again", number, 1)
            if line.endswith("\\"):
                continued += line[:-1] + " "
                continue
            if continued:
                line, continued = continued + line, ""
            words = line.split()
            if not words or words[0][0] == "#":
                continue
            first = words[0]
            if first == "v":
                self._read_vertex(words, number)
            elif first == "f":
                self._read_face(words, number, rank, material)
            elif first in ("o", "g", "usemtl", "mtllib"):
                name = line.split(None, 1)[1].strip() if len(words) > 1 else ""
                if first == "o":
                    object_ = self.objects.setdefault(name, len(self.objects))
                elif first == "g":
                    group = self.groups.setdefault(name, len(self.groups))
                elif first == "usemtl":
                    material = self.materials.setdefault(name, len(self.materials))
                else:
                    self.libraries.setdefault(name, number)
                rank = self.ranks.setdefault((object_, group), len(self.ranks))
                self._check_limits(number)
            elif not _KNOWN_KEYWORDS.fullmatch(first):
                unknown += 1
                if unknown == 1:
                    message = f"{quote_text(first)} is not an OBJ keyword; the line is skipped"
                    self.notes.append(ModelNote(message, "", number, 1))
                if unknown > 100 and not self.points:
                    raise ModelError("the file is not an OBJ file", "export it again", 1)

    def _read_vertex(self, words: list[str], number: int) -> None:
        try:
            self.points += (float(words[1]), float(words[2]), float(words[3]))
        except (IndexError, ValueError):
            raise ModelError("a vertex needs three numbers: v x y z", "export it again", number, 1) from None
        self.point_lines.append(number)
        if len(self.point_lines) > MAX_POINTS:
            raise ModelError(f"the file has more than {MAX_POINTS} vertices", "simplify it", number, 1)

    def _read_face(self, words: list[str], number: int, rank: int, material: int) -> None:
        size = len(words) - 1
        if not 3 <= size <= MAX_POLYGON_CORNERS:
            raise ModelError(f"a face has {size} corners, not 3 to {MAX_POLYGON_CORNERS}", "export it again", number, 1)
        count = len(self.points) // 3
        vertices = []
        for text in words[1:]:
            try:
                value = int(text.partition("/")[0])
            except ValueError:
                raise ModelError(f"{quote_text(text)} is not a vertex index", "write f 1 2 3", number, 1) from None
            if value == 0 or value < -count or value > 2**31:
                reason = f"there are {count} before it" if value else "they count from 1"
                raise ModelError(f"vertex {value} does not exist: {reason}", "export it again", number, 1)
            vertices.append(value - 1 if value > 0 else count + value)
        self.triangles += size - 2
        if self.triangles > MAX_TRIANGLES:
            raise too_many_triangles_error(self.triangles)
        self.polygons.setdefault(size, []).append(_ObjPolygon(number, rank, material, vertices))

    def _check_limits(self, number: int) -> None:
        if len(self.materials) > MAX_MATERIALS:
            raise ModelError(f"the file has more than {MAX_MATERIALS} materials", "merge some", number)
        if len(self.ranks) > MAX_PARTS or len(self.libraries) > 16:
            raise ModelError(f"more than {MAX_PARTS} objects and groups, or 16 libraries", "merge some", number)


def _vertex_indices(rows: list[_ObjPolygon], size: int, count: int) -> Ints:
    numbers = np.array([row.vertices for row in rows], np.int64).reshape(-1, size)
    if int(numbers.max(initial=-1)) >= count:
        row = int(np.argmax(numbers.max(axis=1) >= count))
        beyond = int(numbers[row].max()) + 1
        raise ModelError(f"vertex {beyond} does not exist: the file has {count}", "export it again", rows[row].line, 1)
    return numbers.astype(np.int32)


def _read_materials(reader: _ObjReader, fetch: FetchFile, notes: list[ModelNote]) -> tuple[ModelMaterial, ...]:
    """The materials in the order of first use, with the colours of the MTL files."""
    colours: dict[str, Colour] = {}
    for name, line in reader.libraries.items():
        try:
            colours.update(read_mtl(fetch(name, (".mtl",), MAX_MTL_BYTES)))
        except ModelError as error:
            notes.append(ModelNote(f"{error.message}; its materials are grey", error.cure, line, 1))
    return tuple(ModelMaterial(name or "unnamed", colours.get(name)) for name in reader.materials)


def read_mtl(data: bytes) -> dict[str, Colour]:
    """The diffuse colour `Kd` of each material. It is taken as sRGB; the format does not define the colour space."""
    colours: dict[str, Colour] = {}
    name = ""
    for line in decode_model_text(data, "MTL").split("\n"):
        words = line.split()
        if len(words) > 1 and words[0] == "newmtl":
            name = line.split(None, 1)[1].strip()
        elif len(words) >= 4 and words[0] == "Kd":
            try:
                red, green, blue = (float(word) for word in words[1:4])
            except ValueError:
                continue
            if all(math.isfinite(channel) for channel in (red, green, blue)):
                colours[name] = _clamp_to_unit(red), _clamp_to_unit(green), _clamp_to_unit(blue)
    return colours


def _clamp_to_unit(value: float) -> float:
    return min(1.0, max(0.0, value))
