"""JSON Schema (draft 7) of the level format, for editors that complete and explain YAML."""

from __future__ import annotations

import json
from typing import Any

from game.level.format import expressions, schema
from game.level.format.reader import MAX_NAME_LENGTH
from game.level.format.schema.fields import MAX_COORDINATE, SchemaField, SchemaRecord, ValueKind
from game.level.format.values import FACING_DEGREES, NAMED_COLOURS

Schema = dict[str, Any]

_WORDS = [*expressions.CONSTANTS, *expressions.FUNCTIONS]
# Loose pattern of a sum, which YAML reads as a string and a level as a number.
SUM = rf"^(?=.*([0-9]|pi))([-+*/(), ]|[0-9.]+([eE][-+]?[0-9]+)?|{'|'.join(_WORDS)})+$"
DIRECTION = "^([Nn]orth|[Ss]outh)[ _-]?([Ee]ast|[Ww]est)?$|^([Ee]ast|[Ww]est)$"
COLOUR = "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"
PICTURE = r"\.([pP][nN][gG]|[jJ][pP][eE]?[gG]|[wW][eE][bB][pP])$"
FLAG = "^(yes|no|on|off|Yes|No|On|Off|YES|NO|ON|OFF)$"
WORDS = ["string", "number", "boolean"]  # YAML types that a text field accepts


def whole() -> Schema:
    """The schema of a level file, with every record once under `definitions`."""
    made = _Maker()
    level = made.record(schema.LEVEL)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Level",
        **level,
        "definitions": dict(sorted(made.definitions.items())),
    }


def of_tests_files() -> Schema:
    """The schema of the file of tests beside a level."""
    made = _Maker()
    record = made.record(schema.TESTS_FILE)
    used = {name: made.definitions[name] for name in ("expect", "sum")}
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Level tests", **record, "definitions": used}


def text(schema_of_file: Schema) -> str:
    """A schema file as text."""
    return json.dumps(schema_of_file, indent=1, ensure_ascii=False) + "\n"


