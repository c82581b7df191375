"""Reader of Wavefront OBJ with MTL. Polygons are read as written, so that a quad stays a quad.

This reader does not use trimesh, which triangulates every polygon as a fan (wrong for non-convex ones), does not keep
quads, and does not name the line of an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from ...core.vectors import Floats, Indices, Ints
from ..format.findings import quote_text
from .layer_suffixes import layer_suffix, parts_with_layers
from .model_pictures import ModelPictures
from .model_text import decode_model_text, iterate_statements, path_beside
from .mtl import MAX_MTL_BYTES, MtlMaterial, MtlShading, read_mtl
from .postprocess import MAX_EAR_TESTS, add_polygons, finish_soup
from .triangle_soup import (
    MAX_MATERIALS,
    MAX_MODEL_COORDINATE,
    MAX_PARTS,
    MAX_TRIANGLES,
    CornerValues,
    FetchFile,
    ModelError,
    ModelNote,
    SoupBuilder,
    TriangleSoup,
    too_many_triangles_error,
    unread_note,
)

MAX_LIBRARIES = 16  # MTL files
MAX_POLYGON_CORNERS = 1000  # in one polygon
MAX_POINTS = 3 * MAX_TRIANGLES

_LIBRARY_NAME = re.compile(r"\S.*?\.mtl(?!\S)", re.IGNORECASE)
_CORNER = re.compile(r"([-+]?[0-9]{1,12})(?:/([-+]?[0-9]{1,12})?(?:/(?:[-+]?[0-9]{1,12})?)?)?")
_KNOWN_KEYWORDS = re.compile(
    "mtllib|v[tnp]|s|mg|cstype|deg|bmat|step|parm|trim|hole|scrv|sp|end|con|lod|bevel|[cd]_interp|shadow_obj|trace_obj"
    "|[cs]tech|maplib|csh"
)
_UNREAD_KEYWORDS = re.compile("[lp]|curv2?|surf|usemap|call|bsp|bzp|cdc|cdp|res")  # that change what is seen or solid


def read_obj(data: bytes, fetch: FetchFile, metres: float = 1.0, pictures: ModelPictures | None = None) -> TriangleSoup:
    """All faces of the file, one part for each object (for each group if there is at most one object).

    metres: length of one unit, for the merging of quads. pictures: finder of the textures; without it there are none.
    """
    text = decode_model_text(data, "OBJ")
    notes: list[ModelNote] = []
    libraries, library_line = _read_libraries(text, fetch, notes)
    reader = _ObjReader(any(material.has_pictures for material in libraries.values()) and pictures is not None)
    reader.read_lines(text)
    reader.check_coordinates()
    if not reader.polygons:
        raise ModelError("the file has no face", "export the objects as meshes")
    points = np.array(reader.points, np.float64).reshape(-1, 3)
    if not (np.abs(points) <= MAX_MODEL_COORDINATE).all():
        row = int(np.argmax(~(np.abs(points) <= MAX_MODEL_COORDINATE).all(axis=1)))
        raise ModelError("a vertex position is not finite or too large", "", reader.point_lines[row])
    notes += reader.notes
    shading = MtlShading(pictures, notes, library_line)
    written = {name: libraries.get(name, MtlMaterial()) for name in reader.materials}
    materials = tuple(shading.make_material(name, material) for name, material in written.items())
    if reader.unread:
        notes.append(unread_note(list(reader.unread), min(reader.unread.values())))
    if unread := dict.fromkeys(word for material in written.values() for word in material.unread):
        notes.append(unread_note([quote_text(word) for word in unread], library_line))
    builder = SoupBuilder()
    by_object = len(reader.objects) > 1
    names = list(reader.objects if by_object else reader.groups)
    part_by_rank = [object_ if by_object else group for object_, group in reader.ranks]
    keep = [layer_suffix(name) != "noimp" for name in names]
    coordinates = _coordinate_rows(reader, notes)
    ears = MAX_EAR_TESTS
    for size in sorted(reader.polygons):
        rows = reader.polygons[size]
        numbers = _vertex_indices(rows, size, len(points))
        tags = np.array([(part_by_rank[row.rank], row.material) for row in rows], np.int32).reshape(-1, 2)
        chosen = np.array([keep[part] for part in tags[:, 0].tolist()], np.bool_)
        values: CornerValues = {}
        if coordinates is not None:
            values["uv"] = coordinates[_coordinate_indices(rows, size, len(coordinates))[chosen]]
        ears = add_polygons(builder, points[numbers[chosen]], tags[chosen], metres, ears, values)
    parts = parts_with_layers([name or "unnamed" for name in names])
    return finish_soup(builder, parts, materials, tuple(notes), metres=metres)


def _coordinate_rows(reader: _ObjReader, notes: list[ModelNote]) -> Floats | None:
    """Texture coordinates (T+1,2) with v down, the last row zero for corners without any; None if not needed."""
    if not reader.wants_coordinates:
        return None
    rows = np.array([*reader.coordinates, 0.0, 1.0], np.float64).reshape(-1, 2)
    bad = ~(np.abs(rows) <= MAX_MODEL_COORDINATE).all(axis=1)
    rows[bad] = 0.0
    if bad.any():
        notes.append(ModelNote("texture coordinates that are not finite or too large are taken as 0"))
    rows[:, 1] = 1.0 - rows[:, 1]
    return rows


def _coordinate_indices(rows: list[_ObjPolygon], size: int, count: int) -> Indices:
    """Rows (M,K) of `_coordinate_rows` for the corners of polygons with K corners; the last one where there is none."""
    numbers = np.array([row.coordinates for row in rows], np.int64).reshape(-1, size)
    return np.where((numbers >= 0) & (numbers < count - 1), numbers, count - 1)


@dataclass(frozen=True, slots=True)
class _ObjPolygon:
    """A polygon: its line, `rank` (object and group), material, and indices (from 0) of vertices and coordinates.

    coordinates: -1 where a corner has none; empty if they are not read.
    """

    line: int
    rank: int
    material: int
    vertices: list[int]
    coordinates: list[int]


@dataclass(slots=True)
class _ObjReader:
    """State while the lines of a file are read. wants_coordinates: also texture coordinates."""

    wants_coordinates: bool = False
    coordinates: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    point_lines: list[int] = field(default_factory=list)
    polygons: dict[int, list[_ObjPolygon]] = field(default_factory=dict)
    objects: dict[str, int] = field(default_factory=lambda: {"": 0})
    groups: dict[str, int] = field(default_factory=lambda: {"": 0})
    ranks: dict[tuple[int, int], int] = field(default_factory=lambda: {(0, 0): 0})  # (object, group)
    materials: dict[str, int] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)  # what is not read, in words -> line of the first
    notes: list[ModelNote] = field(default_factory=list)
    triangles: int = 0
    warned_of_coordinates: bool = False

    def read_lines(self, text: str) -> None:
        """Read all lines. Raises ModelError with the line of the first error."""
        material = -1
        object_ = group = rank = 0
        unknown = 0
        skipped = ("vn",) if self.wants_coordinates else ("vt", "vn")  # half of most files
        for number, line in iterate_statements(text, skipped):
            words = line.split()
            first = words[0]
            if first == "v":
                self._read_vertex(words, number)
            elif first in ("f", "fo"):  # `fo` is the older word
                self._read_face(words, number, rank, material)
            elif first == "vt" and self.wants_coordinates:
                self._read_coordinates(words, number)
            elif first in ("o", "g", "usemtl"):
                name = line.split(None, 1)[1] if len(words) > 1 else ""
                if first == "g":  # a statement may name several groups; one with a suffix decides
                    name = " ".join(sorted(words[1:], key=lambda word: layer_suffix(word) != ""))
                if first == "o":
                    object_ = self.objects.setdefault(name, len(self.objects))
                elif first == "g":
                    group = self.groups.setdefault(name, len(self.groups))
                else:
                    material = self.materials.setdefault(name, len(self.materials))
                rank = self.ranks.setdefault((object_, group), len(self.ranks))
                self._check_limits(number)
            elif _UNREAD_KEYWORDS.fullmatch(first):
                self.unread.setdefault(quote_text(first), number)
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
        if len(words) > 6:
            self.unread.setdefault("vertex colours", number)
        if len(self.point_lines) > MAX_POINTS:
            raise ModelError(f"the file has more than {MAX_POINTS} vertices", "simplify it", number, 1)

    def _read_coordinates(self, words: list[str], number: int) -> None:
        try:
            self.coordinates += (float(words[1]), float(words[2]) if len(words) > 2 else 0.0)
        except (IndexError, ValueError):
            raise ModelError("texture coordinates need numbers: vt u v", "export it again", number, 1) from None
        if len(self.coordinates) > 2 * MAX_POINTS:
            raise ModelError(f"the file has more than {MAX_POINTS} texture coordinates", "simplify it", number, 1)

    def _read_face(self, words: list[str], number: int, rank: int, material: int) -> None:
        size = len(words) - 1
        if not 3 <= size <= MAX_POLYGON_CORNERS:
            raise ModelError(f"a face has {size} corners, not 3 to {MAX_POLYGON_CORNERS}", "export it again", number, 1)
        count = len(self.points) // 3
        vertices = []
        coordinates = []
        for text in words[1:]:
            corner = _CORNER.fullmatch(text)
            if corner is None:
                message = f"{quote_text(text)} is not a vertex index such as 3, 3/7, 3//2 or 3/7/2"
                raise ModelError(message, "export it again", number, 1)
            if self.wants_coordinates:
                coordinates.append(self._coordinate_index(corner[2], number))
            value = int(corner[1])
            if value == 0 or value < -count or value > 2**31:
                reason = f"there are {count} before it" if value else "they count from 1"
                raise ModelError(f"vertex {value} does not exist: {reason}", "export it again", number, 1)
            vertices.append(value - 1 if value > 0 else count + value)
        self.triangles += size - 2
        if self.triangles > MAX_TRIANGLES:
            raise too_many_triangles_error(self.triangles)
        self.polygons.setdefault(size, []).append(_ObjPolygon(number, rank, material, vertices, coordinates))

    def _coordinate_index(self, written: str | None, number: int) -> int:
        """Index from 0 of the texture coordinates of a corner, such as the 7 of 3/7/2; -1 if it has none."""
        if not written:
            return -1
        value = int(written)
        count = len(self.coordinates) // 2
        if value == 0 or value < -count or value > 2**31:
            if not self.warned_of_coordinates:
                message = f"the texture coordinates {quote_text(written)} do not exist; they are taken as 0"
                self.notes.append(ModelNote(message, "export it again", number, 1))
            self.warned_of_coordinates = True
            return -1
        return value - 1 if value > 0 else count + value

    def check_coordinates(self) -> None:
        """Note the first face whose texture coordinates are beyond the last ones of the file."""
        count = len(self.coordinates) // 2
        rows = [row for rows in self.polygons.values() for row in rows if max(row.coordinates, default=-1) >= count]
        if rows and not self.warned_of_coordinates:
            first = min(rows, key=lambda row: row.line)
            message = (
                f"the texture coordinates `{max(first.coordinates) + 1}` do not exist: the file has {count}; they are "
                "taken as 0"
            )
            self.notes.append(ModelNote(message, "export it again", first.line, 1))

    def _check_limits(self, number: int) -> None:
        if len(self.materials) > MAX_MATERIALS:
            raise ModelError(f"the file has more than {MAX_MATERIALS} materials", "merge some", number)
        if len(self.ranks) > MAX_PARTS:
            raise ModelError(f"more than {MAX_PARTS} objects and groups", "merge some", number)


def _vertex_indices(rows: list[_ObjPolygon], size: int, count: int) -> Ints:
    numbers = np.array([row.vertices for row in rows], np.int64).reshape(-1, size)
    if int(numbers.max(initial=-1)) >= count:
        row = int(np.argmax(numbers.max(axis=1) >= count))
        beyond = int(numbers[row].max()) + 1
        raise ModelError(f"vertex {beyond} does not exist: the file has {count}", "export it again", rows[row].line, 1)
    return numbers.astype(np.int32)


def _read_libraries(text: str, fetch: FetchFile, notes: list[ModelNote]) -> tuple[dict[str, MtlMaterial], int]:
    """The materials of all MTL files by name, and the line of the first `mtllib`."""
    found: dict[str, MtlMaterial] = {}
    names: set[str] = set()
    first = 0
    for line, statement in iterate_statements(text, ("v", "f")) if "mtllib" in text else ():
        keyword, written = [*statement.split(None, 1), ""][:2]
        if keyword != "mtllib":
            continue
        written = written.replace('"', " ").strip()
        for name in map(path_beside, _LIBRARY_NAME.findall(written) or [written]):
            if name in names or not name:
                continue
            names.add(name)
            first = first or line
            if len(names) > MAX_LIBRARIES:
                raise ModelError(f"the file has more than {MAX_LIBRARIES} libraries", "merge some", line)
            try:
                found.update(read_mtl(fetch(name, (".mtl",), MAX_MTL_BYTES), name))
            except ModelError as error:
                notes.append(ModelNote(f"{error.message}; its materials are grey", error.cure, line, 1))
    return found, first
