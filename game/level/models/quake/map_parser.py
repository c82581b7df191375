"""Parser of .map files in the Standard and Valve 220 formats: entities with keys, and brushes as planes.

Source: the TrenchBroom manual and the Quake wiki. Every entity, brush and face has its line number.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from typing import NoReturn

from ....core.vectors import Point
from ...format.findings import quote_text
from ..model_text import decode_model_text
from ..triangle_soup import ModelError

METRES_PER_UNIT = 1 / 32  # so that a Quake player of 56 units is 1.75 m tall
MAX_MAP_BYTES = 32 * 2**20
MAX_ENTITIES = 50_000
MAX_KEYS = 500_000
MAX_BRUSHES = 50_000
MAX_BRUSH_FACES = 400_000
MAX_PATCHES = 20_000
MAX_BRUSH_PLANES = 256  # of one brush
MAX_MAP_COORDINATE = 1e6  # units: a hundred times the size of the largest maps

_COMMENT = r"(?://|;)[^\n]*"
_BLANK = re.compile(rf"(?:\s+|{_COMMENT})*+")
_PAIR = re.compile(r'"((?:[^"\\\n]|\\[^\n])*+)"[^\S\n]*+"((?:[^"\\\n]|\\[^\n])*+)"')
_PLAIN_PAIR = re.compile(r'"([^"\n]*)"[^\S\n]*"([^"\n]*)"')  # a folder's \ before the closing mark
_NUMBER = r"[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,4})?"
_NOT_FINITE = ("nan", "inf", "infinity")
_POINT = rf"\(\s*({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s*\)"
_PLANE = re.compile(rf"{_POINT}\s*{_POINT}\s*{_POINT}[^\S\n]*")
_TEXTURE = re.compile(r'"([^"\n]*)"|([^\s"]+)')
_AXES = re.compile(rf"\s*\[(?:\s*{_NUMBER}){{4}}\s*\]\s*\[(?:\s*{_NUMBER}){{4}}\s*\]")
_REST = re.compile(rf"(?:[^\S\n]*{_NUMBER})*+")
_WORD = re.compile(r"[^\s{}()\[\]\"]+")
_DOOM3_VERSION = re.compile(r"version\s+\d+", re.IGNORECASE)
LAYER_TYPE, OMITTED = "_tb_layer", "_tb_layer_omit_from_export"  # also keys: of an entity in a layer, of a layer


@dataclass(frozen=True, slots=True)
class BrushFace:
    """A half-space by three points, clockwise seen from outside, and the texture on it.

    alignment: the text after the texture's name: axes, offsets, rotation and scale, see `textures.read_alignment`.
    """

    points: tuple[Point, Point, Point]
    texture: str
    line: int
    alignment: str = ""


@dataclass(frozen=True, slots=True)
class Brush:
    """A brush: its faces, and the line where it begins."""

    faces: tuple[BrushFace, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Patch:
    """A curved patch: what stands inside its braces, and the line where it begins."""

    text: str
    line: int


@dataclass(slots=True)
class MapEntity:
    """An entity: its keys, brushes and curved patches."""

    line: int
    keys: dict[str, str] = field(default_factory=dict)
    brushes: list[Brush] = field(default_factory=list)
    patches: list[Patch] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The class name, such as `worldspawn`."""
        return self.keys.get("classname", "")

    def numbers(self, key: str) -> tuple[float, ...]:
        """The finite numbers in the value of a key; () if the value is anything else."""
        try:
            numbers = tuple(float(word) for word in self.keys.get(key, "").split()[:16])
        except ValueError:
            return ()
        return numbers if all(math.isfinite(number) and abs(number) <= MAX_MAP_COORDINATE for number in numbers) else ()

    def origin(self) -> Point | None:
        """The position in Quake units; None if the entity has none."""
        numbers = self.numbers("origin")
        return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else None


@dataclass(frozen=True, slots=True)
class QuakeMap:
    """A parsed map."""

    entities: tuple[MapEntity, ...]
    omitted: tuple[OmittedLayer, ...] = ()


@dataclass(frozen=True, slots=True)
class OmittedLayer:
    """A layer that its author omits from exports: its name, its line, and what was in it."""

    name: str
    line: int
    brushes: int = 0
    entities: int = 0


