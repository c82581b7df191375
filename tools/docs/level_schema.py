"""The table of the level format as a JSON Schema (draft 7), for editors that complete and explain YAML by one."""

from __future__ import annotations

import json
from typing import Any

from game.level.format import expressions, schema
from game.level.format.reader import LONGEST_NAME
from game.level.format.schema.fields import FARTHEST, Field, Kind, Record
from game.level.format.values import COLOURS, FACINGS

Schema = dict[str, Any]

_WORDS = [*expressions.CONSTANTS, *expressions.FUNCTIONS]
# What YAML 1.2 takes for a string but a level for a number: a sum, loosely.
SUM = rf"^(?=.*([0-9]|pi))([-+*/(), ]|[0-9.]+([eE][-+]?[0-9]+)?|{'|'.join(_WORDS)})+$"
DIRECTION = "^([Nn]orth|[Ss]outh)[ _-]?([Ee]ast|[Ww]est)?$|^([Ee]ast|[Ww]est)$"
COLOUR = "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"
FLAG = "^(yes|no|on|off|Yes|No|On|Off|YES|NO|ON|OFF)$"
WORDS = ["string", "number", "boolean"]  # what may be meant as text


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


def text() -> str:
    """The file, as it is kept."""
    return json.dumps(whole(), indent=1, ensure_ascii=False) + "\n"


class _Maker:
    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {
            "sum": {"type": "string", "pattern": SUM, "maxLength": expressions.LONGEST},
            "piece": {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": False,
                "properties": {name: self._piece(name) for name in schema.PIECES},
                "defaultSnippets": [_snippet(record) for record in schema.PIECES.values()],
            },
        }
        for record in schema.PIECES.values():
            self.definitions[record.name] = self.record(record)

    def _piece(self, name: str) -> Schema:
        return {"$ref": f"#/definitions/{name}"}

    def record(self, record: Record) -> Schema:
        """Its fields, with what they have to be, their defaults and words."""
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

    def field(self, field: Field) -> Schema:
        found = self._kind(field) if field.name != "format" else {"const": schema.FORMAT}
        words = f"{field.doc} {field.kind.value.capitalize()}{f' ({field.unit})' if field.unit else ''}"
        if field.kind in (Kind.NUMBER, Kind.INTEGER) and field.low != -FARTHEST:
            words += f", {field.low:g} to {field.high:g}"
        found["description"] = f"{words}."
        if field.default is not None:
            found["default"] = _default(field)
        return found

    def _kind(self, field: Field) -> Schema:
        match field.kind:
            case Kind.NUMBER | Kind.INTEGER:
                return _number(field, "integer" if field.kind is Kind.INTEGER else "number")
            case Kind.TEXT:
                return {"type": WORDS, "maxLength": field.most, **({"minLength": 1} if field.least else {})}
            case Kind.FORMULA:
                return {"type": ["string", "number"], "maxLength": expressions.LONGEST}
            case Kind.FLAG:
                return {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": FLAG}]}
            case Kind.POINT:
                return _row(_number(field), 3)
            case Kind.PLAN:
                return _row(_number(field), 2)
            case Kind.CORNERS:
                points = _row(_row(_number(field), 3), field.least)
                return points if field.least == field.most else {**points, "maxItems": field.most}
            case Kind.SCALE:
                return {"anyOf": [*_number(field)["anyOf"], _row(_number(field), 3)]}
            case Kind.SPAN:
                return {"anyOf": [*_number(field)["anyOf"], _row(_number(field), 2)]}
            case Kind.GRID:
                rows: Schema = {"type": "array", "minItems": field.least, "maxItems": field.most}
                return {**rows, "items": {**rows, "items": _number(field)}}
            case Kind.ANGLE:
                named: list[Schema] = [{"enum": list(FACINGS)}, {"type": "string", "pattern": DIRECTION}]
                return {"anyOf": [*named, *_number(field)["anyOf"]]}
            case Kind.COLOUR:
                return {"anyOf": [{"enum": sorted(COLOURS)}, {"type": "string", "pattern": COLOUR}]}
            case Kind.CHOICE:
                return {"enum": list(field.choices)}
            case Kind.CHOICES:
                return {
                    "anyOf": [{"enum": list(field.choices)}, {"type": "array", "items": {"enum": list(field.choices)}}]
                }
            case Kind.SURFACE | Kind.PREFAB:
                return {"type": WORDS}
            case Kind.PART:
                return {"type": "string", "pattern": r"\.[yY][aA]?[mM][lL]$", "maxLength": field.most}
            case Kind.PAINT:
                return {"type": "object", "maxProperties": field.most, "additionalProperties": {"type": WORDS}}
            case Kind.PIECES:
                return self._pieces(field)
            case Kind.RECORD:
                return self._record(field)
            case Kind.RECORDS:
                return {"type": "array", "maxItems": field.most, "items": self._record(field)}
            case Kind.NAMED:
                return _named(field, self._record(field))
            case Kind.PREFABS:
                assert field.record is not None
                inner = field.record.fields[0]
                return _named(field, {"anyOf": [self._pieces(inner), self.record(field.record)]})
        raise AssertionError(field.kind)

    def _record(self, field: Field) -> Schema:
        assert field.record is not None
        return self.record(field.record)

    def _pieces(self, field: Field) -> Schema:
        return {
            "type": "array", "minItems": field.least, "maxItems": field.most, "items": {"$ref": "#/definitions/piece"}
        }  # fmt: skip


def _number(field: Field, kind: str = "number") -> Schema:
    return {"anyOf": [{"type": kind, "minimum": field.low, "maximum": field.high}, {"$ref": "#/definitions/sum"}]}


def _row(item: Schema, count: int) -> Schema:
    return {"type": "array", "minItems": count, "maxItems": count, "items": item}


def _named(field: Field, item: Schema) -> Schema:
    name = {"minLength": 1, "maxLength": LONGEST_NAME}
    return {"type": "object", "maxProperties": field.most, "propertyNames": name, "additionalProperties": item}


def _default(field: Field) -> object:
    if field.kind is Kind.ANGLE:
        return {degrees: word for word, degrees in FACINGS.items()}.get(float(str(field.default)), field.default)
    return list(field.default) if isinstance(field.default, tuple) else field.default


def _snippet(record: Record) -> Schema:
    """The piece's example as it is written, offered whole where a piece may begin."""
    return {"label": f"{record.name}: {{...}}", "description": record.doc, "bodyText": record.example}
