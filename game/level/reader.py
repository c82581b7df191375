"""From YAML nodes to checked values, by the schema table; everything wrong becomes a finding, all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import yaml

from game.level import values
from game.level.fields import SYNONYMS, Field, Kind, Record
from game.level.findings import Place, Report, Severity, did_you_mean, quoted
from game.level.schema import DEFAULT_SURFACE, PIECES
from game.level.source import place_of
from game.level.values import BadValue

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry of a `pieces` or `of` list: which kind, what it says, where its name is written."""

    kind: str
    values: Values
    place: Place


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

    def words(self, name: str) -> tuple[str, ...]:
        return cast(tuple[str, ...], self._get(name) or ())

    def surface(self, name: str, otherwise: int = 0) -> int:
        """Index of the surface; `otherwise` where none is given."""
        return cast(int, self._found.get(name, otherwise))

    def nested(self, name: str) -> Values | None:
        return cast("Values | None", self._get(name))

    def records(self, name: str) -> tuple[Values, ...]:
        return cast("tuple[Values, ...]", self._get(name) or ())

    def named(self, name: str) -> dict[str, Values]:
        return cast("dict[str, Values]", self._get(name) or {})

    def pieces(self, name: str) -> tuple[Piece, ...]:
        return cast("tuple[Piece, ...]", self._get(name) or ())


