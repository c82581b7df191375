"""From YAML nodes to checked values, by the schema table; everything wrong becomes a finding, all at once."""

from __future__ import annotations

from typing import Protocol

from . import values
from .findings import Place, Refused, Report, Severity, quoted
from .records import Part, Piece, Prefab, Values
from .schema import DEFAULT_SURFACE, PIECES
from .schema.fields import SYNONYMS, Field, Kind, Record
from .values import BadValue
from .yaml_nodes import List, Mapping, Node, Scalar

LONGEST_NAME = 60  # of a surface or a prefab


class Files(Protocol):
    """What a reader asks about other files, and about surfaces, which files share."""

    def want(self, node: Scalar, text: str) -> Part:
        """The part that is included by that path, written there; read later. Raises Refused."""

    def surfaces(self, named: dict[str, Values], own: bool) -> dict[str, int]:
        """The index of each surface of a file."""


class Reader:
    """Reads the records of one file; `surfaces` are the names that its pieces may use, `used` those that they did.

    own: of the level itself; what a part lacks leaves that part out, and is never fatal.
    """

    def __init__(self, report: Report, files: Files, own: bool = True) -> None:
        self.report = report
        self.files = files
        self.own = own
        self.surfaces: dict[str, int] = {DEFAULT_SURFACE: 0}
        self.used: set[str] = set()
        self.prefabs: dict[str, Prefab] = {}
        self._coming: dict[str, Place] = {}  # all that `define` names

    def record(
        self,
        record: Record,
        node: Node,
        place: Place,
        where: str,
        first: tuple[str, ...] = (),
        lenient: bool = False,
    ) -> Values | None:
        """Read a mapping; None when a field that it cannot do without is missing or wrong.

        lenient: a wrong value leaves the default in its place. first: fields to read before the others.
        """
        empty = isinstance(node, Scalar) and not node.text
        if not isinstance(node, Mapping) and not empty:
            self.report.add(
                "dropped", node.place, where, f"{values.what_is(node)} where fields belong",
                f"write it as {record.example}" if record.example else "",
            )  # fmt: skip
            return None
        read = Values(record, place, where)
        entries, meant = self._entries(node.pairs if isinstance(node, Mapping) else [], record, where)
        whole = True
        severity: Severity
        for name in sorted(entries, key=lambda name: first.index(name) if name in first else len(first)):
            field = record.field(name)
            assert field is not None
            key, value = entries[name]
            try:
                result = self._value(field, value, key.place, f"{where}.{name}" if where else name)
            except BadValue as bad:
                severity = "fatal" if field.required and not where and self.own else "dropped"
                self.report.add(severity, bad.place, f"{where}.{name}" if where else name, bad.message, bad.cure)
                whole = False
                continue
            if result is None:
                whole = whole and field.kind is not Kind.RECORD and not field.required
                continue
            read.set(name, result, value.place)
        for field in record.fields:
            if field.required and field.name not in entries:
                whole = False
                severity = "fatal" if not where and self.own else "dropped"
                if field.name in meant and severity != "fatal":
                    continue
                self.report.add(
                    severity,
                    place,
                    where,
                    f"`{field.name}` is missing",
                    _missing_cure(field),
                )
        return read if whole or lenient else None

    def pieces(self, node: Node, field: Field, where: str) -> tuple[Piece, ...]:
        """Read a list of pieces; those that cannot be used are reported and left out."""
        if not isinstance(node, List):
            cure = "each piece begins on a line of its own with `- `" if isinstance(node, Mapping) else ""
            raise BadValue(node, f"{values.what_is(node)} where a list of pieces belongs", cure)
        if len(node.items) > field.most:
            raise BadValue(
                node, f"{len(node.items)} pieces, {field.most} are the most", "use `array`, `tile` or a group"
            )
        if not node.items:
            raise BadValue(node, "a list without a piece")
        found = (self._piece(item, where) for item in node.items)
        return tuple(piece for piece in found if piece is not None)

    def _piece(self, node: Node, where: str) -> Piece | None:
        if not isinstance(node, Mapping) or not node.pairs:
            message = f"{values.what_is(node)} where a piece belongs"
            word = node.text if isinstance(node, Scalar) else ""
            cure = f"write `{word}: {{...}}`" if word in PIECES else "write `- floor: {from: [0, 0], to: [4, 4]}`"
            self.report.add("dropped", node.place, where, message, cure)
            return None
        key, value = node.pairs[0]
        kind = key.text if isinstance(key, Scalar) else ""
        if kind not in PIECES:
            cure = self.report.suggest(kind, PIECES, SYNONYMS) or f"the pieces are {', '.join(PIECES)}"
            self.report.add("dropped", key.place, where, f"there is no piece {quoted(kind)}", cure)
            return None
        if len(node.pairs) > 1:
            other = node.pairs[1][0]
            empty = isinstance(value, Scalar) and not value.text
            words = quoted(other.text) if isinstance(other, Scalar) else "this"
            cure = f"indent {words} further than `{kind}`" if empty else "begin each piece with `- `"
            self.report.add("dropped", other.place, kind, f"{words} stands beside `{kind}`, not inside it", cure)
            return None
        place = key.place
        read = self.record(PIECES[kind], value, place, kind)
        return Piece(kind, read, place) if read is not None else None

    def _entries(
        self, pairs: list[tuple[Node, Node]], record: Record, where: str
    ) -> tuple[dict[str, tuple[Node, Node]], set[str]]:
        """The known fields of a mapping, each once; the others are reported, and the fields that they may be meant for.
        """
        entries: dict[str, tuple[Node, Node]] = {}
        meant: set[str] = set()
        names = [field.name for field in record.fields]
        loose = sum(isinstance(key, Scalar) and key.text.rstrip(")").isdigit() for key, _ in pairs) > 1
        for key, value in pairs:
            name = key.text if isinstance(key, Scalar) else ""
            if name in entries:
                earlier = entries[name][0].place
                message = _twice(name, earlier)
                self.report.add("dropped", key.place, where, message, "keep one of them")
            elif name in names:
                entries[name] = (key, value)
            else:
                near = self.report.suggest(name, names, SYNONYMS)
                meant.update(field for field in names if near == f"did you mean `{field}`?")
                cure = (
                    near
                    or ('write "...", with straight quotes' if name.endswith(("”", "“")) else "")
                    or ("a point is written in square brackets: [x, y, z]" if loose and name[:1].isdigit() else "")
                    or ('a sum with a comma needs quotes: "min(1, 2)"' if name.endswith(")") else "")
                    or ("a decimal comma? write a point: a comma ends the value" if name.isdigit() else "")
                    or f"the fields of {record.name} are {', '.join(names)}"
                )
                message = f"there is no field {quoted(name)}" if name else "this is no name of a field"
                self.report.add("dropped", key.place, where, message, cure)
        return entries, meant

    def _value(self, field: Field, node: Node, key: Place, where: str) -> object:
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
            case Kind.SCALE:
                return values.scale(node, field)
            case Kind.FORMULA:
                return values.formula(node, field)
            case Kind.SPAN:
                return values.span(node, field)
            case Kind.GRID:
                return values.grid(node, field)
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
            case Kind.PAINT:
                return self._paint(field, node, where)
            case Kind.PIECES:
                return self.pieces(node, field, where)
            case Kind.RECORD:
                assert field.record is not None
                return self.record(field.record, node, key, where, lenient=_lenient(field))
            case Kind.RECORDS:
                return self._records(field, node, where)
            case Kind.NAMED:
                return self._named(field, node, where)
            case Kind.PREFABS:
                return self._define(field, node, where)
            case Kind.PREFAB:
                return self._prefab(field, node, where)
            case Kind.PART:
                return self._part(field, node)

    def _surface(self, field: Field, node: Node, where: str) -> int | None:
        name = values.scalar(node, field)
        if name in self.surfaces:
            self.used.add(name)
            return self.surfaces[name]
        cure = self.report.suggest(name, self.surfaces) or f"write {quoted(name)} under `surfaces:`"
        self.report.add("dropped", node.place, where, f"there is no surface {quoted(name)}", cure)
        return None

    def _paint(self, field: Field, node: Node, where: str) -> dict[str, tuple[int, Place]]:
        """What a model's own names stand for: index of the surface, and where the name is written."""
        if not isinstance(node, Mapping):
            raise BadValue(node, f"{values.what_is(node)} where names with surfaces belong", "write {wood: planks}")
        if len(node.pairs) > field.most:
            raise BadValue(node, f"{len(node.pairs)} names, {field.most} are the most")
        found: dict[str, tuple[int, Place]] = {}
        for key, value in node.pairs:
            name = key.text if isinstance(key, Scalar) else ""
            if name in found:
                self.report.add("dropped", key.place, where, _twice(name, found[name][1]), "keep one of them")
                continue
            try:
                surface = self._surface(field, value, f"{where}.{name}")
            except BadValue as bad:
                self.report.add("dropped", bad.place, f"{where}.{name}", bad.message, bad.cure)
                continue
            if surface is not None:
                found[name] = (surface, key.place)
        return found

    def _records(self, field: Field, node: Node, where: str) -> tuple[Values, ...]:
        assert field.record is not None
        if not isinstance(node, List):
            raise BadValue(node, f"{values.what_is(node)} where a list belongs", "put it in [ ], or begin it with `- `")
        if len(node.items) > field.most:
            raise BadValue(node, f"{len(node.items)} entries, {field.most} are the most")
        found = (self.record(field.record, item, item.place, where) for item in node.items)
        return tuple(entry for entry in found if entry is not None)

    def _names(self, field: Field, node: Node, where: str, wanted: str, cure: str) -> list[tuple[str, Node, Node]]:
        """The names of a mapping that its author made up, each once, with their nodes."""
        if not isinstance(node, Mapping):
            raise BadValue(node, f"{values.what_is(node)} where names with {wanted} belong", cure)
        if len(node.pairs) > field.most:
            raise BadValue(node, f"{len(node.pairs)} names, {field.most} are the most")
        found: dict[str, tuple[str, Node, Node]] = {}
        for key, value in node.pairs:
            name = key.text if isinstance(key, Scalar) else ""
            if not name or len(name) > LONGEST_NAME or not name.isprintable():
                self.report.add("dropped", key.place, where, f"{quoted(name)} is no name", "write up to 60 letters")
            elif name in found:
                message = _twice(name, found[name][1].place)
                self.report.add("dropped", key.place, where, message, "give it another name")
            else:
                found[name] = (name, key, value)
        return list(found.values())

    def _named(self, field: Field, node: Node, where: str) -> dict[str, Values]:
        """The `surfaces`: their names become known here."""
        assert field.record is not None
        found: dict[str, Values] = {}
        for name, key, value in self._names(field, node, where, "fields", f"write {field.record.example}"):
            read = self.record(field.record, value, key.place, f"{where}.{name}", lenient=True)
            if read is not None:
                found[name] = read
        self.surfaces = self.files.surfaces(found, self.own)
        return found

    def _define(self, field: Field, node: Node, where: str) -> dict[str, Prefab]:
        """The prefabs, each known to those after it."""
        assert field.record is not None
        names = self._names(field, node, where, "pieces", f"write {field.record.example}")
        self._coming = {name: key.place for name, key, _ in names}
        inner = field.record.fields[0]
        for name, key, value in names:
            pieces: tuple[Piece, ...] = ()
            at = f"{where}.{name}"
            try:
                if isinstance(value, Mapping):
                    read = self.record(field.record, value, key.place, at)
                    pieces = read.pieces(inner.name) if read is not None else ()
                else:
                    pieces = self.pieces(value, inner, at)
            except BadValue as bad:
                self.report.add("dropped", bad.place, at, bad.message, bad.cure)
            self.prefabs[name] = Prefab(name, pieces)
        return self.prefabs

    def _prefab(self, field: Field, node: Node, where: str) -> Prefab | None:
        name = values.scalar(node, field)
        if name in self.prefabs:
            return self.prefabs[name]
        if name in self._coming:
            message = f"{quoted(name)} is not defined yet: its name is written on line {self._coming[name].line}"
            cure = "a prefab may place those above it, not itself or those below"
        else:
            message = f"there is no prefab {quoted(name)}"
            cure = self.report.suggest(name, self.prefabs) or f"write {quoted(name)} under `define:`"
        self.report.add("dropped", node.place, where, message, cure)
        return None

    def _part(self, field: Field, node: Node) -> Part:
        text = values.text(node, field)
        assert isinstance(node, Scalar)
        try:
            return self.files.want(node, text)
        except Refused as refused:
            raise BadValue(node, refused.message, refused.cure) from None


def _twice(name: str, first: Place) -> str:
    return f"{quoted(name)} is written twice; the first is at line {first.line}, column {first.column}"


def _lenient(field: Field) -> bool:
    return field.name in ("sky", "sun")


def _missing_cure(field: Field) -> str:
    if field.name == "format":
        return "write `format: 1` as the first line"
    kind = field.kind.value if not field.choices else " / ".join(field.choices)
    return f"{field.name}: {kind}. {field.doc}"
