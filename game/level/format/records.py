"""Records: checked values of a level file with their positions, and the pieces that they describe."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ...core.vectors import Colour, Point
from .findings import SourceSpan
from .schema.fields import SchemaRecord
from .values import FormulaValue, colour_of


@dataclass(frozen=True, slots=True)
class PieceRecord:
    """One entry of a list of pieces: its kind, its fields, the position of its kind."""

    kind: str
    values: RecordValues
    place: SourceSpan


@dataclass(frozen=True, eq=False, slots=True)
class Prefab:
    """Named pieces from `define`."""

    name: str
    pieces: tuple[PieceRecord, ...]


@dataclass(eq=False, slots=True)
class IncludedFile:
    """Included level file: its real path, displayed path and, once read, its pieces.

    surface: index of the surface for pieces that name none; 0 for that of the including file.
    """

    path: Path
    display_path: str
    pieces: tuple[PieceRecord, ...] = ()
    surface: int = 0


class RecordValues:
    """Checked fields of one record. A getter returns the written value, or else the default of the schema.

    has_errors: True if there was a finding, other than a warning, about it or anything in it.
    """

    __slots__ = ("_values", "has_errors", "place", "places", "record", "where")

    def __init__(self, record: SchemaRecord, place: SourceSpan, where: str) -> None:
        self.record = record
        self.place = place
        self.where = where
        self.has_errors = False
        self.places: dict[str, SourceSpan] = {}
        self._values: dict[str, object] = {}

    def set(self, name: str, value: object, place: SourceSpan) -> None:
        self._values[name] = value
        self.places[name] = place

    def has_field(self, name: str) -> bool:
        """True if the schema has such a field, written or not."""
        return self.record.field(name) is not None

    def is_given(self, name: str) -> bool:
        return name in self._values

    def place_of(self, name: str) -> SourceSpan:
        """Position of the value; of the record if the field is not written."""
        return self.places.get(name, self.place)

    def _value_or_default(self, name: str) -> object:
        if name in self._values:
            return self._values[name]
        field = self.record.field(name)
        assert field is not None, name
        return field.default

    def value(self, name: str) -> object:
        """The written value; None if the field is not written."""
        return self._values.get(name)

    def number(self, name: str) -> float:
        return float(cast(float, self._value_or_default(name)))

    def numbers(self, *names: str) -> list[float]:
        return [self.number(name) for name in names]

    def integer(self, name: str) -> int:
        return int(cast(int, self._value_or_default(name)))

    def flag(self, name: str) -> bool:
        return bool(self._value_or_default(name))

    def text(self, name: str) -> str:
        return str(self._value_or_default(name) or "")

    def point(self, name: str) -> Point:
        return cast(Point, self._value_or_default(name))

    def colour(self, name: str) -> Colour:
        """sRGB colour, each component 0 to 1."""
        value = self._value_or_default(name)
        return cast(Colour, colour_of(value) if isinstance(value, str) else value)

    def plan_point(self, name: str) -> tuple[float, float]:
        return cast(tuple[float, float], self._value_or_default(name))

    def corners(self, name: str) -> tuple[Point, ...]:
        return cast(tuple[Point, ...], self._value_or_default(name))

    def span(self, name: str) -> tuple[float, float]:
        return cast(tuple[float, float], self._value_or_default(name))

    def formula(self, name: str) -> FormulaValue:
        return cast(FormulaValue, self._value_or_default(name))

    def grid(self, name: str) -> tuple[tuple[float, ...], ...]:
        return cast("tuple[tuple[float, ...], ...]", self._value_or_default(name))

    def scale(self, name: str) -> Point:
        value = self._value_or_default(name)
        return cast(Point, value) if isinstance(value, tuple) else (1.0, 1.0, 1.0)

    def picture_size(self, name: str) -> tuple[float, float]:
        """Metres (across, up) of a picture; up is 0 for the picture's own proportions."""
        value = self._value_or_default(name)
        return cast(tuple[float, float], value) if isinstance(value, tuple) else (float(cast(float, value)), 0.0)

    def word_list(self, name: str) -> tuple[str, ...]:
        return cast(tuple[str, ...], self._value_or_default(name) or ())

    def surface(self, name: str, default: int = 0) -> int:
        """Index of the surface; `default` if the field is not written."""
        return cast(int, self._values.get(name, default))

    def paint(self, name: str) -> dict[str, tuple[int, SourceSpan]]:
        """By material name of a model: index of the surface, and position of the name."""
        return cast("dict[str, tuple[int, SourceSpan]]", self._value_or_default(name) or {})

    def record_value(self, name: str) -> RecordValues | None:
        return cast("RecordValues | None", self._value_or_default(name))

    def records(self, name: str) -> tuple[RecordValues, ...]:
        return cast("tuple[RecordValues, ...]", self._value_or_default(name) or ())

    def record_map(self, name: str) -> dict[str, RecordValues]:
        return cast("dict[str, RecordValues]", self._value_or_default(name) or {})

    def pieces(self, name: str) -> tuple[PieceRecord, ...]:
        return cast("tuple[PieceRecord, ...]", self._value_or_default(name) or ())

    def prefab(self, name: str) -> Prefab:
        return cast(Prefab, self._value_or_default(name))

    def included_file(self, name: str) -> IncludedFile:
        return cast(IncludedFile, self._value_or_default(name))