class Reader:
    """Reads records; `surfaces` are the names that pieces may use, `used` those that they did."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.surfaces: dict[str, int] = {DEFAULT_SURFACE: 0}
        self.used: set[str] = set()

    def record(
        self,
        record: Record,
        node: yaml.Node,
        place: Place,
        where: str,
        first: tuple[str, ...] = (),
        lenient: bool = False,
    ) -> Values | None:
        """Read a mapping; None when a field that it cannot do without is missing or wrong.

        lenient: a wrong value leaves the default in its place. first: fields to read before the others.
        """
        if isinstance(node, yaml.ScalarNode) and not node.value:
            node = yaml.MappingNode(node.tag, [], node.start_mark, node.end_mark)
        if not isinstance(node, yaml.MappingNode):
            self.report.add(
                "dropped", place_of(node), where, f"{values.what_is(node)} where fields belong",
                f"write it as {record.example}" if record.example else "",
            )  # fmt: skip
            return None
        read = Values(record, place, where)
        entries = self._entries(node, record, where)
        whole = True
        severity: Severity
        for name in sorted(entries, key=lambda name: name not in first):
            field = record.field(name)
            assert field is not None
            key, value = entries[name]
            try:
                result = self._value(field, value, place_of(key), f"{where}.{name}" if where else name)
            except BadValue as bad:
                severity = "fatal" if field.required and not where else "dropped"
                self.report.add(severity, bad.place, f"{where}.{name}" if where else name, bad.message, bad.cure)
                whole = False
                continue
            if result is None:
                whole = whole and field.kind is not Kind.RECORD
                continue
            read.set(name, result, place_of(value))
        for field in record.fields:
            if field.required and field.name not in entries:
                severity = "fatal" if not where else "dropped"
                self.report.add(
                    severity,
                    place if where else Place(1, 1),
                    where,
                    f"`{field.name}` is missing",
                    _missing_cure(field),
                )
                whole = False
        return read if whole or lenient else None

    def pieces(self, node: yaml.Node, field: Field, where: str) -> tuple[Piece, ...]:
        """Read a list of pieces; those that cannot be used are reported and left out."""
        if not isinstance(node, yaml.SequenceNode):
            cure = "each piece begins on a line of its own with `- `" if isinstance(node, yaml.MappingNode) else ""
            raise BadValue(node, f"{values.what_is(node)} where a list of pieces belongs", cure)
        if len(node.value) > field.most:
            raise BadValue(
                node, f"{len(node.value)} pieces, {field.most} are the most", "use `array`, `tile` or a group"
            )
        if not node.value:
            raise BadValue(node, "a list without a piece")
        found = (self._piece(item, where) for item in node.value)
        return tuple(piece for piece in found if piece is not None)

    def _piece(self, node: yaml.Node, where: str) -> Piece | None:
        if not isinstance(node, yaml.MappingNode) or not node.value:
            message = f"{values.what_is(node)} where a piece belongs"
            word = node.value if isinstance(node, yaml.ScalarNode) else ""
            cure = f"write `{word}: {{...}}`" if word in PIECES else "write `- floor: {from: [0, 0], to: [4, 4]}`"
            self.report.add("dropped", place_of(node), where, message, cure)
            return None
        key, value = node.value[0]
        kind = key.value if isinstance(key, yaml.ScalarNode) else ""
        if kind not in PIECES:
            cure = did_you_mean(kind, PIECES, SYNONYMS) or f"the pieces are {', '.join(PIECES)}"
            self.report.add("dropped", place_of(key), where, f"there is no piece {quoted(kind)}", cure)
            return None
        if len(node.value) > 1:
            other = node.value[1][0]
            empty = isinstance(value, yaml.ScalarNode) and not value.value
            words = quoted(other.value) if isinstance(other, yaml.ScalarNode) else "this"
            cure = f"indent {words} further than `{kind}`" if empty else "begin each piece with `- `"
            self.report.add("dropped", place_of(other), kind, f"{words} stands beside `{kind}`, not inside it", cure)
            return None
        place = place_of(key)
        read = self.record(PIECES[kind], value, place, kind)
        return Piece(kind, read, place) if read is not None else None

    def _entries(self, node: yaml.MappingNode, record: Record, where: str) -> dict[str, tuple[yaml.Node, yaml.Node]]:
        """The known fields of a mapping, each once; the others are reported."""
        entries: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        names = [field.name for field in record.fields]
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name in entries:
                earlier = place_of(entries[name][0])
                message = _twice(name, earlier)
                self.report.add("dropped", place_of(key), where, message, "keep one of them")
            elif name in names:
                entries[name] = (key, value)
            else:
                cure = (
                    did_you_mean(name, names, SYNONYMS)
                    or ("a decimal comma? write a point: a comma ends the value" if name.isdigit() else "")
                    or f"the fields of {record.name} are {', '.join(names)}"
                )
                message = f"there is no field {quoted(name)}" if name else "this is no name of a field"
                self.report.add("dropped", place_of(key), where, message, cure)
        return entries

    def _value(self, field: Field, node: yaml.Node, key: Place, where: str) -> object:
        """One value by its kind; raises BadValue, or returns None after reporting."""
        match field.kind:
            case Kind.NUMBER:
                return values.number(node, field)
            case Kind.INTEGER:
                return values.integer(node, field)
            case Kind.TEXT:
                return values.text(node, field)
            case Kind.FLAG:
                return values.flag(node, field)
            case Kind.POINT:
                return values.point(node, field)
            case Kind.PLAN:
                return values.point(node, field, ("x", "z"))
            case Kind.CORNERS:
                return values.corners(node, field)
            case Kind.ANGLE:
                return values.angle(node, field)
            case Kind.COLOUR:
                return values.colour(node, field)
            case Kind.CHOICE:
                return values.choice(node, field)
            case Kind.CHOICES:
                return values.choices(node, field)
            case Kind.SURFACE:
                return self._surface(field, node, where)
            case Kind.PIECES:
                return self.pieces(node, field, where)
            case Kind.RECORD:
                assert field.record is not None
                return self.record(field.record, node, key, where, lenient=_lenient(field))
            case Kind.RECORDS:
                return self._records(field, node, where)
            case Kind.NAMED:
                return self._named(field, node, where)

    def _surface(self, field: Field, node: yaml.Node, where: str) -> int | None:
        name = values.scalar(node, field)
        if name in self.surfaces:
            self.used.add(name)
            return self.surfaces[name]
        cure = did_you_mean(name, self.surfaces) or f"write {quoted(name)} under `surfaces:`"
        self.report.add("dropped", place_of(node), where, f"there is no surface {quoted(name)}", cure)
        return None

    def _records(self, field: Field, node: yaml.Node, where: str) -> tuple[Values, ...]:
        assert field.record is not None
        if not isinstance(node, yaml.SequenceNode):
            raise BadValue(node, f"{values.what_is(node)} where a list belongs", "put it in [ ], or begin it with `- `")
        if len(node.value) > field.most:
            raise BadValue(node, f"{len(node.value)} entries, {field.most} are the most")
        found = (self.record(field.record, item, place_of(item), where) for item in node.value)
        return tuple(entry for entry in found if entry is not None)

    def _named(self, field: Field, node: yaml.Node, where: str) -> dict[str, Values]:
        """The `surfaces`: their names become known here."""
        assert field.record is not None
        if not isinstance(node, yaml.MappingNode):
            raise BadValue(
                node,
                f"{values.what_is(node)} where names with fields belong",
                f"write {field.record.example}",
            )
        if len(node.value) > field.most:
            raise BadValue(node, f"{len(node.value)} names, {field.most} are the most")
        found: dict[str, Values] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not name or len(name) > 60 or not name.isprintable():
                self.report.add("dropped", place_of(key), where, f"{quoted(name)} is no name", "write up to 60 letters")
                continue
            if name in found:
                first = found[name].place
                message = _twice(name, first)
                self.report.add("dropped", place_of(key), where, message, "give it another name")
                continue
            read = self.record(field.record, value, place_of(key), f"{where}.{name}", lenient=True)
            if read is not None:
                found[name] = read
        for name in found:
            self.surfaces.setdefault(name, len(self.surfaces))
        return found


def _twice(name: str, first: Place) -> str:
    return f"{quoted(name)} is written twice; the first is at line {first.line}, column {first.column}"


def _lenient(field: Field) -> bool:
    return field.name in ("sky", "sun")


def _missing_cure(field: Field) -> str:
    if field.name == "format":
        return "write `format: 1` as the first line"
    kind = field.kind.value if not field.choices else " / ".join(field.choices)
    return f"{field.name}: {kind}. {field.doc}"
