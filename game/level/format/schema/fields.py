"""What a field of the level format is; the table of them is in schema/."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum

FARTHEST = 1e5  # metres from the origin: beyond it a float32 picture shakes by a centimetre


class Kind(Enum):
    """What the text of a value has to be; in messages and the reference page by these words."""

    NUMBER = "a number"
    INTEGER = "a whole number"
    TEXT = "text"
    FLAG = "true or false"
    POINT = "a point [x, y, z]"
    PLAN = "a point on the plan [x, z]"
    CORNERS = "a list of points [x, y, z]"
    SCALE = "a number, or three of them [x, y, z]"
    SPAN = "a number, or two of them [from, to]"
    FORMULA = "a sum of x and z"
    GRID = "rows of numbers [[...], [...]]"
    ANGLE = "a direction: north, east, south, west or degrees"
    COLOUR = 'a colour: "#rrggbb" or a name'
    SURFACE = "the name of a surface"
    PAINT = "names of the file's own, each with the name of a surface"
    CHOICE = "one of some words"
    CHOICES = "a list of words"
    RECORD = "fields in { }"
    RECORDS = "a list of fields in { }"
    NAMED = "names, each with fields"
    PIECES = "a list of pieces"
    PREFABS = "names, each with a list of pieces"
    PREFAB = "a name from `define`"
    PART = "a level file, as seen from this one"


Default = float | int | str | bool | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Field:
    """One field. `default` is what holds when it is not written; None: nothing does (or `doc` says what)."""

    name: str
    kind: Kind
    doc: str
    default: Default = None
    unit: str = ""
    low: float = -FARTHEST
    high: float = FARTHEST
    required: bool = False
    choices: tuple[str, ...] = ()
    record: Record | None = None
    least: int = 0  # entries of a list, or characters of a text
    most: int = 80


@dataclass(frozen=True, slots=True)
class Record:
    """Fields that stand together: the level itself, a piece, a door."""

    name: str
    doc: str
    fields: tuple[Field, ...]
    example: str = ""
    _named: dict[str, Field] = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_named", {field.name: field for field in reversed(self.fields)})

    def field(self, name: str) -> Field | None:
        return self._named.get(name)


def length(name: str, doc: str, default: float | None, low: float = 0.01, high: float = 1000.0) -> Field:
    return Field(name, Kind.NUMBER, doc, default, "m", low, high, required=default is None)


def surface(name: str, doc: str) -> Field:
    return Field(name, Kind.SURFACE, doc)


def facing(doc: str) -> Field:
    return Field("facing", Kind.ANGLE, doc, 0.0)


def foot(doc: str) -> Field:
    return Field("at", Kind.POINT, doc, unit="m", required=True)


# Other people's words for ours, for "did you mean".
SYNONYMS = {
    "color": "colour", "position": "at", "pos": "at", "center": "at", "centre": "at", "location": "at",
    "heading": "facing", "rotation": "facing", "direction": "facing", "yaw": "facing", "angle": "facing",
    "material": "surface", "points": "corners", "vertices": "corners", "verts": "corners", "level": "y",
    "number": "count", "n": "count", "children": "of", "pieces": "of", "items": "of", "depth": "run",
    "tread": "run", "offset": "step", "segments": "sides", "size": "to", "openings": "doors",
    "opening": "doors", "cube": "box", "block": "box", "plane": "floor", "ground": "floor",
    "column": "pillar", "cylinder": "pillar", "staircase": "stairs", "slope": "ramp", "text": "sign",
    "repeat": "array", "player": "spawn", "start": "spawn", "end": "goal", "exit": "exits", "light": "sun",
    "fog": "haze", "portals": "exits", "portal": "exits", "target": "to", "file": "to", "version": "format",
    "title": "name", "prefab": "what", "prefabs": "define", "template": "what",
    "import": "include", "height": "rise",
}  # fmt: skip
