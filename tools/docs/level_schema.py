"""JSON Schema (draft 7) of the level format, for editors that complete and explain YAML."""

from __future__ import annotations

import json

from game.level.build.pieces import PIECES
from game.level.format import expressions
from game.level.format.level_file import LevelFields
from game.level.format.level_tests.records import Expectations, FileOfTests
from game.level.format.record import FORMAT, Record, Schema

_WORDS = [*expressions.CONSTANTS, *expressions.FUNCTIONS]
# Loose pattern of a sum, which YAML reads as a string and a level as a number.
SUM = rf"^(?=.*([0-9]|pi))([-+*/(), ]|[0-9.]+([eE][-+]?[0-9]+)?|{'|'.join(_WORDS)})+$"


def whole() -> Schema:
    """The schema of a level file, with every record once under `definitions`."""
    made = _Maker()
    level = made.record(LevelFields)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Level",
        **level,
        "definitions": dict(sorted(made.definitions.items())),
    }


def of_tests_files() -> Schema:
    """The schema of the file of tests beside a level."""
    made = _Maker()
    record = made.record(FileOfTests)
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
                "properties": {name: {"$ref": f"#/definitions/{name}"} for name in PIECES},
                "defaultSnippets": [_snippet(piece) for piece in PIECES.values()],
            },
        }
        for name, piece in PIECES.items():
            self.definitions[name] = self.record(piece)
        self.definitions["expect"] = {**self.record(Expectations), "type": "object", "minProperties": 1}

    def record(self, record: type[Record]) -> Schema:
        """Schema of a record: its fields with types, defaults and descriptions."""
        fields = record.fields.values()
        needed = [field.name for field in fields if field.required and not field.instead]
        found: Schema = {
            "description": record.describe(),
            "type": "object" if needed else ["object", "null"],
            "additionalProperties": False,
            "properties": {},
        }
        for field in record.fields.values():
            kind = {"const": FORMAT} if field.name == "format" else field.schema(self)
            default = list(field.default) if isinstance(field.default, tuple) else field.default
            given = {} if default is None else {"default": default}
            found["properties"][field.name] = {**kind, "description": field.description(), **given}
        if record.example:
            found["markdownDescription"] = f"{record.describe()}\n\n`{record.example}`"
        if needed:
            found["required"] = needed
        for instead in sorted({field.instead for field in fields if field.instead}):
            replaced = [field for field in fields if field.instead == instead]
            either = [field.name for field in replaced if field.required]
            found["if"] = {"required": [instead]}
            found["then"] = {"not": {"anyOf": [{"required": [field.name]} for field in replaced]}}
            found["else"] = {"required": either}
        return found


def _snippet(piece: type[Record]) -> Schema:
    """The piece's example as a snippet that editors offer where a piece may begin."""
    return {"label": f"{piece.kind}: {{...}}", "description": piece.describe(), "bodyText": piece.example}
