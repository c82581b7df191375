"""Field and record types of the schema, with constructors for the common fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

MAX_COORDINATE = 1e5  # metres from the origin; beyond, float32 rendering is off by about a centimetre


class ValueKind(Enum):
    """Kind of a value. The text names it in messages and on the reference page."""

    NUMBER = "a number"
    INTEGER = "a whole number"
    TEXT = "text"
    FLAG = "true or false"
    POINT = "a point [x, y, z]"
    PLAN = "a point [x, z]"
    CORNERS = "a list of points [x, y, z]"
    SCALE = "a number or [x, y, z]"
    SPAN = "a number or [from, to]"
    FORMULA = "an expression in x and z"
    GRID = "rows of numbers [[...], [...]]"
    ANGLE = "a direction (north, northwest, west, ... or degrees)"
    SIZE = "a number or [across, up]"
    PAIR = "two numbers [x, y]"
    PICTURE = "a picture (PNG, JPEG or WebP), relative to this file"
    FACTOR = "a number from 0 to 1, or a picture"
    GLOW = "a colour or a picture"
    COLOUR = 'a colour ("#rrggbb" or a name)'
    SURFACE = "the name of a surface"
    PAINT = "material names, each with a surface"
    CHOICE = "one of a list of words"
    CHOICES = "a list of words"
    RECORD = "fields in { }"
    RECORDS = "a list of fields in { }"
    NAMED = "names, each with its fields"
    PIECES = "a list of pieces"
    PREFABS = "names, each with a list of pieces"
    PREFAB = "a name from `define`"
    PART = "a level file, relative to this one"
    WORD_OR_RECORD = "a word, or fields in { }"
    NAMES = "a name or a list of names"
    COUNT = "a number, or fields in { }"
    WALK = "a file, or a list of lines"
    EXPECT = "fields in { }, or a list of them"

    def field(
        self,
        name: str,
        doc: str,
        default: Default = None,
        unit: str = "",
        low: float = -MAX_COORDINATE,
        high: float = MAX_COORDINATE,
        required: bool = False,
        choices: tuple[str, ...] = (),
        record: SchemaRecord | None = None,
        min_count: int = 0,
        max_count: int = 80,
    ) -> SchemaField:
        """A field of this kind."""
        return SchemaField(name, self, doc, default, unit, low, high, required, choices, record, min_count, max_count)


Default = float | int | str | bool | tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class SchemaField:
    """One field. default: value if it is not written; None if there is none (or `doc` gives it)."""

    name: str
    kind: ValueKind
    doc: str
    default: Default = None
    unit: str = ""
    low: float = -MAX_COORDINATE
    high: float = MAX_COORDINATE
    required: bool = False
    choices: tuple[str, ...] = ()
    record: SchemaRecord | None = None
    min_count: int = 0  # entries of a list, or characters of a text
    max_count: int = 80


@dataclass(frozen=True, slots=True)
class SchemaRecord:
    """Fields of one mapping: the level, a piece, a door.

    keeps_broken: a record with mistakes in it is returned all the same, with `RecordValues.has_errors`.
    keeps_defaults: wrong values of fields that are not required are replaced by the defaults.
    instead: what to write instead, by names that are no fields.
    """

    name: str
    doc: str
    fields: tuple[SchemaField, ...]
    example: str = ""
    keeps_broken: bool = False
    keeps_defaults: bool = False
    instead: Mapping[str, str] = dataclasses.field(default_factory=dict, compare=False)
    _fields_by_name: dict[str, SchemaField] = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_fields_by_name", {field.name: field for field in reversed(self.fields)})

    def field(self, name: str) -> SchemaField | None:
        return self._fields_by_name.get(name)


def length_field(name: str, doc: str, default: float | None, low: float = 0.01, high: float = 1000.0) -> SchemaField:
    return ValueKind.NUMBER.field(name, doc, default, "m", low, high, required=default is None)


def facing_field(doc: str) -> SchemaField:
    return ValueKind.ANGLE.field("facing", doc, 0.0)


def base_point_field(doc: str) -> SchemaField:
    return ValueKind.POINT.field("at", doc, unit="m", required=True)


def corner_fields(
    kind: ValueKind, first: str = "One corner.", opposite: str = "The opposite corner."
) -> tuple[SchemaField, SchemaField]:
    """The required fields `from` and `to`, two points in metres."""
    return kind.field("from", first, unit="m", required=True), kind.field("to", opposite, unit="m", required=True)