def parse_map(data: bytes) -> QuakeMap:
    """The entities of a .map file, without layers that are omitted from exports. Raises ModelError with line and
    column."""
    return _without_omitted_layers(_MapParser(decode_model_text(data, "map")).read_map())


def _without_omitted_layers(entities: list[MapEntity]) -> QuakeMap:
    """The map as TrenchBroom exports it.

    An entity names its layer or its group by id, and a group does so too. What names neither is in the default layer,
    whose keys and brushes are those of `worldspawn`.
    """
    containers = {(entity.keys.get("_tb_type"), entity.keys.get("_tb_id")): entity for entity in entities}
    world = next((entity for entity in entities if entity.kind == "worldspawn"), None)

    def layer_of(entity: MapEntity) -> MapEntity | None:
        for _ in range(len(containers) + 1):  # groups that contain each other end here
            if entity.keys.get("_tb_type") == LAYER_TYPE:
                return entity
            key = next((key for key in (LAYER_TYPE, "_tb_group") if entity.keys.get(key, "").strip()), None)
            parent = containers.get((key, entity.keys[key])) if key else None
            if parent is None:
                return world
            entity = parent
        return world

    kept: list[MapEntity] = []
    omitted: dict[int, OmittedLayer] = {}
    for entity in entities:
        layer = layer_of(entity)
        if layer is None or layer.keys.get(OMITTED) != "1":
            kept.append(entity)
            continue
        found = omitted.get(layer.line) or OmittedLayer(layer.keys.get("_tb_name", "default"), layer.line)
        omitted[layer.line] = replace(
            found,
            brushes=found.brushes + len(entity.brushes) + len(entity.patches),
            entities=found.entities + (entity is not world and "_tb_type" not in entity.keys),
        )
        if entity is world:
            kept.append(MapEntity(entity.line, entity.keys))
    return QuakeMap(tuple(kept), tuple(omitted.values()))


