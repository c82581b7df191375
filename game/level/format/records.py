"""What was read of a level file: records of checked values, each with its place, and the pieces made of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from .findings import Place
from .schema.fields import Record
from .values import Formula

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry of a `pieces` or `of` list: which kind, what it says, where its name is written."""

    kind: str
    values: Values
    place: Place


@dataclass(frozen=True, eq=False, slots=True)
class Prefab:
    """Pieces that were given a name, to be placed by it."""

    name: str
    pieces: tuple[Piece, ...]


@dataclass(eq=False, slots=True)
class Part:
    """A level file that another includes: its real path, the path it is shown by, and, once it is read, its pieces.

    surface: index of what its pieces without a surface are made of; 0: as around them.
    """

    path: Path
    shown: str
    pieces: tuple[Piece, ...] = ()
    surface: int = 0


class Values:
    """The fields of one record after checking. A getter returns what was written, else the default."""

    __slots__ = ("_found", "place", "places", "record", "where")

    def __init__(self, record: Record, place: Place, where: str) -> None:
        self.record = record
        self.place = place
        self.where = where
        self.places: dict[str, Place] = {}
        self._found: dict[str, object] = {}

    def set(self, name: str, value: object, place: Place) -> None:
        self._found[name] = value
        self.places[name] = place

    def has(self, name: str) -> bool:
        """Whether there is such a field at all, written or not."""
        return self.record.field(name) is not None

    def given(self, name: str) -> bool:
        return name in self._found

    def at(self, name: str) -> Place:
        """Where the value is written; the record itself where it is not."""
        return self.places.get(name, self.place)

    def _get(self, name: str) -> object:
        if name in self._found:
            return self._found[name]
        field = self.record.field(name)
        assert field is not None, name
        return field.default

    def number(self, name: str) -> float:
        return float(cast(float, self._get(name)))

    def integer(self, name: str) -> int:
        return int(cast(int, self._get(name)))

    def flag(self, name: str) -> bool:
        return bool(self._get(name))

    def text(self, name: str) -> str:
        return str(self._get(name) or "")

    def point(self, name: str) -> Point:
        return cast(Point, self._get(name))

    def plan(self, name: str) -> tuple[float, float]:
        return cast(tuple[float, float], self._get(name))

    def corners(self, name: str) -> tuple[Point, ...]:
        return cast(tuple[Point, ...], self._get(name))

    def span(self, name: str) -> tuple[float, float]:
        return cast(tuple[float, float], self._get(name))

    def formula(self, name: str) -> Formula:
        return cast(Formula, self._get(name))

    def grid(self, name: str) -> tuple[tuple[float, ...], ...]:
        return cast("tuple[tuple[float, ...], ...]", self._get(name))

    def scale(self, name: str) -> Point:
        found = self._get(name)
        return cast(Point, found) if isinstance(found, tuple) else (1.0, 1.0, 1.0)

    def words(self, name: str) -> tuple[str, ...]:
        return cast(tuple[str, ...], self._get(name) or ())

    def surface(self, name: str, otherwise: int = 0) -> int:
        """Index of the surface; `otherwise` where none is given."""
        return cast(int, self._found.get(name, otherwise))

    def paint(self, name: str) -> dict[str, tuple[int, Place]]:
        """By a model's own names: index of the surface, and where the name is written."""
        return cast("dict[str, tuple[int, Place]]", self._get(name) or {})

    def nested(self, name: str) -> Values | None:
        return cast("Values | None", self._get(name))

    def records(self, name: str) -> tuple[Values, ...]:
        return cast("tuple[Values, ...]", self._get(name) or ())

    def named(self, name: str) -> dict[str, Values]:
        return cast("dict[str, Values]", self._get(name) or {})

    def pieces(self, name: str) -> tuple[Piece, ...]:
        return cast("tuple[Piece, ...]", self._get(name) or ())

    def prefab(self, name: str) -> Prefab:
        return cast(Prefab, self._get(name))

    def part(self, name: str) -> Part:
        return cast(Part, self._get(name))