class _Maker:
    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {
            "sum": {"type": "string", "pattern": SUM, "maxLength": expressions.MAX_EXPRESSION_LENGTH},
            "piece": {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": False,
                "properties": {name: self._piece(name) for name in schema.PIECE_RECORDS},
                "defaultSnippets": [_snippet(record) for record in schema.PIECE_RECORDS.values()],
            },
        }
        for record in schema.PIECE_RECORDS.values():
            self.definitions[record.name] = self.record(record)
        self.definitions["expect"] = {**self.record(schema.EXPECTATION), "type": "object", "minProperties": 1}

    def _piece(self, name: str) -> Schema:
        return {"$ref": f"#/definitions/{name}"}

    def record(self, record: SchemaRecord) -> Schema:
        """Schema of a record: its fields with types, defaults and descriptions."""
        needed = [field.name for field in record.fields if field.required]
        found: Schema = {
            "description": record.doc,
            "type": "object" if needed else ["object", "null"],
            "additionalProperties": False,
            "properties": {field.name: self.field(field) for field in record.fields},
        }
        if record.example:
            found["markdownDescription"] = f"{record.doc}\n\n`{record.example}`"
        if needed:
            found["required"] = needed
        return found

    def field(self, field: SchemaField) -> Schema:
        found = self._kind(field) if field.name != "format" else {"const": schema.FORMAT}
        words = f"{field.doc} {field.kind.value.capitalize()}{f' ({field.unit})' if field.unit else ''}"
        if field.kind in (ValueKind.NUMBER, ValueKind.INTEGER) and field.low != -MAX_COORDINATE:
            words += f", {field.low:g} to {field.high:g}"
        found["description"] = f"{words}."
        if field.default is not None:
            found["default"] = _default(field)
        return found

    def _kind(self, field: SchemaField) -> Schema:
        match field.kind:
            case ValueKind.NUMBER | ValueKind.INTEGER:
                return _number(field, "integer" if field.kind is ValueKind.INTEGER else "number")
            case ValueKind.TEXT:
                return {"type": WORDS, "maxLength": field.max_count, **({"minLength": 1} if field.min_count else {})}
            case ValueKind.FORMULA:
                return {"type": ["string", "number"], "maxLength": expressions.MAX_EXPRESSION_LENGTH}
            case ValueKind.FLAG:
                return {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": FLAG}]}
            case ValueKind.POINT:
                return _row(_number(field), 3)
            case ValueKind.PLAN:
                return _row(_number(field), 2)
            case ValueKind.CORNERS:
                points = _row(_row(_number(field), 3), field.min_count)
                return points if field.min_count == field.max_count else {**points, "maxItems": field.max_count}
            case ValueKind.SCALE:
                return {"anyOf": [*_number(field)["anyOf"], _row(_number(field), 3)]}
            case ValueKind.SPAN:
                return {"anyOf": [*_number(field)["anyOf"], _row(_number(field), 2)]}
            case ValueKind.GRID:
                rows: Schema = {"type": "array", "minItems": field.min_count, "maxItems": field.max_count}
                return {**rows, "items": {**rows, "items": _number(field)}}
            case ValueKind.ANGLE:
                named: list[Schema] = [{"enum": list(FACING_DEGREES)}, {"type": "string", "pattern": DIRECTION}]
                return {"anyOf": [*named, *_number(field)["anyOf"]]}
            case ValueKind.COLOUR:
                return {"anyOf": _colour()}
            case ValueKind.PICTURE | ValueKind.FACTOR | ValueKind.GLOW | ValueKind.SIZE | ValueKind.PAIR:
                return _picture_kind(field)
            case ValueKind.CHOICE:
                return {"enum": list(field.choices)}
            case ValueKind.CHOICES:
                return {
                    "anyOf": [{"enum": list(field.choices)}, {"type": "array", "items": {"enum": list(field.choices)}}]
                }
            case ValueKind.SURFACE | ValueKind.PREFAB:
                return {"type": WORDS}
            case ValueKind.PART:
                return {"type": "string", "pattern": r"\.[yY][aA]?[mM][lL]$", "maxLength": field.max_count}
            case ValueKind.PAINT:
                return {"type": "object", "maxProperties": field.max_count, "additionalProperties": {"type": WORDS}}
            case ValueKind.PIECES:
                return self._pieces(field)
            case ValueKind.RECORD:
                return self._record(field)
            case ValueKind.RECORDS:
                rows = {"type": "array", **({"minItems": field.min_count} if field.min_count else {})}
                return {**rows, "maxItems": field.max_count, "items": self._record(field)}
            case ValueKind.NAMED:
                return _named(field, self._record(field))
            case ValueKind.PREFABS:
                assert field.record is not None
                inner = field.record.fields[0]
                return _named(field, {"anyOf": [self._pieces(inner), self.record(field.record)]})
            case _:
                return self._test_kind(field)

    def _test_kind(self, field: SchemaField) -> Schema:
        """Schema of the kinds of values that tests alone have."""
        texts: Schema = {"type": "array", "minItems": 1, "maxItems": field.max_count, "items": {"type": WORDS}}
        match field.kind:
            case ValueKind.NAMES | ValueKind.WALK:
                return {"anyOf": [{"type": WORDS}, texts]}
            case ValueKind.COUNT:
                assert field.record is not None
                numbers = _number(field.record.fields[0], "integer")["anyOf"]
                names: list[Schema] = [{"type": "string"}, texts] if field.choices else []
                return {"anyOf": [*numbers, *names, self._record(field)]}
            case ValueKind.WORD_OR_RECORD:
                word: Schema = {"enum": list(field.choices)} if field.choices else {"type": WORDS}
                return {"anyOf": [word, self._record(field)]}
            case ValueKind.EXPECT:
                one: list[Schema] = [{"enum": ["goal"]}, {"$ref": "#/definitions/expect"}]
                many = {**texts, "items": {"anyOf": one}}
                return {"anyOf": [*one, many]}
        raise AssertionError(field.kind)

    def _record(self, field: SchemaField) -> Schema:
        assert field.record is not None
        return self.record(field.record)

    def _pieces(self, field: SchemaField) -> Schema:
        items = {"$ref": "#/definitions/piece"}
        return {"type": "array", "minItems": field.min_count, "maxItems": field.max_count, "items": items}


def _number(field: SchemaField, kind: str = "number") -> Schema:
    return {"anyOf": [{"type": kind, "minimum": field.low, "maximum": field.high}, {"$ref": "#/definitions/sum"}]}


def _colour() -> list[Schema]:
    return [{"enum": sorted(NAMED_COLOURS)}, {"type": "string", "pattern": COLOUR}]


def _picture_kind(field: SchemaField) -> Schema:
    """Schema of the kinds of values that describe pictures."""
    path = {"type": "string", "pattern": PICTURE, "maxLength": field.max_count}
    match field.kind:
        case ValueKind.FACTOR:
            return {"anyOf": [*_number(field)["anyOf"], path]}
        case ValueKind.GLOW:
            return {"anyOf": [*_colour(), path]}
        case ValueKind.SIZE:
            return {"anyOf": [*_number(field)["anyOf"], _row(_number(field), 2)]}
        case ValueKind.PAIR:
            return _row(_number(field), 2)
    return path


def _row(item: Schema, count: int) -> Schema:
    return {"type": "array", "minItems": count, "maxItems": count, "items": item}


def _named(field: SchemaField, item: Schema) -> Schema:
    name = {"minLength": 1, "maxLength": MAX_NAME_LENGTH}
    return {"type": "object", "maxProperties": field.max_count, "propertyNames": name, "additionalProperties": item}


def _default(field: SchemaField) -> object:
    if field.kind is ValueKind.ANGLE:
        return {degrees: word for word, degrees in FACING_DEGREES.items()}.get(float(str(field.default)), field.default)
    return list(field.default) if isinstance(field.default, tuple) else field.default


def _snippet(record: SchemaRecord) -> Schema:
    """The piece's example as a snippet that editors offer where a piece may begin."""
    return {"label": f"{record.name}: {{...}}", "description": record.doc, "bodyText": record.example}
