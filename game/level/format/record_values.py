"""Values that are made of records: fields in { }, lists of them, pieces, prefabs, included files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from ...core.arguments import describe_value
from . import expressions
from .findings import InputError, SourceSpan, Suggestion, quote_text
from .numbers import PLAN_NAMES, Formula, FormulaValue
from .record import (
    EMPTY,
    IncludedFile,
    KnownNames,
    Prefab,
    R,
    Record,
    Schema,
    SchemaMaker,
    Spot,
    Value,
    ValueFormatError,
    describe_node,
)
from .values import TEXT_TYPES, parse_text, parse_word
from .yaml_nodes import YamlList, YamlMapping, YamlNode, YamlScalar, duplicate_message

MAX_NAME_LENGTH = 60  # characters in the name of a surface or prefab
MAX_PIECES = 50_000
TERM_NAME = re.compile("[A-Za-z][A-Za-z_0-9]*")


def make_record(kind: type[R], value: object, name: str) -> R:
    """A record given in Python, or made of a dictionary. ValueError for a record of another class."""
    if isinstance(value, Mapping):
        return kind(**value)
    if not isinstance(value, kind):
        raise ValueError(f"{name}: expected {kind.__name__}(...), not {describe_value(value)}")
    return value


class One(Value[R | None], Generic[R]):
    """Fields in { }."""

    words = "fields in { }"

    def __init__(self, doc: str, record: type[R]) -> None:
        super().__init__(doc)
        self.record: type[R] = record

    def read(self, node: YamlNode, spot: Spot) -> R | None:
        return spot.reader.read(self.record, node, spot.key.place, spot.where)

    def made(self, value: object, node: YamlNode, name: str) -> R:
        return make_record(self.record, value, name)

    def schema(self, made: SchemaMaker) -> Schema:
        return made.record(self.record)


class Many(Value[tuple[R, ...]], Generic[R]):
    """A list of fields in { }. Wrong entries are reported and left out."""

    words = "a list of fields in { }"
    absent = ()

    def __init__(self, doc: str, record: type[R], max_count: int, min_count: int = 0, required: bool = False) -> None:
        super().__init__(doc, required=required)
        self.record: type[R] = record
        self.min_count, self.max_count = min_count, max_count

    def items(self, node: YamlNode) -> list[YamlNode]:
        """Nodes of the entries. ValueFormatError where they are too many or too few."""
        if not isinstance(node, YamlList):
            message = f"expected a list, found {describe_node(node)}"
            raise ValueFormatError(node, message, "put it in [ ], or start it with `- `")
        if not node.items and self.min_count:
            raise ValueFormatError(node, "the list is empty", f"add an entry, for example {self.record.example}")
        self.check_count(node, len(node.items))
        return node.items

    def read(self, node: YamlNode, spot: Spot) -> tuple[R, ...]:
        entries = (spot.reader.read(self.record, item, item.place, spot.where) for item in self.items(node))
        return tuple(entry for entry in entries if entry is not None)

    def made(self, value: Any, node: YamlNode, name: str) -> tuple[R, ...]:
        self.items(node)
        return tuple(make_record(self.record, one, f"{name}[{index}]") for index, one in enumerate(value))

    def schema(self, made: SchemaMaker) -> Schema:
        least = {"minItems": self.min_count} if self.min_count else {}
        return {"type": "array", **least, "maxItems": self.max_count, "items": made.record(self.record)}


def read_names(
    field: Value[Any], node: YamlNode, spot: Spot, content: str, cure: str
) -> list[tuple[str, YamlNode, YamlNode]]:
    """Names that the author chose, each once, with the nodes of key and value."""
    report = spot.reader.report
    if isinstance(node, YamlScalar) and node.is_empty:
        return []
    if not isinstance(node, YamlMapping):
        raise ValueFormatError(node, f"expected names with {content}, found {describe_node(node)}", cure)
    field.check_count(node, len(node.pairs))
    entries: dict[str, tuple[str, YamlNode, YamlNode]] = {}
    for key, value in node.pairs:
        name = key.text if isinstance(key, YamlScalar) else ""
        if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
            message = f"{quote_text(name)} is not a valid name"
            report.add("dropped", key.place, spot.where, message, "use up to 60 letters")
        elif name in entries:
            message = duplicate_message(name, entries[name][1].place)
            report.add("dropped", key.place, spot.where, message, "give it another name")
        else:
            entries[name] = (name, key, value)
    return list(entries.values())


def names_schema(field: Value[Any], item: Schema) -> Schema:
    """JSON schema of names that the author chose."""
    name = {"minLength": 1, "maxLength": MAX_NAME_LENGTH}
    return {"type": "object", "maxProperties": field.max_count, "propertyNames": name, "additionalProperties": item}


class Terms(Value[Mapping[str, FormulaValue]]):
    """Named parts of the formulas of a record. Each may use those above it."""

    words = "names, each with an expression in x, z and the terms above it"
    reading_rank = -1
    absent = EMPTY
    max_count = 32

    def read(self, node: YamlNode, spot: Spot) -> Mapping[str, FormulaValue]:
        """A term with a mistake makes the field invalid, but other formulas may use its name without a finding."""
        reader, formula = spot.reader, Formula(self.doc)
        faults: list[ValueFormatError] = []
        for name, key, value in read_names(self, node, spot, "expressions", 'write {hill: "noise(x / 8, z / 8)"}'):
            taken = (*PLAN_NAMES, *expressions.FUNCTIONS, *expressions.CONSTANTS)
            if name in taken or not TERM_NAME.fullmatch(name):
                message = f"{quote_text(name)} cannot be the name of a term"
                cure = f"use letters, digits and _, beginning with a letter; {', '.join(taken)} have a meaning already"
                faults.append(ValueFormatError(key, message, cure))
                continue
            try:
                term = formula.read(value, spot)
            except ValueFormatError as error:
                faults.append(error)
                assert isinstance(key, YamlScalar)
                term = FormulaValue(expressions.parse_expression("0"), key, {})
            reader.terms = {**reader.terms, name: term}
        if faults:
            raise faults[0]
        return reader.terms

    def schema(self, made: SchemaMaker) -> Schema:
        return names_schema(self, Formula(self.doc).schema(made))


class NamedRecords(Value[dict[str, R]], Generic[R]):
    """Surfaces. Their indices become known to the pieces of the file."""

    words = "names, each with its fields"
    reading_rank = -2
    absent = EMPTY

    def __init__(self, doc: str, record: type[R], max_count: int) -> None:
        super().__init__(doc)
        self.record: type[R] = record
        self.max_count = max_count

    def read(self, node: YamlNode, spot: Spot) -> dict[str, R]:
        reader = spot.reader
        records: dict[str, R] = {}
        for name, key, value in read_names(self, node, spot, "fields", f"write {self.record.example}"):
            where = f"{spot.where}.{name}"
            record = reader.read(self.record, value, key.place, where)
            records[name] = record or self.record.begin(key.place, where)
        reader.surfaces = reader.files.add_surfaces(records, reader.is_level)
        return records

    def schema(self, made: SchemaMaker) -> Schema:
        return names_schema(self, made.record(self.record))


class Pieces(Value[tuple[Record, ...]]):
    """Pieces of a list. Unusable ones are reported and left out."""

    words = "a list of pieces"
    absent = ()
    min_count = 1
    max_count = MAX_PIECES

    def __init__(self, doc: str) -> None:
        super().__init__(doc, required=True)

    def read(self, node: YamlNode, spot: Spot) -> tuple[Record, ...]:
        if not isinstance(node, YamlList):
            message = f"expected a list of pieces, found {describe_node(node)}"
            raise ValueFormatError(node, message, "start each piece with `- `")
        if not node.items:
            raise ValueFormatError(node, "the list has no pieces")
        self.check_count(node, len(node.items), "pieces")
        pieces = (_read_piece(item, spot) for item in node.items)
        return tuple(piece for piece in pieces if piece is not None)

    def made(self, value: Any, node: YamlNode, name: str) -> None:
        for index, one in enumerate(value if isinstance(node, YamlList) else ()):
            if isinstance(one, Record) and not one.is_piece:
                raise ValueError(f"{name}[{index}]: expected a piece, not {describe_value(one)}")

    def schema(self, made: SchemaMaker) -> Schema:
        items = {"$ref": "#/definitions/piece"}
        return {"type": "array", "minItems": self.min_count, "maxItems": self.max_count, "items": items}


def _read_piece(node: YamlNode, spot: Spot) -> Record | None:
    reader = spot.reader
    if not isinstance(node, YamlMapping) or not node.pairs:
        message = f"expected a piece, found {describe_node(node)}"
        reader.report.add("dropped", node.place, spot.where, message, "write `- floor: {from: [0, 0], to: [4, 4]}`")
        return None
    key, value = node.pairs[0]
    kind = key.text if isinstance(key, YamlScalar) else ""
    if kind not in reader.kinds:
        known = f"the pieces are {', '.join(reader.kinds)}"
        cure = Suggestion(kind, reader.report.closest_words(kind, reader.kinds), known)
        reader.report.add("dropped", key.place, spot.where, f"there is no piece {quote_text(kind)}", cure)
        return None
    if len(node.pairs) > 1:
        other = node.pairs[1][0]
        key_text = quote_text(other.text) if isinstance(other, YamlScalar) else "this"
        advice = f"indent a field of the {kind} further than `{kind}`; start another piece with `- `"
        reader.report.add("dropped", other.place, kind, f"{key_text} is next to `{kind}`, not inside it", advice)
        return None
    return reader.read(reader.kinds[kind], value, key.place, kind)


class PrefabFields(Record):
    """Named pieces for `place`. A prefab can place prefabs defined above it."""

    kind = "prefab"
    example = (
        "tower: [pillar: {at: [0, 0, 0], radius: 2, height: 6}, sign: {text: Tower, at: [0, 2, 2.1], facing: south}]"
    )
    of = Pieces("The pieces, placed around [0, 0, 0].")


class Prefabs(Value[dict[str, Prefab]]):
    """Prefabs of `define`. Each may place those before it."""

    words = "names, each with a list of pieces"
    reading_rank = -1
    absent = EMPTY
    record = PrefabFields
    max_count = 1000

    def read(self, node: YamlNode, spot: Spot) -> dict[str, Prefab]:
        reader = spot.reader
        names = read_names(self, node, spot, "pieces", f"write {PrefabFields.example}")
        reader.prefab_places = {name: key.place for name, key, _ in names}
        for name, key, value in names:
            pieces: tuple[Record, ...] = ()
            where = f"{spot.where}.{name}"
            try:
                if isinstance(value, YamlMapping) and value.first_name not in reader.kinds:
                    record = reader.read(PrefabFields, value, key.place, where)
                    pieces = record.of if record is not None else ()
                else:
                    pieces = PrefabFields.of.read(value, Spot(reader, key, where)) or ()
            except ValueFormatError as error:
                reader.report.add("dropped", error.place, where, error.message, error.cure)
            reader.prefabs[name] = Prefab(name, pieces)
        return reader.prefabs

    def schema(self, made: SchemaMaker) -> Schema:
        return names_schema(self, {"anyOf": [PrefabFields.of.schema(made), made.record(PrefabFields)]})


class PrefabName(Value[Prefab]):
    words = "a name from `define`"
    noun = "prefab"
    word_rank = 7

    def known_words(self, names: KnownNames) -> tuple[str, ...]:
        return names.prefabs

    def read(self, node: YamlNode, spot: Spot) -> Prefab | None:
        reader = spot.reader
        name = self.scalar(node)
        if name in reader.prefabs:
            return reader.prefabs[name]
        if "define" in reader.unread:
            return None
        cure: str | Suggestion
        if name in reader.prefab_places:
            line = reader.prefab_places[name].line
            message = f"{quote_text(name)} is not defined yet here; its definition is on line {line}"
            cure = "a prefab can place only prefabs defined above it"
        else:
            message = f"there is no prefab {quote_text(name)}"
            near = reader.report.closest_words(name, reader.prefabs)
            cure = Suggestion(name, near, f"define {quote_text(name)} under `define:`")
        reader.report.add("dropped", node.place, spot.where, message, cure)
        return None

    def schema(self, made: SchemaMaker) -> Schema:
        return {"type": TEXT_TYPES}


class Include(Value[IncludedFile]):
    words = "a level file, relative to this one"
    word_rank = 8
    min_count = 1
    max_count = 200

    def read(self, node: YamlNode, spot: Spot) -> IncludedFile:
        text = parse_text(self, node)
        assert isinstance(node, YamlScalar)
        try:
            return spot.reader.files.resolve_include(node, text)
        except InputError as error:
            raise ValueFormatError(node, error.message, error.cure) from None

    def schema(self, made: SchemaMaker) -> Schema:
        return {"type": "string", "pattern": r"\.[yY][aA]?[mM][lL]$", "maxLength": self.max_count}


@dataclass(frozen=True, slots=True)
class PlacedText:
    """Text of a file with its position."""

    text: str
    place: SourceSpan


class WordOr(Value[PlacedText | R | None], Generic[R]):
    """One of some words (any text where there are none), or fields in { }."""

    def __init__(self, doc: str, record: type[R], choices: Sequence[str] = ()) -> None:
        super().__init__(doc)
        self.record: type[R] = record
        self.choices = tuple(choices)
        self.words = f"{', '.join(choices) or 'a name'}, or {One.words}"

    def read(self, node: YamlNode, spot: Spot) -> PlacedText | R | None:
        if isinstance(node, YamlScalar) and node.text.strip():
            parse = parse_word if self.choices else parse_text
            return PlacedText(parse(self, node).strip(), node.place)
        return spot.reader.read(self.record, node, spot.key.place, spot.where)

    def made(self, value: object, node: YamlNode, name: str) -> R | None:
        return make_record(self.record, value, name) if isinstance(node, YamlMapping) else None

    def schema(self, made: SchemaMaker) -> Schema:
        word: Schema = {"enum": list(self.choices)} if self.choices else {"type": TEXT_TYPES}
        return {"anyOf": [word, made.record(self.record)]}
