"""The text of a .map file: entities with their keys, and brushes as planes, in the Standard and Valve 220 formats.

Written by the format as the TrenchBroom manual and the Quake wiki describe it; every entity, brush and face knows
its line.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import NoReturn

from ....core.vectors import Point
from ...format.findings import quote_text
from ..obj import decode_model_text
from ..triangle_soup import ModelError

MAX_MAP_BYTES = 32 * 2**20
MAX_ENTITIES = 50_000
MAX_KEYS = 500_000
MAX_BRUSHES = 50_000
MAX_BRUSH_FACES = 400_000
MAX_BRUSH_PLANES = 256  # of one brush
MAX_MAP_COORDINATE = 1e6  # units: a hundred times the widest map there is

_BLANK = re.compile(r"(?:\s+|//[^\n]*)*+")
_PAIR = re.compile(r'"((?:[^"\\\n]|\\[^\n])*+)"[^\S\n]*+"((?:[^"\\\n]|\\[^\n])*+)"')
_PLAIN_PAIR = re.compile(r'"([^"\n]*)"[^\S\n]*"([^"\n]*)"')  # a folder's \ before the closing mark
_NUMBER = r"[-+]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][-+]?[0-9]{1,4})?"
_POINT = rf"\(\s*({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s*\)"
_PLANE = re.compile(rf"{_POINT}\s*{_POINT}\s*{_POINT}[^\S\n]*")
_TEXTURE = re.compile(r'"([^"\n]*)"|([^\s"]+)')
_AXES = re.compile(rf"\s*\[(?:\s*{_NUMBER}){{4}}\s*\]\s*\[(?:\s*{_NUMBER}){{4}}\s*\]")
_REST = re.compile(rf"(?:[^\S\n]*{_NUMBER})*+")
_WORD = re.compile(r"[^\s{}()\[\]\"]+")


@dataclass(frozen=True, slots=True)
class BrushFace:
    """A half-space by three points, clockwise seen from outside, and the texture on it."""

    points: tuple[Point, Point, Point]
    texture: str
    line: int


@dataclass(frozen=True, slots=True)
class Brush:
    faces: tuple[BrushFace, ...]
    line: int


@dataclass(slots=True)
class MapEntity:
    """What the file calls a thing: its keys, and the brushes that it is made of."""

    line: int
    keys: dict[str, str] = field(default_factory=dict)
    brushes: list[Brush] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.keys.get("classname", "")

    def numbers(self, key: str) -> tuple[float, ...]:
        """The finite numbers that a key holds, () where it does not hold numbers."""
        try:
            found = tuple(float(word) for word in self.keys.get(key, "").split()[:16])
        except ValueError:
            return ()
        return found if all(math.isfinite(part) and abs(part) <= MAX_MAP_COORDINATE for part in found) else ()

    def origin(self) -> Point | None:
        found = self.numbers("origin")
        return (found[0], found[1], found[2]) if len(found) == 3 else None


@dataclass(frozen=True, slots=True)
class QuakeMap:
    entities: tuple[MapEntity, ...]
    patches: tuple[int, ...]  # the lines of curved patches, which are left out


def parse_map(data: bytes) -> QuakeMap:
    """The entities of a .map file. Raises ModelError with line and column."""
    return _MapParser(decode_model_text(data, "map")).map()


class _MapParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.counted = 0  # line ends before `counted_at`
        self.counted_at = 0
        self.entities: list[MapEntity] = []
        self.patches: list[int] = []
        self.brushes = self.faces = self.keys = 0

    def map(self) -> QuakeMap:
        while self._blank():
            if self.text[self.at] != "{":
                self._refuse("an entity begins with {", 'an entity looks like { "classname" "worldspawn" ... }')
            self._entity()
            if len(self.entities) > MAX_ENTITIES:
                self._refuse(f"more than {MAX_ENTITIES} entities", "split the map")
        if not self.entities:
            raise ModelError("the map has no entity", "save it again from the editor")
        return QuakeMap(tuple(self.entities), tuple(self.patches))

    def _entity(self) -> None:
        entity = MapEntity(self._line())
        self.entities.append(entity)
        self.at += 1
        while True:
            if not self._blank():
                self._refuse("the file ends inside an entity", "it is cut off: save it again", entity.line)
            mark = self.text[self.at]
            if mark == "}":
                self.at += 1
                return
            if mark == "{":
                self._brush(entity)
            elif mark == '"':
                self._pair(entity)
            else:
                self._refuse("expected a key in quotes, a brush { or the end of the entity }")

    def _pair(self, entity: MapEntity) -> None:
        found = _PAIR.match(self.text, self.at) or _PLAIN_PAIR.match(self.text, self.at)
        if found is None:
            self._refuse('a key and its value stand in quotes on one line: "key" "value"')
        self.keys += 1
        if self.keys > MAX_KEYS:
            self._refuse(f"more than {MAX_KEYS} keys")
        entity.keys.setdefault(found[1][:100], found[2][:4000])
        self.at = found.end()

    def _brush(self, entity: MapEntity) -> None:
        line = self._line()
        self.at += 1
        faces: list[BrushFace] = []
        while True:
            if not self._blank():
                self._refuse("the file ends inside a brush", "it is cut off: save it again", line)
            mark = self.text[self.at]
            if mark == "}":
                self.at += 1
                break
            if mark == "(":
                faces.append(self._face())
                if len(faces) > MAX_BRUSH_PLANES:
                    self._refuse(f"a brush has more than {MAX_BRUSH_PLANES} faces", "split it", line)
            elif not faces and (word := _WORD.match(self.text, self.at)):
                self._other(word[0], line)
                return
            else:
                self._refuse("expected a face with three points ( x y z ) or the end of the brush }")
        self.brushes += 1
        self.faces += len(faces)
        if self.brushes > MAX_BRUSHES or self.faces > MAX_BRUSH_FACES:
            self._refuse(f"more than {MAX_BRUSHES} brushes or {MAX_BRUSH_FACES} faces", "split the map")
        entity.brushes.append(Brush(tuple(faces), line))

    def _face(self) -> BrushFace:
        line = self._line()
        plane = _PLANE.match(self.text, self.at)
        if plane is None:
            self._refuse("a face begins with three points: ( x y z ) ( x y z ) ( x y z )")
        numbers = [float(part) for part in plane.groups()]
        if not all(abs(part) <= MAX_MAP_COORDINATE for part in numbers):
            self._refuse(f"a point is further out than {MAX_MAP_COORDINATE:g} units")
        self.at = plane.end()
        texture = _TEXTURE.match(self.text, self.at)
        if texture is None or (texture[2] or "").startswith("("):
            self._refuse("expected the name of a texture after the three points of a face")
        self.at = texture.end()
        axes = _AXES.match(self.text, self.at)
        rest = _REST.match(self.text, axes.end() if axes else self.at)
        assert rest is not None, "it matches nothing, at least"
        self.at = rest.end()
        a, b, c = ((numbers[k], numbers[k + 1], numbers[k + 2]) for k in (0, 3, 6))
        return BrushFace((a, b, c), (texture[1] if texture[2] is None else texture[2])[:100], line)

    def _other(self, word: str, line: int) -> None:
        """A brush that is no list of planes: patches are passed over, other ways to write brushes refused."""
        if not word.lower().startswith("patchdef"):
            cure = "save it from TrenchBroom as Standard or Valve (220)"
            self._refuse(f"brushes in the format {quote_text(word)} are not supported", cure)
        self.patches.append(line)
        depth = 1
        for found in re.compile(r'[{}]|//[^\n]*|"[^"\n]*"').finditer(self.text, self.at):
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if depth == 0:
                self.at = found.end()
                return
        self._refuse("the file ends inside a patch", "it is cut off: save it again", line)

    def _blank(self) -> bool:
        """Past blanks and comments; whether anything is left."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at < len(self.text)

    def _line(self) -> int:
        self.counted += self.text.count("\n", self.counted_at, self.at)
        self.counted_at = self.at
        return self.counted + 1

    def _refuse(self, message: str, cure: str = "", line: int = 0) -> NoReturn:
        at = min(self.at, len(self.text))
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        raise ModelError(message, cure, line or self._line(), 1 if line else column)
