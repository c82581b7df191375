"""What was read of a level file: records of checked values, each with its place, and the pieces made of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ...core.vectors import Point
from .findings import SourceSpan
from .schema.fields import SchemaRecord
from .values import FormulaValue


@dataclass(frozen=True, slots=True)
class PieceRecord:
    """One entry of a `pieces` or `of` list: which kind, what it says, where its name is written."""

    kind: str
    values: RecordValues
    place: SourceSpan


@dataclass(frozen=True, eq=False, slots=True)
class Prefab:
    """Pieces that were given a name, to be placed by it."""

    name: str
    pieces: tuple[PieceRecord, ...]


@dataclass(eq=False, slots=True)
class IncludedFile:
    """A level file that another includes: its real path, the path it is shown by, and, once it is read, its pieces.

    surface: index of what its pieces without a surface are made of; 0: as around them.
    """

    path: Path
    shown: str
    pieces: tuple[PieceRecord, ...] = ()
    surface: int = 0


class RecordValues:
    """The fields of one record after checking. A getter returns what was written, else the default."""

    __slots__ = ("_values", "place", "places", "record", "where")

    def __init__(self, record: SchemaRecord, place: SourceSpan, where: str) -> None:
        self.record = record
        self.place = place
        self.where = where
        self.places: dict[str, SourceSpan] = {}
        self._values: dict[str, object] = {}

    def set(self, name: str, value: object, place: SourceSpan) -> None:
        self._values[name] = value
        self.places[name] = place

    def has_field(self, name: str) -> bool:
        """Whether there is such a field at all, written or not."""
        return self.record.field(name) is not None

    def is_given(self, name: str) -> bool:
        return name in self._values

    def place_of(self, name: str) -> SourceSpan:
        """Where the value is written; the record itself where it is not."""
        return self.places.get(name, self.place)

    def _value_or_default(self, name: str) -> object:
        if name in self._values:
            return self._values[name]
        field = self.record.field(name)
        assert field is not None, name
        return field.default

    def number(self, name: str) -> float:
        return float(cast(float, self._value_or_default(name)))

    def integer(self, name: str) -> int:
        return int(cast(int, self._value_or_default(name)))

    def flag(self, name: str) -> bool:
        return bool(self._value_or_default(name))

    def text(self, name: str) -> str:
        return str(self._value_or_default(name) or "")

    def point(self, name: str) -> Point:
        return cast(Point, self._value_or_default(name))

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
        found = self._value_or_default(name)
        return cast(Point, found) if isinstance(found, tuple) else (1.0, 1.0, 1.0)

    def word_list(self, name: str) -> tuple[str, ...]:
        return cast(tuple[str, ...], self._value_or_default(name) or ())

    def surface(self, name: str, otherwise: int = 0) -> int:
        """Index of the surface; `otherwise` where none is given."""
        return cast(int, self._values.get(name, otherwise))

    def paint(self, name: str) -> dict[str, tuple[int, SourceSpan]]:
        """By a model's own names: index of the surface, and where the name is written."""
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