class _MapParser:
    """Recursive descent parser; `position` is an index into `text`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.line_breaks = 0  # before index `counted_to`
        self.counted_to = 0
        self.entities: list[MapEntity] = []
        self.brushes = self.faces = self.keys = self.patches = 0

    def read_map(self) -> list[MapEntity]:
        while self._skip_blanks():
            if not self.entities and (version := _DOOM3_VERSION.match(self.text, self.position)):
                cure = "save it from TrenchBroom as Standard or Valve (220)"
                self._fail(f"this is a map of Doom 3 ({version[0]}), which is not supported", cure)
            if self.text[self.position] != "{":
                self._fail("an entity begins with {", 'an entity looks like { "classname" "worldspawn" ... }')
            self._read_entity()
            if len(self.entities) > MAX_ENTITIES:
                self._fail(f"more than {MAX_ENTITIES} entities", "split the map")
        if not self.entities:
            raise ModelError("the map has no entity", "save it again from the editor")
        return self.entities

    def _read_entity(self) -> None:
        entity = MapEntity(self._line_number())
        self.entities.append(entity)
        self.position += 1
        while True:
            if not self._skip_blanks():
                self._fail("the file ends inside an entity", "it is cut off: save it again", entity.line)
            character = self.text[self.position]
            if character == "}":
                self.position += 1
                return
            if character == "{":
                self._read_brush(entity)
            elif character == '"':
                self._read_pair(entity)
            else:
                self._fail("expected a key in quotes, a brush { or the end of the entity }")

    def _read_pair(self, entity: MapEntity) -> None:
        match = _PAIR.match(self.text, self.position) or _PLAIN_PAIR.match(self.text, self.position)
        if match is None:
            self._fail('a key and its value stand in quotes on one line: "key" "value"')
        self.keys += 1
        if self.keys > MAX_KEYS:
            self._fail(f"more than {MAX_KEYS} keys")
        entity.keys.setdefault(match[1][:100], match[2][:4000])
        self.position = match.end()

    def _read_brush(self, entity: MapEntity) -> None:
        line = self._line_number()
        self.position += 1
        faces: list[BrushFace] = []
        while True:
            if not self._skip_blanks():
                self._fail("the file ends inside a brush", "it is cut off: save it again", line)
            character = self.text[self.position]
            if character == "}":
                self.position += 1
                break
            if character == "(":
                faces.append(self._read_face())
                if len(faces) > MAX_BRUSH_PLANES:
                    self._fail(f"a brush has more than {MAX_BRUSH_PLANES} faces", "split it", line)
            elif not faces and (word := _WORD.match(self.text, self.position)):
                self._read_patch(entity, word[0], line)
                return
            elif faces and (word := _WORD.match(self.text, self.position)) and word[0].lower() in _NOT_FINITE:
                self._fail(f"{quote_text(word[0])} after the texture of a face is not a finite number")
            else:
                self._fail("expected a face with three points ( x y z ) or the end of the brush }")
        self.brushes += 1
        self.faces += len(faces)
        if self.brushes > MAX_BRUSHES or self.faces > MAX_BRUSH_FACES:
            self._fail(f"more than {MAX_BRUSHES} brushes or {MAX_BRUSH_FACES} faces", "split the map")
        entity.brushes.append(Brush(tuple(faces), line))

    def _read_face(self) -> BrushFace:
        line = self._line_number()
        plane = _PLANE.match(self.text, self.position)
        if plane is None:
            words = self.text[self.position :].partition("\n")[0].replace("(", " ").replace(")", " ").split()
            if any(word.lower().lstrip("+-") in _NOT_FINITE for word in words[:9]):
                self._fail("a point of a face has a coordinate that is not a finite number", "export the map again")
            self._fail("a face begins with three points: ( x y z ) ( x y z ) ( x y z )")
        numbers = [float(number) for number in plane.groups()]
        if not all(abs(number) <= MAX_MAP_COORDINATE for number in numbers):
            self._fail(f"a point is further out than {MAX_MAP_COORDINATE:g} units")
        self.position = plane.end()
        texture = _TEXTURE.match(self.text, self.position)
        if texture is None or (texture[2] or "").startswith("("):
            self._fail("expected the name of a texture after the three points of a face")
        self.position = texture.end()
        axes = _AXES.match(self.text, self.position)
        trailing_numbers = _REST.match(self.text, axes.end() if axes else self.position)
        assert trailing_numbers is not None, "it matches nothing, at least"
        alignment = self.text[self.position : trailing_numbers.end()]
        self.position = trailing_numbers.end()
        a, b, c = ((numbers[k], numbers[k + 1], numbers[k + 2]) for k in (0, 3, 6))
        return BrushFace((a, b, c), (texture[1] if texture[2] is None else texture[2])[:100], line, alignment)

    def _read_patch(self, entity: MapEntity, word: str, line: int) -> None:
        """Keep the text of a patch. Raises ModelError for other brush formats."""
        if not word.lower().startswith("patchdef"):
            cure = "save it from TrenchBroom as Standard or Valve (220)"
            self._fail(f"brushes in the format {quote_text(word)} are not supported", cure)
        self.patches += 1
        if self.patches > MAX_PATCHES:
            self._fail(f"more than {MAX_PATCHES} curved patches", "split the map")
        begin = self.position + len(word)
        depth = 1
        for match in re.compile(rf'[{{}}]|{_COMMENT}|"[^"\n]*"').finditer(self.text, self.position):
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if depth == 0:
                self.position = match.end()
                text = self.text[begin : match.start()].replace("{", " ", 1).rpartition("}")[0]
                entity.patches.append(Patch(re.sub(rf"(?<!\S){_COMMENT}", "", text), line))
                return
        self._fail("the file ends inside a patch", "it is cut off: save it again", line)

    def _skip_blanks(self) -> bool:
        """Skip blanks and comments. Returns False at the end of the text."""
        match = _BLANK.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.position < len(self.text)

    def _line_number(self) -> int:
        """The line of the current position, from 1."""
        self.line_breaks += self.text.count("\n", self.counted_to, self.position)
        self.counted_to = self.position
        return self.line_breaks + 1

    def _fail(self, message: str, cure: str = "", line: int = 0) -> NoReturn:
        end = min(self.position, len(self.text))
        column = end - (self.text.rfind("\n", 0, end) + 1) + 1
        raise ModelError(message, cure, line or self._line_number(), 1 if line else column)
